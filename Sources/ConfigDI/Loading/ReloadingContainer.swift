// SPDX-License-Identifier: Apache-2.0

/// What a reload has done, by the ids of the services, ascending.
public struct Reload: Sendable, Equatable {
  /// The services that are the same as before, with all that they need: those that are built keep their instance.
  public internal(set) var kept: [String] = []
  /// The services whose definition, or something that they need, is another one.
  public internal(set) var changed: [String] = []
  /// The services that were not there before.
  public internal(set) var added: [String] = []
  /// The services that are not there any more.
  public internal(set) var removed: [String] = []

  /// Puts the ids into their order.
  mutating func sort() {
    kept.sort()
    changed.sort()
    added.sort()
  }
}

extension Reload: CustomStringConvertible {
  /// One line: what is not the same, and how many services are.
  public var description: String {
    let parts = [("changed", changed), ("added", added), ("removed", removed)].filter { !$0.1.isEmpty }
    let texts = parts.map { "\($0.0) \($0.1.quotedList)" } + ["\(kept.count) the same"]
    return texts.joined(separator: "; ")
  }
}

/// The container of a module whose files may change while the program runs.
///
/// `reload` reads and checks the module beside the container that is there. Where it is valid, look-ups from then on see the new
/// container; where it is not, the old one goes on, and the findings are thrown.
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
/// **What stays.** A shared service whose definition is the same, and that of all it needs, keeps its instance where it has
/// one. Its `Lazy`, `Provider`, `ScopeOpener` and `ContainerResolver` look up in the new container from then on, so that a server
/// which opens a scope for each request goes on and answers the next one with the new services. An instance that the application
/// has given stays, too. Services with run-time arguments are built anew.
///
/// **What goes.** Open scopes and who holds the container itself keep the old one. When nobody does any more, what only it has is
/// disposed of, with `await` where it is `AsyncDisposable`. A service that runs by itself is not stopped by a reload: it goes on
/// until it is let go. Where its own definition has changed, what its `ScopeOpener` opens is a scope of the new container all the
/// same; an instance that it holds may be disposed of, so it had better take a `Provider` of what may change.
///
/// What code registers in a container is not carried over: register types in the registry.
public final class ReloadingContainer: Sendable {
  /// The container that is there, and what it was made of.
  private struct Content {
    /// The container.
    var container: Container
    /// Its plan.
    var plan: IndexedPlan
    /// The files of the last load, also of one that failed.
    var files: RecordedFiles
    /// The containers before, as far as somebody holds them.
    var retired: [WeakReference<Container>] = []
    /// The reloads that are not over, in their order; the first is under way.
    var reloads: [Task<Reload, any Error>] = []
    /// Whether `shutdown` was called, after which no reload begins.
    var isClosing = false
  }

  /// What is read.
  private let source: ModuleSource
  /// The types that the module may name.
  private let registry: Registry
  /// The instances that the application gives.
  private let given: [any Sendable]
  /// Who watches what is built.
  private let observers: [any ContainerObserver]
  /// How long building the eager services may take.
  private let startLimit: Duration?
  /// Hears what was not disposed of.
  private let disposalFailed: (@Sendable (ShutdownError) -> Void)?
  /// All containers that follow one another.
  private let family = Generation.Family()
  /// The container that is there.
  private let content: Guarded<Content>

