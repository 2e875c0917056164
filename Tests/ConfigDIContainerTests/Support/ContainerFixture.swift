// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import _ConfigDITestSupport

/// The form of the builder of the service under test.
enum Form: String, CaseIterable, Sendable {
  /// A synchronous builder, on the thread of the look-up.
  case sync
  /// An asynchronous builder.
  case await
  /// A builder on the main actor.
  case mainActor = "main actor"
}

/// The origin of the registrations.
enum Source: String, CaseIterable, Sendable {
  case code, module
}

/// The scope of the service under test.
enum Kind: String, CaseIterable, Sendable {
  case shared, weak, transient, graph
  case scope = "request"

  /// The scope for registrations in code.
  var scope: ServiceScope {
    switch self {
    case .shared: .shared
    case .weak: .weak
    case .transient: .transient
    case .graph: .graph
    case .scope: .scope("request")
    }
  }

  /// Whether a container or scope caches instances and disposes of them.
  var isDisposable: Bool { self == .shared || self == .scope }
}

/// A container with the service under test, and the operations on it.
///
/// The service is registered in a parent container or in its child. Look-ups take place in a scope of the child.
final class ContainerFixture: Sendable {
  /// The record of the instances.
  let log = InstanceLog()
  /// The form of the builder.
  let form: Form
  /// The scope of the service.
  let kind: Kind
  /// The parent container.
  let parent: Container
  /// The child container.
  let container: Container
  /// The open scope in which look-ups take place.
  let scope: Scope
  /// The container in which the service is registered.
  private let owner: Container
  /// The name of the service. A service of a module has one, and its replacement has the same.
  private let name: String?
  /// Called by a synchronous or main-actor builder of the service. It may block the building thread.
  let onBuild: @Sendable () -> Void
  /// Called by an asynchronous builder.
  let onAwait: @Sendable () async -> Void

  /// Creates the containers and opens the scope.
  ///
  /// - Parameter isInChild: Whether code registers in the child. A module always belongs to the parent.
  init(
    _ form: Form, _ source: Source, _ kind: Kind, isInChild: Bool = false, onBuild: @escaping @Sendable () -> Void = {},
    onAwait: @escaping @Sendable () async -> Void = {}
  ) throws {
    self.form = form
    self.kind = kind
    self.onBuild = onBuild
    self.onAwait = onAwait
    name = source == .module ? "tested" : nil
    switch source {
    case .module:
      parent = try ContainerFixture.moduleContainer(form, kind, log, onBuild, onAwait)
      container = Container(parent: parent)
      owner = parent
    case .code:
      parent = Container(scopes: ["request"])
      container = Container(parent: parent)
      owner = isInChild ? container : parent
    }
    scope = try container.openScope("request")
    if source == .code { registerAll() }
  }

  // MARK: - Code

  /// Registers all services in code.
  private func registerAll() {
    let log = log
    owner.register(onDispose: { (leaf: Leaf) in log.dispose(leaf.entry) }) { Leaf(log) }
    register(generation: 0)
    switch form {
    case .sync:
      owner.register(scope: .transient) { Consumer(try $0.resolve(), try $0.resolve(), log) }
    case .await:
      owner.register(scope: .transient) { (resolver) async throws in
        Consumer(try await resolver.resolveAsync(), try await resolver.resolveAsync(), log)
      }
    case .mainActor:
      owner.register(on: MainActor.shared, scope: .transient) { Consumer(try $0.resolve(), try $0.resolve(), log) }
    }
  }

  /// Registers the service under test, and replaces an earlier registration.
  func register(generation: Int) {
    let (log, onBuild, onAwait) = (log, onBuild, onAwait)
    let onDispose: @Sendable (TestedService) -> Void = { log.dispose($0.entry) }
    switch form {
    case .sync:
      owner.register(named: name, scope: kind.scope, onDispose: onDispose) { resolver in
        onBuild()
        try log.failIfRequested()
        return TestedService(try resolver.resolve(), generation: generation, log)
      }
    case .await:
      owner.register(named: name, scope: kind.scope, onDispose: onDispose) { (resolver) async throws in
        await onAwait()
        try log.failIfRequested()
        return TestedService(try await resolver.resolveAsync(), generation: generation, log)
      }
    case .mainActor:
      owner.register(on: MainActor.shared, named: name, scope: kind.scope, onDispose: onDispose) { resolver in
        onBuild()
        try log.failIfRequested()
        return TestedService(try resolver.resolve(), generation: generation, log)
      }
    }
  }

  // MARK: - Modules

  /// The compiled plans of the modules, so that each is compiled only once.
  private static let plans = Locked<[String: CompiledPlan]>([:])

