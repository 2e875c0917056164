// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

/// A plan that tests write in code. Services are added by id and refer to each other.
struct PlanFixture {
  /// The plan with all services added so far.
  private(set) var plan = CompiledPlan(slots: [], aliases: [], bindings: [], start: [])

  /// Creates a plan with named scopes, outermost first.
  init(scopes: String...) { plan.scopes = scopes }

  /// Adds a service. The services that it depends on directly must be added before it.
  mutating func add(
    _ id: String, _ typeName: String, _ arguments: CompiledPlan.Argument..., lifetime: Lifetime = .shared,
    private isPrivate: Bool = false, provides: [String]? = nil, decorators: [CompiledPlan.Decorator] = []
  ) {
    plan.slots.append(
      CompiledPlan.Slot(
        id: id, typeName: typeName, lifetime: lifetime, isPrivate: isPrivate, provides: provides, arguments: arguments,
        decorators: decorators, origin: Origin(file: "app.json", line: plan.slots.count + 1)))
  }

  /// Returns a decorator.
  func decorator(_ typeName: String, _ arguments: CompiledPlan.Argument...) -> CompiledPlan.Decorator {
    CompiledPlan.Decorator(typeName: typeName, arguments: arguments)
  }

  /// Adds an alias of a service.
  mutating func alias(_ alias: String, _ id: String) {
    plan.aliases.append(CompiledPlan.KeyedSlot(key: alias, slot: slot(id)))
  }

  /// Binds the name of a provided type to a service.
  mutating func bind(_ provided: String, _ id: String) {
    plan.bindings.append(CompiledPlan.KeyedSlot(key: provided, slot: slot(id)))
  }

  /// Declares the services to build when the container starts, in this order.
  mutating func start(_ ids: String...) { plan.start = ids.map(slot) }

  /// Returns the slot number of a service; -1 if there is none.
  func slot(_ id: String) -> Int { plan.slots.firstIndex { $0.id == id } ?? -1 }

  /// Returns an argument that receives a service.
  func service(_ id: String) -> CompiledPlan.Argument { .service(slot(id)) }

  /// Creates a container from the plan.
  func container(_ registry: Registry) throws -> Container {
    try registry.validate()
    return try Container(plan: plan, registry: registry)
  }
}

/// A thread-safe list of events, in order, which builders and deinitializers record.
final class Journal: Sendable {
  /// The entries; see `entries`.
  private let storage = Guarded<[String]>([])

  /// The entries, in order.
  var entries: [String] { storage.withLock { $0 } }

  /// Adds an entry.
  func note(_ entry: String) { storage.withLock { $0.append(entry) } }
}

/// A reference to a container that is created after its builders, which use it.
final class ContainerBox: Sendable {
  /// The container; `nil` before it is set and after it is cleared.
  private let storage = Guarded<Container?>(nil)

  /// The container. Traps if it is not set.
  var container: Container {
    get {
      guard let container = storage.withLock({ $0 }) else { preconditionFailure("the container is not set") }
      return container
    }
    set { storage.withLock { $0 = newValue } }
  }

  /// Releases the container, which its builders would otherwise keep alive.
  func clear() { storage.withLock { $0 = nil } }
}

/// A protocol that services provide.
protocol Greeter: Sendable {
  /// The name of the greeter.
  var name: String { get }
}

/// Another protocol that services provide.
protocol Counter: Sendable {}

/// A service that records its creation and its deinitialization.
final class Node: Greeter, Counter {
  let name: String
  /// The dependencies.
  let dependencies: [any Sendable]
  /// The journal for creation and deinitialization.
  private let journal: Journal?

  /// Creates a node, and records its creation.
  init(_ name: String, dependencies: [any Sendable] = [], journal: Journal? = nil) {
    self.name = name
    self.dependencies = dependencies
    self.journal = journal
    journal?.note("+\(name)")
  }

  deinit { journal?.note("-\(name)") }
}

/// A greeter that is not a node.
struct Person: Greeter {
  let name: String
}

/// The error that builders throw on purpose.
struct TestError: Error, Equatable {
  /// The reason for the error.
  var reason = "no"
}
