// SPDX-License-Identifier: Apache-2.0

/// The services that bear each tag.
struct TagIndex {
  /// A service and one of its tags.
  struct Member {
    /// The service, by its number.
    let service: Int
    /// The tag.
    let tag: ComposedTag
  }

  /// The services of each tag, by order, then by id.
  private var members: [Name: [Member]] = [:]

  /// The tags of a module.
  ///
  /// - Complexity: n log n in the tags of all services.
  init(_ definition: ModuleDefinition) {
    for (place, service) in definition.services.enumerated() {
      for tag in service.tags { members[tag.name, default: []].append(Member(service: place, tag: tag)) }
    }
    for name in Array(members.keys) {
      members[name]?.sort { ($0.tag.order, $0.service) < ($1.tag.order, $1.service) }
    }
  }

  /// The services that bear a tag, by order, then by id.
  subscript(tag: Name) -> [Member] { members[tag] ?? [] }

  /// The tags that services bear, in no order.
  var names: [Name] { Array(members.keys) }

  /// The services that bear a tag, which are forgotten.
  mutating func remove(_ tag: Name) -> [Member] { members.removeValue(forKey: tag) ?? [] }
}
