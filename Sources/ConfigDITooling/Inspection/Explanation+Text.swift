// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension Explanation {
  /// The explanation for people: what the id names, who decided each part of it and what stood there before, what it uses
  /// and what uses it; ends with a line break.
  ///
  /// - Parameter usesColor: whether to write the escape sequences of a terminal (ECMA-48).
  package func text(usesColor: Bool = false) -> String {
    var lines = [paint("\(kind.rawValue) \(id.visible)", "1", usesColor) + facts]
    let parts = table(partRows, usesColor)
    if !parts.isEmpty { lines += [""] + parts }
    lines.append("")
    if let condition {
      lines.append("when     \(condition.value.line)  \(condition.place)")
      let place = environment.map { "in \($0.visible)" } ?? "without an environment"
      lines.append("         \(isExcluded ? "does not hold" : "holds") \(place)")
      var rows: [Row] = []
      addOrigins(of: condition, depth: 0, to: &rows)
      lines += table(rows, usesColor).map { "         " + $0 }
    }
    for name in names { lines.append("\(name.nameInWords)  \(name.place)") }
    lines.append("uses     " + Explanation.listed(uses))
    lines.append("used by  " + Explanation.listed(usedBy))
    lines += userLines
    lines += changeLines
    return lines.map { $0 + "\n" }.joined()
  }

  /// A text in a color of the terminal.
  private func paint(_ text: String, _ color: String, _ usesColor: Bool) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
  }

  /// What stands behind the id in the first line.
  private var facts: String {
    if isExcluded { return ", disabled here by its condition" }
    if let removal = removals.first(where: { $0.path.isEmpty }) {
      let before = removal.before.first.map { ", defined at " + $0.place } ?? ""
      return ", removed here at \(Origin(removal.location).description.visible)\(before)"
    }
    let keys =
      switch kind {
      case .service: ["type", "scope"]
      case .parameter: ["type"]
      case .alias, .binding: ["target"]
      case .template: [] as [String]
      }
    return keys.compactMap { definition.member($0)?.text }.map { ", \($0.visible)" }.joined()
  }

  /// Ids in one line.
  private static func listed(_ ids: [String]) -> String {
    ids.isEmpty ? "nothing" : ids.map(\.visible).joined(separator: ", ")
  }
}

// MARK: - Parts

extension Explanation {
  /// A line about one part, or a remark about the line above.
  private struct Row {
    /// Path, value, verb and place; of a remark one text.
    let cells: [String]
    /// Whether it says what stands there now.
    var isCurrent = true

    /// Whether it has columns.
    var isRemark: Bool { cells.count == 1 }
  }

  /// Rows in columns. A value that is shown whole though it is longer than others may be does not widen its column.
  private func table(_ rows: [Row], _ usesColor: Bool) -> [String] {
    let widths = (0..<3).map { column in
      let counts = rows.lazy.filter { !$0.isRemark }.map { $0.cells[column].unicodeScalars.count }
      return counts.filter { column != 1 || $0 <= Value.shortLength }.max() ?? 0
    }
    return rows.map { row in
      if row.isRemark { return "  " + row.cells[0] }
      let padded = zip(row.cells, widths).map { cell, width in
        cell + String(repeating: " ", count: max(0, width - cell.unicodeScalars.count))
      }
      let line = (padded + row.cells.dropFirst(3)).joined(separator: "  ")
      return "  " + (row.isCurrent ? line : paint(line, "2", usesColor))
    }
  }

  /// The parts, each followed by what stood there before and where its value comes from, then the arguments that no file
  /// names, then what was removed.
  private var partRows: [Row] {
    var rows: [Row] = []
    for decision in decisions { add(decision, as: decision.path.visible, depth: 0, to: &rows) }
    let decided = Set(decisions.map { [UInt8]($0.path.utf8) })
    for injection in definition.member("inject")?.entries ?? [] where kind == .service {
      let path = "inject" + PartList.step(injection.key)
      if decided.contains([UInt8](path.utf8)) { continue }
      rows.append(Row(cells: [path.visible, injection.value.shortened, "bound by type"]))
    }
    for removal in removals where !removal.path.isEmpty {
      let place = Origin(removal.location).description.visible
      rows.append(Row(cells: [removal.path.visible, "removed", removal.verb.rawValue, place]))
      addEarlier(removal.before, depth: 1, to: &rows)
    }
    return rows
  }

