// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// The ConfigDI code of the guide for users of Lambdaspire.
@Suite struct LambdaspireGuide {
  /// An abstraction.
  private protocol BaseThing: AnyObject, Sendable {}

  /// An implementation of the abstraction.
  private final class SomeThing: BaseThing {}

  /// A dependency of `ComplexObject`.
  private final class DependencyA: Sendable {}

  /// Another dependency of `ComplexObject`.
  private final class DependencyB: Sendable {}

  /// A protocol that `ComplexObject` provides.
  private protocol ComplexProtocol: AnyObject, Sendable {}

  /// A type with two dependencies.
  private final class ComplexObject: ComplexProtocol, Resolvable {
    /// The first dependency.
    let dependencyA: DependencyA
    /// The second dependency.
    let dependencyB: DependencyB

    /// Creates an object with its dependencies.
    init(dependencyA: DependencyA, dependencyB: DependencyB) {
      self.dependencyA = dependencyA
      self.dependencyB = dependencyB
    }

    static var injection: Injection<ComplexObject> {
      Injection(
        BuilderArgument<DependencyA>.service("dependencyA"), BuilderArgument<DependencyB>.service("dependencyB")
      ) { ComplexObject(dependencyA: $0, dependencyB: $1) }
    }
  }

  @Test func `instances and factories`() throws {
    let container = Container()
    let something = SomeThing()
    container.register(instance: something)
    container.register((any BaseThing).self, instance: something)
    let thing: SomeThing = try container.resolve()
    let other = try container.resolve(SomeThing.self)
    let surely = container[SomeThing.self]
    #expect(thing === something && other === something && surely === something)
    #expect(try container.resolve((any BaseThing).self) === something)

    container.register(scope: .transient) { SomeThing() }
    container.register((any BaseThing).self, scope: .transient) { SomeThing() }
    #expect(try container.resolve(SomeThing.self) !== container.resolve(SomeThing.self))
    #expect(try container.resolve((any BaseThing).self) !== container.resolve((any BaseThing).self))
  }

  /// Resolves a number. Takes any resolver, because it only resolves.
  private static func report(_ services: some Resolving) throws -> Int {
    try services.resolve(Int.self)
  }

  @Test func `a resolver and a registry`() throws {
    func setUp(_ services: some Registering) { services.register(instance: 3) }
    let container = Container()
    setUp(container)
    container.register { "\(try LambdaspireGuide.report($0))" }
    #expect(try LambdaspireGuide.report(container) == 3)
    #expect(try container.resolve(String.self) == "3")
  }

  @Test func `a complex object`() throws {
    let container = Container()
    container.register { DependencyA() }
    container.register { DependencyB() }
    container.register(scope: .transient) {
      ComplexObject(
        dependencyA: try $0.resolve(),
        dependencyB: try $0.resolve()
      )
    }
    let complex = try container.resolve(ComplexObject.self)
    container.register(SomeThing.self, as: [.itself, .type((any BaseThing).self) { $0 }]) { SomeThing() }
    #expect(try container.resolve(SomeThing.self) === container.resolve((any BaseThing).self))
    #expect(try complex.dependencyA === container.resolve(DependencyA.self))
    #expect(try complex.dependencyB === container.resolve(DependencyB.self))

    container.autoregister(ComplexObject.init, scope: .transient)
    #expect(try container.resolve(ComplexObject.self) !== complex)
    container.register(ComplexObject.self, scope: .transient)
    container.register((any ComplexProtocol).self, scope: .transient) { try $0(ComplexObject.self) }
    #expect(try container.resolve(ComplexObject.self) !== container.resolve(ComplexObject.self))
    #expect(try container.resolve((any ComplexProtocol).self) is ComplexObject)
  }
}
