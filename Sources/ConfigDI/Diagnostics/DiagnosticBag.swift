// SPDX-License-Identifier: Apache-2.0

/// Where a finding stands, before lines are counted. All but nodes are boxed, as every datum has a place.
package enum Place: Hashable, Sendable {
  /// The token of a node; of a map or list in JSON its opening bracket.
  case node(NodeRef)
  /// A range of bytes of a file that could not be read to its end; `path` as far as it was known.
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
    /// Another name in each placeholder that has a name; the rest of the text stays.
    case placeholder(String, renamed: String)
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
  package var related: [Related]
  /// Further facts.
  package var notes: [String]
  /// What to do, or nil.
  package var help: String?
  /// What would fix the token at `place`, or nil.
  package var replacement: Replacement?
  /// The id of the service that suffers from it, where several may suffer from one token, as from one in a template.
  package var owner: String?
  /// Distinguishes findings of one code at one place, such as two missing arguments of one service.
  package var subject: String
  /// The id that the token belongs to, which is never suggested in the place of the subject, or nil.
  package var bearer: String?

  /// A finding at a place.
  package init(
    _ code: DiagnosticCode, _ message: String, at place: Place, label: String? = nil, related: [Related] = [],
    notes: [String] = [], help: String? = nil, subject: String = "", owner: String? = nil,
    replacement: Replacement? = nil, bearer: String? = nil
  ) {
    self.code = code
    self.message = message
    self.place = place
    self.label = label
    self.related = related
    self.notes = notes
    self.help = help
    self.subject = subject
    self.owner = owner
    self.replacement = replacement
    self.bearer = bearer
  }

  /// A finding at a node's token.
  package init(
    _ code: DiagnosticCode, _ message: String, at node: NodeRef, label: String? = nil, related: [Related] = [],
    notes: [String] = [], help: String? = nil, subject: String = "", owner: String? = nil,
    replacement: Replacement? = nil, bearer: String? = nil
  ) {
    self.init(
      code, message, at: .node(node), label: label, related: related, notes: notes, help: help, subject: subject,
      owner: owner, replacement: replacement, bearer: bearer)
  }
}

extension Finding {
  /// How many bytes each of the finding's texts may have.
  private static let greatestTextSize = 2_000

  /// The finding with texts that have a bound: a name in a file may be as long as the file.
  fileprivate var shortened: Finding {
    var finding = self
    func shorten(_ text: String) -> String { text.shortened(to: Finding.greatestTextSize) }
    finding.message = shorten(message)
    finding.label = label.map(shorten)
    finding.help = help.map(shorten)
    for place in notes.indices { finding.notes[place] = shorten(notes[place]) }
    for place in related.indices { finding.related[place].message = shorten(related[place].message) }
    return finding
  }

  /// Asks whether one of some names was meant; a single one is a repair of what names the subject, unless that is not to be
  /// changed.
  package mutating func suggest(_ near: [String], isRepairable: Bool = true, orElse help: String? = nil) {
    self.help = SuggestionIndex.help(near) ?? help
    replacement = near.count == 1 && isRepairable ? replacement(by: near[0]) : nil
  }

  /// The repair that gives the subject another name: of a placeholder a part of the token, else all of it.
  private func replacement(by name: String) -> Replacement {
    code == .unknownParameter ? .placeholder(subject, renamed: name) : .string(name)
  }
}

/// How many findings there are of each severity.
package struct FindingCounts: Hashable, Sendable {
  /// The number of errors.
  package private(set) var errors = 0
  /// The number of warnings.
  package private(set) var warnings = 0

  /// No findings.
  package init() {}

  /// The findings of a list.
  package init(of diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics { self[diagnostic.severity] += 1 }
  }

  /// The number of findings of a severity.
  package subscript(severity: Severity) -> Int {
    get {
      switch severity {
      case .error: errors
      case .warning: warnings
      }
    }
    set {
      switch severity {
      case .error: errors = newValue
      case .warning: warnings = newValue
      }
    }
  }

  /// The findings of both.
  package static func + (left: FindingCounts, right: FindingCounts) -> FindingCounts {
    left.map { $1 + right[$0] }
  }

  /// The counts with that of each severity converted by a closure.
  func map(_ convert: (Severity, Int) -> Int) -> FindingCounts {
    var counts = FindingCounts()
    counts.errors = convert(.error, errors)
    counts.warnings = convert(.warning, warnings)
    return counts
  }
}

