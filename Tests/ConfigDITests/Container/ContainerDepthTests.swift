// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct ContainerDepthTests {
  /// The length of a chain, which needs no recursion to hold or to release.
  struct Length: Sendable {
    /// How many services there are, this one included.
    let count: Int
  }

  /// How a builder looks up the next service.
  enum Manner: CaseIterable {
    /// By the resolver that it is handed.
    case resolver
    /// In the container, which it captures.
    case container
  }

  /// How long the chains are.
  private static let length = sanitizerIsOn ? 1_000 : 5_000

  /// A chain of services from the last, which is named by its number, to `0`, each looking up the one before it.
  private func chain(
    _ length: Int, _ lifetime: ServiceLifetime, _ manner: Manner, end: @escaping @Sendable (Container) throws -> Length
  ) -> Container {
    let container = Container()
    container.register(named: "0", lifetime: lifetime) { [unowned container] _ in try end(container) }
    for number in 1..<length {
      let next = "\(number - 1)"
      switch manner {
      case .resolver:
        container.register(named: "\(number)", lifetime: lifetime) {
          Length(count: try $0.resolve(Length.self, named: next).count + 1)
        }
      case .container:
        container.register(named: "\(number)", lifetime: lifetime) { [unowned container] in
          Length(count: try container.resolve(Length.self, named: next).count + 1)
        }
      }
    }
    return container
  }

  @Test(arguments: [ServiceLifetime.shared, .transient])
  func `an error from the end of a long chain names all of it`(lifetime: ServiceLifetime) throws {
    let length = ContainerDepthTests.length / 5
    let container = chain(length, lifetime, .resolver) { _ in throw Refusal() }
    let error = try #require(throws: ResolutionError.self) {
      try container.resolve(Length.self, named: "\(length - 1)")
    }
    #expect(error.underlyingError as? Refusal == Refusal())
    #expect(error.chain.count == length)
    #expect(error.chain.last == "0")
  }

  @Test func `a service that looks itself up by another form is a cycle`() throws {
    let container = Container()
    container.register(named: "lazy", lifetime: .transient) {
      try $0.resolve(Lazy<Length>.self, named: "lazy").get()
    }
    container.register(named: "provider") { try $0.resolve(Provider<Length>.self, named: "provider").get() }
    container.register(named: "optional") {
      try $0.resolveOptional(Length.self, named: "optional") ?? Length(count: 0)
    }
    container.register(named: "isolated", lifetime: .transient) {
      try $0.resolve(Isolated<Length>.self, named: "isolated").use { $0 }
    }
    for name in ["lazy", "provider", "optional", "isolated"] {
      let error = try #require(throws: ResolutionError.self) { try container.resolve(Length.self, named: name) }
      #expect(error.code == .cycle)
      #expect(error.path == [name, name])
    }
  }
}
