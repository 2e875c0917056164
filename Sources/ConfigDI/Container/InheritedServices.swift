// SPDX-License-Identifier: Apache-2.0

/// What a child of a container has of its parent: the services of its module that are the same there.
struct InheritedServices {
  let parent: ContainerState
  /// The first cell of each service of the parent's module, and how many it has.
  let parentCells: [ScalarString: Range<Int>]
  /// Whether a service is the same in both.
  let isSame: (String) -> Bool
  /// The ids of the parent's services, and its aliases, that are not found by way of the child.
  let hidden: Set<ScalarString>

  /// The cells of a service that is the same in both; nil where the child has one of its own.
  func cells(of id: String) -> Range<Int>? { isSame(id) ? parentCells[ScalarString(id)] : nil }

  /// Whether the parent has a service of a type that is found by way of the child, too.
  func hasProvider(of type: ObjectIdentifier) -> Bool {
    parent.directory.providers(of: type).contains { !hidden.contains(ScalarString($0.cell.id)) }
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
