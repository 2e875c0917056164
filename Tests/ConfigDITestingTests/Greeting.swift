// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import ConfigDITesting
import Synchronization

/// Where texts go.
protocol Sink: AnyObject, Sendable {
  func write(_ text: String)
}

/// A sink whose texts nobody reads.
final class NullSink: Sink {
  func write(_ text: String) {}
}

/// A sink that writes to another one, in capitals.
final class LoudSink: Sink {
  let inner: any Sink
  init(_ inner: any Sink) { self.inner = inner }
  func write(_ text: String) { inner.write(text.uppercased()) }
}

/// A sink that a test reads.
final class SinkMock: Sink {
  private let state = Mutex<[String]>([])
  func write(_ text: String) { state.withLock { $0.append(text) } }
  var texts: [String] { state.withLock { $0 } }
}

/// What tests build.
final class Greeter: Sendable {
  let sink: any Sink
  let name: String
  init(sink: any Sink, name: String) {
    self.sink = sink
    self.name = name
  }
  func greet() { sink.write("hello \(name)") }
}

/// A session that holds a greeter.
final class Desk: Sendable {
  let greeter: Greeter
  init(_ greeter: Greeter) { self.greeter = greeter }
}

enum Greeting {
  /// The types of the modules of these tests.
  static func registry() -> Registry {
    var registry = Registry()
    registry.add("NullSink", as: (any Sink).self) { NullSink() }
    registry.add("LoudSink", as: (any Sink).self, .decorated("inner", (any Sink).self)) { LoudSink($0) }
    registry.add("Greeter", .service("sink", (any Sink).self), .value("name", String.self, default: "world")) {
      Greeter(sink: $0, name: $1)
    }
    registry.add("Desk", .service("greeter", Greeter.self)) { Desk($0) }
    registry.add("LateDesk", .service("greeter", Greeter.self)) { greeter in
      await Task.yield()
      return Desk(greeter)
    }
    return registry
  }

  /// A module of three services, each in a scope.
  static func module(sink: String = "shared", greeter: String = "shared", more: String = "") -> TestModule {
    TestModule(
      text: """
        { "configdi": 1, "module": "greeting",
          "services": {
            "sink": { "type": "NullSink", "scope": "\(sink)" },
            "greeter": { "type": "Greeter", "inject": { "sink": "sink" }, "scope": "\(greeter)" },
            "desk": { "type": "Desk", "inject": { "greeter": "greeter" } }\(more)
          } }
        """, registry: registry())
  }
}
