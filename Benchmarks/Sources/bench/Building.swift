// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation

extension Benchmark {
  /// Look-ups that build instances.
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
    Benchmark("scope.shared", atMost: 2, of: "resolve.shared.protocol") {
      let container = try LookUps.container(graphScope: "request")
      let scope = opaque(try container.openScope("request"))
      return { count in
        for _ in 0..<count { use(try scope.resolve((any Logger).self)) }
      }
    },
    Benchmark("scope.root", atMost: 1.2, of: "scope.request") {
      let container = opaque(try LookUps.container(graphScope: "request"))
      return { count in
        for _ in 0..<count { try container.scope("request") { use(try $0.resolve(Root.self)) } }
      }
    },
    // A build in progress on another thread must not slow down these look-ups.
    Benchmark("transient.beside.idle") {
      let beside = try BesideBuilding()
      return { count in try beside.lookUp(count) }
    },
    Benchmark("transient.beside.building", atMost: 1.2, of: "transient.beside.idle") {
      let beside = try BesideBuilding()
      return { count in try beside.whileBuilding { try beside.lookUp(count) } }
    },
  ]

  /// Looks up the six services of the graph, dependencies first.
  static func useSix(of scope: Scope) throws {
    use(try scope.resolve(LeafA.self))
    use(try scope.resolve(LeafB.self))
    use(try scope.resolve(LeafC.self))
    use(try scope.resolve(MiddleA.self))
    use(try scope.resolve(MiddleB.self))
    use(try scope.resolve(Root.self))
  }
}

/// Look-ups of a transient service, while another thread is blocked inside the builder of another service.
private final class BesideBuilding: Sendable {
  /// The service whose builder blocks.
  private final class Held: Sendable {}

  /// The error that ends the blocked builder, so that no instance is kept and the next look-up builds again.
  private struct Released: Error {}

  /// The container.
  private let container: Container
  /// Signalled when the builder is entered.
  private let entered = DispatchSemaphore(value: 0)
  /// Signalled to end the builder.
  private let released = DispatchSemaphore(value: 0)
  /// Signalled when the look-up of the blocked service has ended.
  private let ended = DispatchSemaphore(value: 0)

  /// Creates the container. No build is in progress.
  init() throws {
    container = opaque(try LookUps.container())
    container.register(Held.self) { [entered, released] in
      entered.signal()
      released.wait()
      throw Released()
    }
  }

  /// Looks up a transient service `count` times.
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
