// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension Explanation {
  /// The explanation for people: what the id names, who decided each part of it and what stood there before, what it uses
  /// and what uses it; ends with a line break.
  ///
  /// - Parameter usesColor: whether to write the escape sequences of a terminal (ECMA-48).
  package func text(usesColor: Bool = false) -> String {
    func paint(_ text: String, _ color: String) -> String {
      usesColor && !text.isEmpty ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
    }
    var lines = [paint("\(kind.rawValue) \(id.visible)", "1") + facts]
    let rows = rows
    if !rows.isEmpty { lines.append("") }
    let widths = (0..<3).map { column in rows.map { $0.cells[column].unicodeScalars.count }.max() ?? 0 }
    for row in rows {
      let padded = zip(row.cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.unicodeScalars.count) }
      let line = (padded + row.cells.dropFirst(3)).joined(separator: "  ")
      lines.append("  " + (row.isCurrent ? line : paint(line, "2")))
    }
    lines.append("")
    if let condition {
      lines.append("when     \(condition.value.line)  \(condition.place)")
    }
    lines.append("uses     " + Explanation.listed(uses))
    lines.append("used by  " + Explanation.listed(usedBy))
    return lines.map { $0 + "\n" }.joined()
  }

  /// What stands behind the id in the first line.
  private var facts: String {
    if isExcluded { return ", disabled here by its condition" }
    let keys =
      switch kind {
      case .service: ["type", "scope"]
      case .parameter: ["type"]
      case .alias: ["target"]
      case .template: [] as [String]
      }
    return keys.compactMap { definition.member($0)?.text }.map { ", \($0.visible)" }.joined()
  }

  /// A line about one part.
  private struct Row {
    /// Path, value, verb and place.
    let cells: [String]
    /// Whether it says what stands there now.
    let isCurrent: Bool
  }

  /// The parts, each followed by what stood there before, then the arguments that no file names.
  private var rows: [Row] {
    var rows: [Row] = []
    func add(_ path: String, _ decision: Decision, isCurrent: Bool) {
      let cells = [
        path, decision.value.shortened, decision.verb.rawValue, decision.place,
      ]
      rows.append(Row(cells: cells, isCurrent: isCurrent))
    }
    for decision in decisions {
      add(decision.path.visible, decision, isCurrent: true)
      for earlier in decision.before { add("  before", earlier, isCurrent: false) }
    }
    let decided = Set(decisions.map { [UInt8]($0.path.utf8) })
    for injection in definition.member("inject")?.entries ?? [] where kind == .service {
      let path = "inject" + PartList.step(injection.key)
      if decided.contains([UInt8](path.utf8)) { continue }
      rows.append(Row(cells: [path.visible, injection.value.shortened, "bound by type"], isCurrent: true))
    }
    return rows
  }

  /// Ids in one line.
  private static func listed(_ ids: [String]) -> String {
    ids.isEmpty ? "nothing" : ids.map(\.visible).joined(separator: ", ")
  }
}

extension Explanation.Decision {
  /// Where the token stands; what the caller says has no line.
  fileprivate var place: String {
    verb == .set ? location.file : Origin(location).description.visible
  }
}

extension Value {
  /// The value as JSON in one line that is not too long for a column.
  fileprivate var shortened: String {
    let line = line
    return line.unicodeScalars.count <= 60 ? line : String(line.unicodeScalars.prefix(59)) + "…"
  }
}
