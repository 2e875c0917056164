// SPDX-License-Identifier: Apache-2.0

import ConfigDI

/// Containers with services registered in code, including the thousand other types.
enum InCode {
  /// Returns a container with the thousand other types.
  static func container() -> Container {
    let container = Container(scopes: ["request"])
    OtherTypes.forEach { _, type in type.register(in: container) }
    return container
  }

  /// Returns a container with the graph of six services, registered with closures that look up their dependencies.
  static func graph(_ scope: ServiceScope) -> Container {
    let container = container()
    container.register(scope: scope) { LeafA() }
    container.register(scope: scope) { LeafB() }
    container.register(scope: scope) { LeafC() }
    container.register(scope: scope) { MiddleA(try $0.resolve(LeafA.self), try $0.resolve(LeafB.self)) }
    container.register(scope: scope) { MiddleB(try $0.resolve(LeafC.self)) }
    container.register(scope: scope) { Root(try $0.resolve(MiddleA.self), try $0.resolve(MiddleB.self)) }
    return container
  }

  /// Returns a container with the graph of six services, registered with initializers that take the dependencies.
  static func initializers(_ scope: ServiceScope) -> Container {
    let container = container()
    container.register(scope: scope) { LeafA() }
    container.register(scope: scope) { LeafB() }
    container.register(scope: scope) { LeafC() }
    container.autoregister(MiddleA.init, scope: scope)
    container.autoregister(MiddleB.init, scope: scope)
    container.autoregister(Root.init, scope: scope)
    return container
  }
}

extension Benchmark {
  /// Services registered in code: look-ups, registration, containers and failures.
  static let inCode = [
    Benchmark("code.graph6", atMost: 1.3, of: "resolve.graph6") {
      let container = opaque(InCode.graph(.transient))
      return { count in
        for _ in 0..<count { use(try container.resolve(Root.self)) }
      }
    },
    Benchmark("code.graph6.autoregister", atMost: 1.5, of: "code.graph6") {
      let container = opaque(InCode.initializers(.transient))
      return { count in
        for _ in 0..<count { use(try container.resolve(Root.self)) }
      }
    },
    Benchmark("code.scope.request", atMost: 1.3, of: "scope.request") {
      let container = opaque(InCode.graph(.scope("request")))
      return { count in
        for _ in 0..<count { try container.scope("request") { try useSix(of: $0) } }
      }
    },
    Benchmark("code.scope.root", atMost: 1.2, of: "code.scope.request") {
      let container = opaque(InCode.graph(.scope("request")))
      return { count in
        for _ in 0..<count { try container.scope("request") { use(try $0.resolve(Root.self)) } }
      }
    },
    Benchmark("code.transient") {
      let container = InCode.container()
      container.register(scope: .transient) { _ in Numbered(7) }
      let kept = opaque(container)
      return { count in
        for _ in 0..<count { use(try kept.resolve(Numbered.self)) }
      }
    },
    Benchmark("code.argument", atMost: 2.5, of: "code.transient") {
      let container = InCode.container()
      container.register(scope: .transient) { (_: Resolver, number: Int) in Numbered(number) }
      let kept = opaque(container)
      let number = opaque(7)
      return { count in
        for _ in 0..<count { use(try kept.resolve(Numbered.self, arguments: number)) }
      }
    },
    Benchmark("register.1000", atMostNanoseconds: 1_500, operationCount: 1_000) {
      { count in
        for _ in 0..<count { use(InCode.container()) }
      }
    },
    Benchmark("baseline.dictionary16.made") {
      var types: [any OtherType.Type] = []
      OtherTypes.forEach { number, type in if number < 16 { types.append(type) } }
      let keys = opaque(types.map { ObjectIdentifier($0) })
      return { count in
        for _ in 0..<count {
          var entries = [ObjectIdentifier: Int](minimumCapacity: 16)
          for key in keys { entries[key] = 1 }
          use(entries)
        }
      }
    },
    Benchmark("container.empty", atMost: 2, of: "baseline.dictionary16.made") {
      { count in
        for _ in 0..<count { use(Container()) }
      }
    },
    Benchmark("failure.type", atMostNanoseconds: 2_000) {
      let container = opaque(try LookUps.container())
      return { count in
        for _ in 0..<count { useFailure { use(try container.resolve(Missing.self)) } }
      }
    },
    Benchmark("failure.name", atMostNanoseconds: 2_000) {
      let container = opaque(try LookUps.container())
      let name = opaque("loger")
      return { count in
        for _ in 0..<count { useFailure { use(try container.resolve((any Logger).self, named: name)) } }
      }
    },
  ]

  /// Uses the error that a body throws, without reading its message.
  @inline(__always)
  private static func useFailure(_ body: () throws -> Void) {
    do {
      try body()
      fatalError("there is no such service")
    } catch {
      use(error)
    }
  }
}
