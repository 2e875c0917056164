// SPDX-License-Identifier: Apache-2.0

/// The changes made by a reload: ids of services, in ascending order.
public struct Reload: Sendable, Equatable {
  /// The services that are unchanged, together with all services that they need. A built one keeps its instance, unless
  /// that may hold an instance that is not kept, such as one that code has registered.
  public internal(set) var kept: [String] = []
  /// The services whose definition has changed, or that need a changed service.
  public internal(set) var changed: [String] = []
  /// The services that are new.
  public internal(set) var added: [String] = []
  /// The services that no longer exist.
  public internal(set) var removed: [String] = []

  /// Sorts the ids, except for `removed`.
  mutating func sort() {
    kept.sort()
    changed.sort()
    added.sort()
  }
}

extension Reload: CustomStringConvertible {
  /// One line that lists the changes and the number of unchanged services.
  public var description: String {
    let parts = [("changed", changed), ("added", added), ("removed", removed)].filter { !$0.1.isEmpty }
    let texts = parts.map { "\($0.0) \($0.1.quotedList)" } + ["\(kept.count) the same"]
    return texts.joined(separator: "; ")
  }
}

/// The container of a module whose files may change while the program runs.
///
/// `reload` reads and checks the module while the current container stays in use. If the module is valid, a new
/// container replaces the current one for all later look-ups. Otherwise the current container stays in use, and
/// `reload` throws the findings.
///
/// ```swift
/// let source = ModuleSource("Configs/app.json", environment: "prod")
/// let services = try await ReloadingContainer(source, registry: registry)
/// let mailer = try services.resolve((any Mailer).self)
/// try services.current.scope("request") { request in ... }
///
/// let reload = try await services.reload()
/// await services.watch { result in logger.info("\(result)") }
/// ```
///
/// **Retained instances.** A shared service that is unchanged, together with all services that it needs, keeps its
/// instance if it is built. From then on its `Lazy`, `Provider`, `ScopeOpener` and `ContainerResolver` look up in the
/// new container: a server that opens a scope for each request keeps running and answers the next request with the new
/// services. Instances given by the application are also kept. Services with run-time arguments are built again.
///
/// **Disposed instances.** Open scopes, and code that holds the old container itself, keep using the old container.
/// After the last of them is gone, the instances that only the old container has are disposed of, with `await` if they
/// are `AsyncDisposable`. A reload does not stop a service that runs by itself: the service runs until it is released.
/// Even if its own definition has changed, its `ScopeOpener` opens scopes of the new container. But an instance that it
/// holds may be disposed of, so it should hold a `Provider` of each service that may change.
///
/// A `Provider` or `Lazy` that code outside of the services looked up uses the old container as long as anything retains
/// it, and then the new one.
///
/// Services that code registers in a container are not carried over. Register types in the registry instead.
public final class ReloadingContainer: Sendable {
  /// The current container and the inputs that it was made from.
  private struct Content {
    var container: Container
    var plan: IndexedPlan
    /// The files of the last load, even if that load failed.
    var files: RecordedFiles
    /// The states of the earlier containers that were not closed at the last reload.
    var retired: [ContainerState] = []
    /// The ids of the services that run until the shutdown, and a container that has their instances; `nil` for none.
    var running: (ids: Set<String>, container: Container)?
    /// Called with the result of each reload; `nil` for nothing.
    var report: ReloadReport?
    /// The unfinished reloads in order. The first one is running.
    var reloads: [Task<Reload, any Error>] = []
    /// Whether `shutdown` was called. No reload begins after that.
    var isClosing = false
  }

  /// The containers whose reload waits for the running code. A reference is emptied when the wait ends, which a task
  /// that the code has started may outlive.
  @TaskLocal private static var reloading: [WeakReference<ReloadingContainer>] = []

  /// The source that each load reads.
  private let source: ModuleSource
  /// The types that the module may name.
  private let registry: Registry
  /// The instances that the application provides.
  private let given: [any Sendable]
  /// The observers of all builds.
  private let observers: [any ContainerObserver]
  /// The time that building the eager services may take; `nil`: no limit.
  private let startLimit: Duration?
  /// Called with the errors of disposing of an earlier container.
  private let disposalFailed: (@Sendable (ShutdownError) -> Void)?
  /// The generations of all containers that replace one another.
  private let family = Generation.Family()
  /// The current container.
  private let content: Guarded<Content>

