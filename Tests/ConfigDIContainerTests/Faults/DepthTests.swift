// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing

/// Long chains of services, and recursion without end.
@Suite struct DepthTests {
  /// The number of services in a chain below one, which needs no recursion to hold or to release.
  struct Length: Sendable {
    /// How many services there are, this one included.
    let count: Int
  }

  /// How a chain ends.
  struct Broken: Error {}

  /// The sizes of stacks of threads, in bytes: those of Darwin's further threads, and those of Linux and of main threads.
  static let stackSizes = [512 << 10, 8 << 20]

  /// Whether an error tells that a chain is too deep for the stack, with the chain.
  static func isTooDeep(_ error: ResolutionError?) -> Bool {
    guard let error = error?.innermost else { return false }
    // What recurs without run-time arguments is told as the cycle that it is.
    return !error.chain.isEmpty && (error.code == .tooDeep || (error.code == .cycle && error.path.count > 1))
  }

  /// A chain of services in code, each of which looks the next one up; the last is named "0".
  static func chain(_ length: Int, _ scope: ServiceScope) -> Container {
    let container = Container()
    container.register(Length.self, named: "0", scope: scope) { Length(count: 1) }
    for number in 1..<length {
      let next = "\(number - 1)"
      container.register(Length.self, named: "\(number)", scope: scope) { resolver in
        Length(count: try resolver.resolve(Length.self, named: next).count + 1)
      }
    }
    return container
  }

  /// How many builders in code are too many for a small stack: with optimization each takes less of it.
  #if DEBUG
    static let codeLength = 1_000
  #else
    static let codeLength = 4_000
  #endif

  // MARK: - Too deep

