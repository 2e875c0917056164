// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Finds services that were removed under one id and added under another.
///
/// A removed and an added service match if they are equal, and no other removed or added service equals them.
/// References to a renamed service are compared by its new id.
struct RenameSearch {
  /// The renamed services, ascending by the old id.
  private(set) var renames: [ModuleDifference.Rename] = []

  /// Searches the removed and added services for renames.
  ///
  /// - Complexity: one comparison of all, repeated for each level of renames that depend on other renames.
  init(removed: ComparedEntries, added: ComparedEntries) {
    guard !removed.isEmpty, !added.isEmpty else { return }
    var ids: [String: String] = [:]
    var isFinal = false
    while !isFinal {
      isFinal = true
      let old = Dictionary(grouping: removed.filter { ids[$0.key] == nil }) { RenameSearch.text(of: $0, ids) }
      let found = Set(ids.values)
      let new = Dictionary(grouping: added.filter { !found.contains($0.key) }) { RenameSearch.text(of: $0, [:]) }
      for (text, services) in old {
        guard let from = services.first?.key, services.count == 1, let others = new[text], others.count == 1 else {
          continue
        }
        ids[from] = others[0].key
        isFinal = false
      }
    }
    renames = ids.map { ModuleDifference.Rename(from: $0.key, to: $0.value) }.ascending(by: \.from)
  }

  /// Returns the text by which a service is compared: with secrets, with references by new ids, and without defaults
  /// that depend on its own id.
  private static func text(of service: ComparedEntry, _ ids: [String: String]) -> String {
    var parts: [Value.Entry] = []
    guard case .map(let entries) = service.value else { return "" }
    for entry in entries {
      let (key, part) = (entry.key, entry.value)
      var value = part.real
      switch key {
      case "inject": value = value.replacingTexts(ids)
      case "tags": value = value.replacingDefaultKeys(of: service.key)
      case "decorate":
        value = .list(
          value.elements.map { decorator in
            .map(
              decorator.entries.map {
                Value.Entry(key: $0.key, value: $0.key == "inject" ? $0.value.replacingTexts(ids) : $0.value)
              })
          })
      default: break
      }
      // Values with a missing or secret part are compared in both forms: the real one and the printed one.
      parts.append(Value.Entry(key: key, value: .list([value, key == "values" ? part.shown : ""])))
    }
    return JSONWriter.text(of: .map(parts), .line)
  }
}

extension Value {
  /// Returns the value with some strings replaced.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  func replacingTexts(_ replacements: [String: String]) -> Value {
    switch self {
    case .string(let text): .string(replacements[text] ?? text)
    case .list(let elements): .list(elements.map { $0.replacingTexts(replacements) })
    case .map(let entries):
      .map(entries.map { Entry(key: $0.key, value: $0.value.replacingTexts(replacements)) })
    default: self
    }
  }

  /// Returns the tags of a service without the keys that equal its id.
  fileprivate func replacingDefaultKeys(of id: String) -> Value {
    .map(
      entries.map { tag in
        Entry(key: tag.key, value: .map(tag.value.entries.filter { $0.key != "key" || $0.value.text != id }))
      })
  }
}
