// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Finds services that were removed under one id and added under another.
///
/// Two belong together where they say the same, and no other service that came or went does. What refers to a renamed service
/// says the same if it refers to it by its new id.
struct RenameSearch {
  /// What was found, ascending by the old id.
  private(set) var renames: [ModuleDifference.Rename] = []

  /// Looks for renamed services among those that went and those that came.
  ///
  /// - Complexity: that of a comparison for each rename that others depend on.
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
    renames = ids.map { ModuleDifference.Rename(from: $0.key, to: $0.value) }
      .sorted { $0.from.utf8.lexicographicallyPrecedes($1.from.utf8) }
  }

  /// What a service says, secrets included, with its references by new ids and without what its own id gives.
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
      // What is missing or secret counts by what it is, and by what it is called.
      parts.append(Value.Entry(key: key, value: .list([value, key == "values" ? part.shown : ""])))
    }
    return JSONWriter.text(of: .map(parts), .line)
  }
}

extension Value {
  /// The value with some texts replaced.
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

  /// The tags of a service without the keys that are its id.
  fileprivate func replacingDefaultKeys(of id: String) -> Value {
    .map(
      entries.map { tag in
        Entry(key: tag.key, value: .map(tag.value.entries.filter { $0.key != "key" || $0.value.text != id }))
      })
  }
}
