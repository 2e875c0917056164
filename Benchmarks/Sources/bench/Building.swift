// SPDX-License-Identifier: Apache-2.0

import ConfigDI

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
    Benchmark("resolve.transient", atMost: 1.6, of: "baseline.init") {
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
    Benchmark("scope.request", atMost: 6, of: "baseline.graph6") {
      let container = opaque(try LookUps.container(graphScope: "request"))
      return { count in
        for _ in 0..<count {
          try container.scope("request") { scope in
            use(try scope.resolve(LeafA.self))
            use(try scope.resolve(LeafB.self))
            use(try scope.resolve(LeafC.self))
            use(try scope.resolve(MiddleA.self))
            use(try scope.resolve(MiddleB.self))
            use(try scope.resolve(Root.self))
          }
        }
      }
    },
  ]
}
