// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension Explanation {
  /// Returns the explanation for people: what the id names, which token decided each part, the earlier values, what it
  /// uses and what uses it. Ends with a line break.
  ///
  /// - Parameter usesColor: Whether to write the escape sequences of a terminal (ECMA-48).
  package func text(usesColor: Bool = false) -> String {
    var lines = [paint("\(section.entryInWords) \(id.visible)", "1", usesColor) + facts]
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

  /// Returns a text in a color of the terminal.
  private func paint(_ text: String, _ color: String, _ usesColor: Bool) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
  }

  /// The text after the id in the first line.
  private var facts: String {
    if isExcluded { return ", disabled here by its condition" }
    if let removal = removals.first(where: { $0.path.isEmpty }) {
      let before = removal.before.first.map { ", defined at " + $0.place } ?? ""
      return ", removed here at \(removal.place)\(before)"
    }
    let keys =
      switch section {
      case .services: ["type", "scope"]
      case .parameters: ["type"]
      case .aliases, .bindings: ["target"]
      case .templates: [] as [String]
      }
    return keys.compactMap { definition.member($0)?.text }.map { ", \($0.visible)" }.joined()
  }

  /// Returns ids on one line.
  private static func listed(_ ids: [String]) -> String {
    ids.isEmpty ? "nothing" : ids.map(\.visible).joined(separator: ", ")
  }
}

// MARK: - Parts

extension Explanation {
  /// A line about one part, or a remark about the line above it.
  private struct Row {
    /// The path, value, verb and place; for a remark, one text.
    let cells: [String]
    /// Whether the line shows the current value.
    var isCurrent = true

    /// Whether the line is a remark, which has no columns.
    var isRemark: Bool { cells.count == 1 }
  }

  /// Returns rows in columns. A value above the length limit, which is shown whole, does not widen its column.
  private func table(_ rows: [Row], _ usesColor: Bool) -> [String] {
    let widths = (0..<3).map { column in
      let counts = rows.lazy.filter { !$0.isRemark }.map { $0.cells[column].unicodeScalars.count }
      return counts.filter { column != 1 || $0 <= Value.shortLength }.max() ?? 0
    }
    return rows.map { row in
      if row.isRemark { return "  " + row.cells[0] }
      let padded = zip(row.cells, widths).map { $0.padded(to: $1) }
      let line = (padded + row.cells.dropFirst(3)).joined(separator: "  ")
      return "  " + (row.isCurrent ? line : paint(line, "2", usesColor))
    }
  }

  /// The rows of the parts, each followed by its earlier values and the origin of its value; then the autowired
  /// arguments, then the removed parts.
  private var partRows: [Row] {
    var rows: [Row] = []
    for decision in decisions { add(decision, as: decision.path.visible, depth: 0, to: &rows) }
    for argument in bound {
      rows.append(Row(cells: [argument.key.visible, argument.value.shortened, "bound by type"]))
    }
    for removal in removals where !removal.path.isEmpty {
      rows.append(Row(cells: [removal.path.visible, "removed", removal.verb.rawValue, removal.place]))
      addEarlier(removal.before, depth: 1, to: &rows)
    }
    return rows
  }

  /// Adds a decision with its earlier values and the origin of its value.
  ///
  /// Recursive: the depth of `from` is bounded by `PartList`.
  private func add(_ decision: Decision, as name: String, depth: Int, to rows: inout [Row]) {
    rows.append(
      Row(cells: [
        String(repeating: "  ", count: depth) + name, decision.shownValue, decision.verb.rawValue, decision.place,
      ]))
    if let source = decision.source {
      rows.append(Row(cells: [String(repeating: "  ", count: depth + 1) + source.inWords]))
    }
    // The earlier values of a parameter's default are shown below the default.
    let isRepeated = depth == 0 && decision.source.map { !$0.isSet && $0.hasDefault } ?? false
    if !isRepeated { addEarlier(decision.before, depth: depth + 1, to: &rows) }
    addOrigins(of: decision, depth: depth + 1, to: &rows)
  }

  /// Adds the rows of earlier values.
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

  /// Adds the parameters that give the value of a decision.
  private func addOrigins(of decision: Decision, depth: Int, to rows: inout [Row]) {
    for origin in decision.from {
      add(origin, as: "${\(origin.parameter ?? "")}".visible, depth: depth, to: &rows)
    }
  }
}

extension Explanation.Verb {
  /// Returns the location of a token as shown. A setting of the caller has no line.
  fileprivate func place(of location: Diagnostic.Location) -> String {
    self == .set ? location.file : Origin(location).description.visible
  }
}

extension Explanation.Removal {
  fileprivate var place: String { verb.place(of: location) }
}

extension Explanation.Decision {
  fileprivate var place: String { verb.place(of: location) }

  /// An alias or a binding by its path, with the word for its kind.
  fileprivate var nameInWords: String {
    let isBinding = path.utf8.starts(with: "bindings".utf8)
    let name = path.dropFirst((isBinding ? "bindings" : "aliases").count)
    let isPlain = name.utf8.first == UInt8(ascii: ".")
    return (isBinding ? "binding  " : "alias    ") + String(isPlain ? name.dropFirst() : name).visible
  }
}

extension Explanation.Source {
  /// Whether the source has a value, and where a file names it.
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
  /// The value on one line: `doc` whole, any other value shortened to a column.
  fileprivate var shownValue: String { path == Keyword.doc.text ? value.line : value.shortened }
}

extension Value {
  /// The maximum length of a value in a column, in Unicode scalars.
  fileprivate static let shortLength = 60

  /// The value as JSON on one line, shortened to the maximum length.
  fileprivate var shortened: String { line(upTo: Value.shortLength) }
}

// MARK: - Users and changes

extension Explanation {
  /// The references by an alias, a tag or a type, one line each. `used by` lists the references by id.
  private var userLines: [String] {
    users.compactMap { user in
      let name: String
      switch user.kind {
      case .id: return nil
      case .alias(let alias): name = "alias \(alias.visible)"
      case .tag(let tag): name = "tag \(tag.visible)"
      case .type(let type): name = "type \(type.visible)"
      }
      return "         \(user.id.visible)  \(user.argument.visible)  by \(name)"
    }
  }

  /// The difference from the module without an environment.
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
        + leaves.map { "  \($0.path.visible.padded(to: width))  \($0.text)" }
    }
  }
}
