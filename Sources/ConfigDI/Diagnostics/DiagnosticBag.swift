// SPDX-License-Identifier: Apache-2.0

/// Where a finding stands, before lines are counted. All but nodes lie apart, as every datum has a place.
package enum Place: Hashable, Sendable {
  /// The token of a node; of a map or list in JSON its opening bracket.
  case node(NodeRef)
  /// A stretch of bytes of a file that could not be read to its end; `path` as far as it was known.
  indirect case bytes(FileID, start: Int, end: Int, path: String)
  /// The caller's own words; `path` is what a `--set` named, or empty.
  indirect case commandLine(path: String)

  /// The file, or nil for the command line.
  package var file: FileID? {
    switch self {
    case .node(let reference): reference.file
    case .bytes(let file, _, _, _): file
    case .commandLine: nil
    }
  }
}

/// One node of one document of a load.
package struct NodeRef: Hashable, Sendable {
  /// The file whose document holds the node.
  package let file: FileID
  /// The node's place in the document.
  package let node: UInt32

  /// The node at a place of a file's document.
  package init(file: FileID, node: UInt32) {
    self.file = file
    self.node = node
  }
}

/// A finding as a check reports it: places are tokens, not lines.
package struct Finding: Hashable, Sendable {
  /// A further place, with words of its own.
  package struct Related: Hashable, Sendable {
    /// The place.
    package var place: Place
    /// What is to be seen there.
    package var message: String

    /// A further place.
    package init(_ place: Place, _ message: String) {
      self.place = place
      self.message = message
    }
  }

  /// What may stand in the place of a token; how it is written, the syntax of the file says.
  package enum Replacement: Hashable, Sendable {
    /// A text, as a string or a key.
    case string(String)
    /// A reference to the service of an id that may be absent.
    case optionalReference(String)
    /// Nothing: the entry whose key or value the token is goes, or the element of a list.
    case removal
  }

  /// What the finding is about.
  package var code: DiagnosticCode
  /// One sentence that says what is wrong.
  package var message: String
  /// The token.
  package var place: Place
  /// A few words for the place itself, or nil.
  package var label: String?
  /// Further places.
  package var related: [Related] = []
  /// Further facts.
  package var notes: [String] = []
  /// What to do, or nil.
  package var help: String?
  /// What would mend the token at `place`, or nil.
  package var replacement: Replacement?
  /// The id of the service that suffers from it, where several may suffer from one token, as from one in a template.
  package var owner: String?
  /// Tells findings of one code at one place apart, such as two missing arguments of one service.
  package var subject = ""
  /// The id that the token belongs to, which is never suggested in the place of the subject, or nil.
  package var bearer: String?

  /// A finding without further words.
  package init(_ code: DiagnosticCode, _ message: String, at place: Place) {
    self.code = code
    self.message = message
    self.place = place
  }

  /// A finding at a node's token.
  package init(_ code: DiagnosticCode, _ message: String, at node: NodeRef) {
    self.init(code, message, at: .node(node))
  }
}

extension Finding {
  /// Asks whether one of some names was meant; a single one is a repair of the token.
  package mutating func suggest(_ near: [String], orElse help: String? = nil) {
    self.help = SuggestionIndex.help(near) ?? help
    replacement = near.count == 1 ? .string(near[0]) : nil
  }
}

/// Collects the findings of one run, so that all of them are told together. No check throws.
package struct DiagnosticBag: Sendable {
  /// The findings in the order in which they were reported.
  package private(set) var findings: [Finding] = []

  /// An empty bag.
  package init() {}

  /// How many findings a bag holds, so that no file can fill the memory with them.
  package static let greatestCount = 100_000

  /// Adds a finding. A bag that is full notes at its last finding that there are more.
  package mutating func report(_ finding: Finding) {
    if findings.count < DiagnosticBag.greatestCount {
      findings.append(finding)
    } else if findings[DiagnosticBag.greatestCount - 1].notes.last != DiagnosticBag.fullNote {
      findings[DiagnosticBag.greatestCount - 1].notes.append(DiagnosticBag.fullNote)
    }
  }

  /// What the last finding of a full bag says.
  private static let fullNote = "only the first \(greatestCount) findings are reported"

  /// Adds all findings of another bag; `owner` is the service that suffers from them.
  package mutating func append(_ other: DiagnosticBag, owner: String? = nil) {
    for var finding in other.findings {
      finding.owner = owner ?? finding.owner
      report(finding)
    }
  }

  /// Gives each finding of a code the names that come nearest to its subject.
  ///
  /// Done once for all findings of a pass, so that the names are put in order once. Of very many findings the last have none.
  package mutating func suggest(
    among names: @autoclosure () -> [String], for code: DiagnosticCode, orElse help: String? = nil
  ) {
    guard findings.contains(where: { $0.code == code && $0.help == nil }) else { return }
    let index = SuggestionIndex(names())
    let places = findings.indices.filter { findings[$0].code == code && findings[$0].help == nil }
    for (question, place) in places.enumerated() {
      let isAsked = question < index.greatestQuestionCount
      let finding = findings[place]
      let near = isAsked ? index.suggestions(for: finding.subject, excluding: finding.bearer) : []
      findings[place].suggest(near, orElse: help)
    }
  }

  /// Whether a finding forbids to go on.
  package var hasErrors: Bool { findings.contains { $0.code.severity == .error } }

  /// Whether a file could not be read, so that what depends on it would only be a guess.
  package var hasReadingErrors: Bool { findings.contains { (101...109).contains($0.code.number) } }
}