  /// Creates a container with a module that has the same services.
  private static func moduleContainer(
    _ form: Form, _ kind: Kind, _ log: InstanceLog, _ onBuild: @escaping @Sendable () -> Void,
    _ onAwait: @escaping @Sendable () async -> Void
  ) throws -> Container {
    let registry = registry(form, log, onBuild, onAwait)
    try registry.validate()
    let id = "\(form) \(kind)"
    if let plan = plans.withLock({ $0[id] }) { return try Container(plan: plan, registry: registry) }
    let text = """
      { "configdi": 1, "module": "matrix", "scopes": ["request"], "services": {
        "leaf": { "type": "Leaf" },
        "tested": { "type": "TestedService", "scope": "\(kind.rawValue)", "inject": { "leaf": "leaf" } },
        "consumer": { "type": "Consumer", "scope": "transient", "inject": { "first": "tested", "second": "tested" } } } }
      """
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .text(SourceFile(name: "matrix", text: text), .json)), environments: [],
      files: DiskFiles(), types: .registry(registry))
    guard check.isSound, let graph = check.compositions.first?.graph else {
      preconditionFailure("the module is invalid: \(check.diagnostics)")
    }
    let plan = CompiledPlan(compiling: graph)
    plans.withLock { $0[id] = plan }
    return try Container(plan: plan, registry: registry)
  }

  /// Returns the registry for the module.
  private static func registry(
    _ form: Form, _ log: InstanceLog, _ onBuild: @escaping @Sendable () -> Void,
    _ onAwait: @escaping @Sendable () async -> Void
  ) -> Registry {
    let onDispose: @Sendable (TestedService) -> Void = { log.dispose($0.entry) }
    var registry = Registry()
    registry.add("Leaf", onDispose: { (leaf: Leaf) in log.dispose(leaf.entry) }) { Leaf(log) }
    switch form {
    case .sync:
      registry.add("TestedService", .service("leaf", Leaf.self), onDispose: onDispose) { (leaf: Leaf) in
        onBuild()
        try log.failIfRequested()
        return TestedService(leaf, generation: 0, log)
      }
      registry.add("Consumer", .service("first", TestedService.self), .service("second", TestedService.self)) {
        (first: TestedService, second: TestedService) in Consumer(first, second, log)
      }
    case .await:
      registry.add("TestedService", .service("leaf", Leaf.self), onDispose: onDispose) { (leaf: Leaf) async throws in
        await onAwait()
        try log.failIfRequested()
        return TestedService(leaf, generation: 0, log)
      }
      registry.add("Consumer", .service("first", TestedService.self), .service("second", TestedService.self)) {
        (first: TestedService, second: TestedService) async throws in Consumer(first, second, log)
      }
    case .mainActor:
      registry.add("TestedService", on: MainActor.shared, .service("leaf", Leaf.self), onDispose: onDispose) {
        (leaf: Leaf) in
        onBuild()
        try log.failIfRequested()
        return TestedService(leaf, generation: 0, log)
      }
      registry.add(
        "Consumer", on: MainActor.shared, .service("first", TestedService.self), .service("second", TestedService.self)
      ) {
        (first: TestedService, second: TestedService) in Consumer(first, second, log)
      }
    }
    return registry
  }

  // MARK: - Look-ups

  /// The outcome of a look-up.
  enum Outcome: Sendable {
    /// The number of the instance in the log, and the registration that built it.
    case instance(Int, generation: Int)
    /// An error of the container.
    case failed(ResolutionError.Code)
    /// The requested error of the builder.
    case builderFailed
  }

  /// Looks up the service directly, or through a `Consumer`.
  func lookUp(viaConsumer isViaConsumer: Bool, by caller: String) -> Outcome {
    let start = log.now
    do {
      if !isViaConsumer {
        let service = try scope.resolve(TestedService.self)
        return note(service, start, caller)
      }
      let consumer = try scope.resolve(Consumer.self)
      return note(consumer, start, caller)
    } catch { return outcome(of: error, caller) }
  }

  /// Looks up the service asynchronously, directly or through a `Consumer`.
  func lookUpAsync(viaConsumer isViaConsumer: Bool, by caller: String) async -> Outcome {
    let start = log.now
    do {
      if !isViaConsumer {
        let service = try await scope.resolveAsync(TestedService.self)
        return note(service, start, caller)
      }
      let consumer = try await scope.resolveAsync(Consumer.self)
      return note(consumer, start, caller)
    } catch { return outcome(of: error, caller) }
  }

  /// Checks an instance, and returns the outcome.
  private func note(_ service: TestedService, _ start: Int, _ caller: String) -> Outcome {
    log.check(service, since: start, by: caller)
    return .instance(service.entry.number, generation: service.generation)
  }

  /// Checks the dependencies of a user, and returns the outcome.
  private func note(_ consumer: Consumer, _ start: Int, _ caller: String) -> Outcome {
    log.check(consumer.first, since: start, by: caller)
    log.check(consumer.second, since: start, by: caller)
    if kind == .transient, consumer.first === consumer.second {
      log.report("\(caller): one instance of a transient service twice")
    }
    if kind == .graph, consumer.first !== consumer.second, consumer.first.generation == consumer.second.generation {
      log.report("\(caller): two instances in one look-up")
    }
    return .instance(consumer.first.entry.number, generation: consumer.first.generation)
  }

  /// Returns the outcome of a failed look-up.
  private func outcome(of error: any Error, _ caller: String) -> Outcome {
    guard let error = error as? ResolutionError else {
      log.report("\(caller): \(error)")
      return .failed(.wiringBroken)
    }
    // This also tests that the message can be formed.
    if error.description.isEmpty { log.report("\(caller): an error without a message") }
    return error.code == .builderFailed && error.underlyingError is InstanceLog.TestError
      ? .builderFailed : .failed(error.code)
  }

  // MARK: - Closing

  /// Closes the scope, then disposes of both containers.
  func end() {
    scope.close()
    container.dispose()
    parent.dispose()
  }
}
