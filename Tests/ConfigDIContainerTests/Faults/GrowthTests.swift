// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// What is replaced is released: nothing grows with the number of registrations.
@Suite struct GrowthTests {
  /// Something by which a service is looked up beside its own type.
  protocol Marker: Sendable {}

  /// A service that counts as long as it lives.
  final class Tool: Marker, Sendable {
    /// Counts.
    let counted: Counted

    /// A tool.
    init(_ counted: Counted) { self.counted = counted }
  }

  /// How an instance is kept that a further registration replaces.
  enum Keeping: CaseIterable {
    case shared, named, scope, arguments, severalTypes, child
  }

  /// Registering again releases the instance of the replaced registration, in which way ever it was kept.
  @Test(arguments: Keeping.allCases)
  func registeringAgainReleasesTheReplacedInstance(keeping: Keeping) async throws {
    let counts = try await withWatchdog {
      let live = LiveCount()
      let parent = Container(scopes: ["request"])
      let container = keeping == .child ? Container(parent: parent) : parent
      let scope = try container.openScope("request")
      var counts: [Int] = []
      for _ in 0..<1_000 {
        let build: @Sendable () -> Tool = { Tool(live.object()) }
        switch keeping {
        case .shared, .child:
          container.register(build: build)
          _ = try container.resolve(Tool.self)
        case .named:
          container.register(named: "tool", build: build)
          _ = try container.resolve(Tool.self, named: "tool")
        case .scope:
          container.register(scope: .scope("request"), build: build)
          _ = try scope.resolve(Tool.self)
        case .arguments:
          container.register(scope: .shared) { (_: Resolver, _: Int) in build() }
          _ = try container.resolve(Tool.self, arguments: 1)
        case .severalTypes:
          container.register(
            Tool.self, as: [.itself, .type((any Marker).self) { $0 }], named: "tool", build: build)
          _ = try container.resolve((any Marker).self, named: "tool")
        }
        counts.append(live.value)
      }
      container.dispose()
      return [counts.max() ?? 0, live.value]
    }
    let most = try #require(counts?.first)
    #expect(most <= 10, "\(most) instances live at once")
    #expect(counts?.last == 0)
  }

  /// An instance that a registration replaces is disposed of once, also where it is still held elsewhere.
  @Test func registeringAgainDisposesOfTheReplacedInstanceOnce() throws {
    let live = LiveCount()
    let journal = Journal<Int>()
    let container = Container()
    var held: [Tool] = []
    for round in 0..<10 {
      container.register(onDispose: { (_: Tool) in journal.note(round) }) { Tool(live.object()) }
      held.append(try container.resolve(Tool.self))
    }
    container.dispose()
    #expect(journal.entries.sorted() == Array(0..<10))
    #expect(held.count == live.value)
  }

  /// Registrations that take turns with other sets of types leave nothing behind: neither what their builders hold, nor memory
  /// of the container. What knew where the first one stood finds the last one, without a walk along all of them.
  @Test(arguments: [nil, "tool"] as [String?])
  func registrationsThatTakeTurnsLeaveNothingBehind(name: String?) async {
    await #expect(processExitsWith: .success) { [name] in
      await inOwnProcess(megabytes: 1_000) {
        let live = LiveCount()
        let container = Container()
        let register: @Sendable (Bool) throws -> Tool = { isPlain in
          let counted = live.object()
          container.register(
            Tool.self, as: isPlain ? [.itself] : [.itself, .type((any Marker).self) { $0 }], named: name
          ) { Tool(counted) }
          if let name { return try container.resolve(Tool.self, named: name) }
          return try container.resolve(Tool.self)
        }
        _ = try register(true)
        let provider = try withoutAwaiting {
          if let name { return try container.resolve(Provider<Tool>.self, named: name) }
          return try container.resolve(Provider<Tool>.self)
        }
        for index in 0..<400 { _ = try register(!index.isMultiple(of: 2)) }
        let before = residentBytes()
        for index in 0..<8_000 { _ = try register(!index.isMultiple(of: 2)) }
        let growth = residentBytes() - before
        #expect(sanitizerIsOn || growth < 4 << 20, "\(growth) bytes for 4,000 pairs of registrations")
        #expect(live.value <= 10, "\(live.value) builders live")
        let tool = try await withWatchdog(stackSize: 512 << 10) { try provider.get() }
        let last = try withoutAwaiting {
          try name.map { try container.resolve(Tool.self, named: $0) } ?? container.resolve()
        }
        #expect(tool === last)
      }
    }
  }
}
