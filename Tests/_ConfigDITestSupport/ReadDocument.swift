// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
internal import ConfigDITooling

/// A document with the findings of reading it.
package struct ReadDocument {
  /// The document tree.
  package let document: Document
  /// The findings, in the order in which they were reported.
  package let findings: [Finding]

  /// The same findings, in the bag to which they were reported.
  private let bag: DiagnosticBag
  /// Whether the range of a list or map may begin with its first child, as in YAML.
  private let hasBlocks: Bool

  /// Reads bytes, also in syntaxes other than those of the library.
  package init(_ bytes: [UInt8], as syntax: Syntax = .json, with added: [ModuleSyntax] = [], limits: Limits = Limits())
  {
    var bag = DiagnosticBag()
    document = Document(
      reading: SourceFile(name: "test", bytes: bytes), file: FileID(0), syntax: syntax, syntaxes: added,
      limits: limits, bag: &bag)
    findings = bag.findings
    self.bag = bag
    hasBlocks = syntax == .yaml
  }

  /// Reads a text.
  package init(_ text: String, as syntax: Syntax = .json, limits: Limits = Limits()) {
    self.init(Array(text.utf8), as: syntax, limits: limits)
  }

  /// The defects of the tree and of the positions of the findings. Quadratic in the number of nodes.
  package var problems: [String] { document.problems(with: bag, hasBlocks: hasBlocks) }

  /// The violated invariants of the tree, in time that suits large trees: linear in the number of nodes.
  package var problemsOfForm: [String] { document.problemsOfForm(hasBlocks: hasBlocks) }

  /// The code and the byte offset of each finding, as `code@offset`.
  package var places: [String] {
    findings.map { "\($0.code.number)@\(Self.start(of: $0.place, in: document))" }
  }

  /// Returns the byte offset at which a place begins, or -1 for the command line.
  package static func start(of place: Place, in document: Document) -> Int {
    switch place {
    case .node(let reference): document.range(of: reference.node).start
    case .bytes(_, let start, _, _): start
    case .commandLine: -1
    }
  }

  /// The tree in one line, such as `{"a": [1, 2.5, true, !]}`. An invalid value is `!`.
  package var outline: String { document.nodes.isEmpty ? "" : outline(of: 0) }

  /// Returns a node with its descendants in one line.
  package func outline(of node: UInt32) -> String {
    let found = document[node]
    switch found.kind {
    case .map:
      return "{" + document.keys(of: node).map { "\(quoted($0)): \(outline(of: $0 + 1))" }.joined(separator: ", ") + "}"
    case .list: return "[" + document.elements(of: node).map { outline(of: $0) }.joined(separator: ", ") + "]"
    case .key, .string: return quoted(node)
    case .integer: return String(found.payload)
    case .real: return String(Double(bitPattern: UInt64(bitPattern: found.payload)))
    case .boolean: return found.payload == 1 ? "true" : "false"
    case .data: return document.base64(of: node)
    case .date: return "date"
    case .invalid: return "!"
    }
  }

  private func quoted(_ node: UInt32) -> String { "\"" + document.text(of: node) + "\"" }
}

/// A text in which `‸` marks a position.
package struct MarkedText {
  /// The text without the mark.
  package let bytes: [UInt8]
  /// The byte offset of the mark, or the end of the text if there is no mark.
  package let offset: Int

  package init(_ text: String) {
    let parts = text.utf8.split(separator: Array("‸".utf8), maxSplits: 1, omittingEmptySubsequences: false)
    bytes = parts.flatMap { Array($0) }
    offset = parts[0].count
  }
}
