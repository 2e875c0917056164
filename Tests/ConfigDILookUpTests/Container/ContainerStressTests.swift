// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ContainerStressTests {
  /// Counters for built, disposed and live instances.
  final class InstanceCounts: Sendable {
    /// The number of builds by service name.
    let built = Guarded<[String: Int]>([:])
    /// The number of disposals by service name.
    let disposed = Guarded<[String: Int]>([:])
    /// The number of live instances.
    let alive = Atomic(0)
    /// The number of look-ups that returned an instance.
    let found = Atomic(0)
    /// The unexpected results.
    let failures = Guarded<[String]>([])

    /// Creates an instance and counts its build.
    func make(_ name: String, _ dependencies: [CountedNode] = []) -> CountedNode {
      built.withLock { $0[name, default: 0] += 1 }
      return CountedNode(name, dependencies, self)
    }

    /// Counts the disposal of an instance.
    func recordDisposal(_ node: CountedNode) { disposed.withLock { $0[node.name, default: 0] += 1 } }

    /// Runs a look-up, and records a result that is not expected.
    func expect(_ name: String, _ lookUp: () throws -> CountedNode) {
      do {
        let node = try lookUp()
        if node.name != name { failures.withLock { $0.append("\(node.name) for \(name)") } }
        found.add(1, ordering: .relaxed)
      } catch {
        failures.withLock { $0.append("\(name): \(error)") }
      }
    }
  }

  /// A service that counts its live instances.
  final class CountedNode: Sendable {
    /// The name of the service.
    let name: String
    /// The dependencies.
    let dependencies: [CountedNode]
    /// The counters.
    let counts: InstanceCounts

    /// Creates an instance and counts it.
    init(_ name: String, _ dependencies: [CountedNode], _ counts: InstanceCounts) {
      (self.name, self.dependencies, self.counts) = (name, dependencies, counts)
      counts.alive.add(1, ordering: .relaxed)
    }

    deinit { counts.alive.subtract(1, ordering: .relaxed) }
  }

  /// A wrapper of a node, whose service is registered again and again during the test.
  struct Wrapper: Sendable {
    /// The wrapped node.
    let node: CountedNode
  }

  /// The number of services in each half.
  private static let half = LongTests.size(500, full: 5_000)
  /// The number of operations of each thread.
  private static let steps = sanitizerIsOn ? 200 : LongTests.size(100, full: 1_000)

  /// Creates a container with one half of the services, from a plan. Each depends on two earlier ones, except the first
  /// four.
  private func moduleHalf(_ counts: InstanceCounts) throws -> Container {
    var registry = Registry()
    registry.add(
      "CountedNode", as: CountedNode.self, .value("name", String.self), .service("dependencies", [CountedNode].self),
      onDispose: { counts.recordDisposal($0) }
    ) { (name: String, dependencies: [CountedNode]) in counts.make(name, dependencies) }
    var plan = PlanFixture(scopes: "request")
    for number in 0..<ContainerStressTests.half {
      let dependencies = number < 4 ? [] : [number / 2, number / 3]
      plan.add(
        "file\(number)", "CountedNode", .value(.string("file\(number)")), .services(dependencies),
        lifetime: number % 5 == 4 ? .transient : .shared)
    }
    return try plan.container(registry)
  }

  /// Registers a service of the other half, which depends on one service of each half.
  private func register(_ number: Int, _ container: Container, _ counts: InstanceCounts) {
    let name = "code\(number)"
    container.register(named: name, onDispose: { counts.recordDisposal($0) }) { resolver in
      let dependencies = number < 4 ? [] : ["code\(number / 2)", "file\(number)"]
      return counts.make(name, try dependencies.map { try resolver.resolve(CountedNode.self, named: $0) })
    }
  }

  /// Runs a random operation.
  private func runOperation(
    _ container: Container, _ counts: InstanceCounts, resets: Bool, _ random: inout SeededRandom
  ) throws {
    let number = Int.random(in: 0..<ContainerStressTests.half, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      try container.scope("request") { scope in
        counts.expect("scoped") { try scope.resolve(CountedNode.self, named: "scoped") }
        counts.expect("file\(number)") { try scope.resolve(CountedNode.self, named: "file\(number)") }
      }
    case 1:
      let child = Container(parent: container)
      child.register(named: "file\(number)", onDispose: { counts.recordDisposal($0) }) { counts.make("child") }
      counts.expect("child") { try child.resolve(CountedNode.self, named: "file\(number)") }
      counts.expect("code\(number)") { try child.resolve(CountedNode.self, named: "code\(number)") }
    case 2:
      container.register(onDispose: { counts.recordDisposal($0.node) }) { Wrapper(node: counts.make("wrapper")) }
      counts.expect("wrapper") { try container.resolve(Wrapper.self).node }
    case 3:
      if resets { container.reset() }
    case 4:
      counts.expect("code\(number)") { try container.resolve(Lazy<CountedNode>.self, named: "code\(number)").get() }
    case 5:
      counts.expect("weak") { try container.resolve(CountedNode.self, named: "weak") }
    case let choice:
      let name = choice.isMultiple(of: 2) ? "file\(number)" : "code\(number)"
      counts.expect(name) { try container.resolve(CountedNode.self, named: name) }
    }
  }

  @Test(.hangLimit, arguments: [false, true])
  func `eight threads with mixed operations lose and leak no instance`(resets: Bool) throws {
    let counts = InstanceCounts()
    let container = try moduleHalf(counts)
    container.register(named: "scoped", scope: .scope("request"), onDispose: { counts.recordDisposal($0) }) {
      resolver in
      counts.make("scoped", [try resolver.resolve(CountedNode.self, named: "code7")])
    }
    container.register(named: "weak", scope: .weak) { counts.make("weak") }
    container.register(onDispose: { counts.recordDisposal($0.node) }) { Wrapper(node: counts.make("wrapper")) }
    let half = ContainerStressTests.half
    let registered = Atomic(0)
    onThreads(8) { thread in
      var random = SeededRandom(seed: UInt64(thread))
      for number in stride(from: thread, to: half, by: 8) { register(number, container, counts) }
      registered.add(1, ordering: .releasing)
      // Look-ups of the first half start while other threads still register the second. Look-ups of the second half by
      // name start when all are registered.
      while registered.load(ordering: .acquiring) < 8 {
        let number = Int.random(in: 0..<half, using: &random)
        counts.expect("file\(number)") { try container.resolve(CountedNode.self, named: "file\(number)") }
      }
      for _ in 0..<ContainerStressTests.steps {
        do { try runOperation(container, counts, resets: resets, &random) } catch {
          counts.failures.withLock { $0.append("\(error)") }
        }
      }
    }
    container.dispose()
    #expect(counts.failures.withLock { Array($0.prefix(3)) } == [])
    #expect(counts.found.load(ordering: .relaxed) > 8 * ContainerStressTests.steps / 2)
    #expect(counts.alive.load(ordering: .relaxed) == 0)
    let built = counts.built.withLock { $0 }
    let disposed = counts.disposed.withLock { $0 }
    let uncached = Set((0..<half).filter { $0 % 5 == 4 }.map { "file\($0)" } + ["weak"])
    #expect(built.filter { !uncached.contains($0.key) } == disposed)
    if !resets {
      #expect(
        built.allSatisfy { name, count in
          count == 1 || !(name.hasPrefix("file") || name.hasPrefix("code"))
            || uncached.contains(name)
        })
    }
  }

  @Test(.hangLimit)
  func `concurrent look-ups and disposal give an instance or an error`() throws {
    for round in 0..<(sanitizerIsOn ? 3 : 5) {
      let counts = InstanceCounts()
      let container = try moduleHalf(counts)
      for number in 0..<ContainerStressTests.half { register(number, container, counts) }
      let codes = Guarded<Set<ResolutionError.Code>>([])
      onThreads(8) { thread in
        var random = SeededRandom(seed: UInt64(round * 8 + thread))
        for step in 0..<500 {
          if thread == 0, step == 50 * (round % 10) { container.dispose() }
          let name = "\(Bool.random(using: &random) ? "file" : "code")\(Int.random(in: 0..<400, using: &random))"
          do throws(ResolutionError) {
            let node = try container.resolve(CountedNode.self, named: name)
            if node.name != name { counts.failures.withLock { $0.append(node.name) } }
          } catch {
            codes.withLock { _ = $0.insert(error.code) }
          }
        }
      }
      #expect(counts.failures.withLock { $0 } == [])
      #expect(codes.withLock { $0 } == [.closed])
      #expect(counts.alive.load(ordering: .relaxed) == 0)
      let built = counts.built.withLock { $0 }.filter {
        !$0.key.hasPrefix("file") || (Int($0.key.dropFirst(4)) ?? 0) % 5 != 4
      }
      #expect(built == counts.disposed.withLock { $0 })
    }
  }

  @Test(.hangLimit)
  func `two threads that build deferred dependencies of each other both finish`() throws {
    for _ in 0..<200 {
      let container = Container()
      for (name, other) in [("a", "b"), ("b", "a")] {
        container.register(named: name) { Node(name, dependencies: [try $0.resolve(Lazy<Node>.self, named: other)]) }
      }
      let met = Atomic(0)
      onThreads(2) { thread in
        let (name, other) = thread == 0 ? ("a", "b") : ("b", "a")
        let node = try? container.resolve(Node.self, named: name)
        if (try? node?.lazyDependency?.get())?.name == other { met.add(1, ordering: .relaxed) }
      }
      #expect(met.load(ordering: .relaxed) == 2)
    }
  }
}
