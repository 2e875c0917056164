// SPDX-License-Identifier: Apache-2.0

/// The services of one application, each built when it is first looked up, or at the start where the module says so.
///
/// A container is made from a module file, whose services are all checked and wired before one is built; or it is made
/// empty, and code registers what there is. Both mix.
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
/// All of it may be called from every thread, by builders too. A service is built once however many threads ask for it,
/// and a build delays only those who need its instance. With the container, or by `dispose`, kept instances are released in the
/// reverse of the order in which they were built.
///
/// A builder runs where the look-up runs: on its thread, in its task, or on the actor that the builder names. A look-up that
/// could only wait for ever, because builders need each other in a circle, throws; so does one whose builders call each other
/// so deep that the stack of the thread is used up.
///
/// How long an instance lives, the scope of its service says:
///
/// - `shared`: as long as the container.
/// - `weak`: as long as somebody holds it, and as the look-up runs that built it.
/// - `transient`: each use makes a new one.
/// - `graph`: as long as the outermost look-up, within which all uses receive the same one. What a builder looks up by way of
///   its resolver belongs to that look-up; what it looks up in a container is a look-up of its own. A `Lazy` belongs to the
///   look-up in which it was made: it receives the instances of that look-up which somebody still holds and which threads may
///   share.
/// - the name of a scope: as long as the scope is open. See `Scope`.
///
/// A builder that captures its own container keeps it alive, until `dispose`; the resolver that it is handed does not. A task
/// that a builder begins counts as a part of the build as long as the build lasts: it cannot wait for the service that the
/// builder makes, and gets the error of a cycle.
public final class Container: Resolving, Sendable {
  /// The registrations, and what was built of them.
  @usableFromInline let state: ContainerState
  /// The container whose services are looked up where this one has none; nil for one that is no child.
  public let parent: Container?

  /// A container without services, which code registers.
  ///
  /// - Parameters:
  ///   - scopes: the named scopes, outermost first, that services can live in and `scope` opens.
  ///   - observers: who watches what is built, in the order in which they are told.
  public init(scopes: [String] = [], observers: [any ContainerObserver] = []) {
    state = ContainerState(scopeNames: scopes, parent: nil, observers: observers)
    parent = nil
  }

  /// A container without services of its own, which finds those of another one.
  ///
  /// What it registers stands before the parent's, for its own look-ups alone: the parent is never changed, and what the
  /// parent builds receives the parent's services. It has the parent's scopes, keeps the parent alive, and is disposed of with
  /// it.
  ///
  /// ```swift
  /// let tenant = Container(parent: container)
  /// tenant.register((any Theme).self) { DarkTheme() }
  /// ```
  ///
  /// - Parameters:
  ///   - parent: the other container.
  ///   - observers: who watches what is built of the services of its own, beside the parent's observers.
  public init(parent: Container, observers: [any ContainerObserver] = []) {
    state = ContainerState(scopeNames: [], parent: parent.state, observers: observers)
    self.parent = parent
  }

  /// Wires the services of a plan. Builds none.
  ///
  /// - Parameters:
  ///   - plan: what to build, checked against the registry.
  ///   - registry: the builders.
  ///   - given: the instances of shared services that the application gives.
  ///   - observers: who watches what is built.
  /// - Throws: `ResolutionError` where what is given is not what the services want; also where plan and registry do not go
  ///   together, which the checks of a load exclude.
  package convenience init(
    plan: CompiledPlan, registry: Registry, given values: [any Sendable] = [],
    observers: [any ContainerObserver] = []
  ) throws(ResolutionError) {
    try self.init(plan: plan, registry: registry, given: values, observers: observers, parent: nil)
  }

