// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// The explanation for people: each part with its value and its place, and below it what stood there before.
  package var text: String {
    var lines = ["\(kind.rawValue) \"\(id)\""]
    if let condition {
      lines.append(isExcluded ? "is not there: its condition does not hold" : "is there: its condition holds")
      lines.append("  when  \(condition.value.inOneLine)  \(condition.origin)")
    }
    let rows = decisions.flatMap { decision in
      [(label: decision.path, decision: decision)] + decision.before.map { (label: "  was", decision: $0) }
    }
    if !rows.isEmpty { lines += ["", "decided by"] + Explanation.table(of: rows) }
    lines += ["", "uses     " + Explanation.list(uses), "used by  " + Explanation.list(usedBy)]
    if kind != .template, !isExcluded { lines += ["", "as composed", definition.indented(by: 2)] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Rows in three columns: the part, its value, who decided it.
  private static func table(of rows: [(label: String, decision: Decision)]) -> [String] {
    let values = rows.map { $0.decision.value.inOneLine }
    let labelWidth = rows.map(\.label.count).max() ?? 0
    // Long values do not push the places of all others out of sight.
    let valueWidth = min(values.map(\.count).max() ?? 0, 48)
    return zip(rows, values).map { row, value in
      "  " + row.label.padded(to: labelWidth) + "  " + value.padded(to: valueWidth) + "  "
        + row.decision.origin
    }
  }

  /// Ids in a line.
  private static func list(_ ids: [String]) -> String { ids.isEmpty ? "nothing" : ids.joined(separator: ", ") }
}

extension Explanation.Decision {
  /// The place of the token, and how it came to decide where that is not by a plain section.
  fileprivate var origin: String {
    let place = location.file + (location.start.map { ":\($0.line):\($0.column)" } ?? "")
    return verb == .define ? place : "\(place) (\(verb.rawValue))"
  }
}

extension String {
  /// The text with spaces behind it up to a width.
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension Value {
  /// The value as JSON in one line; a text without its quotes.
  fileprivate var inOneLine: String {
    if case .string(let text) = self, !text.isEmpty, !text.contains(where: \.isNewline) { return text }
    var writer = JSONWriter()
    writer.value(self, .line)
    return writer.text
  }

  /// The value as JSON over several lines, each some spaces further in.
  fileprivate func indented(by spaces: Int) -> String {
    var writer = JSONWriter()
    writer.value(self)
    let margin = String(repeating: " ", count: spaces)
    return margin + writer.text.split(separator: "\n").joined(separator: "\n" + margin)
  }
}
