// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// An observer of what a container and its children build: for tests, logs, metrics and traces.
///
/// ```swift
/// struct SlowBuilds: ContainerObserver {
///   func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?) {
///     if duration > .seconds(1) { print("\(build.id) took \(duration)") }
///   }
/// }
/// let container = try Container(module: "Configs/app.json", registry: registry, observers: [SlowBuilds()])
/// ```
///
/// It is called on the thread or in the task of the builder, possibly on several at once, and never under a lock of the
/// container. A look-up that finds an existing instance is not observed and has no extra cost.
public protocol ContainerObserver: Sendable {
  /// Called before a builder.
  func willBuild(_ build: ObservedBuild)

  /// Called after a builder.
  ///
  /// - Parameters:
  ///   - build: the value that was passed to `willBuild`.
  ///   - duration: the time that the builder took, including its own look-ups.
  ///   - error: the error that the builder threw; `nil` if it returned an instance.
  func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?)

  /// Called after an instance was disposed of: one that the container or one of its scopes kept, or one of a transient
  /// service that a `Lazy` or `Isolated` owns. For a decorated service it is called once for each decorator, and then
  /// for the service that they wrap.
  ///
  /// - Parameter service: the service.
  func didDispose(_ service: ObservedService)

  /// Called if a look-up found no matching service, or several. An error of a builder is reported to `didBuild`.
  func didNotFind(_ error: ResolutionError)
}

extension ContainerObserver {
  public func willBuild(_ build: ObservedBuild) {}
  public func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?) {}
  public func didDispose(_ service: ObservedService) {}
  public func didNotFind(_ error: ResolutionError) {}
}

/// A service, as it is reported to observers.
public struct ObservedService: Sendable {
  /// The id of the service: its name, or the name of its type if code registered it without a name.
  public let id: String
  /// The type name of the decorator; `nil` for the service itself.
  public let decorator: String?
  /// The place where the service is defined.
  public let origin: Origin
  /// Whether there is one instance for the lifetime of the container. False for one of a request or a look-up.
  public let isShared: Bool
  /// Whether the builder takes values that are declared secret. An error that it throws may contain one.
  public let takesSecrets: Bool
  /// The type of the builder's product.
  let type: Any.Type

  /// The name of the type of the builder's product.
  public var typeName: String { TypeName.name(of: type) }
}

/// One call of a builder, as it is reported to observers.
@dynamicMemberLookup
public final class ObservedBuild: Sendable {
  /// The number of the call, unique in the process.
  public let number: Int
  /// The service that is built.
  public let service: ObservedService
  /// The observed call whose builder looked this service up, directly or through other code. `nil` for a look-up from
  /// outside of a builder, or by a task that outlives the builder that began it, and for an instance that was built as
  /// an argument before the builder was called.
  public let parent: ObservedBuild?
  private let hasEnded = Atomic(false)

  private static let count = Atomic(0)
  /// The innermost observed call that the running code works for.
  @TaskLocal static var current: ObservedBuild?

  /// Creates a call whose parent is the running one.
  init(of service: ObservedService) {
    number = ObservedBuild.count.add(1, ordering: .relaxed).newValue
    self.service = service
    var caller = ObservedBuild.current
    while let ended = caller, ended.hasEnded.load(ordering: .acquiring) { caller = ended.parent }
    parent = caller
  }

  fileprivate func end() { hasEnded.store(true, ordering: .releasing) }

  /// A property of the service.
  public subscript<Value>(dynamicMember member: KeyPath<ObservedService, Value>) -> Value { service[keyPath: member] }
}

extension Error {
  /// Whether this is a builder's error about the cancellation of the running task, its own or that of a nested build.
  package var isCancellationOfTask: Bool { Task.isCancelled && isCancellation }

  private var isCancellation: Bool {
    self is CancellationError || (self as? ResolutionError)?.underlyingError?.isCancellation == true
  }
}

// The observers of a container, in the order in which their `willBuild` is called.
extension [any ContainerObserver] {
  /// Returns the observers followed by others, without those of the others that are one of these objects.
  func adding(_ others: [any ContainerObserver]) -> [any ContainerObserver] {
    func identity(of observer: any ContainerObserver) -> ObjectIdentifier? {
      type(of: observer) is AnyObject.Type ? ObjectIdentifier(observer as AnyObject) : nil
    }
    let identities = Set(compactMap(identity))
    return self + others.filter { observer in identity(of: observer).map { !identities.contains($0) } ?? true }
  }

  /// Calls a builder, and reports the call to the observers.
  func calling<Product>(_ service: ObservedService, _ make: () throws -> Product) throws -> Product {
    let (build, start) = begin(service)
    do {
      let product = try ObservedBuild.$current.withValue(build, operation: make)
      end(build, start, nil)
      return product
    } catch {
      end(build, start, error)
      throw error
    }
  }

  /// Awaits a builder, and reports the call to the observers.
  func awaiting<Product>(
    _ service: ObservedService, _ make: @Sendable () async throws -> Product
  ) async throws -> Product {
    let (build, start) = begin(service)
    do {
      let product = try await ObservedBuild.$current.withValue(build) { try await make() }
      end(build, start, nil)
      return product
    } catch {
      end(build, start, error)
      throw error
    }
  }

  private func begin(_ service: ObservedService) -> (ObservedBuild, start: ContinuousClock.Instant) {
    let build = ObservedBuild(of: service)
    for observer in self { observer.willBuild(build) }
    return (build, .now)
  }

  /// Calls `didBuild` of the observers, the last one first.
  private func end(_ build: ObservedBuild, _ start: ContinuousClock.Instant, _ error: (any Error)?) {
    let duration = ContinuousClock.now - start
    build.end()
    for observer in reversed() { observer.didBuild(build, in: duration, error: error) }
  }
}