  /// Wires the services of a plan, in a container that may be put in the place of another one, or be the child of one, of which
  /// it has the services that are the same in both. Builds none.
  ///
  /// - Parameters:
  ///   - inherited: what a child has of its parent.
  ///   - generation: what the container is among those that reloads put one in the place of the other.
  ///   - wired: is called when the services are linked, and may take over what the container before keeps.
  /// - Throws: as above, and where the parent was disposed of.
  init(
    plan: CompiledPlan, registry: Registry, given values: [any Sendable], observers: [any ContainerObserver],
    parent: Container? = nil, inheriting inherited: InheritedServices? = nil, generation: Generation? = nil,
    wired: (ContainerState, Linker) -> Void = { _, _ in }
  ) throws(ResolutionError) {
    state = ContainerState(
      scopeNames: plan.scopes, parent: parent?.state, observers: observers, generation: generation)
    self.parent = parent
    let linker = try state.install(plan, registry, inheriting: inherited)
    linker.container?.object = self
    generation?.begin(state, handle: self, cells: linker.cellsByID)
    wired(state, linker)
    let given = try GivenInstances(values, in: state, keeping: .shared).instances
    state.store.keep(given: given.filter { !state.store.has($0.0) })
  }

  /// Builds the services that the module wants built at the start, and all that they need, in the plan's order.
  ///
  /// - Throws: `ResolutionError` of the first service that cannot be built; those before it stay built.
  package func start() throws(ResolutionError) {
    for cell in state.directory.read(\.eager) { _ = try state.lookUp(CellPlace(state, cell)) }
  }

  /// Does the same, with builders awaited. Where one fails, all that was built is disposed of in the reverse order, as by
  /// `shutdown`.
  ///
  /// - Parameter limit: How long all of it may take; nil: any time. With a limit builders do not run on the caller's actor.
  /// - Throws: as `start` does, where the task is cancelled, and where the time is over.
  package func startAwaiting(
    within limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) {
    let deadline = limit.map { ContinuousClock.now + $0 }
    do throws(ResolutionError) {
      for cell in state.directory.read(\.eager) { try await build(cell, until: deadline, isolation: isolation) }
    } catch {
      // In a task of its own: where this one is cancelled, what is closed with `await` would be cancelled, too.
      await Task { [state] in try? await state.shutdown() }.value
      throw error
    }
  }

  /// Builds the service of a cell, with builders awaited.
  private func build(
    _ cell: Int, until deadline: ContinuousClock.Instant?, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) {
    let place = CellPlace(state, cell)
    guard let deadline else {
      _ = try await state.awaitedLookUp(place, isolation: isolation)
      return
    }
    let outcome = await withDeadline(deadline) { [state] () -> Result<Void, ResolutionError> in
      do throws(ResolutionError) {
        _ = try await state.awaitedLookUp(place, isolation: nil)
        return .success(())
      } catch { return .failure(error) }
    }
    if let outcome { return try outcome.get() }
    guard let (registration, _) = state.directory.registration(in: cell) else { throw .disposed }
    let hanging = state.store.innermostBuild?.registration ?? registration
    let error = ResolutionError.timedOut(hanging)
    throw hanging.isSameService(as: registration) ? error : error.under(registration)
  }

  deinit {
    if let generation = state.generation { generation.close(state) } else { state.store.close() }
  }

  /// Lets all instances and all registrations go.
  ///
  /// The instances that the container, its children and its open scopes keep are released in the reverse of the order in which
  /// they were built, those of children and scopes first. `onDispose` is called once for each, just before. Afterwards each
  /// look-up throws, also in children, scopes, `Lazy` and `Provider`; calling this again does nothing.
  ///
  /// May be called while other threads look services up: they receive an instance or an error, and what they are about to
  /// build is disposed of after it was built. Where another thread is closing a scope or a child at this moment, that thread
  /// goes on with this container when it has done so, and this call returns before.
  public func dispose() { state.store.close() }

  /// Lets all instances go, as `dispose` does, and keeps the registrations: the next look-ups build anew.
  ///
  /// Open scopes and children stay open, without their instances. An instance that was registered as such, or was given,
  /// stays.
  public func reset() { state.store.reset() }
}
