// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension WiringDiagram {
  /// The diagram in the language of Graphviz (https://graphviz.org/doc/info/lang.html); ends with a line break.
  ///
  /// A shared service has a plain box, any other a dashed one that names its lifetime. What may stay away is dashed, what
  /// is built later dotted, what a decorator holds has a diamond; the label of an edge is the argument.
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

  /// Lines of text in quotes, with the escapes of Graphviz, which also reads `\` and the entities of HTML in labels.
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
  /// What a drawing says of a service, a line each: the id, the type, the lifetime where it is not shared.
  var lines: [String] { scope == "shared" ? [id, type] : [id, type, "(\(scope))"] }
}

extension WiringGraph.EdgeKind {
  /// The attributes of an edge of this kind, or nil for a plain one.
  fileprivate var dotStyle: String? {
    switch self {
    case .direct, .list, .map: nil
    case .optional: "style=dashed"
    case .lazy, .provider: "style=dotted, arrowhead=vee"
    case .decorator: "arrowhead=odiamond"
    }
  }
}
