// SPDX-License-Identifier: Apache-2.0

#if Logging
  public import ConfigDI
  public import Logging

  /// Writes to a logger what a container builds, how long it took, and what failed.
  ///
  /// ```swift
  /// let container = try Container(
  ///   module: "Configs/app.json", registry: registry, observers: [LoggingObserver(Logger(label: "container"))])
  /// ```
  ///
  /// A line has the service's id, its type and where it is defined as metadata: `service`, `type`, `origin`; the `decorator` where
  /// it is one; `duration_ms`; and `consumer`, the id of the service for which it was built.
  ///
  /// No secret is written: of a service whose builder takes secret values an error's type is written and not its text, which
  /// might hold one.
  public struct LoggingObserver: ContainerObserver {
    /// Where the lines go.
    private let logger: Logger
    /// The level of lines about shared services that were built and disposed of.
    private let level: Logger.Level
    /// The level of lines about other services that were built and disposed of.
    private let briefLevel: Logger.Level
    /// The level of lines about what failed.
    private let failureLevel: Logger.Level

    /// An observer that writes to a logger.
    ///
    /// - Parameters:
    ///   - logger: Where the lines go.
    ///   - level: The level of lines about shared services that were built and disposed of.
    ///   - briefLevel: The level of lines about what lives shorter than the container, such as the services of a request.
    ///   - failureLevel: The level of lines about what failed.
    public init(
      _ logger: Logger, level: Logger.Level = .debug, briefLevel: Logger.Level = .trace,
      failureLevel: Logger.Level = .error
    ) {
      self.logger = logger
      self.level = level
      self.briefLevel = briefLevel
      self.failureLevel = failureLevel
    }

    public func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?) {
      guard error != nil || isWritten(build.service) else { return }
      var metadata = metadata(of: build.service)
      metadata["duration_ms"] = "\(duration / .milliseconds(1))"
      if let consumer = build.parent { metadata["consumer"] = "\(consumer.id)" }
      guard let error else {
        logger.log(level: level(of: build.service), "built service", metadata: metadata)
        return
      }
      if let error = error as? ResolutionError {
        // What failed further in has a line of its own, and its text is there or must not be anywhere.
        metadata["error"] = "\(error.code)"
        metadata["cause"] = "\(error.cause)"
      } else {
        metadata["error"] = build.takesSecrets ? "\(type(of: error))" : "\(error)"
      }
      logger.log(level: failureLevel, "service could not be built", metadata: metadata)
    }

    public func didDispose(_ service: ObservedService) {
      logger.log(level: level(of: service), "disposed of service", metadata: metadata(of: service))
    }

    public func didNotFind(_ error: ResolutionError) {
      var metadata: Logger.Metadata = ["error": "\(error.code)"]
      if let name = error.name { metadata["service"] = "\(name)" }
      if let type = error.typeName { metadata["type"] = "\(type)" }
      if !error.candidates.isEmpty { metadata["candidates"] = .array(error.candidates.map { .string($0) }) }
      logger.log(level: failureLevel, "look-up found no service", metadata: metadata)
    }

    /// The level of a line about what was built or disposed of.
    private func level(of service: ObservedService) -> Logger.Level { service.isShared ? level : briefLevel }

    /// Whether the logger takes a line about what was built, for which metadata would be made in vain.
    private func isWritten(_ service: ObservedService) -> Bool { level(of: service) >= logger.logLevel }

    /// What every line about a service says.
    private func metadata(of service: ObservedService) -> Logger.Metadata {
      var metadata: Logger.Metadata = [
        "service": "\(service.id)", "type": "\(service.typeName)", "origin": "\(service.origin)",
      ]
      if let decorator = service.decorator { metadata["decorator"] = "\(decorator)" }
      return metadata
    }
  }
#endif
