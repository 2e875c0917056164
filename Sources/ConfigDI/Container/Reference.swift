// SPDX-License-Identifier: Apache-2.0

/// A look-up that is put off: all that it needs but the container and the scope, which it does not keep alive.
///
/// A service that the container keeps may hold one, so it must not hold the container.
struct Reference<Service>: Sendable {
  /// The container and the scope, nil where the look-up takes place in none; nil where one of them is gone.
  private let surroundings: @Sendable () -> (container: Container, scope: InstanceStore?)?
  /// The service, by number.
  private let type: SlotType
  /// The service's id.
  let id: String

  /// A look-up in a container.
  ///
  /// - Parameter type: a type of a slot of the container; it is `Service`.
  init(to type: SlotType, in container: Container, _ scope: InstanceStore?) {
    self.type = type
    id = container.slots[type.slot].id
    if let scope {
      surroundings = { [weak container, weak scope] in
        guard let container, let scope else { return nil }
        return (container, scope)
      }
    } else {
      surroundings = { [weak container] in container.map { ($0, nil) } }
    }
  }

  /// The service.
  ///
  /// - Parameters:
  ///   - scope: a scope in which to look up; nil: that in which the reference was made.
  ///   - graph: the look-up to which this one belongs; nil: none.
  /// - Throws: `ResolutionError` where the container or the scope is gone, the arguments are not those that the service
  ///   wants, or building fails.
  func resolve(
    in scope: Scope? = nil, graph: GraphInstances? = nil, arguments: RuntimeArguments? = nil
  ) throws(ResolutionError) -> Service {
    let (container, store) = try location(in: scope)
    let wanted = container.slots[type.slot].parameters
    let given = arguments?.types ?? []
    guard wanted.elementsEqual(given, by: { $0 == $1 }) else {
      throw .wrongArguments(container.slots[type.slot], given: given, name: id)
    }
    graph?.resume()
    defer { graph?.end() }
    return try container.instance(
      in: container.cell(of: type), Resolution(scope: store, graph: graph, arguments: arguments))
  }

  /// Builds something once for a keeper, in the order of the container's other builds.
  ///
  /// - Throws: `ResolutionError` where the container or the scope is gone, or the keeper needs it to build itself, or
  ///   building fails.
  func once<Kept>(
    for keeper: AnyObject, find: () -> Kept?, build: () throws(ResolutionError) -> Kept, keep: (Kept) -> Void
  ) throws(ResolutionError) -> Kept {
    let container = try location(in: nil).container
    return try container.builds.once(
      Site(keeper: ObjectIdentifier(keeper), slot: type.slot), find: find, build: build,
      keep: {
        keep($0)
        return true
      },
      cycle: { .cycle($0.map { container.slots[$0] }) }, closed: { .closed(container.slots[type.slot]) })
  }

  /// Where to look up.
  private func location(
    in scope: Scope?
  ) throws(ResolutionError) -> (container: Container, scope: InstanceStore?) {
    if let scope {
      guard let own = surroundings()?.container ?? nil, own === scope.container else {
        throw .foreignScope(scope.name, id: id)
      }
      guard scope.isOpen else { throw .closed(scope: scope.name) }
      return (scope.container, scope.store)
    }
    guard let surroundings = surroundings(), surroundings.scope?.isOpen ?? true else {
      throw .gone("its container or scope is closed", id: id)
    }
    return surroundings
  }
}

extension Linker {
  /// A reference to a slot of the plan, in the scope of each look-up.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  func reference<Service>(
    to slot: Int, as type: Service.Type
  ) throws(WiringFailure) -> Supplier<Reference<Service>> {
    let place = try self.type(type, of: slot)
    guard let container else { throw .serviceMismatch(slots[place.slot].id, type: TypeName.name(of: type)) }
    // The container owns this closure, and whoever calls it holds the container.
    return { [unowned(unsafe) container] resolution in Reference(to: place, in: container, resolution.scope) }
  }
}
