// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ConfigDI

@Suite struct ContainerDepthTests {
  /// The length of a chain, which needs no recursion to hold or to release.
  struct Length: Sendable {
    /// How many services there are, this one included.
    let count: Int
  }

  /// Where a look-up runs.
  enum Place: CaseIterable {
    /// On the thread of the test.
    case testThread
    /// On the main thread.
    case mainThread
    /// On a thread with a stack of 512 kB, as those have that Darwin gives.
    case smallThread
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

  /// Runs a body at a place.
  private func run<Result: Sendable>(at place: Place, _ body: @escaping @Sendable () throws -> Result) async throws
    -> Result
  {
    switch place {
    case .testThread: return try body()
    case .mainThread: return try await MainActor.run(body: body)
    case .smallThread:
      return try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
        thread.stackSize = 512 << 10
        thread.start()
      }
    }
  }

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

  @Test(arguments: Place.allCases, Manner.allCases)
  func `a long chain of services resolves`(place: Place, manner: Manner) async throws {
    for lifetime in [ServiceLifetime.shared, .transient] {
      let length = ContainerDepthTests.length
      let container = chain(length, lifetime, manner) { _ in Length(count: 1) }
      #expect(
        try await run(at: place) { try container.resolve(Length.self, named: "\(length - 1)").count } == length)
    }
  }

  @Test(arguments: [ServiceLifetime.shared, .transient, .graph], Manner.allCases)
  func `a cycle of many services is thrown with its path`(lifetime: ServiceLifetime, manner: Manner)
    async throws
  {
    for place in Place.allCases {
      let container = chain(200, lifetime, manner) { try $0.resolve(Length.self, named: "199") }
      let error = try await #require(throws: ResolutionError.self) {
        try await run(at: place) { try container.resolve(Length.self, named: "100") }
      }
      #expect(error.code == .cycle)
      #expect(error.path.count == 201)
      #expect(error.path.first == error.path.last)
      #expect(Set(error.path).count == 200)
      // The container is none the worse for it.
      container.register(named: "0", lifetime: lifetime) { Length(count: 1) }
      let length = try await run(at: .testThread) { try container.resolve(Length.self, named: "199").count }
      #expect(length == 200)
    }
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

  @Test(arguments: [ServiceLifetime.shared, .transient])
  func `a service that looks itself up with other arguments is no cycle while it ends`(lifetime: ServiceLifetime)
    async throws
  {
    let container = Container()
    container.register(lifetime: lifetime) { (resolver: Resolver, number: Int) in
      Length(count: number == 0 ? 0 : try resolver.resolve(Length.self, arguments: number - 1).count + 1)
    }
    for place in Place.allCases {
      #expect(
        try await run(at: place) { try container.resolve(Length.self, arguments: 1_000).count } == 1_000, "\(place)")
    }
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
