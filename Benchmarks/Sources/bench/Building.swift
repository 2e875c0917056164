// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation

extension Benchmark {
  /// Look-ups that build.
  static let building = [
    Benchmark("baseline.init") {
      let make = opaque { Ticket() }
      return { count in
        for _ in 0..<count { use(make()) }
      }
    },
    Benchmark("baseline.graph6") {
      let make = opaque { Root(MiddleA(LeafA(), LeafB()), MiddleB(LeafC())) }
      return { count in
        for _ in 0..<count { use(make()) }
      }
    },
    Benchmark("resolve.transient", atMost: 2, of: "baseline.init") {
      let container = opaque(try LookUps.container())
      return { count in
        for _ in 0..<count { use(try container.resolve(Ticket.self)) }
      }
    },
    Benchmark("resolve.graph6", atMost: 2, of: "baseline.graph6") {
      let container = opaque(try LookUps.container())
      return { count in
        for _ in 0..<count { use(try container.resolve(Root.self)) }
      }
    },
    Benchmark("scope.request", atMost: 10, of: "baseline.graph6") {
      let container = opaque(try LookUps.container(graphScope: "request"))
      return { count in
        for _ in 0..<count { try container.scope("request") { try useSix(of: $0) } }
      }
    },
    Benchmark("scope.root", atMost: 1.2, of: "scope.request") {
      let container = opaque(try LookUps.container(graphScope: "request"))
      return { count in
        for _ in 0..<count { try container.scope("request") { use(try $0.resolve(Root.self)) } }
      }
    },
    // What another thread builds throughout the look-ups must not concern them.
    Benchmark("transient.beside.idle") {
      let beside = try BesideBuilding()
      return { count in try beside.lookUp(count) }
    },
    Benchmark("transient.beside.building", atMost: 1.2, of: "transient.beside.idle") {
      let beside = try BesideBuilding()
      return { count in try beside.whileBuilding { try beside.lookUp(count) } }
    },
  ]

  /// Looks the six services of the graph up, what others need first.
  static func useSix(of scope: Scope) throws {
    use(try scope.resolve(LeafA.self))
    use(try scope.resolve(LeafB.self))
    use(try scope.resolve(LeafC.self))
    use(try scope.resolve(MiddleA.self))
    use(try scope.resolve(MiddleB.self))
    use(try scope.resolve(Root.self))
  }
}

/// Look-ups of a transient service, beside a thread that is held inside the builder of another service.
private final class BesideBuilding: Sendable {
  /// What the held builder would make.
  private final class Held: Sendable {}

  /// The held builder's end, by which nothing is built that the next look-up would find.
  private struct Released: Error {}

  /// The container.
  private let container: Container
  /// Signalled when the builder was entered.
  private let entered = DispatchSemaphore(value: 0)
  /// Signalled when the builder shall end.
  private let released = DispatchSemaphore(value: 0)
  /// Signalled when the look-up of the held service has ended.
  private let ended = DispatchSemaphore(value: 0)

  /// A container, and nothing being built.
  init() throws {
    container = opaque(try LookUps.container())
    container.register(Held.self) { [entered, released] in
      entered.signal()
      released.wait()
      throw Released()
    }
  }

  /// Looks a transient service up.
  func lookUp(_ count: Int) throws {
    for _ in 0..<count { use(try container.resolve(Ticket.self)) }
  }

  /// Runs a body while another thread is inside the builder.
  func whileBuilding(_ body: () throws -> Void) rethrows {
    let thread = Thread { [self] in
      use(try? container.resolve(Held.self))
      ended.signal()
    }
    thread.start()
    entered.wait()
    defer {
      released.signal()
      ended.wait()
    }
    try body()
  }
}
