// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// Long chains of services, and infinite recursion.
@Suite struct DepthTests {
  /// The length of a chain of services. It holds no other service, so that no recursion is needed to release it.
  struct Length: Sendable {
    /// The number of services in the chain.
    let count: Int
  }

  /// The error at the end of a chain.
  struct Broken: Error {}

  /// The stack sizes in bytes: of secondary threads on Darwin, and of threads on Linux and main threads.
  static let stackSizes = LongTests.sample([512 << 10, 8 << 20], every: 2)

  /// Whether an error reports, with its chain, that the chain is too deep for the stack.
  static func isTooDeep(_ error: ResolutionError?) -> Bool {
    guard let error = error?.innermost else { return false }
    // Recursion without run-time arguments is reported as a cycle.
    return !error.chain.isEmpty && (error.code == .tooDeep || (error.code == .cycle && error.path.count > 1))
  }

  /// Returns a container with a chain of services in code, each of which looks up the next. The last is named "0".
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

  /// The number of builders in code that exceed a small stack. With optimization each of them uses less of it.
  #if DEBUG
    static let codeLength = 1_000
  #else
    static let codeLength = 4_000
  #endif

  // MARK: - Too deep

  /// A chain of builders in code that is too deep for the stack throws an error with the chain, and leaves the thread
  /// and the container usable. A chain that fits resolves.
  @Test(arguments: [ServiceScope.transient, .shared])
  func aChainThatExceedsTheStackThrowsTheChain(scope: ServiceScope) async {
    await #expect(processExitsWith: .success) { [isTransient = (scope == .transient) as Bool] in
      await inOwnProcess(megabytes: 500) {
        let length = DepthTests.codeLength
        let container = DepthTests.chain(length, isTransient ? .transient : .shared)
        let outcome = try await withWatchdog(stackSize: 512 << 10) {
          let error = try failure { try container.resolve(Length.self, named: "\(length - 1)") }
          // The failed look-up must leave no state behind, in the container or on the thread.
          return (error, try container.resolve(Length.self, named: "15").count)
        }
        #expect(outcome?.1 == 16)
        let error = try #require(outcome?.0, "no error")
        #expect(DepthTests.isTooDeep(error), "\(error)")
        // Even in a debug build the stack has room for more than 20 builders.
        #expect(error.chain.count > 20, "\(error)")
        #expect(error.chain == (0..<error.chain.count).map { "\(length - 1 - $0)" })
      }
    }
  }

  /// Recursion in a task and on the main actor, whose stack sizes the test does not choose, throws as well.
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

  /// Infinite recursion throws: builders look themselves up with other run-time arguments.
  @Test func recursionWithRunTimeArgumentsThrows() async {
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

  /// Infinite recursion throws: builders open scopes and look themselves up in them.
  @Test func recursionThroughNestedScopesThrows() async {
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

  /// Infinite recursion throws: builders make children with the same registration and use it.
  @Test func recursionThroughNestedChildrenThrows() async {
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

  /// Async builders that look themselves up with other run-time arguments without end use memory instead of stack. The
  /// look-up throws long before it uses much memory.
  @Test func asyncRecursionWithRunTimeArgumentsThrows() async {
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

  /// Async builders that look themselves up in the captured container begin a top-level look-up each time. The
  /// recursion throws long before it uses much memory: `cycle`, or `tooDeep` if the run-time arguments differ.
  @Test func asyncRecursionThroughTheCapturedContainerThrows() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess(megabytes: 500) {
        let container = Container()
        container.register(Length.self, scope: .transient) { [unowned container] () async throws in
          Length(count: try await container.resolveAsync(Length.self).count + 1)
        }
        let error = try await failureAsync { try await container.resolveAsync(Length.self) }
        #expect(error?.innermost.code == .cycle, "\(brief(error))")

        for scope in LongTests.sample([ServiceScope.transient, .shared], every: 2) {
          container.register(Length.self, scope: scope) { [unowned container] (_, number: Int) async throws in
            Length(count: try await container.resolveAsync(Length.self, arguments: number + 1).count + 1)
          }
          let error = try await failureAsync { try await container.resolveAsync(Length.self, arguments: 0) }
          #expect(error?.innermost.code == .tooDeep, "\(scope): \(brief(error))")
        }
      }
    }
  }

  /// An async builder that uses a `Provider` of its own service begins a new look-up each time. It throws `cycle`.
  @Test func asyncRecursionThroughAProviderThrows() async {
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

  /// A task that a builder starts is not part of the build after the builder has ended. So each such task may look up
  /// the service again, without limit.
  @Test func tasksThatOutliveTheirBuildersAreNotRecursion() async throws {
    let container = Container()
    let links = AsyncStream<Int>.makeStream()
    container.register(Length.self, scope: .transient) { [unowned container] (_, number: Int) async throws in
      Task {
        links.continuation.yield(number)
        guard number < 6_000 else { return links.continuation.finish() }
        // The builder that started this task has ended or is about to end.
        try await Task.sleep(nanoseconds: 1)
        _ = try await container.resolveAsync(Length.self, arguments: number + 1)
      }
      return Length(count: number)
    }
    _ = try await container.resolveAsync(Length.self, arguments: 0)
    let last = await links.stream.reduce(0) { $1 }
    #expect(last == 6_000)
  }

  /// Finite recursion by run-time arguments resolves as long as the stack is sufficient.
  @Test func recursionThatEndsResolves() async throws {
    let container = Container()
    container.register(Length.self, scope: .transient) { (resolver: Resolver, number: Int) in
      Length(count: number == 0 ? 0 : try resolver.resolve(Length.self, arguments: number - 1).count + 1)
    }
    for (stackSize, length) in zip([512 << 10, 8 << 20], [20, 400]) {
      let count = try await withWatchdog(stackSize: stackSize) {
        try container.resolve(Length.self, arguments: length).count
      }
      #expect(count == length)
    }
  }

  /// A stack that is no larger than the usual reserve for builders can be used, also after a look-up that was too deep.
  @Test func aSmallStackStaysUsable() async throws {
    let container = Container()
    container.register(Length.self, scope: .transient) { (resolver: Resolver, number: Int) in
      Length(count: try resolver.resolve(Length.self, arguments: number + 1).count)
    }
    container.register(named: "answer", scope: .transient) { 42 }
    let error = try await withWatchdog(stackSize: 128 << 10) {
      let error = try failure { try container.resolve(Length.self, arguments: 0) }
      _ = try container.resolve(Int.self, named: "answer")
      return error
    }
    #expect(DepthTests.isTooDeep(error ?? nil), "\(brief(error ?? nil))")
  }

  // MARK: - Modules

  /// Returns a container with a module of services `s0`, `s1` and so on, each of which depends on the one before.
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

  /// The length of a long chain. Without optimization, loading more services takes too long for each run of the tests,
  /// and recursion over the shorter chain would still exhaust a small stack.
  #if DEBUG
    private static let longLength = LongTests.size(1_000, full: 2_000)
  #else
    private static let longLength = 100_000
  #endif

  /// A chain of up to 100,000 services from a module resolves on a small stack, because the plan is built in a loop.
  @Test(arguments: ["shared", "transient"])
  func aChainOf100000ModuleServicesResolves(scope: String) async throws {
    let length = DepthTests.longLength
    let count = try await withWatchdog(stackSize: 512 << 10) {
      try DepthTests.moduleChain(length, scope: scope, end: "End")
        .resolve(Length.self, named: "s\(length - 1)").count
    }
    #expect(count == length)
  }

  /// Calls a closure below frames of the application that use about a kilobyte each.
  private static func below<Result>(_ frames: Int, _ body: () throws -> Result) rethrows -> Result {
    if frames == 0 { return try body() }
    return try withUnsafeTemporaryAllocation(byteCount: 900, alignment: 16) { memory in
      memory[0] = UInt8(truncatingIfNeeded: frames)
      return try below(frames - 1, body)
    }
  }

  /// The length of a chain in a module does not matter, also if the stack is small and the application uses a part of it.
  @Test(arguments: [8, 10, 11, 12, 31, 32, 33, 100])
  func aModuleChainOfAnyLengthResolvesOnAUsedStack(length: Int) async throws {
    let count = try await withWatchdog(stackSize: 512 << 10) {
      try DepthTests.below(100) {
        try DepthTests.moduleChain(length, scope: "shared", end: "End")
          .resolve(Length.self, named: "s\(length - 1)").count
      }
    }
    #expect(count == length)
  }

  /// The error from the end of a long chain contains the whole chain, in order.
  @Test(arguments: ["shared", "transient"])
  func anErrorAtTheEndOfALongChainHasTheCompleteChain(scope: String) async throws {
    let length = min(DepthTests.longLength, 20_000)
    let error = try await withWatchdog {
      let container = try DepthTests.moduleChain(length, scope: scope, end: "Broken")
      return try failure { try container.resolve(Length.self, named: "s\(length - 1)") }
    }
    let found = try #require(error ?? nil)
    #expect(found.underlyingError is Broken)
    #expect(found.chain == (0..<length).map { "s\(length - 1 - $0)" })
  }

  /// A builder that resets its container is called once, and its look-up throws: that of the service itself, and that
  /// of a service which needs it.
  @Test(arguments: [false, true])
  func aBuilderThatResetsItsContainerThrows(isAsync: Bool) async throws {
    final class Part: Sendable {}
    final class Machine: Sendable {}
    let calls = Locked(0)
    let container = Container()
    if isAsync {
      container.register { [weak container] () async in
        calls.withLock { $0 += 1 }
        await Task.yield()
        container?.reset()
        return Part()
      }
    } else {
      container.register { [weak container] in
        calls.withLock { $0 += 1 }
        container?.reset()
        return Part()
      }
      let error = try failure { try container.resolve(Part.self) }
      #expect(error?.code == .cycle)
    }
    container.register(Machine.self) { (resolver: Resolver) async throws in
      _ = try await resolver.resolveAsync(Part.self)
      return Machine()
    }
    let lookUps: [@Sendable () async throws -> Void] = [
      { _ = try await container.resolveAsync(Part.self) }, { _ = try await container.resolveAsync(Machine.self) },
    ]
    for lookUp in lookUps {
      calls.withLock { $0 = 0 }
      let error = try await failureAsync(of: lookUp)
      #expect(error?.code == .cycle)
      #expect(error?.description.contains("its builder has reset the container") == true)
      #expect(calls.withLock { $0 } == 1)
    }
  }

  /// The same applies to a service that is so deep that its arguments are looked up before its build is claimed.
  @Test(arguments: ["shared", "request"])
  func aBuilderBelowALongChainThatResetsItsContainerThrows(scope: String) throws {
    final class Link: Sendable {}
    let calls = Locked(0)
    let holder = Locked<Container?>(nil)
    var registry = Registry()
    registry.add("End") { () throws -> Link in
      try countEndlessCall(calls, limit: 100)
      holder.withLock(\.self)?.reset()
      return Link()
    }
    registry.add("Link", { (_: Link) in Link() }, .service("next"))
    let links = (1...60).map { number in
      let scope = number == 60 || number == 50 ? scope : "transient"
      return #""s\#(number)": {"type": "Link", "scope": "\#(scope)", "inject": {"next": "s\#(number - 1)"}}"#
    }
    let services = [#""s0": {"type": "End", "scope": "transient"}"#] + links
    let container = try Container(
      text: #"""
        {"configdi": 1, "module": "m", "scopes": ["request"], "services": {\#(services.joined(separator: ", "))}}
        """#, registry: registry)
    holder.withLock { $0 = container }
    let error = try container.scope("request") { request in
      try failure { try request.resolve(Link.self, named: "s60") }
    }
    #expect(error?.code == .cycle)
    #expect(error?.description.contains("its builder has reset the container") == true)
    holder.withLock { $0 = nil }
  }

  /// An argument of a machine.
  private final class MachinePart: Sendable {}

  /// A service that declares its argument, which an awaiting look-up therefore builds first.
  private final class Machine: Sendable {
    init(_ part: MachinePart) {}
  }

  /// Returns a container with a machine.
  ///
  /// - Parameters:
  ///   - limit: the number of calls of the argument's builder after which it fails.
  ///   - body: called by the argument's builder with the container.
  private static func machineContainer(
    limit: Int = 1_000, buildingPart body: @escaping @Sendable (Container?) -> Void
  ) -> Container {
    let container = Container()
    let calls = Locked(0)
    container.register(MachinePart.self, scope: .transient) { [weak container] in
      try countEndlessCall(calls, limit: limit)
      body(container)
      return MachinePart()
    }
    container.autoregister(Machine.init)
    return container
  }

  /// The same applies to the builder of an argument, which an awaiting look-up calls before it builds the service.
  @Test func aBuilderOfAnArgumentThatResetsItsContainerThrows() async throws {
    let container = DepthTests.machineContainer { $0?.reset() }
    let error = try await failureAsync { _ = try await container.resolveAsync(Machine.self) }
    #expect(error?.code == .cycle)
    #expect(error?.description.contains("its builder has reset the container") == true)
  }

  /// The same applies if other code resets the container before the builder does, and the builder is called again.
  @Test(arguments: [false, true])
  func aBuilderThatResetsItsContainerAfterOtherCodeThrows(isAsync: Bool) async throws {
    final class Part: Sendable {}
    let container = Container()
    let calls = Locked(0)
    if isAsync {
      container.register { [weak container] () async throws in
        try countEndlessCall(calls)
        // A new thread has no task-local values, so that this is not code of the builder.
        await withCheckedContinuation { isDone in
          Thread.detachNewThread { [container] in
            container?.reset()
            isDone.resume()
          }
        }
        container?.reset()
        return Part()
      }
    } else {
      container.register { [weak container] in
        try countEndlessCall(calls)
        let isDone = Gate()
        Thread.detachNewThread { [container] in
          container?.reset()
          isDone.open()
        }
        isDone.wait()
        container?.reset()
        return Part()
      }
      #expect(try failure { try container.resolve(Part.self) }?.code == .cycle)
    }
    #expect(try await failureAsync { _ = try await container.resolveAsync(Part.self) }?.code == .cycle)
  }

  /// Builders that register their own service with such a builder are not called for ever.
  @Test(arguments: LongTests.sample([true, false], every: 2))
  func aChainOfReplacementsThrows(isAwaiting: Bool) async throws {
    final class Part: Sendable {}
    let container = Container()
    @Sendable func register(in container: Container?) {
      container?.register { [weak container] in
        register(in: container)
        return Part()
      }
    }
    register(in: container)
    let error = await #expect(throws: ResolutionError.self) {
      _ = isAwaiting ? try await container.resolveAsync(Part.self) : try container.resolve(Part.self)
    }
    #expect(error?.code == .cycle)
    #expect(error?.description.contains("its builder registers the service again") == true)
  }

  /// The same applies to the builder of an argument, which an awaiting look-up calls before it builds the service.
  @Test(.enabled(if: LongTests.isSelected), arguments: [true, false])
  func aChainOfReplacementsByAnArgumentThrows(isAwaiting: Bool) async throws {
    let container = DepthTests.machineContainer(limit: 30_000) { $0?.autoregister(Machine.init) }
    let error = await #expect(throws: ResolutionError.self) {
      _ = isAwaiting ? try await container.resolveAsync(Machine.self) : try container.resolve(Machine.self)
    }
    #expect(error?.code == .cycle)
  }

  /// Other code may reset a container during however many builds: each is repeated until one is not disturbed.
  @Test(arguments: [false, true])
  func resetsByOtherCodeOnlyRepeatTheBuild(isAwaiting: Bool) async throws {
    let disturbances = LongTests.size(150, full: 1_500)
    final class Part: Sendable {}
    let container = Container()
    let calls = Locked(0)
    container.register { [weak container] in
      guard
        calls.withLock({ count in
          count += 1; return count <= disturbances
        })
      else { return Part() }
      // A new thread has no task-local values, so that this is not code of the builder.
      let isDone = Gate()
      Thread.detachNewThread { [container] in
        container?.reset()
        isDone.open()
      }
      isDone.wait()
      return Part()
    }
    _ = isAwaiting ? try await container.resolveAsync(Part.self) : try container.resolve(Part.self)
    #expect(calls.withLock { $0 } == disturbances + 1)
  }
}

/// Ends a look-up that would call its builder for ever.
private func countEndlessCall(_ calls: Locked<Int>, limit: Int = 1_000) throws {
  let count = calls.withLock { count in
    count += 1
    return count
  }
  if count > limit { throw DepthTests.Broken() }
}

/// Describes an error without its chain.
private func brief(_ error: ResolutionError?) -> String {
  guard let error else { return "no error" }
  return "\(error.code), chain of \(error.chain.count), innermost \(error.innermost.code)"
}
