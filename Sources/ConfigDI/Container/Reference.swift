// SPDX-License-Identifier: Apache-2.0

/// A look-up that is put off: all that it needs.
///
/// A service that the container keeps may hold one. It holds no instance and no registration, once the container or the scope
/// is gone: these are emptied then.
struct Reference<Service>: Sendable {
  /// The container of the service.
  private let core: Core
  /// The scope in which the look-up takes place; nil: none but the container.
  private let scope: InstanceStore?
  /// The cell, whose type is `Service`.
  private let cell: Cell
  /// The service's id.
  let id: String

  /// A look-up of a cell, whose type is `Service`. Its slot must be in reach.
  init(to cell: Cell, in scope: InstanceStore?) {
    self.cell = cell
    self.scope = scope
    core = cell.slot.core
    id = cell.slot.id
  }

  /// The service.
  ///
  /// - Parameters:
  ///   - scope: a scope in which to look up; nil: that in which the reference was made.
  ///   - graph: the look-up to which this one belongs; nil: none.
  /// - Throws: `ResolutionError` where the container or the scope is closed, the arguments are not those that the service
  ///   wants, or building fails.
  func resolve(
    in scope: Scope? = nil, graph: GraphInstances? = nil, arguments: RuntimeArguments? = nil, work: Work? = nil
  ) throws(ResolutionError) -> Service {
    let resolution = Resolution(scope: try store(in: scope), graph: graph).with {
      $0.arguments = arguments
      $0.work = work
    }
    return try core.look(resolution) { resolution throws(ResolutionError) in
      try check(arguments)
      graph?.resume()
      defer { graph?.end() }
      return try core.instance(in: cell, resolution)
    }
  }

  /// The service, with builders awaited.
  ///
  /// - Parameters: as those of `resolve`.
  /// - Throws: as `resolve` does, and where the task is cancelled.
  func resolveAwaiting(
    in scope: Scope? = nil, graph: GraphInstances? = nil, arguments: RuntimeArguments? = nil, work: Work? = nil
  ) async throws(ResolutionError) -> Hold<Service> {
    let resolution = Resolution(scope: try store(in: scope), graph: graph).with {
      $0.arguments = arguments
      $0.work = work
    }
    try core.look(resolution) { _ throws(ResolutionError) in try check(arguments) }
    graph?.resume()
    defer { graph?.end() }
    let instance = try await core.heldAwaiting(in: cell, resolution)
    // The cell's type is the reference's.
    return Hold(unsafeDowncast(instance, to: Instance<Service>.self).value)
  }

  /// The value of a `Lazy`, built once for all who use it meanwhile, with builders awaited.
  ///
  /// Where nothing has to be awaited it is built as `get` without `await` does, so that who does not await may use it, too.
  ///
  /// - Throws: as `resolveAwaiting` does, and where the value is needed to build itself.
  func value(
    of lazy: Hold<Lazy<Service>>, graph: GraphInstances?, bound: RuntimeArguments?
  ) async throws(ResolutionError) -> Hold<Service> {
    let store = try store(in: nil)
    let awaited = try core.look { _ throws(ResolutionError) -> Slot? in
      try checkOpen()
      return core.hasToAwait([cell]) ? cell.slot : nil
    }
    guard let slot = awaited else { return Hold(try lazy.value.make()) }
    return try await core.builds.onceAwaiting(
      Site(keeper: ObjectIdentifier(lazy.value), slot: slot.key), slot, Resolution(scope: store),
      find: { _ in lazy.value.current.map { Hold($0) } },
      build: { work async throws(ResolutionError) -> Hold<Service> in
        try await resolveAwaiting(graph: graph, arguments: bound, work: work)
      },
      keep: {
        lazy.value.keep($0.value)
        return .kept
      },
      closed: { _ in .closed(slot) })
  }

  /// Builds something once for a keeper, in the order of the container's other builds.
  ///
  /// - Throws: `ResolutionError` where the container or the scope is closed, or the keeper needs it to build itself, or
  ///   building fails.
  func once<Kept>(
    for keeper: AnyObject, find: () -> Kept?, build: (Work) throws(ResolutionError) -> Kept, keep: (Kept) -> Void
  ) throws(ResolutionError) -> Kept {
    let store = try store(in: nil)
    return try core.look(Resolution(scope: store)) { resolution throws(ResolutionError) in
      try checkOpen()
      let slot = cell.slot
      return try core.builds.once(
        Site(keeper: ObjectIdentifier(keeper), slot: slot.key), slot, resolution, find: { _ in find() }, build: build,
        keep: {
          keep($0)
          return .kept
        },
        closed: { _ in .closed(slot) })
    }
  }

  /// Has an instance that nobody else keeps give back what it holds.
  func dispose(_ service: Service) {
    let workplace = try? core.look { _ throws(ResolutionError) -> Workplace? in
      if core.isClosed { return nil }
      var cell = cell
      while let successor = cell.slot.successor(ofType: cell.index) { cell = successor }
      return cell.slot.keeping == .nobody ? cell.slot.workplace : nil
    }
    workplace?.builder.dispose(Instance<Service>(service))
  }

  /// Throws `ResolutionError` where the container was disposed of, or the service wants other arguments. Called within a
  /// look-up.
  private func check(_ arguments: RuntimeArguments?) throws(ResolutionError) {
    try checkOpen()
    let given = arguments?.types ?? []
    guard cell.slot.parameters.elementsEqual(given, by: { $0 == $1 }) else {
      throw .wrongArguments(cell.slot, given: given, name: id)
    }
  }

  /// Throws `ResolutionError` where the container was disposed of, so that there is no slot. Called within a look-up.
  private func checkOpen() throws(ResolutionError) {
    if core.isClosed { throw .gone("its container or scope is closed", id: id) }
  }

  /// The store in which to look up.
  private func store(in scope: Scope?) throws(ResolutionError) -> InstanceStore? {
    if let scope {
      guard scope.container.core.builds === core.builds else { throw .foreignScope(scope.name, id: id) }
      guard scope.isOpen else { throw .closed(scope: scope.name) }
      return scope.store
    }
    guard self.scope?.isOpen ?? true else { throw .gone("its container or scope is closed", id: id) }
    return self.scope
  }
}

extension Linker {
  /// A reference to a slot of the plan, in the scope of each look-up.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  func reference<Service>(
    to slot: Int, as type: Service.Type
  ) throws(WiringFailure) -> @Sendable (Resolution) -> Reference<Service> {
    let cell = try self.cell(of: type, in: slot)
    return { resolution in Reference(to: cell, in: resolution.scope) }
  }
}
