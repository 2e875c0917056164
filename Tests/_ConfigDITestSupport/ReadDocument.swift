// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
internal import ConfigDITooling

/// A document and what was told about it.
package struct ReadDocument {
  /// The tree.
  package let document: Document
  /// The findings, in the order of reading.
  package let findings: [Finding]

  /// The same as they were reported.
  private let bag: DiagnosticBag
  /// Whether lists and maps may begin with what they hold.
  private let hasBlocks: Bool

  /// Reads bytes, also in syntaxes beside those of the library.
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

  /// What is wrong with the form of the tree or the places of the findings. Quadratic in the number of nodes.
  package var problems: [String] { document.problems(with: bag, hasBlocks: hasBlocks) }

  /// What is wrong with the form of the tree, for large ones. Linear in the number of nodes.
  package var problemsOfForm: [String] { document.problemsOfForm(hasBlocks: hasBlocks) }

  /// Where each finding stands, as code and offset of its first byte.
  package var places: [String] {
    findings.map { "\($0.code.number)@\(Self.start(of: $0.place, in: document))" }
  }

  /// The offset of the first byte of a place.
  package static func start(of place: Place, in document: Document) -> Int {
    switch place {
    case .node(let reference): document.range(of: reference.node).start
    case .bytes(_, let start, _, _): start
    case .commandLine: -1
    }
  }

  /// The tree in one line: `{"a": [1, 2.5, true, !]}`, a value that was told as an error being `!`.
  package var outline: String { document.nodes.isEmpty ? "" : outline(of: 0) }

  /// A node and all that it holds in one line.
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

/// A text in which `‸` marks a place.
package struct MarkedText {
  /// The text without the mark.
  package let bytes: [UInt8]
  /// The offset of the mark, or of the end where there is none.
  package let offset: Int

  package init(_ text: String) {
    let parts = text.utf8.split(separator: Array("‸".utf8), maxSplits: 1, omittingEmptySubsequences: false)
    bytes = parts.flatMap { Array($0) }
    offset = parts[0].count
  }
}
