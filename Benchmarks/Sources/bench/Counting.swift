// SPDX-License-Identifier: Apache-2.0

import ConfigDI

extension Benchmark {
  /// Look-ups for which instructions are counted instead of time.
  ///
  /// Each looks up several types, because the position of one type in a hash table depends on the address that the
  /// linker and the system gave to it, and so does the number of steps to find it.
  static let counting = [
    Benchmark("count.shared16") {
      let container = opaque(try LookUps.container())
      return { count in
        for _ in 0..<count {
          use(try container.resolve((any Logger).self))
          use(try container.resolve(Clock.self))
          try useFourteen(of: container)
        }
      }
    },
    Benchmark("count.transient4") {
      let container = opaque(try LookUps.container())
      return { count in
        for _ in 0..<count {
          use(try container.resolve(Ticket.self))
          use(try container.resolve(LeafA.self))
          use(try container.resolve(LeafB.self))
          use(try container.resolve(LeafC.self))
        }
      }
    },
  ]

  /// Looks up fourteen services.
  private static func useFourteen(of container: Container) throws {
    typealias D = Digits
    use(try container.resolve(Other<D.D0, D.D0, D.D0>.self))
    use(try container.resolve(Other<D.D0, D.D1, D.D1>.self))
    use(try container.resolve(Other<D.D0, D.D2, D.D2>.self))
    use(try container.resolve(Other<D.D0, D.D3, D.D3>.self))
    use(try container.resolve(Other<D.D0, D.D4, D.D4>.self))
    use(try container.resolve(Other<D.D0, D.D5, D.D5>.self))
    use(try container.resolve(Other<D.D0, D.D6, D.D6>.self))
    use(try container.resolve(Other<D.D0, D.D7, D.D7>.self))
    use(try container.resolve(Other<D.D0, D.D8, D.D8>.self))
    use(try container.resolve(Other<D.D0, D.D9, D.D9>.self))
    use(try container.resolve(Other<D.D9, D.D1, D.D4>.self))
    use(try container.resolve(Other<D.D8, D.D3, D.D1>.self))
    use(try container.resolve(Other<D.D7, D.D5, D.D2>.self))
    use(try container.resolve(Other<D.D6, D.D7, D.D5>.self))
  }
}
