// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file together with the library as one module, without its imports of the library.
import Synchronization

@testable import ConfigDI
@testable import ConfigDITooling

/// The provided type of the services of a fuzzed module.
private protocol Sink: Sendable {}

/// A service of a fuzzed module, which retains its arguments.
private final class Part: Sink {
  private let dependencies: [any Sendable]

  init(_ dependencies: (any Sendable)?...) { self.dependencies = dependencies.compactMap(\.self) }
}

/// The error if a run builds too many instances. Their number can double with each level of uncached services.
private struct TooManyInstances: Error {}

extension LoadInput {
  /// The maximum number of instances that may be built for one input.
  private static let maximumInstanceCount = 10_000
  /// The number of instances that were built for the current input.
  private static let instanceCount = Atomic(0)

  /// Returns a new part, and counts it.
  private static func part(_ dependencies: (any Sendable)?...) throws -> Part {
    let count = instanceCount.wrappingAdd(1, ordering: .relaxed).newValue
    if count > maximumInstanceCount { throw TooManyInstances() }
    return Part(dependencies)
  }

  /// The builders of some type names that inputs use, with arguments of each form.
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

  /// The problems of the container, if the module is valid with the types of the registry. All services that the module
  /// declares must be buildable.
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

  /// Whether the module is valid with the types of the registry and declares a service, so that something is built.
  var isBuilt: Bool { check(LoadInput.registry).compositions.first?.graph?.buildingOrder.isEmpty == false }
}
