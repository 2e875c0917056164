// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What differs between two modules, in the forms in which `diff` prints it.
package struct DifferenceReport: Sendable {
  /// What differs.
  private let difference: ModuleDifference
  /// What the first module is called.
  private let from: String
  /// What the second module is called.
  private let to: String

  /// A report about a difference between two modules of the given names.
  package init(_ difference: ModuleDifference, from: String, to: String) {
    self.difference = difference
    self.from = from
    self.to = to
  }
}

// MARK: - JSON

extension DifferenceReport {
  /// Whether something differs.
  package var hasDifference: Bool { !difference.isEmpty }

  /// The form of `diff --format json`.
  package var value: Value {
    let sections = difference.sections.map { name, section in
      Value.Entry(key: name, value: value(of: section, hasChanges: name != "variables"))
    }
    return .map(
      [
        Value.Entry(key: "from", value: .string(from)), Value.Entry(key: "to", value: .string(to)),
      ] + sections)
  }

  /// A section for programs.
  private func value(of section: ModuleDifference.Section, hasChanges: Bool) -> Value {
    var entries: [Value.Entry] = [
      Value.Entry(key: "added", value: .list(section.added.map(Value.string))),
      Value.Entry(key: "removed", value: .list(section.removed.map(Value.string))),
    ]
    if hasChanges {
      let changed = section.changed.map { Value.Entry(key: $0.id, value: .list($0.changes.map(\.value))) }
      entries.append(Value.Entry(key: "changed", value: .map(changed)))
    }
    return .map(entries)
  }
}

extension ModuleDifference.Change {
  /// The change for programs; a side that has nothing is left out.
  var value: Value {
    var entries = [Value.Entry(key: "path", value: .string(path))]
    if let from { entries.append(Value.Entry(key: "from", value: from)) }
    if let to { entries.append(Value.Entry(key: "to", value: to)) }
    if isSecret { entries.append(Value.Entry(key: "secretChanged", value: true)) }
    if !elements.isEmpty { entries.append(Value.Entry(key: "elements", value: .list(elements.map(\.value)))) }
    return .map(entries)
  }

  /// The change, or where it has elements their changes.
  var leaves: [ModuleDifference.Change] { elements.isEmpty ? [self] : elements.flatMap(\.leaves) }

  /// Whether both values are shown as the same, so that nothing but that they differ can be said.
  fileprivate var isHidden: Bool { isSecret && from?.line == to?.line }

  /// The two values in one line, for people.
  var text: String {
    if isHidden { return ModuleDifference.Change.secretChanged }
    let absent = "absent"
    return "\(from?.line ?? absent) -> \(to?.line ?? absent)"
      + (isSecret ? " " + ModuleDifference.Change.secretChanged : "")
  }

  /// What stands for two values of which nothing may be shown but that they differ.
  fileprivate static var secretChanged: String { "(secret changed)" }
}

// MARK: - Text

extension DifferenceReport {
  /// The difference for people; ends with a line break.
  ///
  /// `+` stands before what only the second module has, `-` before what only the first has, `~` before what differs.
  ///
  /// - Parameter usesColor: whether to write the escape sequences of a terminal (ECMA-48).
  package func text(usesColor: Bool = false) -> String {
    guard !difference.isEmpty else { return "no difference between \(from.visible) and \(to.visible)\n" }
    var lines = ["from \(from.visible) to \(to.visible)"]
    func add(_ line: String, _ color: String) { lines.append(usesColor ? "\u{1B}[\(color)m\(line)\u{1B}[0m" : line) }
    for (name, section) in difference.sections where !section.isEmpty {
      lines.append("")
      add("\(name):", "1")
      for id in section.added { add("  + \(id.visible)", "32") }
      for id in section.removed { add("  - \(id.visible)", "31") }
      for entry in section.changed {
        add("  ~ \(entry.id.visible)", "33")
        let changes = entry.changes.flatMap(\.leaves)
        let width = changes.map(\.path.visible.unicodeScalars.count).max() ?? 0
        for change in changes {
          let path = change.path.visible
          let padding = String(repeating: " ", count: width - path.unicodeScalars.count)
          lines.append("      \(path)\(padding)  \(change.text)")
        }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

// MARK: - Markdown

extension DifferenceReport {
  /// The difference as a table in GitHub's Markdown, for a review; ends with a line break.
  package var markdown: String {
    guard !difference.isEmpty else { return "No difference between \(code(from)) and \(code(to)).\n" }
    var lines = ["| | what | path | \(code(from)) | \(code(to)) |", "|---|---|---|---|---|"]
    for (name, section) in difference.sections {
      let kind = String(name.dropLast(name == "aliases" ? 2 : 1))
      for id in section.added { lines.append("| added | \(kind) \(code(id)) | | | |") }
      for id in section.removed { lines.append("| removed | \(kind) \(code(id)) | | | |") }
      for entry in section.changed {
        for change in entry.changes.flatMap(\.leaves) {
          let to = change.isHidden ? ModuleDifference.Change.secretChanged : change.to.map { code($0.line) }
          lines.append(
            "| changed | \(kind) \(code(entry.id)) | \(code(change.path)) | \(change.from.map { code($0.line) } ?? "")"
              + " | \(to ?? "") |")
        }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// A text as code in a cell of a table: in more backticks than it has in a row, bars escaped.
  private func code(_ text: String) -> String {
    let text = text.visible
    var (longest, current) = (0, 0)
    for byte in text.utf8 {
      current = byte == UInt8(ascii: "`") ? current + 1 : 0
      longest = max(longest, current)
    }
    let fence = String(repeating: "`", count: longest + 1)
    // A space between a fence and a backtick is taken away by the reader again.
    let padding = text.utf8.first == UInt8(ascii: "`") || text.utf8.last == UInt8(ascii: "`") ? " " : ""
    let escaped = text.escaping { $0 == "|" ? "\\|" : nil }
    return fence + padding + escaped + padding + fence
  }
}
