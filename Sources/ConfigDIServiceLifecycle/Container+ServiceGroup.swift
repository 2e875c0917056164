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
    ///   - maximumGracefulShutdownDuration: How long a graceful shutdown may take until the group is cancelled; nil: any time.
    /// - Throws: `ResolutionError` where a service cannot be built.
    public func serviceGroup(
      logger: Logger, gracefulShutdownSignals: [UnixSignal] = [], cancellationSignals: [UnixSignal] = [],
      maximumGracefulShutdownDuration: Duration? = nil
    ) async throws -> ServiceGroup {
      ServiceGroup(
        ContainerService(self, logger: logger), behind: try await resolveInPlanOrder((any Service).self), logger,
        gracefulShutdownSignals, cancellationSignals, maximumGracefulShutdownDuration)
    }
  }

  extension ServiceGroup {
    /// A group of a first service and, behind it, those of a container that run, in the order in which they are built.
    fileprivate init(
      _ first: any Service, behind running: [(id: String, service: any Service)], _ logger: Logger,
      _ gracefulShutdownSignals: [UnixSignal], _ cancellationSignals: [UnixSignal],
      _ maximumGracefulShutdownDuration: Duration?
    ) {
      var services = [ServiceGroupConfiguration.ServiceConfiguration(service: first)]
      for (_, service) in running {
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
    ///   - maximumGracefulShutdownDuration: How long a graceful shutdown may take until the group is cancelled; nil: any time.
    /// - Throws: `ResolutionError` where a service cannot be built.
    public func serviceGroup(
      logger: Logger, reloadSignals: [UnixSignal] = [], watchingEvery interval: Duration? = nil,
      gracefulShutdownSignals: [UnixSignal] = [], cancellationSignals: [UnixSignal] = [],
      maximumGracefulShutdownDuration: Duration? = nil
    ) async throws -> ServiceGroup {
      let running = try await current.resolveInPlanOrder((any Service).self)
      let first = ReloadingService(
        self, logger: logger, signals: reloadSignals, interval: interval, running: Set(running.map(\.id)))
      return ServiceGroup(
        first, behind: running, logger, gracefulShutdownSignals, cancellationSignals, maximumGracefulShutdownDuration)
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

    /// A container that is reloaded, as a service.
    public init(
      _ services: ReloadingContainer, logger: Logger, reloadSignals: [UnixSignal] = [],
      watchingEvery interval: Duration? = nil
    ) {
      self.init(services, logger: logger, signals: reloadSignals, interval: interval, running: nil)
    }

    /// A container that is reloaded, as a service of a group in which others run.
    fileprivate init(
      _ services: ReloadingContainer, logger: Logger, signals: [UnixSignal], interval: Duration?, running: Set<String>?
    ) {
      self.services = services
      self.logger = logger
      self.signals = signals
      self.interval = interval
      self.running = running
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
      do { try await services.shutdown() } catch { logger.noteFailures(error) }
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

    /// A container as a service.
    public init(_ container: Container, logger: Logger) {
      self.container = container
      self.logger = logger
    }

    public func run() async throws {
      // Also ends where the task is cancelled.
      try? await gracefulShutdown()
      do { try await container.shutdown() } catch { logger.noteFailures(error) }
    }

    public var description: String { "ConfigDI container" }
  }

  extension Logger {
    /// Writes what was not disposed of.
    fileprivate func noteFailures(_ error: ShutdownError) {
      for failure in error.failures {
        self.error(
          "a service was not disposed of", metadata: ["service": "\(failure.id)", "reason": "\(failure.reason)"])
      }
    }
  }
#endif
