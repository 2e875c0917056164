// SPDX-License-Identifier: Apache-2.0

/// An index of services by the names under which they can be looked up.
///
/// Services of one type that provide all of its names form one group, so that the size of the index is linear however
/// many names a type provides.
struct ProviderIndex {
  /// The services of one type that do not restrict the names that it provides.
  private struct Group {
    let type: RegisteredType
    /// The services, ascending.
    var services: [Int]
  }

  private var groups: [Group] = []
  /// The indices of the groups whose type provides a name.
  private var groupsOfName: [String: [Int]] = [:]
  /// The services that list a name in `provides`, ascending. A name that the service's known type does not provide is
  /// omitted.
  private var saying: [String: [Int]] = [:]
  /// The index of each service's group; -1 if it has none.
  private var groupOfService: [Int32]
  /// A cache of the summaries, without an excepted service.
  private var summaries: [String: Summary] = [:]

  /// Indexes the services among holders, except those with any of the given traits. A service of an unknown type
  /// provides the names that it lists.
  ///
  /// - Complexity: Linear in services, in the names that they list, and in the names that their types provide.
  init(_ definition: ModuleDefinition, _ holders: [Holder], excluding traits: Holder.Traits = []) {
    groupOfService = Array(repeating: -1, count: definition.services.count)
    var places: [ObjectIdentifier: Int] = [:]
    for service in definition.services.indices where holders[service].traits.isDisjoint(with: traits) {
      let type = holders[service].registered
      if holders[service].traits.contains(.narrowed) {
        for token in holders[service].provides ?? [] {
          let name = definition.names[token.name]
          guard type?.provides(name) ?? true, saying[name]?.last != service else { continue }
          saying[name, default: []].append(service)
        }
      } else if let type {
        let place = places[ObjectIdentifier(type)] ?? groups.count
        if place == groups.count {
          places[ObjectIdentifier(type)] = place
          groups.append(Group(type: type, services: []))
        }
        groups[place].services.append(service)
        groupOfService[service] = Int32(place)
      }
    }
    for (place, group) in groups.enumerated() {
      for name in group.type.descriptor.provides { groupsOfName[name, default: []].append(place) }
    }
  }

  /// The names that at least one service provides, in no order.
  var names: Set<String> { Set(groupsOfName.keys).union(saying.keys) }

  /// Returns whether a service provides a name.
  ///
  /// - Complexity: Logarithmic in the number of services that list the name.
  func provides(_ service: Int, _ name: String) -> Bool {
    if groupOfService[service] >= 0 { return groups[Int(groupOfService[service])].type.provides(name) }
    return saying[name]?.holds(service) ?? false
  }

  /// Returns all services that provide a name, ascending.
  ///
  /// - Complexity: O(n log n) in their number, and linear in the number of types that provide the name.
  func all(_ name: String) -> [Int] { first(.max, of: name) }

  /// Returns the first `count` services that provide a name, ascending.
  private func first(_ count: Int, of name: String) -> [Int] {
    var found = Array((saying[name] ?? []).prefix(count))
    for place in groupsOfName[name] ?? [] { found += groups[place].services.prefix(count) }
    found.sort()
    return found.count > count ? Array(found.prefix(count)) : found
  }
}

// MARK: - Summaries

extension ProviderIndex {
  /// The number of services that provide a name, and the first of them.
  struct Summary {
    /// The number of services.
    var count: Int
    /// The first of them, ascending.
    var first: [Int]

    /// The maximum number of services that a summary lists.
    static let shownCount = 16
  }

  /// Returns the number of services that provide a name, and the first of them. Does not count `excepted`.
  ///
  /// - Complexity: Linear in the number of types that provide the name, once for each name.
  mutating func summary(of name: String, except excepted: Int? = nil) -> Summary {
    // One service more than is shown, because one of them may be excepted.
    var summary = summaries[name] ?? Summary(count: count(of: name), first: first(Summary.shownCount + 1, of: name))
    summaries[name] = summary
    if let excepted, provides(excepted, name) {
      summary.count -= 1
      summary.first.removeAll { $0 == excepted }
    }
    summary.first = Array(summary.first.prefix(Summary.shownCount))
    return summary
  }

  /// How many services provide a name.
  ///
  /// - Complexity: linear in the types that provide the name.
  func count(of name: String) -> Int {
    (groupsOfName[name] ?? []).reduce(saying[name]?.count ?? 0) { $0 + groups[$1].services.count }
  }
}

extension [Int] {
  /// Returns whether an ascending array contains a number.
  fileprivate func holds(_ number: Int) -> Bool {
    let first = partitioningIndex { $0 >= number }
    return first < count && self[first] == number
  }
}
