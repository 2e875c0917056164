// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// The ConfigDI code of the guide for users of Swinject's delayed injection.
@Suite struct SwinjectGuide {
  /// A type with an injected number.
  private struct DirectCounter {
    /// The number.
    let integer: Int
  }

  /// A type with a number that is resolved at the first use.
  private struct LazyCounter {
    /// The lazy number.
    let integer: Lazy<Int>
  }

  /// A type with a number that is resolved at each use.
  private struct ProviderCounter {
    /// The provider of numbers.
    let integer: Provider<Int>
  }

  /// An abstraction of a store.
  private protocol Reader: Sendable {}

  /// A service that is looked up by two types.
  private struct FileStore: Reader {}

  /// One of two objects that refer to each other.
  private final class Parent: Sendable {
    /// The other object, which is built first.
    let child: Child

    init(child: Child) { self.child = child }
  }

  /// The other object.
  private final class Child: Sendable {
    /// The object that is looked up when it is used.
    let parent: Provider<Parent>

    init(parent: Provider<Parent>) { self.parent = parent }
  }

  /// Registers the services of a part of an application.
  private func assemble(_ services: some Registering) { services.register { FileStore() } }

  @Test func `three kinds of injection`() throws {
    let container = Container()
    let value = AtomicCounter()
    container.register(Int.self, scope: .transient) { value.next() }
    container.register { DirectCounter(integer: try $0.resolve()) }
    container.register { LazyCounter(integer: try $0.resolve()) }
    container.register { ProviderCounter(integer: try $0.resolve()) }

    #expect(try container.resolve(DirectCounter.self).integer == 1)
    let lazy = try container.resolve(LazyCounter.self)
    #expect(value.count == 1)
    #expect(try lazy.integer.get() == 2)
    #expect(lazy.integer.value == 2)
    let provider = try container.resolve(ProviderCounter.self)
    #expect(try provider.integer.get() == 3)
    #expect(provider.integer.value == 4)
  }

  @Test func `names, arguments and missing services`() throws {
    let container = Container()
    container.register(named: "answer") { 42 }
    container.register(scope: .transient) { (_, text: String) in text.utf8.count }
    #expect(try container.resolve(Lazy<Int>.self, named: "answer").get() == 42)
    #expect(try container.resolve(Lazy<Int>.self, arguments: "abc").get() == 3)
    #expect(try container.resolveOptional(Lazy<Double>.self) == nil)
  }

  @Test func `arguments at each use`() throws {
    let container = Container()
    container.register(scope: .transient) { (_, text: String) in text.utf8.count }
    #expect(try container.resolve(Provider<Int>.self).get(arguments: "abcd") == 4)
  }

  @Test func `several types, parents and parts of an application`() throws {
    let container = Container()
    assemble(container)
    container.register(FileStore.self, as: [.itself, .type((any Reader).self) { $0 }]) { FileStore() }
    let child = Container(parent: container)
    #expect(try child.resolve((any Reader).self) is FileStore)
    _ = try child.resolve(FileStore.self)
  }

  @Test func `two objects that refer to each other`() throws {
    let container = Container()
    container.register { Child(parent: try $0.resolve(Provider<Parent>.self)) }
    container.register { Parent(child: try $0.resolve()) }
    let parent = try container.resolve(Parent.self)
    #expect(try parent.child.parent.get() === parent)
  }

  @Test func `lifetimes`() throws {
    let container = Container(scopes: ["session"])
    container.register(named: "container") { 1 }
    container.register(named: "transient", scope: .transient) { 2 }
    container.register(named: "graph", scope: .graph) { 3 }
    container.register(named: "custom", scope: .scope("session")) { 4 }
    #expect(try container.resolve(Int.self, named: "graph") == 3)
    #expect(try container.scope("session") { try $0.resolve(Int.self, named: "custom") } == 4)
  }
}
