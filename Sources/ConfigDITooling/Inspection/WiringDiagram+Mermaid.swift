// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension WiringDiagram {
  /// The diagram as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html); ends with a line break.
  ///
  /// Nodes are numbered, because the id of a service may be a keyword of Mermaid. An edge is dotted for an optional or
  /// lazy reference or a provider, and ends in a circle for a decorator's. Its label is the argument.
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

  /// Returns a text for a quoted label. All ASCII characters except letters, digits and some punctuation are written as
  /// entities, which begin with `#` in Mermaid.
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
