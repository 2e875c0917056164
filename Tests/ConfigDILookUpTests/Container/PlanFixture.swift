// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

/// Writes plans by hand: services by id, each naming what it needs.
struct PlanFixture {
  /// The plan so far.
  private(set) var plan = CompiledPlan(slots: [], aliases: [], bindings: [], start: [])

  /// A plan with named scopes, outermost first.
  init(scopes: String...) { plan.scopes = scopes }

  /// Adds a service behind all that it needs.
  mutating func add(
    _ id: String, _ typeName: String, _ arguments: CompiledPlan.Argument..., lifetime: Lifetime = .shared,
    private isPrivate: Bool = false, provides: [String]? = nil, decorators: [CompiledPlan.Decorator] = []
  ) {
    plan.slots.append(
      CompiledPlan.Slot(
        id: id, typeName: typeName, lifetime: lifetime, isPrivate: isPrivate, provides: provides, arguments: arguments,
        decorators: decorators, origin: Origin(file: "app.json", line: plan.slots.count + 1)))
  }

  /// A decorator.
  func decorator(_ typeName: String, _ arguments: CompiledPlan.Argument...) -> CompiledPlan.Decorator {
    CompiledPlan.Decorator(typeName: typeName, arguments: arguments)
  }

  /// Adds an alias of a service.
  mutating func alias(_ alias: String, _ id: String) {
    plan.aliases.append(CompiledPlan.Alias(id: alias, slot: slot(id)))
  }

  /// Binds a provided name to a service.
  mutating func bind(_ provided: String, _ id: String) {
    plan.bindings.append(CompiledPlan.Binding(provided: provided, slot: slot(id)))
  }

  /// Has services built at the start.
  mutating func start(_ ids: String...) { plan.start = ids.map(slot) }

  /// The number of a service.
  func slot(_ id: String) -> Int { plan.slots.firstIndex { $0.id == id } ?? -1 }

  /// An argument that receives a service.
  func service(_ id: String) -> CompiledPlan.Argument { .service(slot(id)) }

  /// A container of the plan.
  func container(_ registry: Registry) throws -> Container {
    try registry.validate()
    return try Container(plan: plan, registry: registry)
  }
}

/// What happened, in order, as builders and deinitializers on any thread tell it.
final class Journal: Sendable {
  /// The entries.
  private let storage = Guarded<[String]>([])

  /// The entries so far.
  var entries: [String] { storage.withLock { $0 } }

  /// Adds an entry.
  func note(_ entry: String) { storage.withLock { $0.append(entry) } }
}

/// A container that builders can reach, once it is there.
final class ContainerBox: Sendable {
  /// The container.
  private let storage = Guarded<Container?>(nil)

  /// The container; stops the test where it is not there.
  var container: Container {
    get {
      guard let container = storage.withLock({ $0 }) else { preconditionFailure("the container is not set") }
      return container
    }
    set { storage.withLock { $0 = newValue } }
  }

  /// Lets the container go, which its builders would keep alive.
  func clear() { storage.withLock { $0 = nil } }
}

/// A protocol to look up by.
protocol Greeter: Sendable {
  /// Who greets.
  var name: String { get }
}

/// Another protocol to look up by.
protocol Counter: Sendable {}

/// A service that tells when it is built and when it goes.
final class Node: Greeter, Counter {
  let name: String
  /// What the service needs.
  let needs: [any Sendable]
  /// Where its end is told.
  private let journal: Journal?

  /// A service.
  init(_ name: String, needs: [any Sendable] = [], journal: Journal? = nil) {
    self.name = name
    self.needs = needs
    self.journal = journal
    journal?.note("+\(name)")
  }

  deinit { journal?.note("-\(name)") }
}

/// A greeter that is no node.
struct Person: Greeter {
  let name: String
}

/// What a builder throws on purpose.
struct Refusal: Error, Equatable {
  /// Why.
  var reason = "no"
}