  /// Loads a module, and starts what it declares eager, with builders awaited.
  ///
  /// - Parameters:
  ///   - source: The module and all that is added to it.
  ///   - registry: The types that the module may name.
  ///   - given: The instances of shared services whose types are registered by `Registry.given`.
  ///   - observers: Who watches what is built, in the order in which they are called.
  ///   - startLimit: How long building the eager services may take, now and at each reload; nil: any time.
  ///   - disposalFailed: Hears of what was not disposed of after a reload; what fails in `shutdown`, that throws.
  /// - Throws: as `Container.init` does.
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
      plan: plan, registry: registry, given: given, observers: observers,
      generation: Generation(of: family, disposalFailed)
    )
    content = Guarded(Content(container: container, plan: IndexedPlan(plan), files: files))
    try await container.startAwaiting(within: startLimit, isolation: nil)
    family.current.object = container.state.generation
  }

  /// The container that is there now: for what belongs together, such as the look-ups of one request. Who holds it keeps it, also
  /// after a reload.
  public var current: Container { content.withLock { $0.container } }

  /// Reads and checks the module again, and puts a new container in the place of the one that is there.
  ///
  /// Reloads take place one after the other. Builders of eager services are awaited; they do not run on the caller's actor.
  ///
  /// - Returns: what happened to the services.
  /// - Throws: as `Container.init` does; the container that is there goes on then. `ResolutionError` where that was shut down.
  @discardableResult public func reload() async throws -> Reload {
    let task = content.withLock { content in
      let previous = content.reloads.last
      let task = Task {
        // They end in the order in which they began.
        defer { self.content.withLock { _ = $0.reloads.removeFirst() } }
        _ = await previous?.result
        guard isOpen else { throw ResolutionError.disposed }
        try Task.checkCancellation()
        return try await self.replaceContainer()
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

  /// Reloads whenever a file has changed that the last load has read, or wanted to read, until the task is cancelled or the
  /// container is shut down.
  ///
  /// Contents are compared, and paths by way of links, so that a mounted folder which is swapped as a link is noticed. A file that
  /// is being written is read when two looks find the same.
  ///
  /// - Parameters:
  ///   - interval: The time between two looks. Each reads all files of the module.
  ///   - report: Hears what each reload has come to.
  public func watch(
    every interval: Duration = .seconds(1), _ report: @Sendable (Result<Reload, any Error>) async -> Void = { _ in }
  ) async {
    while !Task.isCancelled, current.state.store.isOpen {
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
      if found == files.recorded { continue }
      let result: Result<Reload, any Error>
      do { result = .success(try await reload()) } catch { result = .failure(error) }
      if Task.isCancelled { return }
      await report(result)
    }
  }

  /// Shuts down the container, and those before it that somebody still holds, the oldest first. See `Container.shutdown`.
  ///
  /// - Parameter limit: How long all of it may take; nil: any time.
  /// - Throws: `ShutdownError` with all instances that failed, or did not end in time.
  public func shutdown(within limit: Duration? = nil) async throws(ShutdownError) {
    let deadline = limit.map { ContinuousClock.now + $0 }
    // A reload that is under way ends first, so that what it has built is disposed of.
    // One that does not leaves half of the time to what is there.
    let reloads = content.withLock { content in
      content.isClosing = true
      return content.reloads
    }
    for reload in reloads { reload.cancel() }
    _ = await withDeadline(limit.map { .now + $0 / 2 }) { await reloads.last?.result }
    let (retired, current) = content.withLock { ($0.retired, $0.container) }
    var failures: [ShutdownError.Failure] = []
    for container in retired.compactMap(\.object) + [current] {
      // Those that nobody held any more may be at it still, and keep what the last one keeps, too.
      if container === current, InstanceStore.shuttingDown.isEmpty {
        _ = await withDeadline(deadline) { [family] in await family.closed() }
      }
      do throws(ShutdownError) {
        try await container.shutdown(within: deadline.map { max(.zero, $0 - .now) })
      } catch { failures += error.failures }
    }
    if !failures.isEmpty { throw ShutdownError(failures: failures) }
  }

  /// Whether the container is neither shut down nor about to be.
  private var isOpen: Bool {
    let (container, isClosing) = content.withLock { ($0.container, $0.isClosing) }
    return !isClosing && container.state.store.isOpen
  }

  /// Loads the module beside the container that is there, and takes its place.
  private func replaceContainer() async throws -> Reload {
    let (old, oldPlan) = content.withLock { ($0.container, $0.plan) }
    let files = RecordedFiles(source.files)
    // Also of a load that fails: it would fail again as long as they are the same.
    defer { content.withLock { $0.files = files } }
    let plan = try CompiledPlan(loading: source.reading(files), registry: registry, awaits: true)
    let indexed = IndexedPlan(plan)
    let comparison = PlanComparison(oldPlan, plan)
    let new = try Container(
      plan: plan, registry: registry, given: given, observers: observers,
      generation: Generation(of: family, disposalFailed)
    ) { state, _ in state.takeOver(from: old.state, comparison.isSame) }
    do { try await new.startAwaiting(within: startLimit, isolation: nil) } catch {
      throw isOpen ? error : ResolutionError.disposed
    }
    // What the old one has built meanwhile.
    new.state.takeOver(from: old.state, comparison.isSame)
    guard old.state.store.isOpen else { throw ResolutionError.disposed }
    let weak = WeakReference(old)
    try content.withLock { content in
      guard !content.isClosing else { throw ResolutionError.disposed }
      content.container = new
      content.plan = indexed
      content.retired = content.retired.filter { $0.object != nil } + [weak]
    }
    new.state.generation?.takeTheirPlace()
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
  /// The same module, of other files.
  fileprivate func reading(_ files: any FileAccess) -> ModuleSource {
    ModuleSource(request, environment: environment, files: files)
  }
}

extension Generation {
  /// One of some containers, which is shut down when nobody holds it any more.
  fileprivate convenience init(of family: Family, _ failed: (@Sendable (ShutdownError) -> Void)?) {
    self.init(of: family) { state in
      family.close {
        do throws(ShutdownError) { try await state.shutdown() } catch { failed?(error) }
      }
    }
  }
}