  /// Loads a module and builds its eager services, awaiting their builders.
  ///
  /// - Parameters:
  ///   - source: The module and everything that is added to it.
  ///   - registry: The types that the module may name.
  ///   - given: The instances of shared services whose types are registered by `Registry.given`.
  ///   - observers: The observers of all builds, in the order in which they are called.
  ///   - startLimit: The time that building the eager services may take, now and at each reload; `nil`: no limit.
  ///   - disposalFailed: Called with the instances that could not be disposed of after a reload. Failures during
  ///     `shutdown` are thrown by it instead.
  /// - Throws: The errors of `Container.init`.
  public init(
    _ source: ModuleSource, registry: Registry, given: [any Sendable] = [], observers: [any ContainerObserver] = [],
    startLimit: Duration? = nil, disposalFailed: (@Sendable (ShutdownError) -> Void)? = nil
  ) async throws {
    self.source = source
    self.registry = registry
    self.given = given
    self.observers = observers
    self.startLimit = startLimit
    self.disposalFailed = disposalFailed
    let files = RecordedFiles(source.files)
    let plan = try CompiledPlan(loading: source.reading(files), registry: registry, awaits: true)
    let container = try Container(
      plan: plan, registry: registry, given: given, observers: observers, parent: nil,
      generation: Generation(of: family, disposalFailed))
    content = Guarded(Content(container: container, plan: IndexedPlan(plan), files: files))
    try await container.startAwaiting(within: startLimit, disposalFailed: disposalFailed, isolation: nil)
    family.current.object = container.state.generation
  }

  /// The current container, for look-ups that belong together, such as those of one request. Whoever holds the
  /// container keeps using it, even after a reload.
  public var current: Container { content.withLock { $0.container } }

