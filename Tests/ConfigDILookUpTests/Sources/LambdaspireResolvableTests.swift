// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// What Lambdaspire promises of types that say themselves how they are made. Here they say it by hand.
@Suite struct LambdaspireResolvableTests {
  /// What a complex object is known as.
  private protocol ComplexProtocol: AnyObject, Sendable {
    /// What it needs.
    var dependency: Dependency { get }
  }

  /// Needs nothing.
  private final class Leaf: Sendable, Resolvable {
    static var injection: Injection<Leaf> { Injection { Leaf() } }
  }

  /// Needs a leaf.
  private final class Dependency: Sendable, Resolvable {
    /// The leaf.
    let leaf: Leaf

    /// A dependency with its leaf.
    init(leaf: Leaf) { self.leaf = leaf }

    static var injection: Injection<Dependency> {
      Injection(BuilderArgument<Leaf>.service("leaf")) { Dependency(leaf: $0) }
    }
  }

  /// Needs a dependency.
  private final class ComplexObject: ComplexProtocol, Resolvable {
    let dependency: Dependency

    /// An object with its dependency.
    init(dependency: Dependency) { self.dependency = dependency }

    static var injection: Injection<ComplexObject> {
      Injection(BuilderArgument<Dependency>.service("dependency")) { ComplexObject(dependency: $0) }
    }
  }

  @Test func `types that say how they are made are registered by their names, and make what they need`() throws {
    let container = Container()
    container.register(ComplexObject.self, scope: .transient)
    container.register(Dependency.self)
    container.register(Leaf.self)
    let object: ComplexObject = try container.resolve()
    #expect(try container.resolve(ComplexObject.self) !== object)
    #expect(try object.dependency === container.resolve(Dependency.self))
    #expect(try object.dependency.leaf === container.resolve(Leaf.self))
  }

  @Test func `one stands behind an abstraction`() throws {
    let container = Container()
    container.register((any ComplexProtocol).self, scope: .transient) { try $0(ComplexObject.self) }
    container.register(Dependency.self)
    container.register(Leaf.self)
    let object: any ComplexProtocol = try container.resolve()
    #expect(object is ComplexObject)
    #expect(try container.resolve((any ComplexProtocol).self) !== object)
    #expect(try object.dependency === container.resolve(Dependency.self))
  }

  @Test func `what one of them lacks is an error with the way to it`() throws {
    let container = Container()
    container.register(ComplexObject.self)
    container.register(Dependency.self)
    let error = #expect(throws: ResolutionError.self) { try container.resolve(ComplexObject.self) }
    #expect(error?.code == .notRegistered)
    #expect(error?.chain == ["ComplexObject", "Dependency"])
    #expect(error?.typeName == "Leaf")
  }

  @Test func `its own initializer stays usable`() {
    let leaf = Leaf()
    #expect(ComplexObject(dependency: Dependency(leaf: leaf)).dependency.leaf === leaf)
  }
}
