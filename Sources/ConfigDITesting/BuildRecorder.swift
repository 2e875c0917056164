// SPDX-License-Identifier: Apache-2.0

public import ConfigDI
import Foundation

/// Records what a container builds and disposes of: in which order, how often, and for which consumers.
///
/// ```swift
/// let recorder = BuildRecorder()
/// try withContainer(of: .shop, observers: [recorder]) { container in
///   _ = try container.resolve(Checkout.self)
///   #expect(recorder.built == ["logger", "mailer", "checkout"])
///   #expect(recorder.consumers(of: "mailer") == ["checkout"])
/// }
/// #expect(recorder.disposed == ["checkout", "mailer", "logger"])
/// ```
public final class BuildRecorder: ContainerObserver, @unchecked Sendable {
  // Unchecked: the records are read and written under the lock.
  private let lock = NSLock()
  private var records: [Build] = []
  private var disposals: [String] = []
  private var failures: [ResolutionError] = []

  /// One completed call of a builder.
  public struct Build: Sendable {
    /// The id of the service.
    public let id: String
    /// The type name of the decorator, if the builder was a decorator's; `nil` for the service itself.
    public let decorator: String?
    /// The id of the service for which it was built; `nil` for a look-up from outside, and in a start and an awaited
    /// look-up for the services that a builder receives, which are built before it is called.
    public let consumer: String?
    /// The duration of the call, with all look-ups that it made.
    public let duration: Duration
    /// The error that the builder threw; `nil` if it made an instance.
    public let error: (any Error)?
    /// Whether the builder takes values that are declared secret. The error may contain one.
    public let takesSecrets: Bool
  }

  /// Creates a recorder without records.
  public init() {}

  /// All calls of builders, in the order in which they ended: a service comes after its dependencies.
  public var builds: [Build] { lock.withLock { records } }
  /// The ids of the services of which an instance was made, in the order of building, without decorators.
  public var built: [String] { builds.filter { $0.error == nil && $0.decorator == nil }.map(\.id) }
  /// The ids of the services whose instances were disposed of, in order, without decorators.
  public var disposed: [String] { lock.withLock { disposals } }
  /// The errors of the look-ups that found no service.
  public var notFound: [ResolutionError] { lock.withLock { failures } }

  /// Returns the number of instances that were made of a service.
  public func count(of id: String) -> Int { built.count { $0 == id } }

  /// Returns the ids of the services for which instances of a service were built, in order, without duplicates; see
  /// `Build.consumer`.
  public func consumers(of id: String) -> [String] {
    var seen: Set<String> = []
    return builds.filter { $0.id == id && $0.consumer != id }.compactMap(\.consumer).filter { seen.insert($0).inserted }
  }

  public func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?) {
    let record = Build(
      id: build.id, decorator: build.decorator, consumer: build.parent?.id, duration: duration, error: error,
      takesSecrets: build.takesSecrets)
    lock.withLock { records.append(record) }
  }

  public func didDispose(_ service: ObservedService) {
    if service.decorator == nil { lock.withLock { disposals.append(service.id) } }
  }

  public func didNotFind(_ error: ResolutionError) { lock.withLock { failures.append(error) } }
}

extension BuildRecorder.Build: CustomReflectable {
  /// The properties, with the text of the error, for the output of tests. Of an error whose text may contain a secret,
  /// there is only the type.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "id": id, "decorator": decorator as Any, "consumer": consumer as Any, "duration": duration,
        "error": error?.text(takesSecrets: takesSecrets) as Any, "takesSecrets": takesSecrets,
      ], displayStyle: .struct)
  }
}