  /// Reads and checks the module again, and replaces the current container by a new one.
  ///
  /// Reloads run one after the other. The builders of eager services are awaited and do not run on the caller's actor.
  ///
  /// - Returns: The changes of the services.
  /// - Throws: The errors of `Container.init`, in which case the current container stays in use; `ResolutionError` if
  ///   the current container was shut down, or if the caller is a builder or a disposal for which a running reload may
  ///   wait; `CancellationError` if the task is cancelled before its reload begins.
  @discardableResult public func reload() async throws -> Reload {
    if isAwaitedByReload { throw ResolutionError.reloadInReload }
    // At once, as a running reload may wait for a disposal that calls this.
    guard isOpen else { throw ResolutionError.disposed }
    let task = try content.withLock { content in
      let previous = content.reloads.last
      // If it fails, its container may have to dispose of an instance after the disposal that calls this.
      if previous != nil, isInDisposal { throw ResolutionError.reloadInReload }
      let task = Task {
        // Each task waits for the previous one, so the first element is always the one that ends.
        defer { self.content.withLock { _ = $0.reloads.removeFirst() } }
        _ = await previous?.result
        guard isOpen else { throw ResolutionError.disposed }
        try Task.checkCancellation()
        let result: Result<Reload, any Error>
        do { result = .success(try await self.replaceContainer()) } catch { result = .failure(error) }
        if !Task.isCancelled { self.content.withLock(\.report)?(self, result) }
        return try result.get()
      }
      content.reloads.append(task)
      return task
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Reloads after each change of a file that the last load read or tried to read, until the task is cancelled or the
  /// container is shut down.
  ///
  /// Compares contents, and paths with links resolved, so it also notices a mounted folder that is replaced by changing
  /// a link. After a change it waits until two checks in a row find the same contents, so that no file is read while it
  /// is being written.
  ///
  /// - Parameters:
  ///   - interval: The time between two checks; must be positive. Each check reads all files of the module.
  ///   - report: Called with the result of each reload that has ended before a shutdown began.
  public func watch(
    every interval: Duration = .seconds(1), _ report: @Sendable (Result<Reload, any Error>) async -> Void = { _ in }
  ) async {
    precondition(interval > .zero, "interval must be positive")
    let interval = min(interval, .longestWait)
    while !Task.isCancelled, isOpen {
      guard (try? await Task.sleep(for: interval)) != nil else { return }
      let files = content.withLock { $0.files }
      var found = files.current
      guard found != files.recorded else { continue }
      while true {
        guard (try? await Task.sleep(for: min(interval, .milliseconds(50)))) != nil else { return }
        let next = files.current
        if next == found { break }
        found = next
      }
      if found == files.recorded || !isOpen { continue }
      let result: Result<Reload, any Error>
      do { result = .success(try await reload()) } catch { result = .failure(error) }
      if Task.isCancelled || !isOpen { return }
      await report(result)
    }
  }

  /// Shuts down the current container and earlier ones that are still held, oldest first. See `Container.shutdown`.
  ///
  /// A running reload is cancelled, and ends first. It is not waited for if it waits for the caller, which is one of its
  /// builders or disposes of an instance of these containers.
  ///
  /// - Parameter limit: The time that the whole shutdown may take; `nil`: no limit.
  /// - Throws: `ShutdownError` with all instances that failed or did not end in time.
  public func shutdown(within limit: Duration? = nil) async throws(ShutdownError) {
    let deadline = limit.map { ContinuousClock.now + $0 }
    // A running reload ends first, so that the instances that it has built are disposed of. If it does not end in half
    // of the time, the other half is left for the containers. A reload that waits for this call would never end; a
    // failing one may wait for a disposal that is calling this function.
    let reloads = content.withLock { content in
      content.isClosing = true
      return content.reloads
    }
    for reload in reloads { reload.cancel() }
    if !isAwaitedByReload, !isInDisposal {
      _ = await withDeadline(limit.map { .now + $0 / 2 }) { await reloads.last?.result }
    }
    let (retired, current) = content.withLock { ($0.retired, $0.container.state) }
    var failures: [ShutdownError.Failure] = []
    for state in retired + [current] {
      // Containers that were released earlier may still be shutting down, and may share instances with the current one.
      // Half of the remaining time is left for the current one.
      if state === current, !isInDisposal, !family.waitsForRunningCode {
        let half = deadline.map { ContinuousClock.now + max(.zero, $0 - .now) / 2 }
        _ = await withDeadline(half) { [family] in await family.closed() }
      }
      do throws(ShutdownError) {
        try await state.store.shutdown(until: deadline, awaitingBuildsUntil: deadline)
      } catch { failures += error.failures }
    }
    if !failures.isEmpty { throw ShutdownError(failures: failures) }
  }

  /// Retains a container, so that no reload disposes of services that run before the shutdown does. A later container
  /// takes its place if that has the same instances of them.
  package func retain(_ container: Container, whichRuns ids: Set<String>) {
    content.withLock { $0.running = (ids, container) }
  }

  /// A function that is called with the container and the result of a reload.
  package typealias ReloadReport = @Sendable (ReloadingContainer, Result<Reload, any Error>) -> Void

  /// Sets a function that is called after each reload that is not cancelled; `nil` for none. The container retains what it
  /// captures.
  package func reportReloads(to report: ReloadReport?) {
    _ = content.take { content in
      defer { content.report = report }
      return content.report
    }
  }

  /// Whether a running reload waits for the running code.
  private var isAwaitedByReload: Bool { Self.reloading.contains { $0.object === self } }

  /// Whether the running code disposes of an instance of one of the containers.
  private var isInDisposal: Bool {
    // A task that the disposal has started may run after it.
    InstanceStore.shuttingDown.contains { $0.family === family && $0.store.phase != .closed }
  }

  /// Whether the container is neither shut down nor being shut down.
  private var isOpen: Bool {
    let (container, isClosing) = content.withLock { ($0.container, $0.isClosing) }
    return !isClosing && container.state.store.isOpen
  }

  /// Loads the module again and replaces the current container.
  private func replaceContainer() async throws -> Reload {
    let (old, oldPlan) = content.withLock { ($0.container, $0.plan) }
    let files = RecordedFiles(source.files)
    // Also after a failed reload. Watching tries again when a file has changed, also if a builder has failed.
    defer { content.withLock { $0.files = files } }
    let plan = try CompiledPlan(loading: source.reading(files), registry: registry, awaits: true)
    let indexed = IndexedPlan(plan)
    let comparison = PlanComparison(oldPlan, plan)
    let new = try Container(
      plan: plan, registry: registry, given: given, observers: observers, parent: nil,
      generation: Generation(of: family, disposalFailed))
    new.state.takeOver(from: old.state, comparison.isSame)
    // If the old container was shut down before this point, it has disposed of given instances that the new container
    // has as well.
    guard old.state.store.isOpen else { throw ResolutionError.disposed }
    do {
      let wait = WeakReference(self)
      defer { wait.object = nil }
      try await Self.$reloading.withValue(Self.reloading.filter { $0.object != nil } + [wait]) {
        try await new.startAwaiting(within: startLimit, disposalFailed: disposalFailed, isolation: nil)
      }
    } catch {
      throw isOpen ? error : ResolutionError.disposed
    }
    // Takes over the instances that the old container has built meanwhile.
    new.state.takeOver(from: old.state, comparison.isSame)
    guard old.state.store.isOpen else { throw ResolutionError.disposed }
    try content.withLock { content in
      guard !content.isClosing else { throw ResolutionError.disposed }
      content.container = new
      content.plan = indexed
      content.retired = content.retired.filter { $0.store.phase != .closed } + [old.state]
    }
    new.state.generation?.becomeCurrent()
    if let running = content.withLock({ $0.running }), running.container.hasPassed(running.ids, to: new) {
      content.withLock { $0.running?.container = new }
    }
    var reload = comparison.reload
    reload.removed = oldPlan.slots.keys.filter { indexed.slots[$0] == nil }.map(\.text).sorted()
    return reload
  }
}

extension ReloadingContainer: Resolving {
  public var resolver: Resolver {
    get throws(ResolutionError) { try current.resolver }
  }

  public func resolve<Service>(_ type: Service.Type) throws(ResolutionError) -> Service {
    let container = current
    defer { withExtendedLifetime(container) {} }
    return try container.resolve(type)
  }
}

extension ModuleSource {
  /// Returns the same source with another file access.
  fileprivate func reading(_ files: any FileAccess) -> ModuleSource {
    ModuleSource(request, environment: environment, files: files)
  }
}

extension Generation {
  /// Creates the generation of a container that is shut down after it is released.
  fileprivate convenience init(of family: Family, _ failed: (@Sendable (ShutdownError) -> Void)?) {
    self.init(of: family) { state in
      family.close {
        do throws(ShutdownError) { try await state.store.shutdown() } catch { failed?(error) }
      }
    }
  }
}
