// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// Unrelated look-ups do not wait for one another. The benchmarks measure their cost.
@Suite struct IndependenceTests {
  /// A service that takes long to build.
  final class Slow: Sendable {}

  /// Another service.
  final class Tool: Sendable {}

  /// While a service is being built, others are built and found in the same container, in a child and in a scope.
  @Test func otherServicesAreFoundWhileOneIsBeingBuilt() async throws {
    let (begun, finish) = (Gate(), Gate())
    let container = Container(scopes: ["request"])
    container.register {
      begun.open()
      finish.wait(seconds: 150)
      return Slow()
    }
    container.register(scope: .transient) { Tool() }
    container.register(named: "shared") { Tool() }
    container.register(named: "scoped", scope: .scope("request")) { Tool() }
    let child = Container(parent: container)
    Thread.detachNewThread { _ = try? container.resolve(Slow.self) }
    await begun.waitAsync()
    let count = try await withWatchdog {
      let scope = try child.openScope("request")
      return Set(
        [
          try container.resolve(Tool.self), try child.resolve(Tool.self),
          try container.resolve(Tool.self, named: "shared"),
          try child.resolve(Tool.self, named: "shared"), try scope.resolve(Tool.self, named: "scoped"),
          try scope.resolve(Tool.self, named: "scoped"),
        ].map { ObjectIdentifier($0) }
      ).count
    }
    finish.open()
    #expect(count == 4)
  }

  /// A child finds new and replaced services of its parent at each look-up. Its own services take precedence.
  @Test func aChildFindsItsParentsServicesUnchanged() throws {
    let parent = Container()
    let child = Container(parent: parent)
    #expect(try child.resolveOptional(Tool.self) == nil)
    parent.register { Tool() }
    let first = try child.resolve(Tool.self)
    #expect(try parent.resolve(Tool.self) === first)
    parent.register { Tool() }
    let second = try child.resolve(Tool.self)
    #expect(second !== first)
    #expect(try parent.resolve(Tool.self) === second)
    child.register { Tool() }
    #expect(try child.resolve(Tool.self) !== second)
    #expect(try parent.resolve(Tool.self) === second)
  }
}
