// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
  public import ConfigDI
  public import Logging
  public import ServiceLifecycle
  public import UnixSignals

  extension Container {
    /// Returns a group of all running services of the container, which provide `any ServiceLifecycle.Service`.
    ///
    /// The services are looked up, and started by the group, in the order in which the module's services are built:
    /// each after the services that it needs. At a graceful shutdown they are told to stop in reverse order, each after
    /// the previous one has ended. Then the container is shut down. See `ContainerService`.
    ///
    /// The group runs until a shutdown is requested, even if all services have returned. An error of a service cancels the
    /// others. The group of a child also runs the services of its parent.
    ///
    /// ```swift
    /// let container = try await Container(module: "Configs/app.json", environment: "prod", registry: registry)
    /// try await container.serviceGroup(logger: logger, gracefulShutdownSignals: [.sigterm, .sigint]).run()
    /// ```
    ///
    /// To register a type that runs, use `as: { ($0, $0 as any Service) }`.
    ///
    /// - Parameters:
    ///   - logger: The logger of the group.
    ///   - gracefulShutdownSignals: The signals that start a graceful shutdown.
    ///   - cancellationSignals: The signals that cancel the group.
    ///   - maximumGracefulShutdownDuration: The time after which a graceful shutdown is ended by cancelling the group,
    ///     and also the time that the shutdown of the container may take after that; `nil`: no limit.
    /// - Throws: `ResolutionError` if a service cannot be built, or the container was shut down. An open container stays
    ///   open.
    public func serviceGroup(
      logger: Logger, gracefulShutdownSignals: [UnixSignal] = [], cancellationSignals: [UnixSignal] = [],
      maximumGracefulShutdownDuration: Duration? = nil
    ) async throws -> ServiceGroup {
      let running = try await resolveInPlanOrder((any Service).self)
      let end = GroupEnd(of: running, within: maximumGracefulShutdownDuration)
      return ServiceGroup(
        ContainerService(self, logger: logger, end), behind: end, logger, gracefulShutdownSignals, cancellationSignals,
        maximumGracefulShutdownDuration)
    }
  }

  extension ServiceGroup {
    /// Creates a group of a first service and the running services of a container, in the order of their building.
    fileprivate init(
      _ first: any Service, behind end: GroupEnd, _ logger: Logger,
      _ gracefulShutdownSignals: [UnixSignal], _ cancellationSignals: [UnixSignal],
      _ maximumGracefulShutdownDuration: Duration?
    ) {
      var configuration = ServiceGroupConfiguration(
        services: [first] + end.members, gracefulShutdownSignals: gracefulShutdownSignals,
        cancellationSignals: cancellationSignals, logger: logger)
      configuration.maximumGracefulShutdownDuration = maximumGracefulShutdownDuration
      self.init(configuration: configuration)
    }
  }

  extension ReloadingContainer {
    /// Returns a group of all running services, as `Container.serviceGroup` does, for a container that may be reloaded.
    ///
    /// The group has the services of the current container. A reload neither stops nor starts any of them: a service
    /// whose definition changes keeps running unchanged until the group ends, while look-ups find a new instance, which
    /// does not run. The logger warns about such services, and about those that a reload adds.
    ///
    /// ```swift
    /// let services = try await ReloadingContainer(ModuleSource("Configs/app.json", environment: "prod"), registry: registry)
    /// try await services.serviceGroup(
    ///   logger: logger, reloadSignals: [.sighup], gracefulShutdownSignals: [.sigterm, .sigint]).run()
    /// ```
    ///
    /// - Parameters:
    ///   - logger: The logger of the group, which also logs the result of each reload.
    ///   - reloadSignals: The signals that start a reload.
    ///   - interval: The time between two checks for changed files, which must be positive; `nil`: no checks.
    ///   - gracefulShutdownSignals: The signals that start a graceful shutdown.
    ///   - cancellationSignals: The signals that cancel the group.
    ///   - maximumGracefulShutdownDuration: The time after which a graceful shutdown is ended by cancelling the group,
    ///     and also the time that the shutdown of the container may take after that; `nil`: no limit.
    /// - Throws: `ResolutionError` if a service cannot be built, or the container was shut down. An open container stays
    ///   open.
    public func serviceGroup(
      logger: Logger, reloadSignals: [UnixSignal] = [], watchingEvery interval: Duration? = nil,
      gracefulShutdownSignals: [UnixSignal] = [], cancellationSignals: [UnixSignal] = [],
      maximumGracefulShutdownDuration: Duration? = nil
    ) async throws -> ServiceGroup {
      let container = current
      let running = try await container.resolveInPlanOrder((any Service).self)
      let ids = Set(running.map(\.id))
      retain(container, whichRuns: ids)
      let end = GroupEnd(of: running, within: maximumGracefulShutdownDuration)
      let first = ReloadingService(
        self, ReloadLog(logger: logger, running: ids), signals: reloadSignals, interval: interval, end)
      first.logReloads()
      return ServiceGroup(
        first, behind: end, logger, gracefulShutdownSignals, cancellationSignals, maximumGracefulShutdownDuration)
    }
  }

  /// A service that reloads a container until its service group shuts down, and then shuts down the container.
  ///
  /// It is the first service of its group, so that it outlives the services of the container. In a group that is assembled
  /// by hand, it does not wait for the others if the group is cancelled, and a reload may dispose of what they hold.
  public struct ReloadingService: Service, CustomStringConvertible {
    /// The container.
    private let services: ReloadingContainer
    /// The log of the results of reloads.
    private let log: ReloadLog
    /// The signals that start a reload.
    private let signals: [UnixSignal]
    /// The time between two checks for changed files; `nil`: no checks.
    private let interval: Duration?
    /// The shutdown at the end of the group.
    private let end: GroupEnd

    /// Creates a service that reloads a container.
    public init(
      _ services: ReloadingContainer, logger: Logger, reloadSignals: [UnixSignal] = [],
      watchingEvery interval: Duration? = nil
    ) {
      self.init(
        services, ReloadLog(logger: logger, running: nil), signals: reloadSignals, interval: interval, GroupEnd())
    }

    /// Creates a service that reloads a container, for a group that runs the container's services.
    fileprivate init(
      _ services: ReloadingContainer, _ log: ReloadLog, signals: [UnixSignal], interval: Duration?, _ end: GroupEnd
    ) {
      self.services = services
      self.log = log
      self.signals = signals
      self.interval = interval
      self.end = end
    }

    public func run() async throws {
      logReloads()
      // They are not awaited: the shutdown waits for a running reload, but only within its limit.
      var tasks: [Task<Void, Never>] = []
      if !signals.isEmpty { tasks.append(Task { await reloadAfterSignals() }) }
      if let interval { tasks.append(Task { await services.watch(every: interval) }) }
      // Also returns if the task is cancelled.
      try? await gracefulShutdown()
      services.reportReloads(to: nil)
      for task in tasks { task.cancel() }
      await end.run { limit throws(ShutdownError) in
        try await services.shutdown(within: limit)
      } noting: {
        log.logger.noteFailures($0)
      }
    }

    /// Logs the result of each reload from now on.
    fileprivate func logReloads() {
      // Not of `self`, which has the container that would retain it.
      services.reportReloads { [log] in log.note($1, of: $0) }
    }

    /// Reloads after each signal, until the task is cancelled.
    private func reloadAfterSignals() async {
      let received = await UnixSignalsSequence(trapping: signals)
      log.logger.debug("waiting for a signal to reload")
      for await _ in received { _ = try? await services.reload() }
    }

    public var description: String { "ConfigDI container that reloads" }
  }

  /// The log of the reloads of a container.
  private struct ReloadLog {
    let logger: Logger
    /// The ids of the services that run in the group; `nil` for a group that was created by other code.
    let running: Set<String>?

    /// Logs the result of a reload.
    func note(_ result: Result<Reload, any Error>, of services: ReloadingContainer) {
      switch result {
      case .success(let reload):
        logger.info(
          "reloaded",
          metadata: [
            "changed": "\(reload.changed)", "added": "\(reload.added)", "removed": "\(reload.removed)",
            "kept": "\(reload.kept.count)",
          ])
        warn(of: reload, services)
      // The message of a `ResolutionError` omits the text of a builder's error that may contain a secret.
      case .failure(let error): logger.error("not reloaded", metadata: ["reason": "\(error)"])
      }
    }

    /// Logs a warning about running services that differ from the files after a reload.
    private func warn(of reload: Reload, _ services: ReloadingContainer) {
      guard let running else { return }
      let present = services.current.ids(of: (any Service).self)
      let other = running.symmetricDifference(present).union(running.intersection(reload.changed)).sorted()
      if other.isEmpty { return }
      logger.warning(
        "running services differ from the module; a reload does not start, stop or replace them",
        metadata: ["services": "\(other)"])
    }
  }

  /// A service that waits until its service group shuts down, and then shuts down a container.
  ///
  /// It is the first service of its group, so that it outlives the services of the container. In a group that is assembled
  /// by hand, it does not wait for the others if the group is cancelled.
  public struct ContainerService: Service, CustomStringConvertible {
    /// The container.
    private let container: Container
    /// The logger of failures to dispose of instances.
    private let logger: Logger
    /// The shutdown at the end of the group.
    private let end: GroupEnd

    /// Creates a service for a container.
    public init(_ container: Container, logger: Logger) { self.init(container, logger: logger, GroupEnd()) }

    /// Creates a service for a container, for a group that runs the container's services.
    fileprivate init(_ container: Container, logger: Logger, _ end: GroupEnd) {
      self.container = container
      self.logger = logger
      self.end = end
    }

    public func run() async throws {
      // Also returns if the task is cancelled.
      try? await gracefulShutdown()
      await end.run { limit throws(ShutdownError) in
        try await container.shutdown(within: limit)
      } noting: {
        logger.noteFailures($0)
      }
    }

    public var description: String { "ConfigDI container" }
  }

  /// The end of a group: shuts down the container after all running services have ended, even if all are cancelled at
  /// once.
  private struct GroupEnd: Sendable {
    /// The running services, each of which signals when it has ended.
    let members: [any Service]
    /// A stream with one element for each service that has ended.
    private let ends: AsyncStream<Void>
    /// The time that the shutdown may take; `nil`: no limit.
    private let limit: Duration?

    /// Creates the end of a group of some services.
    init(of services: [(id: String, service: any Service)] = [], within limit: Duration? = nil) {
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      self.ends = ends
      self.limit = limit
      members = services.map { Member(id: $0.id, service: $0.service, ended: ended) }
    }

    /// Waits for the services to end, then shuts down.
    ///
    /// Runs in a task that the group does not cancel: a cancelled task could not shut down anything that awaits.
    func run(
      _ shutdown: @escaping @Sendable (Duration?) async throws(ShutdownError) -> Void,
      noting failures: @escaping @Sendable (ShutdownError) -> Void
    ) async {
      await Task {
        var iterator = ends.makeAsyncIterator()
        for _ in members { await iterator.next() }
        do throws(ShutdownError) { try await shutdown(limit) } catch { failures(error) }
      }.value
    }

    /// A service that signals when it has ended.
    private struct Member: Service, CustomStringConvertible {
      let id: String
      let service: any Service
      let ended: AsyncStream<Void>.Continuation

      func run() async throws {
        do {
          defer { ended.yield() }
          try await service.run()
        }
        // A service that returns without an error has completed its work. The group would cancel the others if this
        // returned before its turn.
        try? await gracefulShutdown()
      }

      // The group logs it. The description of a service may contain a secret.
      var description: String { id }
    }
  }

  extension Logger {
    /// Logs the instances that were not disposed of.
    fileprivate func noteFailures(_ error: ShutdownError) {
      for failure in error.failures {
        self.error(
          "a service was not disposed of", metadata: ["service": "\(failure.id)", "reason": "\(failure.reasonText)"])
      }
    }
  }
#endif
