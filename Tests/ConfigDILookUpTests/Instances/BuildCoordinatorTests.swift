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
    let builds = (0..<5_000).map { _ in build() }
    let waiters = builds.map { Waiter(for: target, of: $0, blocksThread: false) }
    for waiter in waiters { #expect(BuildCoordinator.enter(waiter) == nil) }
    for waiter in waiters { BuildCoordinator.leave(waiter) }
    for build in builds {
      let waiter = Waiter(for: build, of: target, blocksThread: false)
      #expect(BuildCoordinator.enter(waiter) == nil)
      BuildCoordinator.leave(waiter)
    }
  }

  @Test func `a cycle of many waits on behalf of nested builds is found`() throws {
    let outer = (0..<100).map { _ in build() }
    let inner = outer.map { build(in: $0) }
    let waiters = inner.indices.map { Waiter(for: outer[($0 + 1) % 100], of: inner[$0], blocksThread: false) }
    for waiter in waiters.dropFirst().reversed() { #expect(BuildCoordinator.enter(waiter) == nil) }
    let cycle = try #require(BuildCoordinator.enter(waiters[0]))
    let expected = (0..<100).flatMap { [outer[$0], inner[$0]] } + [outer[0]]
    #expect(cycle.map { ObjectIdentifier($0) } == expected.map { ObjectIdentifier($0) })
    for waiter in waiters.dropFirst() { BuildCoordinator.leave(waiter) }
    #expect(BuildCoordinator.enter(waiters[0]) == nil)
    BuildCoordinator.leave(waiters[0])
  }
}
