// SPDX-License-Identifier: Apache-2.0

/// A container whose loaded module is kept, so that child containers can be made from it by adding layers, such as one
/// child for each tenant of a server.
///
/// ```swift
/// let base = try BaseContainer(ModuleSource("Configs/app.json", environment: "prod"), registry: registry)
/// let acme = try base.child(layers: ["Configs/tenants/acme.json"])
/// let mailer = try acme.resolve((any Mailer).self)
/// ```
///
/// A child has its own instances of the services that its layers change, and of every service that depends on one of
/// them. It looks up all other services in the base, where each is built once for all children. A service counts as
/// changed if its definition differs, or if an alias, a binding, `provides` or `private` changes the look-ups that find
/// it. Services that the base builds receive services of the base. A service that code registers in a child is found by
/// look-ups in the child, but an argument that the module fills with a service of the base keeps that service.
public final class BaseContainer: Sendable {
  /// The container of the module without further layers.
  public let container: Container
  private let module: KeptModule
  /// For each service of the base, the indices of its cells.
  private let cells: [ScalarString: Range<Int>]

  /// Loads a module and builds its eager services.
  ///
  /// - Parameters:
  ///   - source: The module and everything that is added to it.
  ///   - registry: The types that the module and the layers may name.
  ///   - given: The instances of shared services whose types are registered by `Registry.given`.
  ///   - observers: The observers of all builds, including those in children.
  /// - Throws: The errors of `Container.init`.
  public init(
    _ source: ModuleSource, registry: Registry, given: [any Sendable] = [], observers: [any ContainerObserver] = []
  ) throws {
    module = try KeptModule(loading: source, registry: registry, awaits: false)
    container = try Container(plan: module.base.plan, registry: registry, given: given, observers: observers)
    cells = container.state.cellsByID
    try container.start()
  }

  /// Loads a module and builds its eager services, awaiting their builders.
  ///
  /// - Parameter startLimit: The time that building the eager services may take; `nil`: no limit.
  /// - Throws: The errors of `Container.init`.
  public init(
    _ source: ModuleSource, registry: Registry, given: [any Sendable] = [], observers: [any ContainerObserver] = [],
    startLimit: Duration? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    module = try KeptModule(loading: source, registry: registry, awaits: true)
    container = try Container(plan: module.base.plan, registry: registry, given: given, observers: observers)
    cells = container.state.cellsByID
    try await container.startAwaiting(within: startLimit, isolation: isolation)
  }

  /// Checks the module with further layers, and returns a child container for it, whose own eager services are built.
  ///
  /// The child retains the base and is disposed of with it. The files of the base are not read again. If eager services of
  /// the base have to be awaited, use the form that awaits: this one may refuse them as a load would.
  ///
  /// - Parameters:
  ///   - layers: The layers, applied after those of the base, in order.
  ///   - given: The instances of the child's own services whose types are registered by `Registry.given`. An object
  ///     that the base was given as well is disposed of with the base.
  ///   - observers: The observers of builds of the child's own services, in addition to the base's observers. An object
  ///     that is one of these as well is called once; a struct is called twice.
  /// - Throws: `LoadError` with all findings if the module with the layers has errors; `ResolutionError` in the same
  ///   cases as `Container.init`, and if the base was disposed of.
  public func child(
    layers: [ModuleLayer], given: [any Sendable] = [], observers: [any ContainerObserver] = []
  ) throws -> Container {
    let child = try makeChild(layers, given, observers, awaits: false)
    try child.start()
    return child
  }

  /// Returns a container of the module with further layers, awaiting the builders of its eager services.
  ///
  /// - Parameter startLimit: The time that building the eager services may take; `nil`: no limit.
  public func child(
    layers: [ModuleLayer], given: [any Sendable] = [], observers: [any ContainerObserver] = [],
    startLimit: Duration? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Container {
    let child = try makeChild(layers, given, observers, awaits: true)
    try await child.startAwaiting(within: startLimit, isolation: isolation)
    return child
  }

  /// Makes a container of the module with further layers. Builds nothing.
  private func makeChild(
    _ layers: [ModuleLayer], _ given: [any Sendable], _ observers: [any ContainerObserver], awaits: Bool
  ) throws -> Container {
    let changed = try module.adding(layers, awaits: awaits)
    let inherited = InheritedServices(
      parent: container.state, parentCells: cells, isSame: changed.isSame, hidden: changed.hidden,
      hiddenTags: changed.hiddenTags)
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
