// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

private protocol Setting: Sendable { var text: String { get } }
private struct Other: Setting { let text: String }

/// Types with the same short names as those of `Right`.
private enum Left {
  struct Config: Setting { let text: String }
  struct Info: Sendable {}
}

/// Types with the same short names as those of `Left`.
private enum Right {
  struct Config: Setting { let text: String }
  struct Info: Sendable {}
}

@Suite struct ContainerChildTests {
  /// Creates a container with a shared node and a transient greeter that depends on the node.
  private func parent(_ journal: Journal = Journal()) -> Container {
    let parent = Container(scopes: ["request"])
    parent.register(named: "node") { Node("parent's", journal: journal) }
    parent.register((any Greeter).self, scope: .transient) {
      Person(name: "greeter of \(try $0.resolve(Node.self, named: "node").name)")
    }
    return parent
  }

  /// Returns the error that the body throws. Fails the test if it throws none.
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test func `a child finds the same instances as its parents`() throws {
    let parent = parent()
    let grandchild = Container(parent: Container(parent: parent))
    #expect(try grandchild.resolve(Node.self) === parent.resolve(Node.self, named: "node"))
    #expect(try grandchild.resolve(Lazy<Node>.self).get() === parent.resolve(Node.self))
    #expect(try grandchild.resolveOptional(Person.self) == nil)
    #expect(grandchild.parent?.parent === parent)
  }

  /// Creates a container of a module in which a type is bound to `b`, for which `alias` is another name.
  private func boundParent() throws -> Container {
    var plan = PlanFixture()
    plan.add("a", "Leaf", .value("a"))
    plan.add("b", "Leaf", .value("b"))
    plan.alias("alias", "b")
    plan.bind("Node", "b")
    return try plan.container(.nodes())
  }

  @Test func `a child's service replaces a parent's also where the parent's is bound or has an alias`() throws {
    let parent = try boundParent()
    let child = Container(parent: parent)
    child.register(named: "b") { Node("child's") }
    child.register(named: "b") { (_, name: String) in Node(name) }
    for container in [child, Container(parent: child)] {
      #expect(try container.resolve(Node.self).name == "child's")
      #expect(try container.resolve(Node.self, named: "alias").name == "child's")
      #expect(try container.resolve(Lazy<Node>.self).get().name == "child's")
      #expect(try container.resolve(Lazy<Node>.self, named: "alias").get().name == "child's")
      #expect(try container.registration(of: Node.self)?.isFromModule == false)
      #expect(try container.resolve(Node.self, arguments: "argument").name == "argument")
    }
    #expect(try parent.resolve(Node.self).name == "b")
    #expect(try parent.resolve(Node.self, named: "alias").name == "b")
    // A service of another type leaves the parent's its type.
    for (nearest, name) in [(parent, "b"), (child, "child's")] {
      let other = Container(parent: nearest)
      other.register(named: "b") { Other(text: "other") }
      #expect(try other.resolve(Node.self).name == name)
      #expect(try other.resolve(Node.self, named: "alias").name == name)
    }
  }

  @Test func `a service that a child registers replaces the parent's for this child only`() throws {
    let parent = parent()
    let child = Container(parent: parent)
    let sibling = Container(parent: parent)
    child.register(named: "node") { Node("child's") }
    #expect(try child.resolve(Node.self, named: "node").name == "child's")
    #expect(try child.resolve([Node].self).map(\.name) == ["child's"])
    // Services of the parent get their dependencies from the parent.
    #expect(try child.resolve((any Greeter).self).name == "greeter of parent's")
    for other in [parent, sibling] {
      #expect(try other.resolve(Node.self, named: "node").name == "parent's")
      #expect(try other.resolve(Node.self).name == "parent's")
    }
    child.register((any Greeter).self) { Person(name: try $0.resolve(Node.self, named: "node").name) }
    #expect(try child.resolve((any Greeter).self).name == "child's")
  }

  @Test func `services by type include those of the child and of its parents`() throws {
    let parent = parent()
    let child = Container(parent: parent)
    child.register(named: "a") { Node("a") }
    child.register(named: "z") { Node("z") }
    #expect(try child.resolve([Node].self).map(\.name) == ["a", "parent's", "z"])
    #expect(try parent.resolve([Node].self).map(\.name) == ["parent's"])
    #expect(try error { _ = try child.resolve(Node.self) }.candidates == ["a", "node", "z"])
  }

