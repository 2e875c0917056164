// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Concurrent look-ups of weak, graph, lazy and scoped services, and of services with arguments.
@Suite struct ContainerSharingTests {
  /// A thread-safe list of the values that threads get.
  private final class ResultList<Element: Sendable>: Sendable {
    /// The elements; see `elements`.
    private let storage = Guarded<[Element]>([])

    /// The elements, in the order in which they were added.
    var elements: [Element] { storage.withLock { $0 } }

    /// Adds an element.
    func note(_ element: Element) { storage.withLock { $0.append(element) } }
  }

  @Test(arguments: [Lifetime.shared, .weak, .scope(0)])
  func `a service is built once for all threads with the same arguments`(lifetime: Lifetime) throws {
    let journal = Journal()
    var registry = Registry.nodes(journal)
    registry.add("Numbered", .runtime("number", Int.self)) { number in Node("\(number)", journal: journal) }
    var plan = PlanFixture(scopes: "request")
    plan.add("leaf", "Leaf", .value("leaf"), lifetime: lifetime)
    plan.add("user", "Link", .value("user"), plan.service("leaf"), lifetime: lifetime)
    plan.add("numbered", "Numbered", .runtime, lifetime: lifetime)
    let scope = try plan.container(registry).openScope("request")
    let seen = ResultList<Node>()
    onThreads(8) { _ in
      for number in (0..<200).shuffled() {
        if let node = try? scope.resolve(Node.self, arguments: number) { seen.note(node) }
      }
      if let node = try? scope.resolve(Node.self, named: "user") { seen.note(node) }
    }
    #expect(seen.elements.count == 8 * 201)
    #expect(Set(seen.elements.map { ObjectIdentifier($0) }).count == 201)
    #expect(journal.entries.count == 202)
  }

  @Test func `concurrent look-ups never create two live instances of a weak service`() throws {
    let alive = Atomic(0)
    final class CountedInstance: Sendable {
      let onEnd: @Sendable () -> Void
      init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    let tooMany = Atomic(0)
    var registry = Registry()
    // Instances may overlap briefly, because the weak reference becomes `nil` before `deinit` runs.
    registry.add("CountedInstance") {
      if alive.add(1, ordering: .relaxed).newValue > 9 { tooMany.add(1, ordering: .relaxed) }
      return CountedInstance { alive.subtract(1, ordering: .relaxed) }
    }
    var plan = PlanFixture()
    plan.add("counted", "CountedInstance", lifetime: .weak)
    let container = try plan.container(registry)
    let mismatches = Atomic(0)
    onThreads(8) { _ in
      for _ in 0..<500 {
        guard let first = try? container.resolve(CountedInstance.self),
          let second = try? container.resolve(CountedInstance.self)
        else {
          mismatches.add(1, ordering: .relaxed)
          continue
        }
        if first !== second { mismatches.add(1, ordering: .relaxed) }
      }
    }
    #expect(mismatches.load(ordering: .relaxed) == 0)
    #expect(tooMany.load(ordering: .relaxed) == 0)
    #expect(alive.load(ordering: .relaxed) == 0)
  }

  @Test func `the look-up of each thread has its own graph instances`() throws {
    var plan = PlanFixture()
    plan.add("graph", "Leaf", .value("G"), lifetime: .graph)
    plan.add("top", "Pair", .value("top"), plan.service("graph"), plan.service("graph"), lifetime: .transient)
    let container = try plan.container(.nodes())
    let seen = ResultList<Node>()
    onThreads(8) { _ in
      for _ in 0..<100 {
        if let top = try? container.resolve(Node.self, named: "top"), top.dependency(0) === top.dependency(1) {
          seen.note(top)
        }
      }
    }
    #expect(Set(seen.elements.compactMap { $0.dependency().map { ObjectIdentifier($0) } }).count == 800)
  }

  @Test func `concurrent uses build a lazy value once`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("leaf", "Leaf", .value("leaf"), lifetime: .transient)
    let container = try plan.container(.nodes(journal))
    for lazy in [try container.resolve(Lazy<Node>.self), Lazy { Node("alone", journal: journal) }] {
      let seen = ResultList<Node>()
      onThreads(8) { _ in
        if let node = try? lazy.get() { seen.note(node) }
      }
      #expect(seen.elements.count == 8)
      #expect(Set(seen.elements.map { ObjectIdentifier($0) }).count == 1)
    }
    #expect(journal.entries.filter { $0.hasPrefix("+") } == ["+leaf", "+alone"])
  }

  @Test(arguments: [Lifetime.shared, .transient, .weak, .graph])
  func `threads with mutual lazy dependencies end with a service or a cycle`(lifetime: Lifetime) throws {
    for _ in 0..<LongTests.size(2, full: 30) {
      var plan = PlanFixture()
      plan.add("a", "Opening", .value("a"), .service(1), lifetime: lifetime)
      plan.add("b", "Opening", .value("b"), .service(0), lifetime: lifetime)
      plan.add("c", "LazyLink", .value("c"), .service(3), lifetime: lifetime)
      plan.add("d", "LazyLink", .value("d"), .service(2), lifetime: lifetime)
      let container = try plan.container(.nodes())
      let codes = ResultList<ResolutionError.Code>()
      let found = Atomic(0)
      onThreads(4) { thread in
        do {
          let node = try container.resolve(Node.self, named: ["a", "b", "c", "d"][thread])
          if try node.lazyDependency?.get() != nil { found.add(1, ordering: .relaxed) }
        } catch {
          if let error = error as? ResolutionError { codes.note(error.code) }
        }
      }
      #expect(codes.elements == [.cycle, .cycle])
      #expect(found.load(ordering: .relaxed) == 2)
    }
  }

  @Test func `a scope may be closed during look-ups`() throws {
    let journal = Journal()
    var plan = PlanFixture(scopes: "request")
    for number in 0..<50 {
      plan.add("s\(number)", "Leaf", .value(.string("s\(number)")), lifetime: .scope(0))
    }
    plan.add("t", "Pair", .value("t"), plan.service("s0"), plan.service("s1"), lifetime: .transient)
    let container = try plan.container(.nodes(journal))
    let wrong = Atomic(0)
    for _ in 0..<20 {
      let scope = try container.openScope("request")
      onThreads(4) { thread in
        if thread == 0 { return scope.close() }
        for number in 0..<50 {
          do {
            let id = "s\(number)"
            if try scope.resolve(Node.self, named: id).name != id { wrong.add(1, ordering: .relaxed) }
            _ = try scope.resolve(Node.self, named: "t")
          } catch {
            if (error as? ResolutionError)?.code != .closed { wrong.add(1, ordering: .relaxed) }
          }
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(journal.entries.filter { $0.hasPrefix("+") }.count == journal.entries.filter { $0.hasPrefix("-") }.count)
  }
}
