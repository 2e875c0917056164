// SPDX-License-Identifier: Apache-2.0

/// The container of a module that is kept, so that children are made of it by layers: one for each tenant of a server.
///
/// ```swift
/// let base = try BaseContainer(ModuleSource("Configs/app.json", environment: "prod"), registry: registry)
/// let acme = try base.child(layers: ["Configs/tenants/acme.json"])
/// let mailer = try acme.resolve((any Mailer).self)
/// ```
///
/// A child has what its layers change, and all that needs something of that; everything else it looks up in the base, where it is
/// built once for all. A service is changed whose definition is another one, or that an alias, a binding, `provides` or `private`
/// lets code find in another way. What the base builds receives the services of the base.
public final class BaseContainer: Sendable {
  /// The container of the module without further layers.
  public let container: Container
  /// The module.
  private let module: KeptModule
  /// The first cell of each service of the base, and how many it has.
  private let cells: [ScalarString: Range<Int>]

  /// Loads a module, and starts what it declares eager.
  ///
  /// - Parameters:
  ///   - source: The module and all that is added to it.
  ///   - registry: The types that the module and the layers may name.
  ///   - given: The instances of shared services whose types are registered by `Registry.given`.
  ///   - observers: Who watches what is built, in the children, too.
  /// - Throws: as `Container.init` does.
  public init(
    _ source: ModuleSource, registry: Registry, given: [any Sendable] = [], observers: [any ContainerObserver] = []
  ) throws {
    module = try KeptModule(loading: source, registry: registry, awaits: false)
    (container, cells) = try module.container(given: given, observers: observers)
    try container.start()
  }

  /// Loads a module, and starts what it declares eager, with builders awaited.
  ///
  /// - Parameter startLimit: How long building the eager services may take; nil: any time.
  /// - Throws: as `Container.init` does.
  public init(
    _ source: ModuleSource, registry: Registry, given: [any Sendable] = [], observers: [any ContainerObserver] = [],
    startLimit: Duration? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    module = try KeptModule(loading: source, registry: registry, awaits: true)
    (container, cells) = try module.container(given: given, observers: observers)
    try await container.startAwaiting(within: startLimit, isolation: isolation)
  }

  /// A container of the module with some layers more, which are checked; starts what of its own is eager.
  ///
  /// It keeps the base alive and is disposed of with it. The files of the base are not read again.
  ///
  /// - Parameters:
  ///   - layers: The layers, which are applied behind those of the base, in order.
  ///   - given: The instances of the child's own services whose types are registered by `Registry.given`.
  ///   - observers: Who watches what is built of the child's own services, beside the base's observers.
  /// - Throws: `LoadError` with all findings where the module is not sound with the layers; `ResolutionError` as
  ///   `Container.init` does, and where the base was disposed of.
  public func child(
    layers: [ModuleLayer], given: [any Sendable] = [], observers: [any ContainerObserver] = []
  ) throws -> Container {
    let child = try makeChild(layers, given, observers, awaits: false)
    try child.start()
    return child
  }

  /// The same with builders of eager services awaited.
  ///
  /// - Parameter startLimit: How long building the eager services may take; nil: any time.
  public func child(
    layers: [ModuleLayer], given: [any Sendable] = [], observers: [any ContainerObserver] = [],
    startLimit: Duration? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Container {
    let child = try makeChild(layers, given, observers, awaits: true)
    try await child.startAwaiting(within: startLimit, isolation: isolation)
    return child
  }

  /// A container of the module with some layers more. Builds nothing.
  private func makeChild(
    _ layers: [ModuleLayer], _ given: [any Sendable], _ observers: [any ContainerObserver], awaits: Bool
  ) throws -> Container {
    let changed = try module.adding(layers, awaits: awaits)
    let inherited = InheritedServices(
      parent: container.state, parentCells: cells, isSame: changed.isSame, hidden: changed.hidden)
    return try Container(
      plan: changed.plan, registry: module.registry, given: given, observers: observers, parent: container,
      inheriting: inherited)
  }
}

extension BaseContainer: Resolving {
  public var resolver: Resolver {
    get throws(ResolutionError) { try container.resolver }
  }

  public func resolve<Service>(_ type: Service.Type) throws(ResolutionError) -> Service {
    try container.resolve(type)
  }
}

extension KeptModule {
  /// The container of the module without further layers, and the cells of its services. Builds nothing.
  fileprivate func container(
    given: [any Sendable], observers: [any ContainerObserver]
  ) throws(ResolutionError) -> (Container, [ScalarString: Range<Int>]) {
    var cells: [ScalarString: Range<Int>] = [:]
    let container = try Container(
      plan: base.plan, registry: registry, given: given, observers: observers, generation: nil
    ) { cells = $1.cellsByID }
    return (container, cells)
  }
}
