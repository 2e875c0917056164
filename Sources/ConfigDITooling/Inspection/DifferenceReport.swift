// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The difference between two modules, in the formats in which `diff` prints it.
package struct DifferenceReport: Sendable {
  /// The difference.
  let difference: ModuleDifference
  /// The name of the first module.
  let from: String
  /// The name of the second module.
  let to: String
  /// The new ids of the renamed services, by old id.
  let newIDs: [String: String]

  /// Creates a report about the difference between two modules with the given names.
  package init(_ difference: ModuleDifference, from: String, to: String) {
    self.difference = difference
    self.from = from
    self.to = to
    newIDs = Dictionary(difference.renames.map { ($0.from, $0.to) }) { first, _ in first }
  }
}

// MARK: - JSON

extension DifferenceReport {
  /// Whether there is a difference.
  package var hasDifference: Bool { !difference.isEmpty }

  /// The difference in the form of `diff --format json`.
  package var value: Value {
    let sections = difference.sections.map { name, section in
      Value.Entry(key: name.rawValue, value: value(of: section, hasChanges: name != .variables))
    }
    let contents = difference.sections.filter { $0.name != .variables }.map { name, section in
      Value.Entry(
        key: name.rawValue, value: ["added": .map(section.addedEntries), "removed": .map(section.removedEntries)])
    }
    let renamed = difference.renames.map { ["from": .string($0.from), "to": .string($0.to)] as Value }
    let head: Value = ["from": .string(from), "to": .string(to)]
    return Value.map(head.entries + sections).adding([
      "optionalReferences": value(of: difference.optionalReferences),
      "renamed": ["services": .list(renamed)],
      "contents": .map(contents),
      "summary": .map(counts.map { Value.Entry(key: $0.section.rawValue, value: $0.value) }),
    ])
  }

  /// Returns a section for programs.
  private func value(of section: ModuleDifference.Section, hasChanges: Bool) -> Value {
    Value([
      "added": .list(section.added.map(Value.string)),
      "removed": .list(section.removed.map(Value.string)),
      "changed": hasChanges ? value(of: section.changed) : nil,
    ])
  }

  /// Returns the entries that differ, for programs.
  private func value(of changed: [ModuleDifference.Entry]) -> Value {
    .map(changed.map { Value.Entry(key: $0.id, value: .list($0.changes.map(\.value))) })
  }
}

// MARK: - Counts

extension DifferenceReport {
  /// The counts of differences in one section. A renamed entry counts only as renamed.
  struct Counts {
    /// The section.
    let section: ModuleDifference.SectionName
    /// The number of entries that only the second module has.
    var added: Int
    /// The number of entries that only the first module has.
    var removed: Int
    /// The number of entries that differ.
    var changed: Int
    /// The number of entries with another id.
    var renamed: Int

    /// The counts for programs.
    fileprivate var value: Value {
      [
        "added": .integer(Int64(added)), "removed": .integer(Int64(removed)), "changed": .integer(Int64(changed)),
        "renamed": .integer(Int64(renamed)),
      ]
    }

    /// The counts in words, or `nil` if all are zero.
    fileprivate var words: String? {
      let parts = [(added, "added"), (removed, "removed"), (renamed, "renamed"), (changed, "changed")].filter {
        $0.0 > 0
      }
      guard let first = parts.first else { return nil }
      let noun = first.0 == 1 ? section.singular : section.rawValue
      return (["\(first.0) \(noun) \(first.1)"] + parts.dropFirst().map { "\($0.0) \($0.1)" }).joined(separator: ", ")
    }
  }

  /// The counts of each section.
  var counts: [Counts] {
    difference.sections.map { name, section in
      let renamed = name == .services ? difference.renames.count : 0
      return Counts(
        section: name, added: section.added.count - renamed, removed: section.removed.count - renamed,
        changed: difference.changes(in: name).count, renamed: renamed)
    }
  }

  /// A summary of the counts, on one line without a line break.
  var summary: String { counts.compactMap(\.words).joined(separator: "; ") }
}

extension ModuleDifference.SectionName {
  /// The noun for one entry of the section.
  var singular: String { String(rawValue.dropLast(self == .aliases ? 2 : 1)) }
}

// MARK: - Changes

extension ModuleDifference.Change {
  /// The change for programs. A side without a value is left out.
  var value: Value {
    Value([
      "path": .string(path), "from": from, "to": to, "secretChanged": isSecret ? true : nil,
      "elements": Value.list(elements.map(\.value)).unlessEmpty,
    ])
  }

  /// The changes of the elements, or the change itself if it has none.
  var leaves: [ModuleDifference.Change] { elements.isEmpty ? [self] : elements.flatMap(\.leaves) }

  /// Whether both values have the same printed form, so that the report can only say that they differ.
  var isHidden: Bool { isSecret && from?.line == to?.line }

  /// The two values on one line, for people.
  var text: String {
    if isHidden { return ModuleDifference.Change.secretChanged }
    let absent = "absent"
    return "\(from?.line ?? absent) -> \(to?.line ?? absent)"
      + (isSecret ? " " + ModuleDifference.Change.secretChanged : "")
  }

  /// The text for two values that differ and are both hidden.
  static var secretChanged: String { "(secret changed)" }
}
