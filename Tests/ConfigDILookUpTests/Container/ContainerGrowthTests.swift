// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// The resident size of the process in bytes; `nil` if the system has no `/proc/self/statm`.
private var residentSize: Int? {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  let fields = text.split(separator: " ")
  return fields.count > 1 ? Int(fields[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } : nil
}

/// Tests that frequent operations leave no memory behind. Each test runs in a process of its own, so that the resident
/// size shows only the effects of this test.
@Suite(.serialized, .enabled(if: !sanitizerIsOn && residentSize != nil)) struct ContainerGrowthTests {
  /// An object of some size, so that leaked instances show in the resident size.
  final class Block: Sendable {
    /// Enlarges the object, so that a few thousand of them exceed the margin.
    let filling = [UInt64](repeating: 1, count: 64)
  }

  /// The error of a process that has grown.
  struct Growth: Error {
    /// The resident sizes before and after the test, in bytes.
    let sizes: (before: Int, after: Int)
  }

  /// The tolerated growth in bytes. In a full run, it is less than one leaked `Block` in each round.
  private static let margin = 1 << 20

  /// Runs a body many times after a warm-up.
  ///
  /// - Throws: `Growth` if the process has grown by more than `margin`.
  private static func expectNoGrowth(_ count: Int, _ body: (Int) throws -> Void) throws {
    for number in 0..<count / 10 { try body(number) }
    guard let before = residentSize else { return }
    for number in 0..<count { try body(number) }
    guard let after = residentSize else { return }
    print("\(count) times: \(before >> 10) kB before, \(after >> 10) kB after")
    if after - before > margin { throw Growth(sizes: (before, after)) }
  }

  @Test func `very many look-ups with per-look-up stores do not grow the container`() async {
    await #expect(processExitsWith: .success) {
      let container = Container()
      container.register(named: "inner", scope: .graph) { Block() }
      container.register(scope: .graph) {
        [try $0.resolve(Block.self, named: "inner"), try $0.resolve(Lazy<Block>.self, named: "inner").get()]
      }
      try ContainerGrowthTests.expectNoGrowth(LongTests.size(3_000, full: 80_000)) { _ in
        let blocks = try container.resolve([Block].self)
        if blocks.count != 2 || blocks[0] !== blocks[1] { throw TestError() }
      }
    }
  }

  @Test func `very many scopes do not grow the container`() async {
    await #expect(processExitsWith: .success) {
      let container = Container(scopes: ["request"])
      container.register(scope: .scope("request"), onDispose: { _ in }) { Block() }
      try ContainerGrowthTests.expectNoGrowth(LongTests.size(3_000, full: 80_000)) { _ in
        try container.scope("request") { _ = try $0.resolve(Block.self) }
      }
    }
  }

  @Test func `very many weak instances, half of them with arguments, do not grow the container`() async {
    await #expect(processExitsWith: .success) {
      let container = Container()
      container.register(scope: .weak) { Block() }
      container.register(scope: .weak) { (_: Resolver, _: Int) in Block() }
      try ContainerGrowthTests.expectNoGrowth(LongTests.size(3_000, full: 60_000)) { number in
        _ = try container.resolve(Block.self)
        _ = try container.resolve(Block.self, arguments: number)
      }
    }
  }

  @Test func `many registrations of one service do not grow the container`() async {
    await #expect(processExitsWith: .success) {
      let container = Container()
      try ContainerGrowthTests.expectNoGrowth(LongTests.size(3_000, full: 40_000)) { _ in
        let block = Block()
        container.register { block }
        container.register(named: "name", scope: .transient) { _ in block }
        container.register(named: "name") { (_: Resolver, _: Int) in block }
        _ = try container.resolve(Block.self, named: "name")
      }
    }
  }

  @Test func `many children, isolated uses and failures do not grow the container`() async {
    await #expect(processExitsWith: .success) {
      let container = Container()
      container.register(scope: .transient) { Block() }
      container.register { () throws -> Node in throw TestError() }
      try ContainerGrowthTests.expectNoGrowth(LongTests.size(3_000, full: 40_000)) { _ in
        let child = Container(parent: container)
        child.register { [try $0.resolve(Block.self)] }
        if try child.resolve([Block].self).count != 1 { throw TestError() }
        try container.resolve(Isolated<Block>.self).use { _ in }
        if (try? container.resolve(Node.self)) != nil { throw TestError() }
      }
    }
  }
}