  /// A chain of builders in code that is too deep for the stack throws an error with the chain, and the thread and the
  /// container go on; a chain that fits into it resolves.
  @Test(arguments: [ServiceScope.transient, .shared])
  func aChainThatIsTooDeepForTheStackThrowsTheChain(scope: ServiceScope) async {
    await #expect(processExitsWith: .success) { [isTransient = (scope == .transient) as Bool] in
      await inOwnProcess(megabytes: 500) {
        let length = DepthTests.codeLength
        let container = DepthTests.chain(length, isTransient ? .transient : .shared)
        let outcome = try await withWatchdog(stackSize: 512 << 10) {
          let error = try failure { try container.resolve(Length.self, named: "\(length - 1)") }
          // Neither what was tried is left behind, nor the thread at its end.
          return (error, try container.resolve(Length.self, named: "15").count)
        }
        #expect(outcome?.1 == 16)
        let error = try #require(outcome?.0, "no error")
        #expect(DepthTests.isTooDeep(error), "\(error)")
        // In debug builds, too, there is room for some.
        #expect(error.chain.count > 20, "\(error)")
        #expect(error.chain == (0..<error.chain.count).map { "\(length - 1 - $0)" })
      }
    }
  }

  /// The same in a task and on the main actor, whose threads the test does not choose.
  @Test func recursionOnTheThreadOfATaskAndOnTheMainThreadThrows() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess(megabytes: 500) {
        let container = Container()
        container.register(Length.self, scope: .transient) { (resolver: Resolver, number: Int) in
          Length(count: try resolver.resolve(Length.self, arguments: number + 1).count + 1)
        }
        let error = try await Task.detached {
          try withoutAwaiting { try failure { try container.resolve(Length.self, arguments: 0) } }
        }.value
        #expect(DepthTests.isTooDeep(error), "\(brief(error))")
        let mainError = try await MainActor.run { try failure { try container.resolve(Length.self, arguments: 0) } }
        #expect(DepthTests.isTooDeep(mainError), "\(brief(mainError))")
      }
    }
  }

  /// Builders that look themselves up with other run-time arguments, without end.
  @Test func recursionByRunTimeArgumentsThrows() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess(megabytes: 500) {
        for scope in [ServiceScope.transient, .shared] {
          let container = Container()
          container.register(Length.self, scope: scope) { (resolver: Resolver, number: Int) in
            Length(count: try resolver.resolve(Length.self, arguments: number + 1).count + 1)
          }
          for stackSize in DepthTests.stackSizes {
            let error = try await withWatchdog(stackSize: stackSize) {
              try failure { try container.resolve(Length.self, arguments: 0) }
            }
            #expect(DepthTests.isTooDeep(error ?? nil), "\(scope), \(stackSize): \(brief(error ?? nil))")
          }
        }
      }
    }
  }

  /// Builders that open a scope in which they look themselves up, without end.
  @Test func recursionByScopesInScopesThrows() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess(megabytes: 500) {
        let container = Container(scopes: ["request"])
        container.register(Length.self, scope: .scope("request")) { [unowned container] in
          try container.scope("request") { scope in Length(count: try scope.resolve(Length.self).count + 1) }
        }
        for stackSize in DepthTests.stackSizes {
          let error = try await withWatchdog(stackSize: stackSize) {
            try failure { try container.scope("request") { try $0.resolve(Length.self) } }
          }
          #expect(DepthTests.isTooDeep(error ?? nil), "\(stackSize): \(brief(error ?? nil))")
        }
      }
    }
  }

  /// Builders that make a child of their container in which the same is registered, without end.
  @Test func recursionByChildrenOfChildrenThrows() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess(megabytes: 500) {
        @Sendable func length(below parent: Container) throws -> Length {
          let child = Container(parent: parent)
          child.register(Length.self) { [unowned child] in Length(count: try length(below: child).count + 1) }
          return try child.resolve(Length.self)
        }
        for stackSize in DepthTests.stackSizes {
          let error = try await withWatchdog(stackSize: stackSize) { try failure { try length(below: Container()) } }
          #expect(DepthTests.isTooDeep(error ?? nil), "\(stackSize): \(brief(error ?? nil))")
        }
      }
    }
  }

  /// Awaited builders that look themselves up with other run-time arguments, without end, take no stack, but memory: they end
  /// with an error long before they have taken much of it.
  @Test func awaitedRecursionByRunTimeArgumentsThrows() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess(megabytes: 500) {
        let container = Container()
        container.register(Length.self, scope: .transient) { (resolver: Resolver, number: Int) async throws in
          Length(count: try await resolver.resolveAsync(Length.self, arguments: number + 1).count + 1)
        }
        let error = try await failureAsync { try await container.resolveAsync(Length.self, arguments: 0) }
        let codes: [ResolutionError.Code?] = [.tooDeep, .cycle]
        #expect(codes.contains(error?.innermost.code), "\(brief(error))")
      }
    }
  }

  /// Awaited builders that look themselves up in the container that they captured, so that each begins a look-up of its own: they
  /// end with the error of a cycle, or where run-time arguments differ of the depth, long before they have taken much memory.
  @Test func awaitedRecursionByTheCapturedContainerThrows() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess(megabytes: 500) {
        let container = Container()
        container.register(Length.self, scope: .transient) { [unowned container] () async throws in
          Length(count: try await container.resolveAsync(Length.self).count + 1)
        }
        let error = try await failureAsync { try await container.resolveAsync(Length.self) }
        #expect(error?.innermost.code == .cycle, "\(brief(error))")

        for scope in [ServiceScope.transient, .shared] {
          container.register(Length.self, scope: scope) { [unowned container] (_, number: Int) async throws in
            Length(count: try await container.resolveAsync(Length.self, arguments: number + 1).count + 1)
          }
          let error = try await failureAsync { try await container.resolveAsync(Length.self, arguments: 0) }
          #expect(error?.innermost.code == .tooDeep, "\(scope): \(brief(error))")
        }
      }
    }
  }

  /// The same by a `Provider`, which begins a look-up of its own at each use, and by a service in between that is built at once.
  @Test func awaitedRecursionByAProviderThrows() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess(megabytes: 500) {
        let container = Container()
        container.register(Length.self, scope: .transient) { resolver async throws in
          Length(count: try await resolver.resolve(Provider<Length>.self).getAsync().count + 1)
        }
        let error = try await failureAsync { try await container.resolveAsync(Length.self) }
        #expect(error?.innermost.code == .cycle, "\(brief(error))")
      }
    }
  }

  /// A task that a builder begins does not belong to it once it has ended: each may look the service up anew, without end.
  @Test func tasksThatOutliveTheirBuildersAreNoRecursion() async throws {
    let container = Container()
    let links = AsyncStream<Int>.makeStream()
    container.register(Length.self, scope: .transient) { [unowned container] (_, number: Int) async throws in
      Task {
        links.continuation.yield(number)
        guard number < 6_000 else { return links.continuation.finish() }
        // The builder that began this task has ended, or is about to.
        try await Task.sleep(nanoseconds: 1)
        _ = try await container.resolveAsync(Length.self, arguments: number + 1)
      }
      return Length(count: number)
    }
    _ = try await container.resolveAsync(Length.self, arguments: 0)
    let last = await links.stream.reduce(0) { $1 }
    #expect(last == 6_000)
  }

  /// Recursion by run-time arguments that ends is no error, as long as the stack lasts.
  @Test func recursionThatEndsResolves() async throws {
    let container = Container()
    container.register(Length.self, scope: .transient) { (resolver: Resolver, number: Int) in
      Length(count: number == 0 ? 0 : try resolver.resolve(Length.self, arguments: number - 1).count + 1)
    }
    for (stackSize, length) in zip(DepthTests.stackSizes, [20, 400]) {
      let count = try await withWatchdog(stackSize: stackSize) {
        try container.resolve(Length.self, arguments: length).count
      }
      #expect(count == length)
    }
  }

  // MARK: - Modules

  /// A container with a chain of services from a module file, `s0` to the last, each of which needs the one before it.
  private static func moduleChain(_ length: Int, scope: String, end: String) throws -> Container {
    var registry = Registry()
    registry.add("End", as: Length.self) { Length(count: 1) }
    registry.add("Broken", as: Length.self) { throw Broken() }
    registry.add("Link", as: Length.self, .service("next", Length.self)) { (next: Length) in
      Length(count: next.count + 1)
    }
    var text = #"{"configdi":1,"module":"chain","services":{"s0":{"type":"\#(end)","scope":"\#(scope)"}"#
    for number in 1..<length {
      text += #","s\#(number)":{"type":"Link","scope":"\#(scope)","inject":{"next":"s\#(number - 1)"}}"#
    }
    return try Container(text: text + "}}", registry: registry)
  }

  /// How many services a long chain has. Without optimization the loading of more takes too long for each run of the tests, and
  /// a recursion would exhaust a small stack long before the end of the shorter chain, too.
  #if DEBUG
    private static let longLength = 2_000
  #else
    private static let longLength = 100_000
  #endif

  /// A chain of 100,000 services from a module file resolves on a small stack: the plan is built by a loop.
  @Test(arguments: ["shared", "transient"])
  func aChainOfAHundredThousandServicesFromAModuleResolves(scope: String) async throws {
    let length = DepthTests.longLength
    let count = try await withWatchdog(stackSize: 512 << 10) {
      try DepthTests.moduleChain(length, scope: scope, end: "End")
        .resolve(Length.self, named: "s\(length - 1)").count
    }
    #expect(count == length)
  }

  /// The error from the end of a long chain of services has the whole chain, in its order.
  @Test(arguments: ["shared", "transient"])
  func theErrorFromTheEndOfALongChainHasTheWholeChain(scope: String) async throws {
    let length = min(DepthTests.longLength, 20_000)
    let error = try await withWatchdog {
      let container = try DepthTests.moduleChain(length, scope: scope, end: "Broken")
      return try failure { try container.resolve(Length.self, named: "s\(length - 1)") }
    }
    let found = try #require(error ?? nil)
    #expect(found.underlyingError is Broken)
    #expect(found.chain == (0..<length).map { "s\(length - 1 - $0)" })
  }
}

/// What an error says, without its chain.
private func brief(_ error: ResolutionError?) -> String {
  guard let error else { return "no error" }
  return "\(error.code), chain of \(error.chain.count), innermost \(error.innermost.code)"
}
