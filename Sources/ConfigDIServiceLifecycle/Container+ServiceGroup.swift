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
    /// Register a type as one that runs by `as: [.itself, .type((any Service).self) { $0 }]`.
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
      var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
        ServiceGroupConfiguration.ServiceConfiguration(service: ContainerService(self, logger: logger))
      ]
      for service in try await resolveInPlanOrder((any Service).self) {
        // One that ends by itself has done its work, unless it throws.
        services.append(
          ServiceGroupConfiguration.ServiceConfiguration(service: service, successTerminationBehavior: .ignore))
      }
      var configuration = ServiceGroupConfiguration(
        services: services, gracefulShutdownSignals: gracefulShutdownSignals, cancellationSignals: cancellationSignals,
        logger: logger)
      configuration.maximumGracefulShutdownDuration = maximumGracefulShutdownDuration
      return ServiceGroup(configuration: configuration)
    }
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
      do {
        try await container.shutdown()
      } catch {
        for failure in error.failures {
          logger.error(
            "a service was not disposed of", metadata: ["service": "\(failure.id)", "reason": "\(failure.reason)"])
        }
      }
    }

    public var description: String { "ConfigDI container" }
  }
#endif
