// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ContainerDepthTests {
  /// The length of a chain. It is a value, so that a long chain is retained and released without recursion.
  struct Length: Sendable {
    /// The number of services, including this one.
    let count: Int
  }

  /// The thread on which a look-up runs.
  enum ThreadKind: CaseIterable {
    /// The thread of the test.
    case testThread
    /// The main thread.
    case mainThread
    /// A thread with a stack of 512 kB, as secondary threads have on Darwin.
    case smallThread
  }

  /// The way in which a builder resolves the next service.
  enum Access: CaseIterable {
    /// With the resolver that is passed to the builder.
    case resolver
    /// With the container that the builder captures.
    case container
  }

  /// Runs a body on a thread.
  private func run<Result: Sendable>(on thread: ThreadKind, _ body: @escaping @Sendable () throws -> Result)
    async throws
    -> Result
  {
    switch thread {
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

  /// Creates a container with services named `0` to `length - 1`, each of which resolves the one before it.
  private func chain(
    _ length: Int, _ scope: ServiceScope, _ access: Access, end: @escaping @Sendable (Container) throws -> Length
  ) -> Container {
    let container = Container()
    container.register(named: "0", scope: scope) { [unowned container] _ in try end(container) }
    for number in 1..<length {
      let next = "\(number - 1)"
      switch access {
      case .resolver:
        container.register(named: "\(number)", scope: scope) {
          Length(count: try $0.resolve(Length.self, named: next).count + 1)
        }
      case .container:
        container.register(named: "\(number)", scope: scope) { [unowned container] in
          Length(count: try container.resolve(Length.self, named: next).count + 1)
        }
      }
    }
    return container
  }

  /// Returns the number of services that may call each other on a thread, in a debug build.
  private func maximumDepth(_ thread: ThreadKind) -> Int { thread == .smallThread ? 24 : 200 }

  @Test(arguments: ThreadKind.allCases, LongTests.sample(Access.allCases, every: 2))
  func `a chain of services resolves within the stack, and throws beyond it`(thread: ThreadKind, access: Access)
    async throws
  {
    for scope in LongTests.sample([ServiceScope.shared, .transient], every: 2) {
      let length = LongTests.size(2_000, full: 20_000)
      let maximumDepth = maximumDepth(thread)
      let container = chain(length, scope, access) { _ in Length(count: 1) }
      let count = try await run(on: thread) { try container.resolve(Length.self, named: "\(maximumDepth - 1)").count }
      #expect(count == maximumDepth)
      let error = try await #require(throws: ResolutionError.self) {
        try await run(on: thread) { try container.resolve(Length.self, named: "\(length - 1)") }
      }
      #expect(error.code == .tooDeep)
      #expect(error.chain.first == "\(length - 1)")
      #expect(error.chain.count > maximumDepth)
      // The error leaves the container usable.
      let again = try await run(on: thread) { try container.resolve(Length.self, named: "\(maximumDepth)").count }
      #expect(again == maximumDepth + 1)
    }
  }

  @Test(arguments: [ServiceScope.shared, .transient, .graph], LongTests.sample(Access.allCases, every: 2))
  func `a cycle of many services is thrown with its path`(scope: ServiceScope, access: Access) async throws {
    for thread in ThreadKind.allCases {
      let length = maximumDepth(thread) / 2
      let container = chain(length, scope, access) { try $0.resolve(Length.self, named: "\(length - 1)") }
      let error = try await #require(throws: ResolutionError.self) {
        try await run(on: thread) { try container.resolve(Length.self, named: "\(length / 2)") }
      }
      #expect(error.code == .cycle)
      #expect(error.path.count == length + 1)
      #expect(error.path.first == error.path.last)
      #expect(Set(error.path).count == length)
      // The error leaves the container usable.
      container.register(named: "0", scope: scope) { Length(count: 1) }
      let count = try await run(on: .testThread) { try container.resolve(Length.self, named: "\(length - 1)").count }
      #expect(count == length)
    }
  }

  @Test(arguments: [ServiceScope.shared, .transient])
  func `an error at the end of a long chain lists the complete chain`(scope: ServiceScope) throws {
    let length = maximumDepth(.testThread)
    let container = chain(length, scope, .resolver) { _ in throw TestError() }
    let error = try #require(throws: ResolutionError.self) {
      try container.resolve(Length.self, named: "\(length - 1)")
    }
    #expect(error.underlyingError as? TestError == TestError())
    #expect(error.chain.count == length)
    #expect(error.chain.last == "0")
  }

  @Test(arguments: [ServiceScope.shared, .transient])
  func `recursion with other arguments is no cycle if it ends, and tooDeep if it does not`(
    scope: ServiceScope
  ) async throws {
    let container = Container()
    container.register(scope: scope) { (resolver: Resolver, number: Int) in
      Length(count: number == 0 ? 0 : try resolver.resolve(Length.self, arguments: number - 1).count + 1)
    }
    for thread in ThreadKind.allCases {
      let maximumDepth = maximumDepth(thread)
      let count = try await run(on: thread) { try container.resolve(Length.self, arguments: maximumDepth).count }
      #expect(count == maximumDepth, "\(thread)")
      let error = try await #require(throws: ResolutionError.self) {
        try await run(on: thread) { try container.resolve(Length.self, arguments: -1) }
      }
      #expect(error.code == .tooDeep)
    }
  }

  @Test func `a service that looks itself up by another form is a cycle`() throws {
    let container = Container()
    container.register(named: "lazy", scope: .transient) {
      try $0.resolve(Lazy<Length>.self, named: "lazy").get()
    }
    container.register(named: "provider") { try $0.resolve(Provider<Length>.self, named: "provider").get() }
    container.register(named: "optional") {
      try $0.resolveOptional(Length.self, named: "optional") ?? Length(count: 0)
    }
    container.register(named: "isolated", scope: .transient) {
      try $0.resolve(Isolated<Length>.self, named: "isolated").use { $0 }
    }
    for name in ["lazy", "provider", "optional", "isolated"] {
      let error = try #require(throws: ResolutionError.self) { try container.resolve(Length.self, named: name) }
      #expect(error.code == .cycle)
      #expect(error.path == [name, name])
    }
  }
}
