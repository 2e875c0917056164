// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension WiringDiagram {
  /// The diagram in the language of Graphviz (https://graphviz.org/doc/info/lang.html); ends with a line break.
  ///
  /// A shared service has a solid box; any other has a dashed box that names its lifetime. An edge is dashed for an
  /// optional reference, dotted for a lazy one or a provider, and has a diamond for a decorator's. Its label is the
  /// argument.
  package var dot: String {
    var lines = [
      "digraph \(WiringDiagram.quoted([module])) {",
      "  rankdir=LR;",
      #"  node [shape=box, fontname="Helvetica", fontsize=11];"#,
      #"  edge [fontname="Helvetica", fontsize=9];"#,
    ]
    for node in nodes {
      let label = WiringDiagram.quoted(node.lines)
      let style = node.scope == "shared" ? "" : ", style=dashed"
      lines.append("  \(WiringDiagram.quoted([node.id])) [label=\(label)\(style)];")
    }
    for edge in edges {
      let style = edge.kind.dotStyle.map { ", \($0)" } ?? ""
      lines.append(
        "  \(WiringDiagram.quoted([edge.from])) -> \(WiringDiagram.quoted([edge.to]))"
          + " [label=\(WiringDiagram.quoted([edge.argument]))\(style)];")
    }
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  /// Returns lines of text in quotes, with the escapes of Graphviz, which also reads `\` and HTML entities in labels.
  private static func quoted(_ lines: [String]) -> String {
    let escaped = lines.map { line in
      line.visible.escaping { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "&": "&amp;"
        default: nil
        }
      }
    }
    return "\"" + escaped.joined(separator: "\\n") + "\""
  }
}

extension WiringDiagram.Node {
  /// The lines in the box of a service: the id, the type, and the lifetime unless it is shared.
  var lines: [String] { scope == "shared" ? [id, type] : [id, type, "(\(scope))"] }
}

extension WiringGraph.EdgeKind {
  /// The attributes of an edge of this kind, or `nil` for a plain edge.
  fileprivate var dotStyle: String? {
    switch self {
    case .direct, .list, .map: nil
    case .optional: "style=dashed"
    case .lazy, .provider: "style=dotted, arrowhead=vee"
    case .decorator: "arrowhead=odiamond"
    }
  }
}
