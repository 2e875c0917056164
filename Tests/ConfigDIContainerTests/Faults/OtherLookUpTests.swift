// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// A look-up that waits for the build of another one does not get an error that only concerns the other.
@Suite struct OtherLookUpTests {
  private final class Tool: Sendable {}
  private final class Box: Sendable {
    let tool: Tool

    init(_ tool: Tool) { self.tool = tool }
  }

  /// Calls a closure, whose look-ups open a gate as soon as they wait for a build of another look-up.
  private func opening<Result>(_ joined: Gate, _ body: () throws -> Result) rethrows -> Result {
    try PausePoint.$hook.withValue({ if $0 == .joined || $0 == .suspending { joined.open() } }, operation: body)
  }

  /// Calls a closure on a new thread.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }

  @Test(.hangLimit) func `a cancelled look-up does not fail others that wait for its builder`() async throws {
    let (container, begun, joined, calls) = (Container(), Gate(), Gate(), Locked(0))
    container.register {
      let call = calls.withLock { calls -> Int in
        calls += 1
        return calls
      }
      if call == 1 {
        begun.open()
        joined.wait()
      }
      try Task.checkCancellation()
      return Tool()
    }
    let cancelled = Task { try await container.resolveAsync(Tool.self) }
    await begun.waitAsync()
    cancelled.cancel()
    _ = try await onThread { try opening(joined) { try container.resolve(Tool.self) } }
    await #expect(throws: ResolutionError.self) { try await cancelled.value }
  }

  @Test(.hangLimit) func `a look-up in an open scope does not get the error of one without the scope`() async throws {
    let (container, begun, joined) = (Container(scopes: ["request"]), Gate(), Gate())
    container.register(scope: .scope("request")) { Tool() }
    container.register(scope: .weak) { resolver async throws in
      begun.open()
      await joined.waitAsync()
      return Box(try resolver.resolve(Tool.self))
    }
    let outside = Task { try await container.resolveAsync(Box.self) }
    await begun.waitAsync()
    let request = try container.openScope("request")
    let inside = opening(joined) { Task { try await request.resolveAsync(Box.self) } }
    #expect(try await inside.value.tool === request.resolve(Tool.self))
    await #expect { try await outside.value } throws: { ($0 as? ResolutionError)?.code == .notOpen }
  }

  @Test(.hangLimit) func `a look-up in an open scope does not get the error of one whose scope was closed`()
    async throws
  {
    let (container, begun, joined, closed) = (Container(scopes: ["request"]), Gate(), Gate(), Gate())
    container.register(scope: .scope("request")) { Tool() }
    container.register(scope: .weak) { resolver async throws in
      begun.open()
      await closed.waitAsync()
      return Box(try resolver.resolve(Tool.self))
    }
    let (first, second) = (try container.openScope("request"), try container.openScope("request"))
    let closing = Task { try await first.resolveAsync(Box.self) }
    await begun.waitAsync()
    let staying = opening(joined) { Task { try await second.resolveAsync(Box.self) } }
    await joined.waitAsync()
    first.close()
    closed.open()
    #expect(try await staying.value.tool === second.resolve(Tool.self))
    await #expect(throws: ResolutionError.self) { try await closing.value }
  }
}
