// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension WiringDiagram {
  /// The diagram as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html); ends with a line break.
  ///
  /// The nodes are numbered, because an id of a service may be a word of Mermaid. What may stay away or is built later is
  /// dotted, what a decorator holds ends in a cycle; the label of an edge is the argument.
  package var mermaid: String {
    var numbers: [String: Int] = [:]
    var lines = ["flowchart LR"]
    for (number, node) in nodes.enumerated() {
      numbers[node.id] = number
      let label = node.lines.map(WiringDiagram.escaped).joined(separator: "<br/>")
      let (open, close) = node.scope == "shared" ? ("[", "]") : ("([", "])")
      lines.append("  n\(number)\(open)\"\(label)\"\(close)")
    }
    for edge in edges {
      guard let from = numbers[edge.from], let to = numbers[edge.to] else { continue }
      lines.append("  n\(from) \(edge.kind.mermaidArrow)|\"\(WiringDiagram.escaped(edge.argument))\"| n\(to)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// A text for a label in quotes: all but letters, digits and a few signs as entities, which Mermaid writes with `#`.
  private static func escaped(_ text: String) -> String {
    text.visible.escaping { scalar in
      switch scalar {
      case "A"..."Z", "a"..."z", "0"..."9", "_", ".", ",", "-", " ", "(", ")", "/": nil
      default: scalar.isASCII ? "#\(scalar.value);" : nil
      }
    }
  }
}

extension WiringGraph.EdgeKind {
  /// The arrow of an edge of this kind.
  fileprivate var mermaidArrow: String {
    switch self {
    case .direct, .list, .map: "-->"
    case .optional, .lazy, .provider: "-.->"
    case .decorator: "--o"
    }
  }
}
