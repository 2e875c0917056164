// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file together with the library, as one module, without its imports of the library.
import Synchronization

@testable import ConfigDI
@testable import ConfigDITooling

/// What the services of a fuzzed module are.
private protocol Sink: Sendable {}

/// A service of a fuzzed module, with what it holds.
private final class Part: Sink {
  private let needs: [any Sendable]

  init(_ needs: (any Sendable)?...) { self.needs = needs.compactMap(\.self) }
}

/// More instances were built than a run is to take: services that are not kept double with each step.
private struct TooManyInstances: Error {}

extension LoadInput {
  /// How many instances may be built for one input.
  private static let maximumInstanceCount = 10_000
  /// How many were built for this one.
  private static let instanceCount = Atomic(0)

  /// A part, which is counted.
  private static func part(_ needs: (any Sendable)?...) throws -> Part {
    let count = instanceCount.wrappingAdd(1, ordering: .relaxed).newValue
    if count > maximumInstanceCount { throw TooManyInstances() }
    return Part(needs)
  }

  /// The builders of some types that inputs name, with arguments of each form.
  private static let registry: Registry = {
    var registry = Registry()
    registry.add("A") { try part() }
    registry.add("Log", as: { ($0, $0 as any Sink) }, { (level: Int) in try part(level) }, .value("level", default: 1))
    registry.add(
      "Node", { (left: Part?, right: Part?, to: Lazy<Part>?) in try part(left, right, to) }, .service("left"),
      .service("right"), .service("to"))
    registry.add(
      "Whole", { (a: Part, c: [Part], d: [String: Part]) in try part(a, c, d) }, .service("a"), .service("c"),
      .service("d"))
    registry.add(
      "Late", { (one: Provider<Part>, all: [Provider<any Sink>]) in try part(one, all) }, .service("one"),
      .service("all"))
    registry.add(
      "Around", { (inner: Part, name: String) in try part(inner, name) }, .decorated("inner"),
      .value("name", default: ""))
    registry.add("Run", { (number: Int, sink: any Sink) in try part(number, sink) }, .runtime("n"), .service("sink"))
    registry.add("Server", { (opener: ScopeOpener) in try part(opener) }, .scope("request"))
    return registry
  }()

  /// What is wrong with the container of a module that is sound with the types of the registry: each service that it declares
  /// can be built.
  var problemsOfBuilding: [String] {
    let check = check(LoadInput.registry)
    guard let graph = check.compositions.first?.graph else { return [] }
    LoadInput.instanceCount.store(0, ordering: .relaxed)
    do {
      let container = try Container(plan: CompiledPlan(compiling: graph), registry: LoadInput.registry)
      try container.start()
      try container.verify()
      container.reset()
      try container.start()
      container.dispose()
    } catch  where LoadInput.instanceCount.load(ordering: .relaxed) <= LoadInput.maximumInstanceCount {
      return ["is sound, but cannot be built: \(error)"]
    } catch {}
    return []
  }

  /// Whether the module is sound with the types of the registry, so that a container is built.
  var isBuilt: Bool { check(LoadInput.registry).compositions.first?.graph?.buildingOrder.isEmpty == false }
}
