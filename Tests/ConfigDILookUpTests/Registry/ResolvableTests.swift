// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Synchronization
import Testing

/// Tests of types that describe their own registration.
@Suite struct ResolvableTests {
  /// A greeter that declares its provided types and its dispose action.
  private final class Guest: Greeter, Resolvable {
    let name: String
    private let gone = Mutex(0)

    init(name: String) { self.name = name }

    var timesGone: Int { gone.withLock { $0 } }

    static var injection: Injection<Guest> {
      Injection<Guest>(.value("name", String.self, default: "x")) { Guest(name: $0) }
        .providing(.type((any Greeter).self) { $0 }, .itself)
        .disposing { guest in guest.gone.withLock { $0 += 1 } }
    }
  }

  /// Creates a container with one service of type `Guest`.
  private func container(_ fill: (inout Registry) -> Void) throws -> Container {
    var registry = Registry()
    fill(&registry)
    return try Container(
      text: #"{ "configdi": 1, "module": "m", "services": { "g": { "type": "Guest" } } }"#, registry: registry)
  }

  @Test func `provided types and the dispose action are used by the registry`() throws {
    let container = try container { $0.add(Guest.self) }
    let guest = try container.resolve(Guest.self)
    #expect(try container.resolve((any Greeter).self) as? Guest === guest)
    container.dispose()
    #expect(guest.timesGone == 1)
  }

  @Test func `the registration can override them`() throws {
    let ended = Mutex(0)
    let ends: @Sendable (Guest) -> Void = { _ in ended.withLock { $0 += 1 } }
    let container = try container { $0.add(Guest.self, as: [.itself], onDispose: ends) }
    let guest = try container.resolve(Guest.self)
    #expect(throws: ResolutionError.self) { try container.resolve((any Greeter).self) }
    container.dispose()
    #expect(guest.timesGone == 0)
    #expect(ended.withLock { $0 } == 1)
  }

  @Test func `registrations in code use the same types and dispose action`() throws {
    let container = Container()
    container.register(Guest.self)
    let guest = try container.resolve(Guest.self)
    #expect(try container.resolve((any Greeter).self) as? Guest === guest)
    container.dispose()
    #expect(guest.timesGone == 1)
  }

  /// A type with an optional provider of a service that may take run-time arguments.
  private final class Host: Resolvable, Sendable {
    let guests: Provider<Guest>?

    init(_ guests: Provider<Guest>?) { self.guests = guests }

    static var injection: Injection<Host> { Injection(.service("guests")) { Host($0) } }
  }

  @Test func `an optional provider is present if its service takes run-time arguments`() throws {
    let container = Container()
    container.register(Host.self, scope: .transient)
    #expect(try container.resolve(Host.self).guests == nil)
    container.register { (_, name: String) in Guest(name: name) }
    #expect(try container.resolve(Host.self).guests?.get(arguments: "ann").name == "ann")
  }

  @Test func `a resolver cannot build a type with run-time arguments`() throws {
    struct Visit: Resolvable {
      static var injection: Injection<Visit> { Injection(.runtime("number", Int.self)) { (_: Int) in Visit() } }
    }
    let container = Container()
    container.register { resolver in "\(try resolver(Visit.self))" }
    container.register { (resolver, _: Int) in ["\(try resolver(Visit.self))"] }
    for hasArguments in [false, true] {
      let error = #expect(throws: ResolutionError.self) {
        if hasArguments {
          _ = try container.resolve([String].self, arguments: 1)
        } else {
          _ = try container.resolve(String.self)
        }
      }
      #expect(error?.code == .wrongArguments)
      #expect(error?.description.contains(#""Visit" takes the run-time argument (Int)"#) == true)
    }
  }
}