/// Collects the findings of one run, so that all of them are reported together. No check throws.
///
/// Every finding counts. Of each severity only so many are kept to be shown, so that no file can fill the memory with them
/// and no number of warnings can hide an error.
package struct DiagnosticBag: Sendable {
  /// The findings that are kept, in the order in which they were reported.
  package private(set) var findings: [Finding] = []
  /// How many findings were reported, also those that are not kept.
  package private(set) var reported = FindingCounts()
  /// Whether a file could not be read, so that what depends on it would only be a guess.
  package private(set) var hasReadingErrors = false
  /// What speaks against warnings that other environments report.
  package var uses = Uses()

  /// An empty bag.
  package init() {}

  /// How many findings of one severity a bag keeps.
  package static let greatestCount = 100_000

  /// Adds a finding. Where as many of its severity are kept as can be, the last one of them notes that there are more.
  package mutating func report(_ finding: Finding) {
    let severity = finding.code.severity
    reported[severity] += 1
    if (101...109).contains(finding.code.number) { hasReadingErrors = true }
    if reported[severity] <= DiagnosticBag.greatestCount {
      findings.append(finding.shortened)
    } else if reported[severity] == DiagnosticBag.greatestCount + 1 {
      noteTruncation(of: severity)
    }
  }

  /// Notes at the last finding of a severity that no more of them are kept.
  private mutating func noteTruncation(of severity: Severity) {
    guard let last = findings.lastIndex(where: { $0.code.severity == severity }) else { return }
    let note = "only the first \(DiagnosticBag.greatestCount) \(severity.rawValue)s are shown"
    if findings[last].notes.last != note { findings[last].notes.append(note) }
  }

  /// How many findings were reported and are not kept.
  package var truncated: FindingCounts {
    reported.map { max(0, $1 - DiagnosticBag.greatestCount) }
  }

  /// Adds all findings of another bag; `owner` is the service that suffers from them.
  package mutating func append(_ other: DiagnosticBag, owner: String? = nil) {
    for var finding in other.findings {
      finding.owner = owner ?? finding.owner
      report(finding)
    }
    reported = reported + other.truncated
    uses.formUnion(other.uses)
    if other.hasReadingErrors { hasReadingErrors = true }
  }

  /// Changes each finding that is kept; what it is about stays.
  package mutating func change(_ change: (inout Finding) -> Void) {
    for index in findings.indices { change(&findings[index]) }
  }

  /// Gives each finding of a code the names that come nearest to its subject.
  ///
  /// Done once for all findings of a pass, so that the names are put in order once. See `SuggestionBudget`.
  package mutating func suggest(
    among names: @autoclosure () -> [String], for code: DiagnosticCode, orElse help: String? = nil
  ) {
    guard findings.contains(where: { $0.code == code && $0.help == nil }) else { return }
    let index = SuggestionIndex(names())
    for place in findings.indices where findings[place].code == code && findings[place].help == nil {
      let finding = findings[place]
      findings[place].suggest(index.suggestions(for: finding.subject, excluding: finding.bearer), orElse: help)
    }
  }

  /// Drops the findings of some codes.
  mutating func drop(_ codes: Set<DiagnosticCode>) {
    let dropped = findings.filter { codes.contains($0.code) }
    guard !dropped.isEmpty else { return }
    for finding in dropped { reported[finding.code.severity] -= 1 }
    findings.removeAll { codes.contains($0.code) }
  }

  /// Whether an error was reported, which forbids to go on.
  package var hasErrors: Bool { reported.errors > 0 }
}
