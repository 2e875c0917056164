// SPDX-License-Identifier: Apache-2.0
#if YAML
  import ConfigDIYAML

  @testable import ConfigDI

  /// A YAML text that was read, and what was told about it.
  struct ReadYAML {
    /// The tree.
    let document: Document
    /// The findings, in the order of reading.
    let findings: [Finding]

    /// Reads bytes.
    init(_ bytes: [UInt8], limits: Limits = Limits()) {
      var bag = DiagnosticBag()
      document = Document(
        reading: SourceFile(name: "test.yaml", bytes: bytes), file: FileID(0), syntax: .yaml, syntaxes: [.yaml],
        limits: limits, bag: &bag)
      findings = bag.findings
    }

    /// Reads a text.
    init(_ text: String, limits: Limits = Limits()) { self.init(Array(text.utf8), limits: limits) }

    /// Where each finding stands, as code and offset of its first byte.
    var places: [String] { findings.map { "\($0.code.number)@\(ReadYAML.range(of: $0.place, in: document).start)" } }

    /// The bytes of a place.
    static func range(of place: Place, in document: Document) -> (start: Int, end: Int) {
      switch place {
      case .node(let reference): document.range(of: reference.node)
      case .bytes(_, let start, let end, _): (start, end)
      case .commandLine: (-1, -1)
      }
    }

    /// The tree as JSON on one line; `!` for what was told as an error.
    var outline: String { document.nodes.isEmpty ? "" : outline(of: 0) }

    /// A node and all that it holds.
    private func outline(of node: UInt32) -> String {
      let found = document[node]
      switch found.kind {
      case .map:
        return "{" + document.keys(of: node).map { "\(quoted($0)): \(outline(of: $0 + 1))" }.joined(separator: ", ")
          + "}"
      case .list: return "[" + document.elements(of: node).map { outline(of: $0) }.joined(separator: ", ") + "]"
      case .key, .string: return quoted(node)
      case .integer: return String(found.payload)
      case .real: return String(Double(bitPattern: UInt64(bitPattern: found.payload)))
      case .boolean: return found.payload == 1 ? "true" : "false"
      case .data, .date: return "?"
      case .invalid: return "!"
      }
    }

    /// A text in quotes.
    private func quoted(_ node: UInt32) -> String { "\"" + document.text(of: node) + "\"" }

    /// The tokens of all nodes.
    var tokens: [String] {
      document.nodes.indices.map { node in
        let range = document.range(of: UInt32(node))
        return String(decoding: document.source.bytes[range.start..<range.end], as: UTF8.self)
      }
    }

    /// What is wrong with the form of the tree.
    var problems: [String] {
      var problems: [String] = []
      if let root = document.nodes.first, Int(root.next) != document.nodes.count { problems.append("nodes outside") }
      for (index, node) in document.nodes.enumerated() {
        let held = document.nodes[index..<min(Int(node.next), document.nodes.count)]
        if node.kind == .map || node.kind == .list, held.contains(where: { $0.end > node.end }) {
          problems.append("\(index): ends before what it holds")
        }
        if node.next <= index || node.next > document.nodes.count { problems.append("\(index): leads nowhere") }
        if node.start > node.end || Int(node.end) > document.source.bytes.count {
          problems.append("\(index): no token")
        }
        let count = node.kind == .map ? document.keys(of: UInt32(index)).reduce(0) { count, _ in count + 1 } : nil
        if let count, Int64(count) != node.payload { problems.append("\(index): counts \(node.payload), has \(count)") }
        if node.kind == .key, index + 1 >= document.nodes.count { problems.append("\(index): a key without value") }
      }
      let ending: [DiagnosticCode] = [.syntaxError, .invalidCharacter, .nestedTooDeeply, .tooLarge]
      let count = findings.count { ending.contains($0.code) }
      if count != (document.isComplete ? 0 : 1) { problems.append("\(count) findings end reading") }
      return problems
    }
  }
#endif
