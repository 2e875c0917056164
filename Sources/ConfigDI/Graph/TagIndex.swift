// SPDX-License-Identifier: Apache-2.0

/// An index of services by their tags.
package struct TagIndex {
  /// A service together with one of its tags.
  package struct Member {
    /// The number of the service.
    package let service: Int
    /// The tag, with its order and key.
    let tag: ComposedTag
  }

  /// The services with each tag, by order, then by id.
  private var members: [Name: [Member]] = [:]

  /// Indexes the services of a module.
  ///
  /// - Complexity: O(n log n) in the number of tags of all services.
  package init(_ definition: ModuleDefinition) {
    for (place, service) in definition.services.enumerated() {
      for tag in service.tags { members[tag.name, default: []].append(Member(service: place, tag: tag)) }
    }
    members = members.mapValues { $0.ascending(by: \.tag.order) }
  }

  /// Returns the services with a tag, by order, then by id.
  package subscript(tag: Name) -> [Member] { members[tag] ?? [] }

  /// The tags of all services, in no order.
  package var names: [Name] { Array(members.keys) }

  /// Removes a tag and returns the services that have it.
  mutating func remove(_ tag: Name) -> [Member] { members.removeValue(forKey: tag) ?? [] }
}
