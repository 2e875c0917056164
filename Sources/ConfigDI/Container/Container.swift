// SPDX-License-Identifier: Apache-2.0

/// The services of one application, each built at its first look-up, or at the start if declared eager.
///
/// A container is created from a module file, whose services are all checked and wired before one is built; or it is
/// created empty, and code registers its services. Both can be combined.
///
/// ```swift
/// let container = try Container(module: "Configs/app.json", environment: "prod", registry: registry)
/// let mailer = try container.resolve((any Mailer).self)
/// let audit: any Logger = try container.resolve(named: "logger.audit")
///
/// let other = Container()
/// other.register((any Logger).self) { ConsoleLogger() }
/// other.register { Greeter(logger: try $0.resolve()) }
/// let greeter = try other.resolve(Greeter.self)
/// ```
///
/// A container may be used from any thread, also by builders. A cached service is built once, however many threads look
/// it up, and a build blocks only the look-ups that need its instance. `dispose`, or the deinitializer of the
/// container, releases the cached instances in the reverse order of building.
///
/// A builder runs where its look-up runs: on the same thread, in the same task, or on the actor that its registration
/// names. A look-up throws instead of waiting forever if builders need each other in a cycle. It also throws if
/// builders call each other so deeply that the stack of the thread is used up.
///
/// The scope of a service determines the lifetime of an instance:
///
/// - `shared`: as long as the container.
/// - `weak`: as long as something else retains the instance, and at least until the look-up that built it ends.
/// - `transient`: not cached. Each use makes a new instance.
/// - `graph`: as long as the top-level look-up, within which all uses receive the same instance. What a builder looks
///   up with its `Resolver` belongs to that look-up; what it looks up in a container is a top-level look-up of its own.
///   A `Lazy` belongs to the look-up in which it was made: it receives those instances of the look-up that are still
///   retained and that threads may share.
/// - The name of a scope: as long as that scope is open. See `Scope`.
///
/// A builder that captures its own container keeps the container alive until `dispose`; the `Resolver` that it receives
/// does not. A task that a builder starts is part of the build as long as the build lasts: it cannot wait for the
/// service that is being built, and gets the error of a cycle.
public final class Container: Resolving, Sendable {
  /// The registrations, and the cached instances.
  @usableFromInline let state: ContainerState
  /// The look-up tables, which belong to the state. A look-up that reads them through the state would retain them, and
  /// look-ups of several threads would contend for their reference count.
  @usableFromInline let directory: Directory
  /// The container that is searched for services which this one does not have; `nil` if this container is not a child.
  public let parent: Container?

  /// Creates a container without services, for registration in code.
  ///
  /// - Parameters:
  ///   - scopes: the names of the scopes that services can live in and that `scope` opens, outermost first.
  ///   - observers: the observers of builds, in the order in which they are called.
  public init(scopes: [String] = [], observers: [any ContainerObserver] = []) {
    state = ContainerState(scopeNames: scopes, parent: nil, observers: observers)
    directory = state.directory
    parent = nil
  }

  /// Creates a child of another container. It has no services of its own, and finds those of its parent.
  ///
  /// A registration in the child takes precedence over the parent's, but only for look-ups in the child: the parent is
  /// never changed, and what the parent builds receives the parent's services. A look-up by a name finds only services of
  /// the nearest container that has the name, whatever their types. The child has the parent's scopes, keeps the parent
  /// alive, and is disposed of with it.
  ///
  /// ```swift
  /// let tenant = Container(parent: container)
  /// tenant.register((any Theme).self) { DarkTheme() }
  /// ```
  ///
  /// - Parameters:
  ///   - parent: the parent container.
  ///   - observers: the observers of builds of the child's own services, in addition to the parent's observers. An
  ///     object that is one of these as well is called once; a struct is called twice.
  public init(parent: Container, observers: [any ContainerObserver] = []) {
    state = ContainerState(scopeNames: [], parent: parent.state, observers: observers)
    directory = state.directory
    self.parent = parent
  }

  /// Creates a container with the services of a plan. Builds nothing.
  ///
  /// - Parameters:
  ///   - plan: the services, checked against the registry.
  ///   - registry: the builders.
  ///   - given: the instances of shared services that the application passes in.
  ///   - observers: the observers of builds.
  /// - Throws: `ResolutionError` if the given instances do not match the services that expect one, or plan and registry
  ///   do not match, which the checks of a load exclude.
  package convenience init(
    plan: CompiledPlan, registry: Registry, given values: [any Sendable] = [],
    observers: [any ContainerObserver] = []
  ) throws(ResolutionError) {
    try self.init(plan: plan, registry: registry, given: values, observers: observers, parent: nil)
  }

  /// Creates a container with the services of a plan, which may replace another container in a reload, or be a child
  /// that uses its parent's instances of services that are the same in both. Builds nothing.
  ///
  /// - Parameters:
  ///   - inherited: the services that a child shares with its parent.
  ///   - generation: the container's place in a sequence of reloads; `nil` if it is not reloaded.
  /// - Throws: as above, and if the parent was disposed of.
  init(
    plan: CompiledPlan, registry: Registry, given values: [any Sendable], observers: [any ContainerObserver],
    parent: Container?, inheriting inherited: InheritedServices? = nil, generation: Generation? = nil
  ) throws(ResolutionError) {
    state = ContainerState(
      scopeNames: plan.scopes, parent: parent?.state, observers: observers, generation: generation)
    directory = state.directory
    self.parent = parent
    let linker = try state.install(plan, registry, inheriting: inherited)
    linker.container.object = self
    generation?.begin(state, handle: self, cells: state.cellsByID)
    let given = try state.givenInstances(values, keeping: .shared)
    for instance in given { generation?.keep(given: instance.position, as: instance.service) }
    guard state.store.keep(given: given) else { throw .disposed }
  }

  deinit {
    if let generation = state.generation { generation.close(state) } else { state.store.closeReleased() }
  }

  /// Disposes of all instances and removes all registrations.
  ///
  /// The instances that the container, its children and its open scopes cache are released in the reverse order of
  /// building, those of children and scopes first. `onDispose` is called once for each, just before its release.
  /// Afterwards every look-up throws, also in children, scopes, `Lazy` and `Provider`; a `Lazy` that has its value keeps
  /// it. A second call does nothing.
  ///
  /// May be called while other threads look up services: they receive an instance or an error, and an instance whose
  /// build is in flight is disposed of when it is built. If another thread is closing a scope or a child, or an
  /// earlier container of a series of reloads, at this moment, the call returns at once, and that thread disposes of this
  /// container's instances when it is done.
  public func dispose() { state.store.close() }

  /// Disposes of all instances, as `dispose` does, but keeps the registrations: the next look-ups build new instances.
  ///
  /// Open scopes and children stay open, without their instances. Given instances, and those of `register(instance:)`,
  /// stay, and so does the value of a `Lazy` that has one. As with `dispose`, a thread that is closing a scope or a child at
  /// this moment disposes of the instances when it is done.
  public func reset() { state.store.reset() }
}
