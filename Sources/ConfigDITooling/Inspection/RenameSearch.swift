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
  /// - Complexity: linear in the size of the services.
  init(removed: ComparedEntries, added: ComparedEntries) {
    guard !removed.isEmpty, !added.isEmpty else { return }
    var ids: [String: String] = [:]
    // The services of each text, without those that are found.
    var old: [ScalarString: Set<Int>] = [:]
    var new: [ScalarString: Set<Int>] = [:]
    for (place, service) in added.enumerated() { new[RenameSearch.text(of: service, [:]), default: []].insert(place) }
    let places = Dictionary(removed.enumerated().map { ($1.key, $0) }) { first, _ in first }
    // For each removed service, those that refer to it, its text, and how many removed services without a new id it
    // refers to.
    var users = [[Int]](repeating: [], count: removed.count)
    var texts = removed.map { RenameSearch.text(of: $0, [:]) }
    var openCounts: [Int] = []
    for (place, service) in removed.enumerated() {
      old[texts[place], default: []].insert(place)
      let needed = Set(RenameSearch.references(of: service).compactMap { places[$0] })
      openCounts.append(needed.count)
      for other in needed { users[other].append(place) }
    }
    var changed = Set(texts)
    while !changed.isEmpty {
      var found: [Int] = []
      for text in changed {
        guard let from = old[text], from.count == 1, let to = new[text], to.count == 1 else { continue }
        (old[text], new[text]) = (nil, nil)
        for (place, other) in zip(from, to) {
          ids[removed[place].key] = added[other].key
          found.append(place)
        }
      }
      changed = []
      for user in found.flatMap({ users[$0] }) {
        openCounts[user] -= 1
        guard openCounts[user] == 0, old[texts[user]]?.remove(user) != nil else { continue }
        changed.insert(texts[user])
        texts[user] = RenameSearch.text(of: removed[user], ids)
        old[texts[user], default: []].insert(user)
        changed.insert(texts[user])
      }
    }
    renames = ids.map { ModuleDifference.Rename(from: $0.key, to: $0.value) }.ascending(by: \.from)
  }

  /// Returns the strings of a service that may be ids of others.
  private static func references(of service: ComparedEntry) -> [String] {
    guard case .map(let entries) = service.value else { return [] }
    return entries.flatMap { entry -> [String] in
      switch entry.key {
      case "inject": entry.value.real.texts
      case "decorate":
        entry.value.real.elements.flatMap { $0.entries.filter { $0.key == "inject" }.flatMap(\.value.texts) }
      default: []
      }
    }
  }

  /// Returns the text by which a service is compared: with secrets, with references by new ids, and without defaults
  /// that depend on its own id.
  private static func text(of service: ComparedEntry, _ ids: [String: String]) -> ScalarString {
    var parts: [Value.Entry] = []
    guard case .map(let entries) = service.value else { return ScalarString("") }
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
    return ScalarString(JSONWriter.text(of: .map(parts), .line))
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
