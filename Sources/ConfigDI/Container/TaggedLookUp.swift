// SPDX-License-Identifier: Apache-2.0

// The members of a tag are those that an argument receives for `{ "tagged": ... }`: services of the module, also
// private ones, in the tag's order. A service that code registers has no tags, but one that replaces a service of the
// module takes its place here.
extension Resolving {
  /// Returns the services of the module that have a tag, including private ones, in the tag's order.
  ///
  /// ```swift
  /// let checks: [any HealthCheck] = try container.resolve(tagged: "health")
  /// ```
  ///
  /// A service that code registers has no tags; one that replaces a service of the module takes its place here.
  ///
  /// - Throws: `ResolutionError` if the module does not declare the tag, a service with the tag does not provide the
  ///   element type or takes run-time arguments, or building fails.
  public func resolve<Element>(
    _ type: [Element].Type = [Element].self, tagged tag: String
  ) throws(ResolutionError) -> [Element] {
    try resolver.tagged(Element.self, tag).map(\.element)
  }

  /// Returns the services of the module that have a tag, by their keys in the tag.
  ///
  /// - Throws: as the form that returns a list, and if two of them have the same key.
  public func resolve<Element>(
    _ type: [String: Element].Type = [String: Element].self, tagged tag: String
  ) throws(ResolutionError) -> [String: Element] {
    try resolver.tagged(Element.self, tag).byKey(tag)
  }

  /// Returns the services of the module that have a tag, in the tag's order, and awaits async builders.
  ///
  /// - Throws: as `resolve` does, and if the task is cancelled.
  public func resolveAsync<Element>(
    _ type: [Element].Type = [Element].self, tagged tag: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> [Element] {
    try await resolver.awaitedTagged(Element.self, tag, isolation: isolation).map(\.element)
  }

  /// Returns the services of the module that have a tag, by their keys in the tag, and awaits async builders.
  ///
  /// - Throws: as `resolve` does, and if the task is cancelled.
  public func resolveAsync<Element>(
    _ type: [String: Element].Type = [String: Element].self, tagged tag: String,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> [String: Element] {
    try await resolver.awaitedTagged(Element.self, tag, isolation: isolation).byKey(tag)
  }
}

/// A service that has a tag, with its key in a map of the services that have the tag.
private typealias Tagged<Element> = (key: String, element: Element)

extension Array {
  fileprivate func byKey<Service>(
    _ tag: String
  ) throws(ResolutionError) -> [String: Service] where Element == Tagged<Service> {
    var services: [String: Service] = [:]
    for member in self where services.updateValue(member.element, forKey: member.key) != nil {
      throw .ambiguous(Service.self, key: member.key, ofTag: tag)
    }
    return services
  }
}

extension Resolver {
  /// Returns the services that have a tag, in order.
  fileprivate func tagged<Element>(
    _ type: Element.Type, _ tag: String
  ) throws(ResolutionError) -> [Tagged<Element>] {
    defer { withExtendedLifetime(handle) {} }
    let members = try state.parts(type, ofTag: tag)
    let (resolution, own) = state.begin(resolution)
    defer { own?.suspend() }
    return try members.value(in: FormContext(state, resolution))
  }

  /// Returns the services that have a tag, in order, and awaits async builders.
  fileprivate func awaitedTagged<Element>(
    _ type: Element.Type, _ tag: String, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> [Tagged<Element>] {
    let members = try state.parts(type, ofTag: tag)
    let (resolution, own) = state.begin(resolution)
    defer {
      own?.suspend()
      withExtendedLifetime(handle) {}
    }
    return try await members.awaited(in: FormContext(state, resolution), isolation: isolation)
      .value(as: [Tagged<Element>].self)
  }
}

extension ContainerState {
  /// Returns the parts of a list of the services that have a tag, with their keys.
  fileprivate func parts<Element>(
    _ type: Element.Type, ofTag tag: String
  ) throws(ResolutionError) -> FormParts<[Tagged<Element>]> {
    let members = try members(ofTag: tag, as: type)
    let parts = members.map { FormParts<Element>(of: FormCells($0.place, type: $0.type)) }
    return FormParts(parts) { elements in zip(members, elements).map { ($0.key, $1) } }
  }

  /// Returns the cells of the services that have a tag, in order, for a type or the type that a form of it wraps, and
  /// the type of each cell.
  ///
  /// - Throws: `ResolutionError` if the module does not declare the tag, a service with the tag does not provide the
  ///   type or takes run-time arguments, or the container was disposed of.
  fileprivate func members(
    ofTag tag: String, as type: Any.Type
  ) throws(ResolutionError) -> [(key: String, place: CellReference, type: Any.Type)] {
    let types = formTypes(of: type)
    let takesArgumentsLater = types.contains { ($0 as? any DeferredForm.Type)?.wrapper == .provider }
    // The module of a child lists the tags that it changes, with all members; other tags are found in a parent.
    var home = self
    while let parent = home.parent, !home.directory.read({ $0.decides(tag: ScalarString(tag)) }) { home = parent }
    guard let listed = home.directory.read({ $0.tags[ScalarString(tag)] }) else {
      if directory.isClosed { throw .disposed }
      throw notFound(.unknownTag(tag, among: home.directory.read { $0.tags.keys.map(\.text) }))
    }
    var found: [(key: String, place: CellReference, type: Any.Type)] = []
    for member in listed {
      let owner = member.isInherited ? home.parent ?? home : home
      let cells = owner.directory.read { tables in
        tables.isClosed ? [] : member.cells.map { (number: $0, cell: tables.cells[$0]) }
      }
      guard !cells.isEmpty else { throw .disposed }
      if let (place, type) = nearest(of: types, named: cells[0].cell.id, nearerThan: owner) {
        found.append((member.key, place, type))
        continue
      }
      let own = types.compactMap { type in
        cells.first { $0.cell.type == ObjectIdentifier(type) }.map { ($0.number, $0.cell, type) }
      }.first
      guard let (number, cell, sought) = own else {
        let registration = cells[0].cell.registration
        throw notFound(
          .notProvided(
            registration, leafType(of: type), name: registration.id,
            provided: cells.map { $0.cell.registration.factory.type($0.cell.index) }))
      }
      guard cell.registration.parameters.isEmpty || takesArgumentsLater else {
        throw notFound(.wrongArguments([cell.registration], given: [], type: sought, name: cell.id))
      }
      found.append((member.key, CellReference(owner, number), sought))
    }
    // A child that was disposed of has none of its services any more, but its parent may have the tag.
    if directory.isClosed { throw .disposed }
    return found
  }

  /// Returns the service of a name that a child has registered in place of its parent's, and the first of the types that
  /// it provides; `nil` if there is none.
  private func nearest(
    of types: [Any.Type], named name: String, nearerThan owner: ContainerState
  ) -> (place: CellReference, type: Any.Type)? {
    for type in types {
      for state in sequence(first: self, next: \.parent).prefix(while: { $0 !== owner }) {
        let cell = state.directory.read { $0.cell(of: ObjectIdentifier(type), named: name) }
        if let cell { return (CellReference(state, cell), type) }
      }
    }
    return nil
  }
}
