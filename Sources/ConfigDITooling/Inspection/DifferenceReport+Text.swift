// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension DifferenceReport {
  /// Returns the difference for people. Ends with a line break.
  ///
  /// `+` marks what only the second module has, `-` what only the first has, `~` what differs.
  ///
  /// - Parameters:
  ///   - usesColor: Whether to write the escape sequences of a terminal (ECMA-48).
  ///   - hasSummary: Whether the last line summarizes the counts.
  package func text(usesColor: Bool = false, hasSummary: Bool = true) -> String {
    guard !difference.isEmpty else { return "no difference between \(from.visible) and \(to.visible)\n" }
    var page = ColoredLines(usesColor: usesColor)
    page.add("from \(from.visible) to \(to.visible)")
    let referrers = referrers
    for (name, section) in difference.sections {
      let changed = listedChanges(in: name)
      guard !section.added.isEmpty || !section.removed.isEmpty || !changed.isEmpty else { continue }
      page.add("")
      page.add("\(name.rawValue):", .title)
      let listed = listedSection(name)
      let renames = name == .services ? difference.renames : []
      for entry in listed.addedEntries {
        page.add("  + \(entry.key.visible)", .added)
        page.add(entry.value.facts.map { ($0.path, .beside($0.value.line)) })
      }
      for entry in listed.removedEntries {
        page.add("  - \(entry.key.visible)", .removed)
        page.add(entry.value.facts.map { ($0.path, .beside($0.value.line)) })
      }
      for rename in renames {
        page.add("  ~ \(rename.from.visible) -> \(rename.to.visible)  (renamed)", .changed)
        if let users = referrers[rename.from] { page.add("      in  \(users.map(\.visible).joined(separator: ", "))") }
      }
      for entry in changed {
        page.add("  ~ \(entry.id.visible)", .changed)
        page.add(entry.changes.flatMap(\.leaves).map { ($0.path, $0.difference) })
      }
    }
    if hasSummary {
      page.add("")
      page.add(summary)
    }
    return page.text
  }
}

/// Lines for a terminal.
private struct ColoredLines {
  /// The kind of a line. The raw value is the parameter of its escape sequence.
  enum Kind: String {
    case title = "1"
    case added = "32"
    case removed = "31"
    case changed = "33"
  }

  /// Whether lines are colored.
  let usesColor: Bool
  /// The lines, each with a line break.
  private(set) var text = ""

  /// Adds a line.
  mutating func add(_ line: String, _ kind: Kind? = nil) {
    if let kind, usesColor { text += "\u{1B}[\(kind.rawValue)m\(line)\u{1B}[0m\n" } else { text += line + "\n" }
  }

  /// The description of a path.
  enum Description {
    /// One line beside the path.
    case beside(String)
    /// Lines below the path, each with `-` or `+`.
    case below([String])
  }

  /// Adds paths with their descriptions.
  mutating func add(_ facts: [(path: String, description: Description)]) {
    let width =
      facts.lazy.filter { if case .beside = $0.description { true } else { false } }
      .map(\.path.visible.unicodeScalars.count).max() ?? 0
    for fact in facts {
      let path = fact.path.visible
      switch fact.description {
      case .beside(let line): add("      \(path.padded(to: width))  \(line)")
      case .below(let lines):
        add("      \(path)")
        for line in lines { add("        \(line)", line.hasPrefix("+") ? .added : .removed) }
      }
    }
  }
}

// MARK: - Listed entries

extension DifferenceReport {
  /// Returns a section without the renamed services among the entries that only one module has.
  func listedSection(_ name: ModuleDifference.SectionName) -> ModuleDifference.Section {
    var section = difference[name]
    guard name == .services else { return section }
    let new = Set(newIDs.values)
    section.addedEntries.removeAll { new.contains($0.key) }
    section.removedEntries.removeAll { newIDs[$0.key] != nil }
    return section
  }

  /// Returns the changes of a section, without those that only follow a renamed service.
  func listedChanges(in name: ModuleDifference.SectionName) -> [ModuleDifference.Entry] {
    difference.changes(in: name).compactMap { entry in
      var entry = entry
      entry.changes = entry.changes.filter { $0.renamedReferences(newIDs) == nil }
      return entry.changes.isEmpty ? nil : entry
    }
  }

