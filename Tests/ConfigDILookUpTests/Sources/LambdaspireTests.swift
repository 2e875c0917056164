// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Tests of the behaviour that Lambdaspire promises.
@Suite struct LambdaspireTests {
  /// An abstraction.
  private protocol BaseThing: AnyObject, Sendable {
    /// A number that distinguishes instances.
    var number: Int { get }
  }

  /// An implementation of the abstraction.
  private final class SomeThing: BaseThing {
    let number: Int

    /// Creates a thing.
    init(number: Int = 0) { self.number = number }
  }

  /// A dependency of `ComplexObject`.
  private final class Dependency: Sendable {}

  /// A type with two dependencies.
  private final class ComplexObject: Sendable {
    /// The first dependency.
    let thing: any BaseThing
    /// The second dependency.
    let dependency: Dependency

    /// Creates an object with its dependencies.
    init(thing: any BaseThing, dependency: Dependency) {
      self.thing = thing
      self.dependency = dependency
    }
  }

  @Test func `an instance is registered by its own type, and always found`() throws {
    let container = Container()
    let something = SomeThing()
    container.register(instance: something)
    let resolved: SomeThing = try container.resolve()
    #expect(resolved === something)
    #expect(try container.resolve(SomeThing.self) === something)
  }

  @Test func `an instance is registered by a compatible type`() throws {
    let container = Container()
    let something = SomeThing()
    container.register((any BaseThing).self, instance: something)
    let resolved: any BaseThing = try container.resolve()
    #expect(resolved === something)
    #expect(try container.resolveOptional(SomeThing.self) == nil)
  }

  @Test func `a factory is registered by its own type, and called at each look-up`() throws {
    let container = Container()
    container.register(scope: .transient) { SomeThing() }
    let first: SomeThing = try container.resolve()
    let second: SomeThing = try container.resolve()
    #expect(first !== second)
  }

  @Test func `a factory is registered by a compatible type, and called at each look-up`() throws {
    let container = Container()
    let counter = AtomicCounter()
    container.register((any BaseThing).self, scope: .transient) { SomeThing(number: counter.next()) }
    let first: any BaseThing = try container.resolve()
    let second: any BaseThing = try container.resolve()
    #expect(first.number == 1)
    #expect(second.number == 2)
    #expect(first is SomeThing)
  }

  @Test func `the type of the variable or an explicit type decides`() throws {
    let container = Container()
    container.register { Dependency() }
    let dependency: Dependency = try container.resolve()
    let other = try container.resolve(Dependency.self)
    #expect(dependency === other)
  }

  @Test func `a factory looks up its dependencies`() throws {
    let container = Container()
    container.register((any BaseThing).self) { SomeThing(number: 3) }
    container.register { Dependency() }
    container.register(scope: .transient) {
      ComplexObject(thing: try $0.resolve(), dependency: try $0.resolve())
    }
    let first = try container.resolve(ComplexObject.self)
    let second = try container.resolve(ComplexObject.self)
    #expect(first !== second)
    #expect(first.thing === second.thing)
    #expect(first.dependency === second.dependency)
  }

  /// Resolves a thing. Takes any resolver, because it only resolves.
  private static func thing(from services: some Resolving) throws -> any BaseThing { try services.resolve() }

  @Test func `code that only looks up takes any resolver`() throws {
    let container = Container(scopes: ["request"])
    container.register((any BaseThing).self) { SomeThing(number: 3) }
    container.register(Int.self) { try LambdaspireTests.thing(from: $0).number }
    #expect(try LambdaspireTests.thing(from: container).number == 3)
    #expect(try container.scope("request") { try LambdaspireTests.thing(from: $0).number } == 3)
    #expect(try container.resolve(Int.self) == 3)
  }

  @Test func `code that only registers takes a registry, and cannot look up`() throws {
    func setUp(_ services: some Registering) {
      services.register((any BaseThing).self) { SomeThing(number: 4) }
      services.register { Dependency() }
      services.autoregister(ComplexObject.init, scope: .transient)
    }
    let container = Container()
    setUp(container)
    let object = try container.resolve(ComplexObject.self)
    #expect(object.thing.number == 4)
    #expect(try object.dependency === container.resolve(Dependency.self))
  }
}
