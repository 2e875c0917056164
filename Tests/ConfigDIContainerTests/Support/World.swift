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
final class World: Sendable {
  /// The record of the instances.
  let ledger = Ledger()
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
  private let home: Container
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
    name = source == .module ? "thing" : nil
    switch source {
    case .module:
      parent = try World.moduleContainer(form, kind, ledger, onBuild, onAwait)
      container = Container(parent: parent)
      home = parent
    case .code:
      parent = Container(scopes: ["request"])
      container = Container(parent: parent)
      home = isInChild ? container : parent
    }
    scope = try container.openScope("request")
    if source == .code { registerAll() }
  }

  // MARK: - Code

  /// Registers all services in code.
  private func registerAll() {
    let ledger = ledger
    home.register(onDispose: { (leaf: Leaf) in ledger.dispose(leaf.entry) }) { Leaf(ledger) }
    register(generation: 0)
    switch form {
    case .sync:
      home.register(scope: .transient) { User(try $0.resolve(), try $0.resolve(), ledger) }
    case .await:
      home.register(scope: .transient) { (resolver) async throws in
        User(try await resolver.resolveAsync(), try await resolver.resolveAsync(), ledger)
      }
    case .mainActor:
      home.register(on: MainActor.shared, scope: .transient) { User(try $0.resolve(), try $0.resolve(), ledger) }
    }
  }

  /// Registers the service under test, and replaces an earlier registration.
  func register(generation: Int) {
    let (ledger, onBuild, onAwait) = (ledger, onBuild, onAwait)
    let onDispose: @Sendable (Thing) -> Void = { ledger.dispose($0.entry) }
    switch form {
    case .sync:
      home.register(named: name, scope: kind.scope, onDispose: onDispose) { resolver in
        onBuild()
        try ledger.refuse()
        return Thing(try resolver.resolve(), generation: generation, ledger)
      }
    case .await:
      home.register(named: name, scope: kind.scope, onDispose: onDispose) { (resolver) async throws in
        await onAwait()
        try ledger.refuse()
        return Thing(try await resolver.resolveAsync(), generation: generation, ledger)
      }
    case .mainActor:
      home.register(on: MainActor.shared, named: name, scope: kind.scope, onDispose: onDispose) { resolver in
        onBuild()
        try ledger.refuse()
        return Thing(try resolver.resolve(), generation: generation, ledger)
      }
    }
  }

  // MARK: - Modules

  /// The compiled plans of the modules, so that each is compiled only once.
  private static let plans = Locked<[String: CompiledPlan]>([:])

  /// Creates a container with a module that has the same services.
  private static func moduleContainer(
    _ form: Form, _ kind: Kind, _ ledger: Ledger, _ onBuild: @escaping @Sendable () -> Void,
    _ onAwait: @escaping @Sendable () async -> Void
  ) throws -> Container {
    let registry = registry(form, ledger, onBuild, onAwait)
    try registry.validate()
    let id = "\(form) \(kind)"
    if let plan = plans.withLock({ $0[id] }) { return try Container(plan: plan, registry: registry) }
    let text = """
      { "configdi": 1, "module": "matrix", "scopes": ["request"], "services": {
        "leaf": { "type": "Leaf" },
        "thing": { "type": "Thing", "scope": "\(kind.rawValue)", "inject": { "leaf": "leaf" } },
        "user": { "type": "User", "scope": "transient", "inject": { "first": "thing", "second": "thing" } } } }
      """
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .text(SourceFile(name: "matrix", text: text), .json)), environments: [],
      files: DiskFiles(), types: .registry(registry))
    guard check.isSound, let graph = check.compositions.first?.graph else {
      preconditionFailure("the module is not sound: \(check.diagnostics)")
    }
    let plan = CompiledPlan(compiling: graph)
    plans.withLock { $0[id] = plan }
    return try Container(plan: plan, registry: registry)
  }

  /// Returns the registry for the module.
  private static func registry(
    _ form: Form, _ ledger: Ledger, _ onBuild: @escaping @Sendable () -> Void,
    _ onAwait: @escaping @Sendable () async -> Void
  ) -> Registry {
    let onDispose: @Sendable (Thing) -> Void = { ledger.dispose($0.entry) }
    var registry = Registry()
    registry.add("Leaf", onDispose: { (leaf: Leaf) in ledger.dispose(leaf.entry) }) { Leaf(ledger) }
    switch form {
    case .sync:
      registry.add("Thing", .service("leaf", Leaf.self), onDispose: onDispose) { (leaf: Leaf) in
        onBuild()
        try ledger.refuse()
        return Thing(leaf, generation: 0, ledger)
      }
      registry.add("User", .service("first", Thing.self), .service("second", Thing.self)) {
        (first: Thing, second: Thing) in User(first, second, ledger)
      }
    case .await:
      registry.add("Thing", .service("leaf", Leaf.self), onDispose: onDispose) { (leaf: Leaf) async throws in
        await onAwait()
        try ledger.refuse()
        return Thing(leaf, generation: 0, ledger)
      }
      registry.add("User", .service("first", Thing.self), .service("second", Thing.self)) {
        (first: Thing, second: Thing) async throws in User(first, second, ledger)
      }
    case .mainActor:
      registry.add("Thing", on: MainActor.shared, .service("leaf", Leaf.self), onDispose: onDispose) { (leaf: Leaf) in
        onBuild()
        try ledger.refuse()
        return Thing(leaf, generation: 0, ledger)
      }
      registry.add("User", on: MainActor.shared, .service("first", Thing.self), .service("second", Thing.self)) {
        (first: Thing, second: Thing) in User(first, second, ledger)
      }
    }
    return registry
  }

  // MARK: - Look-ups

  /// The outcome of a look-up.
  enum Outcome: Sendable {
    /// The number of the instance in the ledger, and the registration that built it.
    case instance(Int, generation: Int)
    /// An error of the container.
    case failed(ResolutionError.Code)
    /// The error that the builder was told to throw.
    case refused
  }

  /// Looks up the service directly, or through a `User`.
  func look(forUser isForUser: Bool, by looker: String) -> Outcome {
    let start = ledger.now
    do {
      if !isForUser {
        let thing = try scope.resolve(Thing.self)
        return note(thing, start, looker)
      }
      let user = try scope.resolve(User.self)
      return note(user, start, looker)
    } catch { return outcome(of: error, looker) }
  }

  /// Looks up the service asynchronously, directly or through a `User`.
  func lookAsync(forUser isForUser: Bool, by looker: String) async -> Outcome {
    let start = ledger.now
    do {
      if !isForUser {
        let thing = try await scope.resolveAsync(Thing.self)
        return note(thing, start, looker)
      }
      let user = try await scope.resolveAsync(User.self)
      return note(user, start, looker)
    } catch { return outcome(of: error, looker) }
  }

  /// Checks an instance, and returns the outcome.
  private func note(_ thing: Thing, _ start: Int, _ looker: String) -> Outcome {
    ledger.check(thing, since: start, by: looker)
    return .instance(thing.entry.number, generation: thing.generation)
  }

  /// Checks the dependencies of a user, and returns the outcome.
  private func note(_ user: User, _ start: Int, _ looker: String) -> Outcome {
    ledger.check(user.first, since: start, by: looker)
    ledger.check(user.second, since: start, by: looker)
    if kind == .transient, user.first === user.second {
      ledger.report("\(looker): one instance of a transient service twice")
    }
    if kind == .graph, user.first !== user.second, user.first.generation == user.second.generation {
      ledger.report("\(looker): two instances in one look-up")
    }
    return .instance(user.first.entry.number, generation: user.first.generation)
  }

  /// Returns the outcome of a failed look-up.
  private func outcome(of error: any Error, _ looker: String) -> Outcome {
    guard let error = error as? ResolutionError else {
      ledger.report("\(looker): \(error)")
      return .failed(.wiringBroken)
    }
    // This also tests that the message can be formed.
    if error.description.isEmpty { ledger.report("\(looker): an error without a message") }
    return error.code == .builderFailed && error.underlyingError is Ledger.Refusal ? .refused : .failed(error.code)
  }

  // MARK: - Closing

  /// Closes the scope, then disposes of both containers.
  func end() {
    scope.close()
    container.dispose()
    parent.dispose()
  }
}
