// SPDX-License-Identifier: Apache-2.0

/// The services of its parent's module that a child uses because they are the same in both.
struct InheritedServices {
  let parent: ContainerState
  /// The cells of each service of the parent's module, by id.
  let parentCells: [ScalarString: Range<Int>]
  /// Returns whether the service of an id is the same in both.
  let isSame: (String) -> Bool
  /// The ids and aliases of the parent's services that look-ups in the child do not find.
  let hidden: Set<ScalarString>
  /// The tags of the parent's module that no service of the child's has.
  let hiddenTags: Set<ScalarString>

  /// Returns the cells of a service that is the same in both; `nil` if the child has its own.
  func cells(of id: String) -> Range<Int>? { isSame(id) ? parentCells[ScalarString(id)] : nil }

  /// Returns whether the parent has a provider of a type that look-ups in the child find, or a service bound to the type,
  /// which may be private.
  func hasProvider(of type: ObjectIdentifier) -> Bool {
    let bound = parent.directory.read { tables in tables.bound(of: type).map { tables.entry($0) } }
    return (parent.directory.providers(of: type) + bound).contains { _, cell in
      cell.registration.name.map { !hidden.contains(ScalarString($0)) } ?? true
    }
  }

  /// The types by which the parent's hidden services are looked up.
  var hiddenTypes: Set<ObjectIdentifier> {
    parent.directory.read { tables in
      guard !tables.isClosed else { return [] }
      var types: Set<ObjectIdentifier> = []
      for id in hidden {
        for cell in parentCells[id] ?? 0..<0 { types.insert(tables.cells[cell].type) }
      }
      return types
    }
  }
}
