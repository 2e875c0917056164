// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

@Suite struct ContainerChainTests {
  /// A link of a chain.
  private struct Link: Sendable {
    /// How many links hang on this one.
    let length: Int
  }

  /// A container with a chain of services, each of which looks the next one up.
  private func chain(_ count: Int, _ lifetime: ServiceLifetime, closed: Bool = false) -> Container {
    let container = Container()
    for number in 0..<count {
      let next = number + 1 < count ? "\(number + 1)" : closed ? "0" : nil
      container.register(Link.self, named: "\(number)", lifetime: lifetime) { resolver in
        Link(length: try next.map { try resolver.resolve(Link.self, named: $0).length + 1 } ?? 0)
      }
    }
    return container
  }

  @Test(arguments: [ServiceLifetime.shared, .transient])
  func `a long chain of builders resolves`(lifetime: ServiceLifetime) throws {
    let length = sanitizerIsOn ? 10_000 : 100_000
    let container = chain(length, lifetime)
    #expect(try container.resolve(Link.self, named: "0").length == length - 1)
  }

  @Test(arguments: [ServiceLifetime.shared, .transient])
  func `a long cycle of builders is an error with its path`(lifetime: ServiceLifetime) throws {
    let container = chain(1_000, lifetime, closed: true)
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Link.self, named: "0") }
    #expect(error?.code == .cycle)
    #expect(error?.path.count == 1_001)
    #expect(error?.path.first == error?.path.last)
  }

  @Test func `builders of other arguments may call themselves as long as they end`() throws {
    let container = Container()
    container.register(lifetime: .transient) { (resolver, number: Int) in
      Link(length: number == 0 ? 0 : try resolver.resolve(Link.self, arguments: number - 1).length + 1)
    }
    #expect(try container.resolve(Link.self, arguments: 10_000).length == 10_000)
  }
}
