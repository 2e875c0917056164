// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Scopes with given instances are opened and closed by many threads, concurrently with changes of the container.
@Suite struct GivenRaceTests {
  /// The type of the given instances.
  final class Info: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
  }

  /// A service of the scope that depends on the given instance.
  final class Handler: Sendable {
    let info: Info

    init(_ info: Info) { self.info = info }
  }

  private static func container(_ disposed: Journal<Int>) throws -> Container {
    var registry = Registry()
    registry.given("Info", Info.self, onDispose: { disposed.note($0.number) })
    registry.add("Handler", .service("info", Info.self)) { Handler($0) }
    return try Container(
      text: """
        { "configdi": 1, "module": "m", "scopes": ["request"], "services": {
          "info": { "type": "Info", "scope": "request" },
          "handler": { "type": "Handler", "scope": "request", "inject": { "info": "info" } } } }
        """, registry: registry)
  }

  /// Each scope has its own given instance in spite of concurrent resets, and disposes of it once.
  @Test func concurrentScopesReceiveTheirOwnGivenInstances() async throws {
    try await withWatchdog {
      let disposed = Journal<Int>()
      let container = try Self.container(disposed)
      let failures = Journal<String>()
      onThreads(8) { thread in
        for round in 0..<200 {
          let info = Info(thread * 1_000 + round)
          if thread == 0 { container.reset() }
          do {
            let scope = try container.openScope("request", given: info)
            onThreads(2) { _ in
              do {
                let found = try scope.resolve(Info.self)
                if found !== info { failures.note("another instance") }
              } catch { failures.note("\(error)") }
            }
            if try scope.resolve(Handler.self).info !== info { failures.note("another handler") }
            scope.close()
          } catch { failures.note("\(error)") }
        }
      }
      #expect(failures.entries == [])
      #expect(disposed.entries.count == 1_600 && Set(disposed.entries).count == 1_600)
    }
  }

  /// During the disposal of the container, each look-up returns the given instance or throws `closed`.
  @Test func openingAScopeBesideDisposal() async throws {
    try await withWatchdog {
      for _ in 0..<100 {
        let disposed = Journal<Int>()
        let container = try Self.container(disposed)
        let unexpected = Journal<String>()
        onThreads(4) { thread in
          if thread == 0 { return container.dispose() }
          let info = Info(thread)
          do {
            let scope = try container.openScope("request", given: info)
            if try scope.resolve(Handler.self).info !== info { unexpected.note("another instance") }
          } catch {
            if (error as? ResolutionError)?.code != .closed { unexpected.note("\(error)") }
          }
        }
        #expect(unexpected.entries == [])
        #expect(Set(disposed.entries).count == disposed.entries.count)
      }
    }
  }

  #if DEBUG
    /// If the container is closed while a scope or a child opens, either that has opened, and disposes of its given
    /// instance, or the instance is left to the caller.
    @Test(arguments: [PausePoint.opening, .opened], [false, true])
    func aScopeOrChildThatDoesNotOpenLeavesItsGivenInstance(point: PausePoint, isChild: Bool) throws {
      let disposed = Journal<Int>()
      var registry = Registry()
      registry.given("Info", Info.self, onDispose: { disposed.note($0.number) })
      let base = try BaseContainer(
        ModuleSource(text: #"{ "configdi": 1, "module": "m", "scopes": ["request"] }"#), registry: registry)
      let layer = { (more: String) in
        ModuleLayer.text(
          #"{ "configdi": 1, "module": "l", "services": { "info": { "type": "Info" \#(more) } } }"#, name: "l.json")
      }
      let container = try isChild ? base.container : base.child(layers: [layer(#", "scope": "request""#)])
      let error = try PausePoint.$hook.withValue({ if $0 == point { container.dispose() } }) {
        try failure {
          if isChild {
            _ = try base.child(layers: [layer("")], given: [Info(1)])
          } else {
            _ = try container.openScope("request", given: Info(1))
          }
        }
      }
      #expect(error?.code == .closed)
      #expect(disposed.entries == [])
    }
  #endif

  /// While a registration replaces the given service, a look-up returns the given instance or a new one, or opening the
  /// scope throws `notGiven`.
  @Test func openingAScopeBesideAReplacingRegistration() async throws {
    try await withWatchdog {
      for _ in 0..<100 {
        let container = try Self.container(Journal())
        let unexpected = Journal<String>()
        onThreads(4) { thread in
          if thread == 0 {
            container.register(Info.self, named: "info", scope: .scope("request")) { _ in Info(0) }
            return
          }
          do {
            let number = try container.scope("request", given: Info(thread)) {
              try $0.resolve(Handler.self).info.number
            }
            if number != thread, number != 0 { unexpected.note("\(number)") }
          } catch {
            if (error as? ResolutionError)?.code != .notGiven { unexpected.note("\(error)") }
          }
        }
        #expect(unexpected.entries == [])
      }
    }
  }
}
