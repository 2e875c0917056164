// SPDX-License-Identifier: Apache-2.0

#if Logging
  public import ConfigDI
  public import Logging

  /// An observer that logs the services that a container builds, the time that this takes, and failures.
  ///
  /// ```swift
  /// let container = try Container(
  ///   module: "Configs/app.json", registry: registry, observers: [LoggingObserver(Logger(label: "container"))])
  /// ```
  ///
  /// Each line has metadata about the service: `service` (its id), `type`, `origin` (the place of its definition),
  /// `decorator` if one was built, `duration_ms`, and `consumer` (the id of the service whose builder has looked it up;
  /// missing for the arguments of a builder in an awaited look-up, which are built before it is called).
  ///
  /// A build that is cancelled with its task is logged like a built service, not as a failure.
  ///
  /// No secret is logged: if the builder of a service takes secret values, only the type of its error is logged, not
  /// the text, which might contain a secret.
  public struct LoggingObserver: ContainerObserver {
    /// The logger that receives the lines.
    private let logger: Logger
    /// The level of lines about shared services that are built or disposed of.
    private let level: Logger.Level
    /// The level of lines about other services that are built or disposed of.
    private let briefLevel: Logger.Level
    /// The level of lines about failures.
    private let failureLevel: Logger.Level

    /// Creates an observer that writes to a logger.
    ///
    /// - Parameters:
    ///   - logger: The logger that receives the lines.
    ///   - level: The level of lines about shared services that are built or disposed of.
    ///   - briefLevel: The level of lines about shorter-lived services, such as those of a request.
    ///   - failureLevel: The level of lines about failures.
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
      let isCancelled = error?.isCancellationOfTask ?? false
      let level = error == nil || isCancelled ? level(of: build.service) : failureLevel
      guard level >= logger.logLevel else { return }
      var metadata = metadata(of: build.service)
      metadata["duration_ms"] = "\(duration / .milliseconds(1))"
      if let consumer = build.parent { metadata["consumer"] = "\(consumer.id)" }
      guard let error, !isCancelled else {
        logger.log(level: level, isCancelled ? "build of service was cancelled" : "built service", metadata: metadata)
        return
      }
      if let error = error as? ResolutionError {
        // A failure of a nested builder has a line of its own. Its text is in that line, or must not be logged at all.
        metadata["error"] = "\(error.code)"
        metadata["cause"] = "\(error.cause)"
      } else {
        metadata["error"] = build.takesSecrets ? "\(type(of: error))" : "\(error)"
      }
      logger.log(level: level, "service could not be built", metadata: metadata)
    }

    public func didDispose(_ service: ObservedService) {
      logger.log(level: level(of: service), "disposed of service", metadata: metadata(of: service))
    }

    public func didNotFind(_ error: ResolutionError) {
      guard failureLevel >= logger.logLevel else { return }
      var metadata: Logger.Metadata = ["error": "\(error.code)"]
      if let name = error.name { metadata["service"] = "\(name)" }
      if let type = error.typeName { metadata["type"] = "\(type)" }
      if !error.candidates.isEmpty { metadata["candidates"] = .array(error.candidates.map { .string($0) }) }
      logger.log(level: failureLevel, "look-up found no service, or several", metadata: metadata)
    }

    /// Returns the level of lines about a service that is built or disposed of.
    private func level(of service: ObservedService) -> Logger.Level { service.isShared ? level : briefLevel }

    /// Returns the metadata of every line about a service.
    private func metadata(of service: ObservedService) -> Logger.Metadata {
      var metadata: Logger.Metadata = [
        "service": "\(service.id)", "type": "\(service.typeName)", "origin": "\(service.origin)",
      ]
      if let decorator = service.decorator { metadata["decorator"] = "\(decorator)" }
      return metadata
    }
  }
#endif
