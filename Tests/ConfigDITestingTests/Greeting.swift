// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import ConfigDITesting
import Synchronization

/// An output for texts.
protocol Sink: AnyObject, Sendable {
  func write(_ text: String)
}

/// A sink that discards texts.
final class NullSink: Sink {
  func write(_ text: String) {}
}

/// A decorator that forwards texts in capitals.
final class LoudSink: Sink {
  let inner: any Sink
  init(_ inner: any Sink) { self.inner = inner }
  func write(_ text: String) { inner.write(text.uppercased()) }
}

/// A sink that records texts.
final class SinkMock: Sink {
  private let state = Mutex<[String]>([])
  func write(_ text: String) { state.withLock { $0.append(text) } }
  var texts: [String] { state.withLock { $0 } }
}

/// A service with a sink and a value.
final class Greeter: Sendable {
  let sink: any Sink
  let name: String
  init(sink: any Sink, name: String) {
    self.sink = sink
    self.name = name
  }
  func greet() { sink.write("hello \(name)") }
}

/// A service that depends on a greeter.
final class Desk: Sendable {
  let greeter: Greeter
  init(_ greeter: Greeter) { self.greeter = greeter }
}

enum Greeting {
  /// Returns a registry with the types of the modules in these tests.
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

  /// Returns a module of three services, with the given lifetimes and further services.
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
