// SPDX-License-Identifier: Apache-2.0

/// The services by the names by which they can be looked up.
///
/// Services of one type that do not narrow what it provides are kept together, so that the index stays linear however
/// many names a type provides.
struct ProviderIndex {
  /// The services of one type that promise all that it provides.
  private struct Group {
    /// The type.
    let type: RegisteredType
    /// The services, ascending.
    var services: [Int]
  }

  /// The groups.
  private var groups: [Group] = []
  /// The places of the groups whose type provides a name.
  private var groupsOfName: [String: [Int]] = [:]
  /// The services that say a name themselves, ascending; where their type is known, it provides the name.
  private var saying: [String: [Int]] = [:]
  /// The group of each service, or -1 where it is in none.
  private var groupOfService: [Int32]
  /// What was asked of names before.
  private var summaries: [String: Summary] = [:]

  /// The services among a graph's holders, without those of some traits. A service of an unknown type provides what it says.
  ///
  /// - Complexity: linear in services, in what they say, and in what their types provide.
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

  /// The names that some service provides, in no order.
  var names: Set<String> { Set(groupsOfName.keys).union(saying.keys) }

  /// Whether a service provides a name.
  ///
  /// - Complexity: logarithmic in the services that say the name.
  func provides(_ service: Int, _ name: String) -> Bool {
    if groupOfService[service] >= 0 { return groups[Int(groupOfService[service])].type.provides(name) }
    return saying[name]?.holds(service) ?? false
  }

  /// All services that provide a name, ascending.
  ///
  /// - Complexity: n log n in their number, and linear in the types that provide the name.
  func all(_ name: String) -> [Int] { first(.max, of: name) }

  /// The first services that provide a name, ascending.
  private func first(_ count: Int, of name: String) -> [Int] {
    var found = Array((saying[name] ?? []).prefix(count))
    for place in groupsOfName[name] ?? [] { found += groups[place].services.prefix(count) }
    found.sort()
    return found.count > count ? Array(found.prefix(count)) : found
  }
}

// MARK: - Summaries

extension ProviderIndex {
  /// How many services provide a name, and the first of them.
  struct Summary {
    /// How many there are.
    var count: Int
    /// The first, ascending.
    var first: [Int]

    /// How many services a summary names.
    static let shownCount = 16
  }

  /// How many services provide a name, and the first of them; one of them excepted.
  ///
  /// - Complexity: linear in the types that provide the name, once for each name.
  mutating func summary(of name: String, except excepted: Int? = nil) -> Summary {
    var summary = summaries[name] ?? newSummary(of: name)
    summaries[name] = summary
    if let excepted, provides(excepted, name) {
      summary.count -= 1
      summary.first.removeAll { $0 == excepted }
    }
    summary.first = Array(summary.first.prefix(Summary.shownCount))
    return summary
  }

  /// What is kept of a name: one more service than is shown, in case that one of them is excepted.
  private func newSummary(of name: String) -> Summary {
    let count = (groupsOfName[name] ?? []).reduce(saying[name]?.count ?? 0) { $0 + groups[$1].services.count }
    return Summary(count: count, first: first(Summary.shownCount + 1, of: name))
  }
}

extension [Int] {
  /// Whether an ascending list holds a number.
  fileprivate func holds(_ number: Int) -> Bool {
    let first = partitioningIndex { $0 >= number }
    return first < count && self[first] == number
  }
}
