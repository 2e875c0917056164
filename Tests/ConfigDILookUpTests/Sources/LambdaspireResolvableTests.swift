// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// Tests of the behaviour that Lambdaspire promises for types that describe their own registration. Here they conform
/// without the macro.
@Suite struct LambdaspireResolvableTests {
  /// A protocol that `ComplexObject` provides.
  private protocol ComplexProtocol: AnyObject, Sendable {
    /// The dependency.
    var dependency: Dependency { get }
  }

  /// A type without dependencies.
  private final class Leaf: Sendable, Resolvable {
    static var injection: Injection<Leaf> { Injection { Leaf() } }
  }

  /// A type that depends on a leaf.
  private final class Dependency: Sendable, Resolvable {
    /// The leaf.
    let leaf: Leaf

    /// Creates a dependency with its leaf.
    init(leaf: Leaf) { self.leaf = leaf }

    static var injection: Injection<Dependency> {
      Injection(BuilderArgument<Leaf>.service("leaf")) { Dependency(leaf: $0) }
    }
  }

  /// A type that depends on a `Dependency`.
  private final class ComplexObject: ComplexProtocol, Resolvable {
    let dependency: Dependency

    /// Creates an object with its dependency.
    init(dependency: Dependency) { self.dependency = dependency }

    static var injection: Injection<ComplexObject> {
      Injection(BuilderArgument<Dependency>.service("dependency")) { ComplexObject(dependency: $0) }
    }
  }

  @Test func `Resolvable types are registered by name, and build their dependencies`() throws {
    let container = Container()
    container.register(ComplexObject.self, scope: .transient)
    container.register(Dependency.self)
    container.register(Leaf.self)
    let object: ComplexObject = try container.resolve()
    #expect(try container.resolve(ComplexObject.self) !== object)
    #expect(try object.dependency === container.resolve(Dependency.self))
    #expect(try object.dependency.leaf === container.resolve(Leaf.self))
  }

  @Test func `a Resolvable type is registered for an abstraction`() throws {
    let container = Container()
    container.register((any ComplexProtocol).self, scope: .transient) { try $0(ComplexObject.self) }
    container.register(Dependency.self)
    container.register(Leaf.self)
    let object: any ComplexProtocol = try container.resolve()
    #expect(object is ComplexObject)
    #expect(try container.resolve((any ComplexProtocol).self) !== object)
    #expect(try object.dependency === container.resolve(Dependency.self))
  }

  @Test func `a missing dependency of a Resolvable type is an error with the chain`() throws {
    let container = Container()
    container.register(ComplexObject.self)
    container.register(Dependency.self)
    let error = #expect(throws: ResolutionError.self) { try container.resolve(ComplexObject.self) }
    #expect(error?.code == .notRegistered)
    #expect(error?.chain == ["ComplexObject", "Dependency"])
    #expect(error?.typeName == "Leaf")
  }

  @Test func `the initializer of a Resolvable type stays usable`() {
    let leaf = Leaf()
    #expect(ComplexObject(dependency: Dependency(leaf: leaf)).dependency.leaf === leaf)
  }
}
