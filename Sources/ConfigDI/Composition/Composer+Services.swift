// SPDX-License-Identifier: Apache-2.0

extension Composer {
  /// Merges what an override says of a service into the service.
  ///
  /// - Complexity: linear in the size of both, but for `unset`, of which each path is linear in what it passes.
  mutating func merge(_ patch: Declaration<ServiceDeclaration>, into entry: inout ComposedEntry<ServiceDeclaration>) {
    let patch = patch.body
    unset(patch.unset, in: &entry.body)
    merge(patch.type, into: &entry.body.type)
    merge(patch.scope, into: &entry.body.scope)
    merge(patch.deprecated, into: &entry.body.deprecated)
    merge(patch.isPrivate, into: &entry.body.isPrivate)
    merge(patch.isEager, into: &entry.body.isEager)
    entry.body.eagerKey = patch.eagerKey ?? entry.body.eagerKey
    if let provides = patch.provides { merge(provides, into: &entry.body.provides) }
    merge(patch.inject, into: &entry.body)
    merge(patch.values, into: &entry.body)
  }

  /// Puts a token in the place of an old one.
  mutating func merge(_ new: Token?, into old: inout Token?) {
    guard let new else { return }
    if new.name == old?.name { bag.report(.unchanged(at: new.node)) }
    old = new
  }

  /// Puts a truth value in the place of an old one.
  mutating func merge(_ new: FlagToken?, into old: inout FlagToken?) {
    guard let new else { return }
    if new.value == old?.value { bag.report(.unchanged(at: new.node)) }
    old = new
  }

  /// Replaces or extends the provided names. Their order says nothing.
  private mutating func merge(_ new: ListChange<Token>, into old: inout ListChange<Token>?) {
    let merged = new.applied(to: old)
    if let old, Set(merged.appended.map(\.name)) == Set(old.appended.map(\.name)) {
      bag.report(.unchanged(at: new.node))
    }
    old = merged
  }

  /// Puts references in the place of old ones, or of data.
  private mutating func merge(_ injections: [Injection], into service: inout ServiceDeclaration) {
    guard !injections.isEmpty else { return }
    let names = Set(injections.lazy.map(\.name))
    service.values.removeAll { names.contains($0.name) }
    var places = [Name: Int](minimumCapacity: service.inject.count)
    for (place, injection) in service.inject.enumerated() { places[injection.name] = place }
    for injection in injections {
      guard let place = places[injection.name] else {
        service.inject.append(injection)
        continue
      }
      if documents.isEqual(injection.reference, service.inject[place].reference) {
        bag.report(.unchanged(at: injection.reference.place))
      }
      service.inject[place] = injection
    }
  }

  /// Merges data into old ones, or puts them in the place of references.
  private mutating func merge(_ values: [ArgumentValue], into service: inout ServiceDeclaration) {
    guard !values.isEmpty else { return }
    let names = Set(values.lazy.map(\.name))
    service.inject.removeAll { names.contains($0.name) }
    var places = [Name: Int](minimumCapacity: service.values.count)
    for (place, value) in service.values.enumerated() { places[value.name] = place }
    for value in values {
      guard let place = places[value.name] else {
        service.values.append(value)
        continue
      }
      service.values[place].datum = merged(value.datum, into: service.values[place].datum)
      service.values[place].key = value.key
    }
  }

  /// A datum merged into an old one: maps key by key, everything else whole.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func merged(_ new: Datum, into old: Datum) -> Datum {
    guard let newEntries = documents.entries(of: new), var entries = documents.entries(of: old) else {
      if documents.isEqual(new, old) { bag.report(.unchanged(at: new.place)) }
      return new
    }
    if newEntries.isEmpty { bag.report(.unchanged(at: new.place)) }
    // The keys of a map differ, so that the number of a key is its place.
    var keys = NameTable()
    for entry in entries { _ = keys.name(entry.text) }
    for entry in newEntries {
      let place = Int(keys.name(entry.text).index)
      if place < entries.count {
        entries[place].datum = merged(entry.datum, into: entries[place].datum)
        entries[place].key = entry.key
      } else {
        entries.append(entry)
      }
    }
    return .map(entries, new.place)
  }
}

// MARK: - Taking parts out

extension Composer {
  /// Takes the parts at some paths out of a service. All paths are those of the service as it was.
  private mutating func unset(_ paths: [Token], in service: inout ServiceDeclaration) {
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
    case "inject":
      return unset(rest, in: &service.inject, name: \.name) { _, _ in nil }
    case "values":
      return unset(rest, in: &service.values, name: \.name) { value, rest in
        documents.changing(value.datum, at: rest, to: nil).map {
          ArgumentValue(name: value.name, key: value.key, datum: $0)
        }
      }
    case "provides":
      return unset(rest, in: &service.provides)
    default:
      return rest.isEmpty && unsetField(field, of: &service)
    }
  }

  /// Takes a key without parts out of a service; whether it was there.
  private func unsetField(_ field: String, of service: inout ServiceDeclaration) -> Bool {
    switch field {
    case "type": take(&service.type)
    case "scope": take(&service.scope)
    case "eager": take(&service.isEager)
    case "private": take(&service.isPrivate)
    case "deprecated": take(&service.deprecated)
    default: false
    }
  }

  /// Takes all provided names, or one of them, out; whether there was something.
  private func unset(_ steps: ArraySlice<DottedPath.Step>, in provides: inout ListChange<Token>?) -> Bool {
    guard case .index(let index)? = steps.first else { return steps.isEmpty && take(&provides) }
    guard steps.count == 1, provides?.appended.indices.contains(index) == true else { return false }
    provides?.appended.remove(at: index)
    return true
  }

  /// Takes arguments, or a part of one, out; whether there was something. `change` gives an argument without a part.
  private func unset<Argument>(
    _ steps: ArraySlice<DottedPath.Step>, in arguments: inout [Argument], name: KeyPath<Argument, Name>,
    _ change: (Argument, ArraySlice<DottedPath.Step>) -> Argument?
  ) -> Bool {
    guard !steps.isEmpty else {
      defer { arguments = [] }
      return !arguments.isEmpty
    }
    let keys = arguments.lazy.map { names[$0[keyPath: name]] }
    guard let found = DottedPath.longestMatch(of: steps, among: keys) else { return false }
    if found.rest.isEmpty {
      arguments.remove(at: found.place)
      return true
    }
    guard let changed = change(arguments[found.place], found.rest) else { return false }
    arguments[found.place] = changed
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
    Finding(.nothingToUnset, "there is nothing at \"\(path)\" to unset", at: node)
  }
}