  /// Adds a decision with what stood there before and where its value comes from.
  ///
  /// Recursive: the depth is that of the parameters that use one another.
  private func add(_ decision: Decision, as name: String, depth: Int, to rows: inout [Row]) {
    rows.append(
      Row(cells: [
        String(repeating: "  ", count: depth) + name, decision.shownValue, decision.verb.rawValue, decision.place,
      ]))
    if let source = decision.source {
      rows.append(Row(cells: [String(repeating: "  ", count: depth + 1) + source.inWords]))
    }
    // What a parameter's default took the place of stands below the default.
    let isRepeated = depth == 0 && decision.source.map { !$0.isSet && $0.hasDefault } ?? false
    if !isRepeated { addEarlier(decision.before, depth: depth + 1, to: &rows) }
    addOrigins(of: decision, depth: depth + 1, to: &rows)
  }

  /// Adds what stood somewhere before.
  private func addEarlier(_ decisions: [Decision], depth: Int, to rows: inout [Row]) {
    for earlier in decisions {
      rows.append(
        Row(
          cells: [
            String(repeating: "  ", count: depth) + "before", earlier.shownValue, earlier.verb.rawValue,
            earlier.place,
          ], isCurrent: false))
    }
  }

  /// Adds the parameters from which a value comes.
  private func addOrigins(of decision: Decision, depth: Int, to rows: inout [Row]) {
    for origin in decision.from {
      add(origin, as: "${\(origin.parameter ?? "")}".visible, depth: depth, to: &rows)
    }
  }
}

extension Explanation.Decision {
  /// Where the token stands; what the caller says has no line.
  fileprivate var place: String {
    verb == .set ? location.file : Origin(location).description.visible
  }

  /// An alias or a binding, by its path, with the word for what it is.
  fileprivate var nameInWords: String {
    let isBinding = path.utf8.starts(with: "bindings".utf8)
    let name = path.dropFirst((isBinding ? "bindings" : "aliases").count)
    let isPlain = name.utf8.first == UInt8(ascii: ".")
    return (isBinding ? "binding  " : "alias    ") + String(isPlain ? name.dropFirst() : name).visible
  }
}

extension Explanation.Source {
  /// Whether the variable or file is there, and where a file names it.
  fileprivate var inWords: String {
    let what = "\(kind.inWords) \(name.visible)" + others.map { " and \($0.visible)" }.joined()
    let (verb, has) = others.isEmpty ? ("is", "has") : ("are", "have")
    let place = Origin(location).description.visible
    if isSet { return "from \(what) (\(place))" }
    let words = "\(what) \(verb) not set"
    return (hasDefault ? "the default, as \(words)" : "\(words) and \(has) no default") + " (\(place))"
  }
}

extension Explanation.Decision {
  /// The value in one line: a text for readers whole, all others no longer than a column.
  fileprivate var shownValue: String { path == Keyword.doc.text ? value.line : value.shortened }
}

extension Value {
  /// The most characters of a value in a column.
  fileprivate static let shortLength = 60

  /// The value as JSON in one line that is not too long for a column.
  fileprivate var shortened: String {
    let line = line
    return line.unicodeScalars.count <= Value.shortLength
      ? line : String(line.unicodeScalars.prefix(Value.shortLength - 1)) + "…"
  }
}

// MARK: - Users and changes

extension Explanation {
  /// The references by an alias, a tag or a type, a line each; one by the id says nothing that `used by` does not.
  private var userLines: [String] {
    users.compactMap { user in
      let way: String
      switch user.way {
      case .id: return nil
      case .alias(let name): way = "alias \(name.visible)"
      case .tag(let name): way = "tag \(name.visible)"
      case .type(let name): way = "type \(name.visible)"
      }
      return "         \(user.id.visible)  \(user.argument.visible)  by \(way)"
    }
  }

  /// What differs from the module without an environment.
  private var changeLines: [String] {
    switch sinceBase {
    case nil: return []
    case .added?: return ["", "not there without an environment"]
    case .removed?: return ["", "there without an environment"]
    case .changed(let changes)?:
      guard !changes.isEmpty else { return [] }
      let leaves = changes.flatMap(\.leaves)
      let width = leaves.map(\.path.visible.unicodeScalars.count).max() ?? 0
      return ["", "since the module without an environment:"]
        + leaves.map { change in
          let path = change.path.visible
          return "  \(path)\(String(repeating: " ", count: width - path.unicodeScalars.count))  \(change.text)"
        }
    }
  }
}