  /// The services, aliases and bindings that refer to a renamed service, ascending, by the old id of the service.
  var referrers: [String: [String]] {
    var referrers: [String: [String]] = [:]
    for name in [ModuleDifference.SectionName.services, .aliases, .bindings] {
      for entry in difference.changes(in: name) {
        let word = (name == .services ? "" : name.singular + " ") + entry.id
        for id in Set(entry.changes.flatMap { $0.renamedReferences(newIDs) ?? [] }) {
          referrers[id, default: []].append(word)
        }
      }
    }
    return referrers
  }
}

extension ModuleDifference.Change {
  /// Returns the old ids of renamed services if the two values, or the elements of two lists, differ only in those ids.
  /// `nil` if there is another difference.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate func renamedReferences(_ newIDs: [String: String]) -> [String]? {
    if !elements.isEmpty, !isReferenceChange {
      let found = elements.compactMap { $0.renamedReferences(newIDs) }
      return found.count == elements.count ? found.flatMap(\.self) : nil
    }
    guard !newIDs.isEmpty, isReferenceChange, let from, let to else { return nil }
    guard from.replacingTexts(newIDs).isWritten(like: to) else { return nil }
    return from.texts.filter { newIDs[$0] != nil }
  }

  /// Whether the values are service ids.
  private var isReferenceChange: Bool {
    if path == "target" || path.hasPrefix("inject") { return true }
    guard path.hasPrefix("decorate["), let end = path.firstIndex(of: "]") else { return false }
    return path[end...].hasPrefix("].inject")
  }
}

extension Value {
  /// The parts of an added or removed entry, by path. Maps and lists of maps are split into their parts. Default values
  /// are left out.
  var facts: [(path: String, value: Value)] {
    let declared = entries.filter { entry in
      switch (entry.key, entry.value) {
      case ("scope", "shared"), ("eager", false), ("private", false): false
      case (_, .map(let entries)): !entries.isEmpty
      case ("decorate", .list(let elements)): !elements.isEmpty
      default: true
      }
    }
    var found: [(path: String, value: Value)] = []
    if !declared.isEmpty { Value.map(declared).addFacts(at: [], to: &found) }
    return found.ascending(by: \.path)
  }

  /// Adds the value at a path, or the values below it.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func addFacts(at path: [UInt8], to found: inout [(path: String, value: Value)]) {
    switch self {
    case .map(let entries) where !entries.isEmpty:
      // A decorator without arguments is described by its type alone.
      for entry in entries where path.isEmpty || entry.value != .map([]) {
        entry.value.addFacts(at: path.appending(entry.key), to: &found)
      }
    case .list(let elements) where elements.contains { !$0.entries.isEmpty }:
      for (place, element) in elements.enumerated() {
        element.addFacts(at: path + Array("[\(place)]".utf8), to: &found)
      }
    default: found.append((String(decoding: path, as: UTF8.self), self))
    }
  }
}

// MARK: - Long values

extension ModuleDifference.Change {
  /// The length above which a change is shown on several lines, in Unicode scalars.
  private static let maximumLength = 100

  /// The two values for people: on one line, or if too long, the elements or lines that differ, each with `-` or `+`.
  fileprivate var difference: ColoredLines.Description {
    let text = self.text
    guard text.unicodeScalars.count > ModuleDifference.Change.maximumLength, !isHidden, !isSecret else {
      return .beside(text)
    }
    let (old, new) = (from?.pieces ?? [], to?.pieces ?? [])
    var lines: [String] = []
    for gap in ElementAlignment(old, new, isAlike: { $0.utf8.elementsEqual($1.utf8) }).gaps {
      lines += gap.from.map { "- " + old[$0] }
      lines += gap.to.map { "+ " + new[$0] }
    }
    return lines.isEmpty ? .beside(text) : .below(lines)
  }
}

extension Value {
  /// The pieces by which a long value is compared: the elements of a list, the lines of a string, or the whole value.
  fileprivate var pieces: [String] {
    switch self {
    case .list(let elements) where !elements.isEmpty: return elements.map(\.line)
    case .string(let text):
      let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
      guard lines.count > 1 else { return [line] }
      // Each line but the last is JSON with its line break, so that every difference between two strings is shown.
      return lines.dropLast().map { Value.string($0 + "\n").line }
        + (lines.last.map { $0.isEmpty ? [] : [Value.string($0).line] } ?? [])
    default: return [line]
    }
  }
}
