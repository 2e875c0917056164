// SPDX-License-Identifier: Apache-2.0

/// The place of a finding, before it is converted to lines and columns. All cases but `node` are boxed, since every
/// datum has a place.
package enum Place: Hashable, Sendable {
  /// The token of a node. For a map or list in JSON, this is its opening bracket.
  case node(NodeRef)
  /// A range of bytes of a file that could not be read to its end. `path` is the path as far as it is known.
  indirect case bytes(FileID, start: Int, end: Int, path: String)
  /// Text of the caller. `path` is the path in a `--set`, or empty.
  indirect case commandLine(path: String)

  /// The file; `nil` for the command line.
  package var file: FileID? {
    switch self {
    case .node(let reference): reference.file
    case .bytes(let file, _, _, _): file
    case .commandLine: nil
    }
  }
}

/// A reference to a node in a document of a load.
package struct NodeRef: Hashable, Sendable {
  /// The file whose document holds the node.
  package let file: FileID
  /// The index of the node in the document.
  package let node: UInt32
}

/// A finding as a check reports it. Its places are tokens; lines and columns are computed later.
package struct Finding: Equatable, Sendable {
  /// A related place, with its own message.
  package struct Related: Equatable, Sendable {
    /// The related place.
    package var place: Place
    /// The message shown at the place.
    package var message: String

    /// Creates a related place.
    package init(_ place: Place, _ message: String) {
      self.place = place
      self.message = message
    }
  }

  /// The replacement for a token. The syntax of the file determines how it is written.
  package enum Replacement: Equatable, Sendable {
    /// A text, written as a string or a key.
    case string(String)
    /// A new name for each placeholder that has a name. The rest of the text is unchanged.
    case placeholder(String, renamed: String)
    /// An optional reference to the service with an id.
    case optionalReference(String)
    /// Nothing: removes the entry whose key or value the token is, or the element of a list.
    case removal
    /// Nothing: removes a range of bytes near the place of a syntax error.
    case deletion(Range<Int>)
  }

  /// The code of the kind of problem.
  package var code: DiagnosticCode
  /// One sentence that states the problem.
  package var message: String
  /// The place of the token.
  package var place: Place
  /// A short label shown at the place, or `nil`.
  package var label: String?
  /// Related places.
  package var related: [Related]
  /// Additional information.
  package var notes: [String]
  /// What to do, or `nil`.
  package var help: String?
  /// The replacement that fixes the token at `place`, or `nil`.
  package var replacement: Replacement?
  /// The id of the affected service, if several services may be affected by one token, such as a token in a template.
  package var owner: String?
  /// Distinguishes findings of one code at one place, such as two missing arguments of one service.
  package var subject: String
  /// A part of the message that is shown even if it occurs in a secret, since none of it is from a file; empty if there
  /// is none. Quotation marks in it are paired.
  package var fixedText = ""
  /// The top-level keys of which a missing definition may be the cause, if the code alone does not tell.
  var possibleCauses: [String]?
  /// The id that the token belongs to, or `nil`. It is never suggested instead of `subject`.
  package var excludedSuggestion: String?

  /// Creates a finding at a place.
  package init(
    _ code: DiagnosticCode, _ message: String, at place: Place, label: String? = nil, related: [Related] = [],
    notes: [String] = [], help: String? = nil, subject: String = "", owner: String? = nil,
    replacement: Replacement? = nil, excludedSuggestion: String? = nil
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
    self.excludedSuggestion = excludedSuggestion
  }

  /// Creates a finding at a node's token.
  package init(
    _ code: DiagnosticCode, _ message: String, at node: NodeRef, label: String? = nil, related: [Related] = [],
    notes: [String] = [], help: String? = nil, subject: String = "", owner: String? = nil,
    replacement: Replacement? = nil, excludedSuggestion: String? = nil
  ) {
    self.init(
      code, message, at: .node(node), label: label, related: related, notes: notes, help: help, subject: subject,
      owner: owner, replacement: replacement, excludedSuggestion: excludedSuggestion)
  }
}

extension Finding {
  /// The greatest size of each text of a finding, in bytes.
  private static let maximumTextSize = 2_000

  /// The finding with shortened texts, since a name in a file may be as long as the file.
  fileprivate var shortened: Finding {
    var finding = self
    func shorten(_ text: String) -> String { text.shortened(to: Finding.maximumTextSize) }
    finding.message = shorten(message)
    finding.label = label.map(shorten)
    finding.help = help.map(shorten)
    for place in notes.indices { finding.notes[place] = shorten(notes[place]) }
    for place in related.indices { finding.related[place].message = shorten(related[place].message) }
    return finding
  }

  /// Suggests names that may have been meant. A single one becomes the replacement, unless the subject must not change.
  package mutating func suggest(_ near: [String], isRepairable: Bool = true, orElse help: String? = nil) {
    self.help = SuggestionIndex.help(near) ?? help
    replacement = near.count == 1 && isRepairable ? replacement(by: near[0]) : nil
  }

