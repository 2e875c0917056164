// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
  public import ConfigDI
  public import Logging
  public import ServiceLifecycle
  public import UnixSignals

  extension Container {
    /// A group of all services of the container that run: those that provide `any ServiceLifecycle.Service`.
    ///
    /// They are looked up, and started by the group, in the order in which the module's services are built: each after what it
    /// needs. At a graceful shutdown they are told in the reverse order, each when the one before has ended; then the container
    /// is shut down. See `ContainerService`.
    ///
    /// ```swift
    /// let container = try await Container(module: "Configs/app.json", environment: "prod", registry: registry)
    /// try await container.serviceGroup(logger: logger, gracefulShutdownSignals: [.sigterm, .sigint]).run()
    /// ```
    ///
    /// Register a type as one that runs by `as: { ($0, $0 as any Service) }`.
    ///
    /// - Parameters:
    ///   - logger: The group's logger.
    ///   - gracefulShutdownSignals: The signals at which the group shuts down gracefully.
    ///   - cancellationSignals: The signals at which the group is cancelled.
    ///   - maximumGracefulShutdownDuration: How long a graceful shutdown may take until the group is cancelled, and how long
    ///     closing what the container keeps may take after it; nil: any time.
    /// - Throws: `ResolutionError` where a service cannot be built.
    public func serviceGroup(
      logger: Logger, gracefulShutdownSignals: [UnixSignal] = [], cancellationSignals: [UnixSignal] = [],
      maximumGracefulShutdownDuration: Duration? = nil
    ) async throws -> ServiceGroup {
      let running = try await resolveInPlanOrder((any Service).self).map(\.service)
      let end = GroupEnd(of: running, within: maximumGracefulShutdownDuration)
      return ServiceGroup(
        ContainerService(self, logger: logger, end), behind: end, logger, gracefulShutdownSignals, cancellationSignals,
        maximumGracefulShutdownDuration)
    }
  }

  extension ServiceGroup {
    /// A group of a first service and, behind it, those of a container that run, in the order in which they are built.
    fileprivate init(
      _ first: any Service, behind end: GroupEnd, _ logger: Logger,
      _ gracefulShutdownSignals: [UnixSignal], _ cancellationSignals: [UnixSignal],
      _ maximumGracefulShutdownDuration: Duration?
    ) {
      var services = [ServiceGroupConfiguration.ServiceConfiguration(service: first)]
      for service in end.members {
        // One that ends by itself has done its work, unless it throws.
        services.append(
          ServiceGroupConfiguration.ServiceConfiguration(service: service, successTerminationBehavior: .ignore))
      }
      var configuration = ServiceGroupConfiguration(
        services: services, gracefulShutdownSignals: gracefulShutdownSignals, cancellationSignals: cancellationSignals,
        logger: logger)
      configuration.maximumGracefulShutdownDuration = maximumGracefulShutdownDuration
      self.init(configuration: configuration)
    }
  }

  extension ReloadingContainer {
    /// A group of all services that run, as `Container.serviceGroup` makes it, of a container that is reloaded meanwhile.
    ///
    /// The services are those that are there now. A reload neither stops nor starts one: one whose definition changes runs on as
    /// it was until the group ends, and look-ups find another instance, which does not run. The logger warns of such a one, and
    /// of one that a reload adds.
    ///
    /// ```swift
    /// let services = try await ReloadingContainer(ModuleSource("Configs/app.json", environment: "prod"), registry: registry)
    /// try await services.serviceGroup(
    ///   logger: logger, reloadSignals: [.sighup], gracefulShutdownSignals: [.sigterm, .sigint]).run()
    /// ```
    ///
    /// - Parameters:
    ///   - logger: The group's logger, which also hears what each reload has come to.
    ///   - reloadSignals: The signals at which the module is read again.
    ///   - interval: The time between two looks whether a file has changed; nil: none is taken.
    ///   - gracefulShutdownSignals: The signals at which the group shuts down gracefully.
    ///   - cancellationSignals: The signals at which the group is cancelled.
    ///   - maximumGracefulShutdownDuration: How long a graceful shutdown may take until the group is cancelled, and how long
    ///     closing what the container keeps may take after it; nil: any time.
    /// - Throws: `ResolutionError` where a service cannot be built.
    public func serviceGroup(
      logger: Logger, reloadSignals: [UnixSignal] = [], watchingEvery interval: Duration? = nil,
      gracefulShutdownSignals: [UnixSignal] = [], cancellationSignals: [UnixSignal] = [],
      maximumGracefulShutdownDuration: Duration? = nil
    ) async throws -> ServiceGroup {
      let running = try await current.resolveInPlanOrder((any Service).self)
      let end = GroupEnd(of: running.map(\.service), within: maximumGracefulShutdownDuration)
      let first = ReloadingService(
        self, logger: logger, signals: reloadSignals, interval: interval, running: Set(running.map(\.id)), end)
      return ServiceGroup(
        first, behind: end, logger, gracefulShutdownSignals, cancellationSignals, maximumGracefulShutdownDuration)
    }
  }

  /// A container that is reloaded, as a service of a group: it reloads until the group shuts down, and is shut down then.
  ///
  /// It stands first in its group, so that it outlives the services that are its own.
  public struct ReloadingService: Service, CustomStringConvertible {
    /// The container.
    private let services: ReloadingContainer
    /// Hears what each reload has come to.
    private let logger: Logger
    /// The signals at which the module is read again.
    private let signals: [UnixSignal]
    /// The time between two looks whether a file has changed; nil: none is taken.
    private let interval: Duration?
    /// The ids of the services that run in the group; nil where that is put together by hand.
    private let running: Set<String>?
    /// How the group ends.
    private let end: GroupEnd

    /// A container that is reloaded, as a service.
    public init(
      _ services: ReloadingContainer, logger: Logger, reloadSignals: [UnixSignal] = [],
      watchingEvery interval: Duration? = nil
    ) {
      self.init(services, logger: logger, signals: reloadSignals, interval: interval, running: nil, GroupEnd())
    }

    /// A container that is reloaded, as a service of a group in which others run.
    fileprivate init(
      _ services: ReloadingContainer, logger: Logger, signals: [UnixSignal], interval: Duration?,
      running: Set<String>?, _ end: GroupEnd
    ) {
      self.services = services
      self.logger = logger
      self.signals = signals
      self.interval = interval
      self.running = running
      self.end = end
    }

    public func run() async throws {
      await withTaskGroup(of: Void.self) { group in
        if !signals.isEmpty {
          group.addTask {
            let received = await UnixSignalsSequence(trapping: signals)
            logger.debug("waiting for a signal to reload")
            for await _ in received {
              do { tell(.success(try await services.reload())) } catch { tell(.failure(error)) }
            }
          }
        }
        if let interval { group.addTask { await services.watch(every: interval) { tell($0) } } }
        // Also ends where the task is cancelled.
        try? await gracefulShutdown()
        group.cancelAll()
      }
      await end.run { limit throws(ShutdownError) in
        try await services.shutdown(within: limit)
      } noting: {
        logger.noteFailures($0)
      }
    }

    /// Writes what a reload has come to.
    private func tell(_ result: Result<Reload, any Error>) {
      switch result {
      case .success(let reload):
        logger.info(
          "reloaded",
          metadata: [
            "changed": "\(reload.changed)", "added": "\(reload.added)", "removed": "\(reload.removed)",
            "kept": "\(reload.kept.count)",
          ])
        warn(of: reload)
      case .failure(let error as ResolutionError) where error.code == .builderFailed:
        // What the builder says may hold a secret.
        logger.error("not reloaded", metadata: ["reason": "\(error.code)", "cause": "\(error.cause)"])
      case .failure(let error): logger.error("not reloaded", metadata: ["reason": "\(error)"])
      }
    }

    /// Warns of what runs otherwise than the files say since a reload.
    private func warn(of reload: Reload) {
      guard let running else { return }
      let changed = running.intersection(reload.changed + reload.removed)
      let other = changed.union(services.current.ids(of: (any Service).self).subtracting(running)).sorted()
      if other.isEmpty { return }
      logger.warning(
        "a reload neither starts, stops nor changes what runs: a restart does", metadata: ["services": "\(other)"])
    }

    public var description: String { "ConfigDI container that reloads" }
  }

  /// A container as a service of a group: it runs until the group shuts down, and is shut down then.
  ///
  /// It stands first in its group, so that it outlives the services that are its own.
  public struct ContainerService: Service, CustomStringConvertible {
    /// The container.
    private let container: Container
    /// Where failures to dispose of something are written.
    private let logger: Logger
    /// How the group ends.
    private let end: GroupEnd

    /// A container as a service.
    public init(_ container: Container, logger: Logger) { self.init(container, logger: logger, GroupEnd()) }

    /// A container as a service of a group in which others run.
    fileprivate init(_ container: Container, logger: Logger, _ end: GroupEnd) {
      self.container = container
      self.logger = logger
      self.end = end
    }

    public func run() async throws {
      // Also ends where the task is cancelled.
      try? await gracefulShutdown()
      await end.run { limit throws(ShutdownError) in
        try await container.shutdown(within: limit)
      } noting: {
        logger.noteFailures($0)
      }
    }

    public var description: String { "ConfigDI container" }
  }

  /// The end of a group: its container is shut down when the services that run have ended, also where all are cancelled at
  /// once.
  private struct GroupEnd: Sendable {
    /// The services that run, each of which notes that it has ended.
    let members: [any Service]
    /// One element for each that has ended.
    private let ends: AsyncStream<Void>
    /// How long the shutdown may take.
    private let limit: Duration?

    /// The end of a group of some services.
    init(of services: [any Service] = [], within limit: Duration? = nil) {
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      self.ends = ends
      self.limit = limit
      members = services.map { Member(service: $0, ended: ended) }
    }

    /// Waits for the services, and shuts down.
    ///
    /// In a task that the group does not cancel: a cancelled one could close nothing that awaits.
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

    /// A service that notes when it has ended.
    private struct Member: Service, CustomStringConvertible {
      let service: any Service
      let ended: AsyncStream<Void>.Continuation

      func run() async throws {
        defer { ended.yield() }
        try await service.run()
      }

      var description: String { "\(service)" }
    }
  }

  extension Logger {
    /// Writes what was not disposed of.
    fileprivate func noteFailures(_ error: ShutdownError) {
      for failure in error.failures {
        let reason =
          if case .failed(let error) = failure.reason, failure.takesSecrets { "\(type(of: error))" } else {
            "\(failure.reason)"
          }
        self.error("a service was not disposed of", metadata: ["service": "\(failure.id)", "reason": "\(reason)"])
      }
    }
  }
#endif
