// SPDX-License-Identifier: Apache-2.0

/// Where a finding stands, before lines are counted.
package enum Place: Hashable, Sendable {
  /// The token of a node; of a map or list in JSON its opening bracket.
  case node(NodeRef)
  /// A stretch of bytes of a file that could not be read to its end; `path` as far as it was known.
  case bytes(FileID, start: Int, end: Int, path: String)
  /// The caller's own words; `path` is what a `--set` named, or empty.
  case commandLine(path: String)
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
  /// The text that would mend the token at `place`, or nil.
  package var replacement: String?
  /// Tells findings of one code at one place apart, such as two missing arguments of one service.
  package var subject = ""

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

/// Collects the findings of one run, so that all of them are told together. No check throws.
package struct DiagnosticBag: Sendable {
  /// The findings in the order in which they were reported.
  package private(set) var findings: [Finding] = []

  /// An empty bag.
  package init() {}

  /// Adds a finding.
  package mutating func report(_ finding: Finding) {
    findings.append(finding)
  }

  /// Adds all findings of another bag.
  package mutating func append(_ other: DiagnosticBag) {
    findings.append(contentsOf: other.findings)
  }

  /// Whether a finding forbids to go on.
  package var hasErrors: Bool { findings.contains { $0.code.severity == .error } }
}
