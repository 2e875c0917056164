// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ContainerStressTests {
  /// Counters for built, disposed and live instances.
  final class Tally: Sendable {
    /// The number of builds by service name.
    let built = Guarded<[String: Int]>([:])
    /// The number of disposals by service name.
    let givenBack = Guarded<[String: Int]>([:])
    /// The number of live instances.
    let alive = Atomic(0)
    /// The number of look-ups that returned an instance.
    let answered = Atomic(0)
    /// The unexpected results.
    let failures = Guarded<[String]>([])

    /// Creates an instance and counts its build.
    func make(_ name: String, _ needs: [Thing] = []) -> Thing {
      built.withLock { $0[name, default: 0] += 1 }
      return Thing(name, needs, self)
    }

    /// Counts the disposal of an instance.
    func giveBack(_ thing: Thing) { givenBack.withLock { $0[thing.name, default: 0] += 1 } }

    /// Runs a look-up, and records a result that is not expected.
    func expect(_ name: String, _ look: () throws -> Thing) {
      do {
        let found = try look()
        if found.name != name { failures.withLock { $0.append("\(found.name) for \(name)") } }
        answered.add(1, ordering: .relaxed)
      } catch {
        failures.withLock { $0.append("\(name): \(error)") }
      }
    }
  }

  /// A service that counts its live instances.
  final class Thing: Sendable {
    /// The name of the service.
    let name: String
    /// The dependencies.
    let needs: [Thing]
    /// The counters.
    let tally: Tally

    /// Creates an instance and counts it.
    init(_ name: String, _ needs: [Thing], _ tally: Tally) {
      (self.name, self.needs, self.tally) = (name, needs, tally)
      tally.alive.add(1, ordering: .relaxed)
    }

    deinit { tally.alive.subtract(1, ordering: .relaxed) }
  }

  /// A wrapper of a thing, whose service is registered again and again during the test.
  struct Answer: Sendable {
    /// The wrapped thing.
    let thing: Thing
  }

  /// The number of services in each half.
  private static let half = LongTests.size(1_000, full: 5_000)
  /// The number of operations of each thread.
  private static let steps = sanitizerIsOn ? 200 : LongTests.size(400, full: 1_000)

  /// Creates a container with one half of the services, from a plan. Each depends on two earlier ones, except the first
  /// four.
  private func fileHalf(_ tally: Tally) throws -> Container {
    var registry = Registry()
    registry.add(
      "Thing", as: Thing.self, .value("name", String.self), .service("needs", [Thing].self),
      onDispose: { tally.giveBack($0) }
    ) { (name: String, needs: [Thing]) in tally.make(name, needs) }
    var plan = PlanFixture(scopes: "request")
    for number in 0..<ContainerStressTests.half {
      let needs = number < 4 ? [] : [number / 2, number / 3]
      plan.add(
        "file\(number)", "Thing", .value(.string("file\(number)")), .services(needs),
        lifetime: number % 5 == 4 ? .transient : .shared)
    }
    return try plan.container(registry)
  }

  /// Registers a service of the other half, which depends on one service of each half.
  private func register(_ number: Int, _ container: Container, _ tally: Tally) {
    let name = "code\(number)"
    container.register(named: name, onDispose: { tally.giveBack($0) }) { resolver in
      let needs = number < 4 ? [] : ["code\(number / 2)", "file\(number)"]
      return tally.make(name, try needs.map { try resolver.resolve(Thing.self, named: $0) })
    }
  }

  /// Runs a random operation.
  private func act(_ container: Container, _ tally: Tally, resets: Bool, _ random: inout SeededRandom) throws {
    let number = Int.random(in: 0..<ContainerStressTests.half, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      try container.scope("request") { scope in
        tally.expect("scoped") { try scope.resolve(Thing.self, named: "scoped") }
        tally.expect("file\(number)") { try scope.resolve(Thing.self, named: "file\(number)") }
      }
    case 1:
      let child = Container(parent: container)
      child.register(named: "file\(number)", onDispose: { tally.giveBack($0) }) { tally.make("child") }
      tally.expect("child") { try child.resolve(Thing.self, named: "file\(number)") }
      tally.expect("code\(number)") { try child.resolve(Thing.self, named: "code\(number)") }
    case 2:
      container.register(onDispose: { tally.giveBack($0.thing) }) { Answer(thing: tally.make("answer")) }
      tally.expect("answer") { try container.resolve(Answer.self).thing }
    case 3:
      if resets { container.reset() }
    case 4:
      tally.expect("code\(number)") { try container.resolve(Lazy<Thing>.self, named: "code\(number)").get() }
    case 5:
      tally.expect("weak") { try container.resolve(Thing.self, named: "weak") }
    case let choice:
      let name = choice.isMultiple(of: 2) ? "file\(number)" : "code\(number)"
      tally.expect(name) { try container.resolve(Thing.self, named: name) }
    }
  }

  @Test(.ends, arguments: [false, true])
  func `eight threads with mixed operations lose and leak no instance`(resets: Bool) throws {
    let tally = Tally()
    let container = try fileHalf(tally)
    container.register(named: "scoped", scope: .scope("request"), onDispose: { tally.giveBack($0) }) { resolver in
      tally.make("scoped", [try resolver.resolve(Thing.self, named: "code7")])
    }
    container.register(named: "weak", scope: .weak) { tally.make("weak") }
    container.register(onDispose: { tally.giveBack($0.thing) }) { Answer(thing: tally.make("answer")) }
    let half = ContainerStressTests.half
    let registered = Atomic(0)
    onThreads(8) { thread in
      var random = SeededRandom(seed: UInt64(thread))
      for number in stride(from: thread, to: half, by: 8) { register(number, container, tally) }
      registered.add(1, ordering: .releasing)
      // Look-ups of the first half start while other threads still register the second. Look-ups of the second half by
      // name start when all are registered.
      while registered.load(ordering: .acquiring) < 8 {
        let number = Int.random(in: 0..<half, using: &random)
        tally.expect("file\(number)") { try container.resolve(Thing.self, named: "file\(number)") }
      }
      for _ in 0..<ContainerStressTests.steps {
        do { try act(container, tally, resets: resets, &random) } catch {
          tally.failures.withLock { $0.append("\(error)") }
        }
      }
    }
    container.dispose()
    #expect(tally.failures.withLock { Array($0.prefix(3)) } == [])
    #expect(tally.answered.load(ordering: .relaxed) > 8 * ContainerStressTests.steps / 2)
    #expect(tally.alive.load(ordering: .relaxed) == 0)
    let built = tally.built.withLock { $0 }
    let givenBack = tally.givenBack.withLock { $0 }
    let unkept = Set((0..<half).filter { $0 % 5 == 4 }.map { "file\($0)" } + ["weak"])
    #expect(built.filter { !unkept.contains($0.key) } == givenBack)
    if !resets {
      #expect(
        built.allSatisfy { name, count in
          count == 1 || !(name.hasPrefix("file") || name.hasPrefix("code"))
            || unkept.contains(name)
        })
    }
  }

  @Test(.ends)
  func `concurrent look-ups and disposal give an instance or an error`() throws {
    for round in 0..<(sanitizerIsOn ? 3 : 5) {
      let tally = Tally()
      let container = try fileHalf(tally)
      for number in 0..<ContainerStressTests.half { register(number, container, tally) }
      let codes = Guarded<Set<ResolutionError.Code>>([])
      onThreads(8) { thread in
        var random = SeededRandom(seed: UInt64(round * 8 + thread))
        for step in 0..<500 {
          if thread == 0, step == 50 * (round % 10) { container.dispose() }
          let name = "\(Bool.random(using: &random) ? "file" : "code")\(Int.random(in: 0..<400, using: &random))"
          do throws(ResolutionError) {
            let thing = try container.resolve(Thing.self, named: name)
            if thing.name != name { tally.failures.withLock { $0.append(thing.name) } }
          } catch {
            codes.withLock { _ = $0.insert(error.code) }
          }
        }
      }
      #expect(tally.failures.withLock { $0 } == [])
      #expect(codes.withLock { $0 } == [.closed])
      #expect(tally.alive.load(ordering: .relaxed) == 0)
      let built = tally.built.withLock { $0 }.filter {
        !$0.key.hasPrefix("file") || (Int($0.key.dropFirst(4)) ?? 0) % 5 != 4
      }
      #expect(built == tally.givenBack.withLock { $0 })
    }
  }

  @Test(.ends)
  func `two threads that build deferred dependencies of each other both finish`() throws {
    for _ in 0..<200 {
      let container = Container()
      for (name, other) in [("a", "b"), ("b", "a")] {
        container.register(named: name) { Node(name, needs: [try $0.resolve(Lazy<Node>.self, named: other)]) }
      }
      let met = Atomic(0)
      onThreads(2) { thread in
        let (name, other) = thread == 0 ? ("a", "b") : ("b", "a")
        let node = try? container.resolve(Node.self, named: name)
        if (try? node?.lazyNeed?.get())?.name == other { met.add(1, ordering: .relaxed) }
      }
      #expect(met.load(ordering: .relaxed) == 2)
    }
  }
}
