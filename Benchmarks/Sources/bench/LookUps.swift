// SPDX-License-Identifier: Apache-2.0

import ConfigDI

/// Containers with the services that are looked up and a thousand others.
enum LookUps {
  /// The registered types.
  private static var registry: Registry {
    var registry = Registry()
    OtherTypes.forEach { number, type in type.register(as: "Other\(number)", in: &registry) }
    registry.add("ConsoleLogger", as: (any Logger).self, .value("level", Int.self)) { ConsoleLogger(level: $0) }
    registry.add("Clock") { Clock() }
    registry.add("Ticket") { Ticket() }
    registry.add("LeafA") { LeafA() }
    registry.add("LeafB") { LeafB() }
    registry.add("LeafC") { LeafC() }
    registry.add("MiddleA", .service("first", LeafA.self), .service("second", LeafB.self)) { MiddleA($0, $1) }
    registry.add("MiddleB", .service("leaf", LeafC.self)) { MiddleB($0) }
    registry.add("Root", .service("first", MiddleA.self), .service("second", MiddleB.self)) { Root($0, $1) }
    return registry
  }

  /// Returns the module: the services that are looked up, the graph of six with the given scope, and the others.
  private static func module(graphScope: String) -> String {
    let others = (0..<1_000).map { "\"other\($0)\": { \"type\": \"Other\($0)\" }" }.joined(separator: ",\n")
    return """
      {
        "configdi": 1, "module": "look-ups", "scopes": ["request"],
        "services": {
          "logger": { "type": "ConsoleLogger", "values": { "level": 3 } },
          "clock": { "type": "Clock" },
          "ticket": { "type": "Ticket", "scope": "transient" },
          "leaf.a": { "type": "LeafA", "scope": "\(graphScope)" },
          "leaf.b": { "type": "LeafB", "scope": "\(graphScope)" },
          "leaf.c": { "type": "LeafC", "scope": "\(graphScope)" },
          "middle.a": {
            "type": "MiddleA", "scope": "\(graphScope)", "inject": { "first": "leaf.a", "second": "leaf.b" }
          },
          "middle.b": { "type": "MiddleB", "scope": "\(graphScope)", "inject": { "leaf": "leaf.c" } },
          "root": {
            "type": "Root", "scope": "\(graphScope)", "inject": { "first": "middle.a", "second": "middle.b" }
          },
          \(others)
        }
      }
      """
  }

  /// Returns a container with the module.
  ///
  /// - Parameter graphScope: The scope of the six services of the graph.
  static func container(graphScope: String = "transient") throws -> Container {
    try Container(text: module(graphScope: graphScope), registry: registry)
  }
}

extension Benchmark {
  /// Look-ups of services that are already built.
  static let lookUps = [
    Benchmark("baseline.dictionary") {
      var services: [ObjectIdentifier: Any] = [ObjectIdentifier((any Logger).self): ConsoleLogger(level: 3)]
      OtherTypes.forEach { _, type in services[ObjectIdentifier(type)] = type.make() }
      let kept = opaque(services)
      return { count in
        // swift-format-ignore: NeverForceUnwrap
        for _ in 0..<count { use(kept[ObjectIdentifier((any Logger).self)] as! any Logger) }
      }
    },
    // The baseline of a look-up by class has a cast to the class, which is faster than a cast to a protocol.
    Benchmark("baseline.dictionary.class") {
      var services: [ObjectIdentifier: Any] = [ObjectIdentifier(Clock.self): Clock()]
      OtherTypes.forEach { _, type in services[ObjectIdentifier(type)] = type.make() }
      let kept = opaque(services)
      return { count in
        // swift-format-ignore: NeverForceUnwrap
        for _ in 0..<count { use(kept[ObjectIdentifier(Clock.self)] as! Clock) }
      }
    },
    Benchmark("baseline.dictionary.string") {
      var services: [String: Any] = ["logger": ConsoleLogger(level: 3)]
      OtherTypes.forEach { number, type in services["other\(number)"] = type.make() }
      let kept = opaque(services)
      let name = opaque("logger")
      return { count in
        // swift-format-ignore: NeverForceUnwrap
        for _ in 0..<count { use(kept[name] as! any Logger) }
      }
    },
    Benchmark("baseline.static") {
      { count in
        for _ in 0..<count { use(staticLogger) }
      }
    },
    Benchmark("resolve.shared.protocol", atMost: 0.5, of: "baseline.dictionary") {
      let container = opaque(try LookUps.container())
      return { count in
        for _ in 0..<count { use(try container.resolve((any Logger).self)) }
      }
    },
    Benchmark("resolve.shared.class", atMost: 1, of: "baseline.dictionary.class") {
      let container = opaque(try LookUps.container())
      return { count in
        for _ in 0..<count { use(try container.resolve(Clock.self)) }
      }
    },
    Benchmark("resolve.named", atMost: 1, of: "baseline.dictionary.string") {
      let container = opaque(try LookUps.container())
      let name = opaque("logger")
      return { count in
        for _ in 0..<count { use(try container.resolve((any Logger).self, named: name)) }
      }
    },
    Benchmark("injected.value", atMost: 3, of: "baseline.static") {
      let container = try LookUps.container()
      let owner = opaque(withContainer(container) { InjectedOwner() })
      return { count in
        for _ in 0..<count { use(owner.logger) }
        withExtendedLifetime(container) {}
      }
    },
    Benchmark("injected.value.lazy", atMost: 3, of: "baseline.static") {
      let container = try LookUps.container()
      let owner = opaque(withContainer(container) { InjectedOwner() })
      return { count in
        for _ in 0..<count { use(owner.lazyLogger) }
        withExtendedLifetime(container) {}
      }
    },
    Benchmark("lazy.value", atMost: 3, of: "baseline.static") {
      let container = try LookUps.container()
      let lazy = opaque(try container.resolve(Lazy<any Logger>.self))
      return { count in
        for _ in 0..<count { use(lazy.value) }
        withExtendedLifetime(container) {}
      }
    },
  ]
}

/// An object with injected properties.
private final class InjectedOwner {
  /// Looked up when the object is created.
  @Injected var logger: any Logger
  /// Looked up when it is first read.
  @LazyInjected var lazyLogger: any Logger
}

/// A logger in a global constant, as in a program without a container. `opaque` hides its value from the compiler.
private let staticLogger: any Logger = opaque(ConsoleLogger(level: 3))
