// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

private final class Key: InstanceKey {
  var registration: Registration? { nil }
}

@Suite struct BuildCoordinatorTests {
  /// Returns a new build, nested in another one.
  private func build(in outer: Build? = nil) -> Build {
    Build.$current.withValue(outer) { Build(of: Key(), in: nil, isAsync: true) }
  }

  @Test func `many builds wait for one, and it may wait for each of them afterwards`() {
    let target = build()
    let waits = (0..<5_000).map { _ in (waiter: Waiter(blocksThread: false), build: build()) }
    for wait in waits { #expect(BuildCoordinator.enter(wait.waiter, of: wait.build, for: target) == nil) }
    for wait in waits { BuildCoordinator.leave(wait.waiter, of: wait.build, for: target) }
    for wait in waits {
      #expect(BuildCoordinator.enter(wait.waiter, of: target, for: wait.build) == nil)
      BuildCoordinator.leave(wait.waiter, of: target, for: wait.build)
    }
  }

  @Test func `a cycle of many waits on behalf of nested builds is found`() throws {
    let outer = (0..<100).map { _ in build() }
    let inner = outer.map { build(in: $0) }
    let waiters = outer.map { _ in Waiter(blocksThread: false) }
    for place in (1..<100).reversed() {
      #expect(BuildCoordinator.enter(waiters[place], of: inner[place], for: outer[(place + 1) % 100]) == nil)
    }
    let cycle = try #require(BuildCoordinator.enter(waiters[0], of: inner[0], for: outer[1]))
    let expected = (0..<100).flatMap { [outer[$0], inner[$0]] } + [outer[0]]
    #expect(cycle.map { ObjectIdentifier($0) } == expected.map { ObjectIdentifier($0) })
    for place in 1..<100 { BuildCoordinator.leave(waiters[place], of: inner[place], for: outer[(place + 1) % 100]) }
    #expect(BuildCoordinator.enter(waiters[0], of: inner[0], for: outer[1]) == nil)
    BuildCoordinator.leave(waiters[0], of: inner[0], for: outer[1])
  }
}
