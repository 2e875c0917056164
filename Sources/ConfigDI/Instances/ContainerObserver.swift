// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Watches what a container and its children build: for tests, logs, metrics and traces.
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
/// It is called on the thread, or in the task, of the builder, from several at once, and while nothing of the container is
/// locked. A look-up of an instance that is there is not observed, and costs the same as without observers.
public protocol ContainerObserver: Sendable {
  /// Called before a builder.
  func willBuild(_ build: ObservedBuild)

  /// Called after a builder.
  ///
  /// - Parameters:
  ///   - build: what `willBuild` was called with.
  ///   - duration: how long the builder took, with what it looked up meanwhile.
  ///   - error: what the builder threw; nil where it made an instance.
  func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?)

  /// Called after an instance that the container or one of its scopes kept was disposed of; of a decorated service once for
  /// each decorator and then for what they wrap.
  ///
  /// - Parameter service: the service.
  func didDispose(_ service: ObservedService)

  /// Called where a look-up found no service, or none that it could have meant. What a builder throws is told to `didBuild`.
  func didNotFind(_ error: ResolutionError)
}

extension ContainerObserver {
  public func willBuild(_ build: ObservedBuild) {}
  public func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?) {}
  public func didDispose(_ service: ObservedService) {}
  public func didNotFind(_ error: ResolutionError) {}
}

/// A service, as observers are told of it.
public struct ObservedService: Sendable {
  /// The id of the service: its name, or where code gave none that of its type.
  public let id: String
  /// The type name of the decorator, where it is one; nil for the service itself.
  public let decorator: String?
  /// Where the service is defined.
  public let origin: Origin
  /// Whether there is one instance as long as the container lives. False for what each request or each look-up has anew.
  public let isShared: Bool
  /// Whether its builder takes values that are declared secret: what it throws may hold one.
  public let takesSecrets: Bool
  /// The type that its builder makes.
  let type: Any.Type

  /// The name of the type that its builder makes.
  public var typeName: String { TypeName.name(of: type) }
}

/// One call of a builder, as observers are told of it.
@dynamicMemberLookup
public final class ObservedBuild: Sendable {
  /// The number of the call, unique in the process.
  public let number: Int
  /// What is built.
  public let service: ObservedService
  /// The observed call of a builder that looked this one up, directly or by way of code; nil where a look-up from outside
  /// did, or a task that a builder has begun and that goes on after it, or where the instance was built beforehand for a builder
  /// that is called later.
  public let parent: ObservedBuild?
  /// Whether the builder has ended.
  private let hasEnded = Atomic(false)

  /// How many calls there were.
  private static let count = Atomic(0)
  /// The innermost observed call for which the running code works.
  @TaskLocal static var current: ObservedBuild?

  /// A call that begins.
  init(of service: ObservedService) {
    number = ObservedBuild.count.add(1, ordering: .relaxed).newValue
    self.service = service
    var caller = ObservedBuild.current
    while let ended = caller, ended.hasEnded.load(ordering: .acquiring) { caller = ended.parent }
    parent = caller
  }

  /// Notes that the builder has ended.
  fileprivate func end() { hasEnded.store(true, ordering: .releasing) }

  /// What is known of the service.
  public subscript<Value>(dynamicMember member: KeyPath<ObservedService, Value>) -> Value { service[keyPath: member] }
}

/// The observers of a container: a builder is called between them.
struct Observers: Sendable {
  /// The observers, in the order in which they are told.
  let observers: [any ContainerObserver]

  /// Observers; nil for none.
  init?(_ observers: [any ContainerObserver]) {
    if observers.isEmpty { return nil }
    self.observers = observers
  }

  func calling<Product>(_ service: ObservedService, _ make: () throws -> Product) throws -> Product {
    let build = ObservedBuild(of: service)
    for observer in observers { observer.willBuild(build) }
    let start = ContinuousClock.now
    do {
      let product = try ObservedBuild.$current.withValue(build, operation: make)
      end(build, start, nil)
      return product
    } catch {
      end(build, start, error)
      throw error
    }
  }

  /// Calls a builder that is awaited.
  func awaiting<Product>(
    _ make: @Sendable (BuilderCall) async throws -> Product, _ call: BuilderCall, _ service: ObservedService
  ) async throws -> Product {
    let build = ObservedBuild(of: service)
    for observer in observers { observer.willBuild(build) }
    let start = ContinuousClock.now
    do {
      let product = try await ObservedBuild.$current.withValue(build) { try await make(call) }
      end(build, start, nil)
      return product
    } catch {
      end(build, start, error)
      throw error
    }
  }

  /// Tells the observers that a builder has ended, the last one first.
  private func end(_ build: ObservedBuild, _ start: ContinuousClock.Instant, _ error: (any Error)?) {
    let duration = ContinuousClock.now - start
    build.end()
    for observer in observers.reversed() { observer.didBuild(build, in: duration, error: error) }
  }
}
