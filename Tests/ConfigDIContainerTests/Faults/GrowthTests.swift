// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// Replaced registrations and their instances are released. Memory does not grow with the number of registrations.
@Suite struct GrowthTests {
  /// A protocol by which a service is looked up in addition to its own type.
  protocol Marker: Sendable {}

  /// A service that is counted as long as it lives.
  final class Tool: Marker, Sendable {
    /// The counted object.
    let counted: Counted

    /// Creates a tool.
    init(_ counted: Counted) { self.counted = counted }
  }

  /// The way in which a replaced instance was cached.
  enum Retention: CaseIterable {
    case shared, named, scope, arguments, severalTypes, child
  }

  /// A new registration releases the instance of the replaced one, however it was cached.
  @Test(arguments: Retention.allCases)
  func registeringAgainReleasesTheReplacedInstance(retention: Retention) async throws {
    let counts = try await withWatchdog {
      let live = LiveCount()
      let parent = Container(scopes: ["request"])
      let container = retention == .child ? Container(parent: parent) : parent
      let scope = try container.openScope("request")
      var counts: [Int] = []
      for _ in 0..<LongTests.size(300, full: 1_000) {
        let build: @Sendable () -> Tool = { Tool(live.object()) }
        switch retention {
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

  /// The instance of a replaced registration is disposed of once, even if it is still retained elsewhere.
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

  /// Alternating registrations with different provided types leave neither captures of replaced builders nor memory of
  /// the container behind. A provider of the first registration finds the last one without recursion over all of them.
  @Test(arguments: [nil, "tool"] as [String?])
  func alternatingRegistrationsDoNotGrowTheContainer(name: String?) async {
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

  /// A run-time argument.
  private final class Key: Sendable, Hashable {
    static func == (left: Key, right: Key) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  private final class Item: Sendable {}

  /// A container that is closed during a build does not keep the build's run-time arguments.
  @Test(arguments: [false, true])
  func closingDuringABuildReleasesItsArguments(isShutDown: Bool) async throws {
    weak var argument: Key?
    weak var closed: Container?
    do {
      let (started, finish) = (Gate(), Gate())
      let container = Container()
      container.register(scope: .shared) { (_, _: Key) async -> Item in
        started.open()
        await finish.waitAsync()
        return Item()
      }
      let key = Key()
      (argument, closed) = (key, container)
      let look = Task(priority: .high) { _ = try await container.resolveAsync(Item.self, arguments: key) }
      await started.waitAsync()
      if isShutDown {
        async let ended: Void = container.shutdown()
        while !container.registrations.isEmpty { await Task.yield() }
        finish.open()
        try await ended
      } else {
        container.dispose()
        finish.open()
      }
      _ = await look.result
    }
    for _ in 0..<1_000 where argument != nil || closed != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(argument == nil && closed == nil)
  }
}