  /// Returns the replacement that gives the subject another name. In a placeholder, only the name is replaced;
  /// otherwise the whole token is.
  private func replacement(by name: String) -> Replacement {
    code == .unknownParameter ? .placeholder(subject, renamed: name) : .string(name)
  }
}

/// The numbers of errors and warnings.
package struct FindingCounts: Equatable, Sendable {
  /// The number of errors.
  package private(set) var errors = 0
  /// The number of warnings.
  package private(set) var warnings = 0

  /// Creates counts of zero.
  package init() {}

  /// Counts the findings of a list.
  package init(of diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics { self[diagnostic.severity] += 1 }
  }

  /// The number of findings of a severity.
  package subscript(severity: Severity) -> Int {
    get { severity == .error ? errors : warnings }
    set { if severity == .error { errors = newValue } else { warnings = newValue } }
  }

  /// Returns the sums of two counts.
  package static func + (left: FindingCounts, right: FindingCounts) -> FindingCounts {
    left.map { $1 + right[$0] }
  }

  /// Returns counts whose numbers are converted by a closure.
  func map(_ convert: (Severity, Int) -> Int) -> FindingCounts {
    var counts = FindingCounts()
    counts.errors = convert(.error, errors)
    counts.warnings = convert(.warning, warnings)
    return counts
  }
}

/// A collection of all findings of one run, which are reported together. No check throws.
///
/// Every finding is counted, but only a limited number of each severity is kept to be shown. So no file can use up the
/// memory with findings, and no number of warnings can hide an error.
package struct DiagnosticBag: Sendable {
  /// The findings that are kept, in the order in which they were reported.
  package private(set) var findings: [Finding] = []
  /// The numbers of findings that are kept.
  private var kept = FindingCounts()
  /// The numbers of findings that were reported but not kept.
  package private(set) var truncated = FindingCounts()
  /// Whether a file could not be read. Everything that depends on it would only be a guess.
  package private(set) var hasReadingErrors = false
  /// The entries in use, which refute warnings of other environments that they are unused.
  package var uses = UsedEntries()

  /// Creates an empty bag.
  package init() {}

  /// The number of findings of each severity that a bag keeps.
  package static let maximumCount = 100_000

  /// Adds a finding. Drops it if the bag is full for its severity; the last finding kept then gets a note about this.
  package mutating func report(_ finding: Finding) {
    let severity = finding.code.severity
    if (101...109).contains(finding.code.number) { hasReadingErrors = true }
    guard kept[severity] < DiagnosticBag.maximumCount else {
      if truncated[severity] == 0 { noteTruncation(of: severity) }
      truncated[severity] += 1
      return
    }
    kept[severity] += 1
    findings.append(finding.shortened)
  }

  /// Adds a note to the last finding of a severity that no more of them are kept.
  private mutating func noteTruncation(of severity: Severity) {
    guard let last = findings.lastIndex(where: { $0.code.severity == severity }) else { return }
    let note = "only the first \(DiagnosticBag.maximumCount) \(severity.rawValue)s are shown"
    if findings[last].notes.last != note { findings[last].notes.append(note) }
  }

  /// Adds all findings of another bag. `owner` is the affected service.
  package mutating func append(_ other: DiagnosticBag, owner: String? = nil) {
    for var finding in other.findings {
      finding.owner = owner ?? finding.owner
      report(finding)
    }
    truncated = truncated + other.truncated
    uses.formUnion(other.uses)
    if other.hasReadingErrors { hasReadingErrors = true }
  }

  /// Changes each finding that is kept. The closure must not change the code.
  package mutating func change(_ change: (inout Finding) -> Void) {
    for index in findings.indices { change(&findings[index]) }
  }

  /// Suggests for each finding of a code the names that are nearest to its subject.
  ///
  /// If a file has removed what the subject names, the place is related to the finding instead: another name was not meant.
  ///
  /// Call this once for all findings of a pass, so that the names are sorted only once. See `SuggestionBudget`.
  package mutating func suggest(
    among names: @autoclosure () -> [String], for code: DiagnosticCode, orElse help: @autoclosure () -> String? = nil,
    removal: (_ subject: String) -> Finding.Related? = { _ in nil }
  ) {
    guard findings.contains(where: { $0.code == code && $0.help == nil }) else { return }
    let (index, help) = (SuggestionIndex(names()), help())
    for place in findings.indices where findings[place].code == code && findings[place].help == nil {
      let finding = findings[place]
      if let removal = removal(finding.subject) {
        findings[place].related.append(removal)
        continue
      }
      findings[place].suggest(
        index.suggestions(for: finding.subject, excluding: { $0 == finding.excludedSuggestion }), orElse: help)
    }
  }

  /// Removes the findings for which a closure returns `true`.
  mutating func drop(where isDropped: (Finding) -> Bool) {
    findings.removeAll { finding in
      guard isDropped(finding) else { return false }
      kept[finding.code.severity] -= 1
      return true
    }
  }

  /// The numbers of findings that were reported, including those that are not kept.
  package var reported: FindingCounts { kept + truncated }

  /// Whether an error was reported, so that the load must not continue.
  package var hasErrors: Bool { reported.errors > 0 }
}