  @Test func `a child hides the parent's services of the same name, or without a name of the same type`() throws {
    let parent = Container(scopes: ["request"])
    parent.register(Left.Config.self, as: [.type((any Setting).self) { $0 }]) { Left.Config(text: "parent's left") }
    parent.register(Other.self, as: [.type((any Setting).self) { $0 }], named: "Config") { Other(text: "parent's") }
    parent.register(given: Left.Info.self, in: "request")
    let child = Container(parent: parent)
    child.register(Right.Config.self, as: [.type((any Setting).self) { $0 }]) { Right.Config(text: "child's right") }
    child.register(given: Right.Info.self, in: "request")
    #expect(
      try child.resolve([any Setting].self).map(\.text).sorted() == ["child's right", "parent's", "parent's left"])
    #expect(child.registrations.count { $0.id == "Config" } == 3)
    try child.scope("request", given: Left.Info(), Right.Info()) { scope in
      _ = try (scope.resolve(Left.Info.self), scope.resolve(Right.Info.self))
    }
    child.register(Left.Config.self, as: [.type((any Setting).self) { $0 }]) { Left.Config(text: "child's left") }
    child.register(Other.self, as: [.type((any Setting).self) { $0 }], named: "Config") { Other(text: "child's") }
    #expect(try child.resolve([any Setting].self).map(\.text).sorted() == ["child's", "child's left"])
    #expect(child.registrations.filter { $0.id == "Config" }.map(\.typeNames) == [["Setting"], ["Setting"]])
    #expect(try parent.resolve([any Setting].self).map(\.text).sorted() == ["parent's", "parent's left"])
  }

  /// The scope of another container would keep the instance beyond the end of the child, and dispose of it after the
  /// instances that it needs.
  @Test func `a provider in a child looks up only in scopes of the child`() throws {
    let parent = Container(scopes: ["request"])
    parent.register(named: "parent's", scope: .scope("request")) { Node("parent's") }
    let child = Container(parent: parent)
    child.register(named: "child's", scope: .scope("request")) { Node("child's") }
    let own = try child.openScope("request")
    let others = [try parent.openScope("request"), try Container(parent: parent).openScope("request")]
    let provider = try child.resolve(Provider<Node>.self, named: "child's")
    let list = try child.resolve(Provider<[Node]>.self)
    #expect(try provider.get(in: own) === own.resolve(Node.self, named: "child's"))
    #expect(try list.get(in: own).map(\.name) == ["child's", "parent's"])
    let inherited = try parent.resolve(Provider<Node>.self, named: "parent's")
    #expect(try inherited.get(in: own) === own.resolve(Node.self, named: "parent's"))
    for other in others {
      #expect(try inherited.get(in: other) === other.resolve(Node.self, named: "parent's"))
      #expect(try error { _ = try provider.get(in: other) }.code == .noScope)
      #expect(try error { _ = try list.get(in: other) }.code == .noScope)
    }
  }

  @Test func `a service with run-time arguments does not hide one without`() throws {
    let parent = Container()
    parent.register { Node("parent's") }
    let child = Container(parent: parent)
    child.register { (_, name: String) in Node(name) }
    #expect(try child.resolve(Node.self).name == "parent's")
    #expect(try child.resolve([Node].self).map(\.name) == ["parent's"])
    #expect(try child.resolve(Node.self, arguments: "child's").name == "child's")
    #expect(child.registrations.count == 2)
  }

  @Test func `a child sees what its parent registers later`() throws {
    let parent = parent()
    let child = Container(parent: parent)
    #expect(try child.resolve(Node.self).name == "parent's")
    parent.register(named: "node") { Node("later") }
    #expect(try child.resolve(Node.self).name == "later")
    parent.register(named: "more") { Node("more") }
    #expect(try child.resolve(Node.self, named: "more").name == "more")
    #expect(try error { _ = try child.resolve(Node.self) }.code == .ambiguous)
  }

  @Test func `errors of a child suggest names of its parents`() throws {
    let child = Container(parent: parent())
    #expect(try error { _ = try child.resolve(Node.self, named: "nodee") }.candidates == ["node"])
  }

  @Test func `a scope of a child keeps instances of the parent's services`() throws {
    let journal = Journal()
    let parent = Container(scopes: ["request"])
    parent.register(scope: .scope("request"), onDispose: { journal.note($0.name) }) { Node("parent's") }
    let child = Container(parent: parent)
    child.register(named: "own", scope: .scope("request"), onDispose: { journal.note($0.name) }) {
      Node("child's", dependencies: [try $0.resolve(Node.self)])
    }
    try child.scope("request") { scope in
      let own = try scope.resolve(Node.self, named: "own")
      #expect(try own.dependency()?.name == scope.resolve([Node].self)[0].name)
    }
    #expect(journal.entries == ["child's", "parent's"])
  }

  @Test func `disposing of a child does not affect its parent`() throws {
    let journal = Journal()
    let parent = parent(journal)
    let child = Container(parent: parent)
    child.register(named: "own") {
      Node("own", dependencies: [try $0.resolve(Node.self, named: "node")], journal: journal)
    }
    _ = try child.resolve(Node.self, named: "own")
    child.dispose()
    #expect(journal.entries == ["+parent's", "+own", "-own"])
    #expect(try parent.resolve(Node.self).name == "parent's")
    #expect(try error { _ = try child.resolve(Node.self, named: "node") }.code == .closed)
  }

  @Test func `disposing of a parent ends the look-ups of its children`() throws {
    let parent = parent()
    let child = Container(parent: parent)
    let lazy = try child.resolve(Lazy<Node>.self)
    let provider = try child.resolve(Provider<Node>.self)
    _ = try child.resolve(Node.self)
    parent.dispose()
    #expect(try error { _ = try child.resolve(Node.self) }.code == .closed)
    #expect(try error { _ = try child.resolve(Node.self, named: "node") }.code == .closed)
    #expect(try error { _ = try child.resolveOptional((any Greeter).self) }.code == .closed)
    #expect(try error { _ = try child.resolve([Node].self) }.code == .closed)
    #expect(try error { _ = try lazy.get() }.code == .closed)
    #expect(try error { _ = try provider.get() }.code == .closed)
  }

  #if DEBUG
    @Test func `a look-up in a child whose parent is being closed throws`() throws {
      let parent = Container()
      parent.register { Node("parent's") }
      let child = Container(parent: parent)
      child.register(named: "own") { Node("child's") }
      let codes = Locked<[ResolutionError.Code?]>([])
      @Sendable func look<Service>(_ type: Service.Type) {
        do throws(ResolutionError) {
          _ = try child.resolve(type)
          codes.withLock { $0.append(nil) }
        } catch { codes.withLock { $0.append(error.code) } }
      }
      PausePoint.$hook.withValue({ point in
        // The parent was emptied, and not yet the child.
        guard point == .taken, codes.withLock({ $0.isEmpty }) else { return }
        look(Node.self)
        look(Node?.self)
        look(Lazy<Node>.self)
        look([Node].self)
        look([String: Node].self)
      }) { parent.dispose() }
      #expect(codes.withLock { $0 } == Array(repeating: .closed, count: 5))
    }
  #endif

  @Test func `what a child hands out to look up later ends with the child, also for services of its parent`() throws {
    let parent = parent()
    let services = Container(parent: Container(parent: parent))
    let lazy = try services.resolve(Lazy<Node>.self)
    let provider = try services.resolve(Provider<Node>.self)
    let isolated = try services.resolve(Isolated<any Greeter>.self)
    let element = try #require(services.resolve([Provider<Node>].self).first)
    let list = try services.resolve(Lazy<[Node]>.self)
    let used = try services.resolve(Lazy<Node>.self)
    _ = try (used.get(), provider.get(), element.get(), isolated.use { _ in })
    services.dispose()
    #expect(try error { _ = try lazy.get() }.code == .closed)
    #expect(try error { _ = try provider.get() }.code == .closed)
    #expect(try error { _ = try element.get() }.code == .closed)
    #expect(try error { _ = try list.get() }.code == .closed)
    #expect(throws: ResolutionError.self) { try isolated.use { _ in } }
    #expect(try used.get() === parent.resolve(Node.self))
  }

  @Test func `a registration in a child that was closed with its parent has no effect`() throws {
    let parent = parent()
    let before = Container(parent: parent)
    parent.dispose()
    for child in [before, Container(parent: parent)] {
      child.register { Node("late") }
      #expect(try error { _ = try child.resolve(Node.self) }.code == .closed)
      #expect(child.registrations.isEmpty)
    }
  }

  @Test func `a child keeps its parent alive, and is released without it`() throws {
    let journal = Journal()
    var parent: Container? = parent(journal)
    var child: Container? = try Container(parent: #require(parent))
    child?.register(named: "own") { Node("own", journal: journal) }
    _ = try child?.resolve(Node.self, named: "own")
    _ = try child?.resolve(Node.self, named: "node")
    parent = nil
    #expect(journal.entries == ["+own", "+parent's"])
    #expect(try child?.resolve(Node.self, named: "node").name == "parent's")
    child = nil
    #expect(journal.entries == ["+own", "+parent's", "-own", "-parent's"])
    #expect(parent == nil)
  }
}
