// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct ContainerMemoryTests {
  /// An object that a closure captures, to observe when the closure is released.
  final class Mark: Sendable {
    /// The journal that records the deinitialization.
    let journal: Journal

    /// Creates a mark.
    init(_ journal: Journal) { self.journal = journal }

    deinit { journal.note("-mark") }
  }

  /// An object of some size.
  final class Block: Sendable {
    /// Enlarges the object.
    let filling: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
  }

  /// An object that retains the resolver of its builder, or another reference to its container.
  final class Holder: Sendable {
    /// The retained value.
    let kept: any Sendable
    /// The journal that records the deinitialization.
    let journal: Journal

    /// Creates a holder.
    init(_ kept: any Sendable, _ journal: Journal) { (self.kept, self.journal) = (kept, journal) }

    deinit { journal.note("-holder") }
  }

  @Test(arguments: [ServiceScope.shared, .weak, .transient, .graph, .scope("request")], [false, true])
  func `neither instances nor closures outlive the container`(lifetime: ServiceScope, isDisposed: Bool) throws {
    let journal = Journal()
    var container: Container? = Container(scopes: ["request"])
    // A function of its own, so that no temporary retains the container.
    func fill(_ container: Container) throws {
      for name in ["replaced", "replaced", "once"] {
        let mark = Mark(journal)
        let end = Mark(journal)
        container.register(named: name, scope: lifetime, onDispose: { _ in withExtendedLifetime(end) {} }) {
          Holder(mark, journal)
        }
        try container.scope("request") { _ = try $0.resolve(Holder.self, named: name) }
      }
    }
    try fill(#require(container))
    if isDisposed { container?.dispose() } else { container = nil }
    #expect(journal.entries.filter { $0 == "-holder" }.count == 3)
    #expect(journal.entries.filter { $0 == "-mark" }.count == 6)
    #expect((container == nil) != isDisposed)
  }

  @Test(
    arguments: [ServiceScope.shared, .weak, .transient, .graph, .scope("request")],
    ["resolver", "provider", "lazy", "used lazy"])
  func `an instance that refers back to itself is released`(lifetime: ServiceScope, kind: String) throws {
    let journal = Journal()
    var container: Container? = Container(scopes: ["request"])
    func fill(_ container: Container) throws {
      container.register(scope: .weak) { Block() }
      container.register(scope: lifetime) { (resolver: Resolver) -> Holder in
        switch kind {
        case "provider": return Holder(try resolver.resolve(Provider<Holder>.self), journal)
        case "lazy": return Holder(try resolver.resolve(Lazy<Holder>.self), journal)
        case "used lazy":
          let lazy = try resolver.resolve(Lazy<Block>.self)
          _ = try lazy.get()
          return Holder(lazy, journal)
        default: return Holder(Transferred(resolver), journal)
        }
      }
      try container.scope("request") { scope in
        let holder = try scope.resolve(Holder.self)
        // Uses the resolver after the look-up of its builder has ended.
        if let resolver = holder.kept as? Transferred<Resolver> { _ = try resolver.value.resolve(Holder.self) }
      }
    }
    try fill(#require(container))
    let made = lifetime == .transient && kind == "resolver" ? 2 : 1
    if lifetime != .shared { #expect(journal.entries.count >= made) }
    container = nil
    #expect(journal.entries.count >= made)
    #expect(container == nil)
  }

  /// A service that is not `Sendable` and retains a deferred look-up of its own type.
  final class Link {
    /// The deferred look-up.
    let next: Lazy<Link>
    /// The journal that records the deinitialization.
    let journal: Journal

    /// Creates a link.
    init(_ next: Lazy<Link>, _ journal: Journal) { (self.next, self.journal) = (next, journal) }

    deinit { journal.note("-link") }
  }

  @Test(arguments: [false, true])
  func `a graph service of another isolation domain is released after the look-up`(isOnMainActor: Bool) async throws {
    let journal = Journal()
    let container = Container()
    container.register(scope: .graph) { Link(try $0.resolve(), journal) }
    if isOnMainActor {
      container.register(on: MainActor.shared, scope: .transient) { resolver in
        _ = try resolver.resolve(Link.self)
        return Block()
      }
    } else {
      container.register(scope: .transient) { (resolver: Resolver) async throws in
        _ = try resolver.resolve(Link.self)
        return Block()
      }
    }
    _ = try await container.resolveAsync(Block.self)
    #expect(journal.entries == ["-link"])
  }

  @Test(arguments: [false, true]) func `a container keeps no memory of ended scopes and children`(isUsed: Bool)
    throws
  {
    let container = Container(scopes: ["request"])
    container.register(scope: .scope("request")) { Block() }
    for _ in 0..<100 {
      let child = Container(parent: container)
      if isUsed {
        child.register(named: "own") { Block() }
        _ = try child.resolve(Block.self, named: "own")
      }
      try container.scope("request") { if isUsed { _ = try $0.resolve(Block.self) } }
      child.dispose()
    }
    #expect(container.state.store.withInner.count == 1)
  }

  @Test func `a builder that captures its container retains it until disposal`() throws {
    let journal = Journal()
    weak var reference: Container?
    func fill() throws {
      let container = Container()
      reference = container
      container.register { Holder(container, journal) }
      _ = try container.resolve(Holder.self)
    }
    try fill()
    #expect(journal.entries == [])
    reference?.dispose()
    #expect(journal.entries == ["-holder"])
    #expect(reference == nil)
  }
}
