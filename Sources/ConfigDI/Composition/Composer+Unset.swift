// SPDX-License-Identifier: Apache-2.0

extension Composer {
  /// Takes the parts at some paths out of a service. All paths are those of the service as it was.
  mutating func unset(_ paths: [Token], in service: inout ServiceDeclaration) {
    var seen: Set<Name> = []
    var found: [(path: DottedPath, token: Token)] = []
    for token in paths where seen.insert(token.name).inserted {
      if let path = DottedPath(names[token.name]) {
        found.append((path, token))
      } else {
        bag.report(.nothingToUnset(names[token.name], at: token.node))
      }
    }
    found.sort { $0.path.isTakenOut(before: $1.path) }
    for (path, token) in found where !unset(path, in: &service) {
      bag.report(.nothingToUnset(names[token.name], at: token.node))
    }
  }

  /// Takes the part at a path out of a service; whether there was one.
  private func unset(_ path: DottedPath, in service: inout ServiceDeclaration) -> Bool {
    guard case .key(let field)? = path.steps.first else { return false }
    let rest = path.steps.dropFirst()
    switch field {
    case "inject", "values": return unset(field, rest, in: &service.arguments)
    case "provides": return unset(rest, in: &service.provides) { _, _ in false }
    case "decorate":
      return unset(rest, in: &service.decorators) { decorator, rest in
        guard case .key(let field)? = rest.first else { return false }
        return unset(field, rest.dropFirst(), in: &decorator.arguments)
      }
    case "tags": return unset(rest, in: &service.tags)
    default: return rest.isEmpty && unsetField(field, of: &service)
    }
  }

  /// Takes a key without parts out of a service; whether it was there.
  private func unsetField(_ field: String, of service: inout ServiceDeclaration) -> Bool {
    switch field {
    case "extends": take(&service.extends)
    case "type": take(&service.type)
    case "scope": take(&service.scope)
    case "when": take(&service.condition)
    case "eager": take(&service.isEager)
    case "private": take(&service.isPrivate)
    case "autowire": take(&service.isAutowired)
    case "deprecated": take(&service.deprecated)
    default: false
    }
  }

  /// Takes a whole list, one element or a part of one out; whether there was something. `change` takes a part out of one.
  private func unset<Element>(
    _ steps: ArraySlice<DottedPath.Step>, in list: inout ListChange<Element>?,
    _ change: (inout Element, ArraySlice<DottedPath.Step>) -> Bool
  ) -> Bool {
    guard case .index(let index)? = steps.first else { return steps.isEmpty && take(&list) }
    guard list?.appended.indices.contains(index) == true else { return false }
    let rest = steps.dropFirst()
    if rest.isEmpty {
      list?.appended.remove(at: index)
      return true
    }
    guard var element = list?.appended[index], change(&element, rest) else { return false }
    list?.appended[index] = element
    return true
  }

  /// Takes all tags, one of them or a part of one out; whether there was something.
  private func unset(_ steps: ArraySlice<DottedPath.Step>, in tags: inout [TagDeclaration]) -> Bool {
    guard !steps.isEmpty else {
      defer { tags = [] }
      return !tags.isEmpty
    }
    guard let found = DottedPath.longestMatch(of: steps, among: tags.lazy.map { names[$0.name.name] }) else {
      return false
    }
    guard case .key(let field)? = found.rest.first else {
      guard found.rest.isEmpty else { return false }
      tags.remove(at: found.place)
      return true
    }
    switch (field, found.rest.count) {
    case ("order", 1): return take(&tags[found.place].order)
    case ("key", 1): return take(&tags[found.place].key)
    default: return false
    }
  }

  /// Takes arguments, or a part of one, out; whether there was something.
  private func unset(
    _ field: String, _ steps: ArraySlice<DottedPath.Step>, in arguments: inout ArgumentDeclarations
  ) -> Bool {
    switch field {
    case "inject": unset(steps, in: &arguments.inject) { _, _ in nil }
    case "values": unset(steps, in: &arguments.values) { documents.changing($0, at: $1, to: nil) }
    default: false
    }
  }

  /// Takes arguments, or a part of one, out; whether there was something. `change` gives a datum without a part.
  private func unset(
    _ steps: ArraySlice<DottedPath.Step>, in arguments: inout [ArgumentDeclaration],
    _ change: (Datum, ArraySlice<DottedPath.Step>) -> Datum?
  ) -> Bool {
    guard !steps.isEmpty else {
      defer { arguments = [] }
      return !arguments.isEmpty
    }
    guard let found = DottedPath.longestMatch(of: steps, among: arguments.lazy.map { names[$0.name] }) else {
      return false
    }
    if found.rest.isEmpty {
      arguments.remove(at: found.place)
      return true
    }
    guard let changed = change(arguments[found.place].datum, found.rest) else { return false }
    arguments[found.place].datum = changed
    return true
  }
}

/// Empties an optional; whether it held something.
func take<Wrapped>(_ value: inout Wrapped?) -> Bool {
  defer { value = nil }
  return value != nil
}

// MARK: - Messages

extension Finding {
  /// A path under `unset` that leads nowhere.
  static func nothingToUnset(_ path: String, at node: NodeRef) -> Finding {
    var finding = Finding(.nothingToUnset, "there is nothing at \"\(path)\" to unset", at: node)
    finding.help = "paths start from the entry, as \"eager\" and \"inject.cache\" do"
    return finding
  }
}
