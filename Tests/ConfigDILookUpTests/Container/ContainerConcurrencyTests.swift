// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ContainerConcurrencyTests {
  @Test func `eight threads build each of a thousand services once`() throws {
    let counts = Guarded<[String: Int]>([:])
    var registry = Registry()
    registry.add("End", as: Node.self, .value("name", String.self)) { name in
      counts.withLock { $0[name, default: 0] += 1 }
      return Node(name)
    }
    registry.add(
      "Inner", as: Node.self, .value("name", String.self), .service("left", Node.self), .service("right", Node.self)
    ) { (name: String, left: Node, right: Node) in
      counts.withLock { $0[name, default: 0] += 1 }
      return Node(name, dependencies: [left, right])
    }
    var plan = PlanFixture()
    var random = SystemRandomNumberGenerator()
    for number in 0..<1_000 {
      if number < 10 {
        plan.add("s\(number)", "End", .value(.string("s\(number)")))
      } else {
        let left = Int.random(in: 0..<number, using: &random)
        let right = Int.random(in: 0..<number, using: &random)
        plan.add("s\(number)", "Inner", .value(.string("s\(number)")), .service(left), .service(right))
      }
    }
    let container = try plan.container(registry)
    let seen = Guarded<[[ObjectIdentifier]]>([])
    onThreads(8) { thread in
      var instances: [ObjectIdentifier] = Array(repeating: ObjectIdentifier(Node.self), count: 1_000)
      for number in (0..<1_000).shuffled() {
        if let node = try? container.resolve(Node.self, named: "s\(number)") {
          instances[number] = ObjectIdentifier(node)
        }
      }
      seen.withLock { $0.append(instances) }
    }
    #expect(counts.withLock { $0.count } == 1_000)
    #expect(counts.withLock { $0.values.allSatisfy { $0 == 1 } })
    let all = seen.withLock { $0 }
    #expect(all.allSatisfy { $0 == all[0] })
    #expect(Set(all[0]).count == 1_000)
  }

  @Test func `a slow builder blocks neither built nor unrelated services`() throws {
    let started = Gate()
    let release = Gate()
    var registry = Registry()
    registry.add("Slow", as: (any Greeter).self) {
      started.open()
      release.wait()
      return Person(name: "slow")
    }
    registry.add("Quick", as: Node.self, .value("name", String.self)) { Node($0) }
    registry.add("Passing", as: (any Counter).self) { Node("passing") }
    var plan = PlanFixture()
    plan.add("slow", "Slow")
    plan.add("built", "Quick", .value("built"))
    plan.add("other", "Quick", .value("other"))
    plan.add("passing", "Passing", lifetime: .transient)
    let container = try plan.container(registry)
    _ = try container.resolve(Node.self, named: "built")
    let slow = Guarded<String?>(nil)
    let group = DispatchGroup()
    for _ in 0..<3 {
      group.enter()
      Thread.detachNewThread {
        let name = try? container.resolve((any Greeter).self).name
        slow.withLock { $0 = name }
        group.leave()
      }
    }
    started.wait()
    #expect(try container.resolve(Node.self, named: "built").name == "built")
    #expect(try container.resolve(Node.self, named: "other").name == "other")
    #expect(try container.resolve((any Counter).self) is Node)
    #expect(slow.withLock { $0 } == nil)
    release.open()
    group.wait()
    #expect(slow.withLock { $0 } == "slow")
  }

  @Test func `look-ups that wait for a throwing builder get its error from one attempt`() throws {
    let attempts = Atomic<Int>(0)
    let started = Gate()
    let release = Gate()
    var registry = Registry()
    registry.add("Failing", as: Node.self) {
      attempts.add(1, ordering: .relaxed)
      started.open()
      release.wait()
      throw TestError()
    }
    registry.add("User", as: (any Greeter).self, .service("node", Node.self)) { (node: Node) in node }
    var plan = PlanFixture()
    plan.add("failing", "Failing")
    plan.add("user", "User", plan.service("failing"))
    let container = try plan.container(registry)
    let chains = Guarded<[[String]]>([])
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread.detachNewThread {
        do { _ = try container.resolve((any Greeter).self) } catch {
          chains.withLock { $0.append((error as? ResolutionError)?.chain ?? []) }
        }
        group.leave()
      }
    }
    started.wait()
    while container.waiterCounts != [3] { Thread.sleep(forTimeInterval: 0.001) }
    release.open()
    group.wait()
    #expect(chains.withLock { $0 } == Array(repeating: ["user", "failing"], count: 4))
    #expect(attempts.load(ordering: .relaxed) == 1)
  }

  @Test func `threads that build dependencies of each other throw a cycle instead of deadlocking`() throws {
    for _ in 0..<50 {
      let box = ContainerBox()
      var registry = Registry()
      for (name, next) in [("a", "b"), ("b", "c"), ("c", "a")] {
        registry.add(name, as: Node.self) {
          Node(name, dependencies: [try box.container.resolve(Node.self, named: next)])
        }
      }
      var plan = PlanFixture()
      for name in ["a", "b", "c"] { plan.add(name, name) }
      box.container = try plan.container(registry)
      let errors = Guarded<[ResolutionError]>([])
      onThreads(3) { thread in
        do {
          _ = try box.container.resolve(Node.self, named: ["a", "b", "c"][thread])
        } catch {
          if let error = error as? ResolutionError { errors.withLock { $0.append(error) } }
        }
      }
      box.clear()
      let found = errors.withLock { $0 }
      #expect(found.count == 3)
      for error in found {
        #expect(error.code == .cycle)
        #expect(error.path.count == 4)
        #expect(error.path.first == error.path.last)
        #expect(Set(error.path) == ["a", "b", "c"])
      }
    }
  }

  @Test func `threads that look up the same services in opposite orders all succeed`() throws {
    let box = ContainerBox()
    var registry = Registry()
    registry.add("Leaf", as: Node.self, .value("name", String.self)) { name in
      Thread.sleep(forTimeInterval: 0.001)
      return Node(name)
    }
    for (name, order) in [("X", ["p", "q"]), ("Y", ["q", "p"])] {
      registry.add(name, as: Node.self) {
        Node(name, dependencies: try order.map { try box.container.resolve(Node.self, named: $0) })
      }
    }
    var plan = PlanFixture()
    plan.add("p", "Leaf", .value("p"))
    plan.add("q", "Leaf", .value("q"))
    plan.add("x", "X")
    plan.add("y", "Y")
    box.container = try plan.container(registry)
    defer { box.clear() }
    let built = Atomic<Int>(0)
    onThreads(8) { thread in
      if (try? box.container.resolve(Node.self, named: thread.isMultiple(of: 2) ? "x" : "y")) != nil {
        built.add(1, ordering: .relaxed)
      }
    }
    #expect(built.load(ordering: .relaxed) == 8)
  }

  @Test func `concurrent cycles of transient services are all detected`() throws {
    let box = ContainerBox()
    var registry = Registry()
    registry.add("A", as: Node.self) { Node("a", dependencies: [try box.container.resolve(Node.self)]) }
    var plan = PlanFixture()
    plan.add("a", "A", lifetime: .transient)
    box.container = try plan.container(registry)
    defer { box.clear() }
    let found = Atomic<Int>(0)
    onThreads(8) { _ in
      do { _ = try box.container.resolve(Node.self) } catch {
        if (error as? ResolutionError)?.code == .cycle { found.add(1, ordering: .relaxed) }
      }
    }
    #expect(found.load(ordering: .relaxed) == 8)
  }

  @Test func `concurrent look-ups of a transient service get separate instances`() throws {
    var registry = Registry()
    registry.add("A", as: Node.self) { Node("a") }
    var plan = PlanFixture()
    plan.add("a", "A", lifetime: .transient)
    let container = try plan.container(registry)
    let made = Guarded<[Node]>([])
    onThreads(8) { _ in
      for _ in 0..<500 {
        if let node = try? container.resolve(Node.self) { made.withLock { $0.append(node) } }
      }
    }
    #expect(Set(made.withLock { $0.map { ObjectIdentifier($0) } }).count == 4_000)
  }
}
