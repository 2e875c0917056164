// SPDX-License-Identifier: Apache-2.0
#if Macros
  import ConfigDI
  import Testing

  /// The macros in use: types marked with `@Resolvable` in a registry and a container.
  @Suite struct UsageTests {
    /// Returns a registry with two loggers and the given types.
    private func registry(_ add: (inout Registry) -> Void) -> Registry {
      var registry = Registry()
      registry.add("ConsoleLogger", as: (any Logger).self) { ConsoleLogger() }
      registry.add("FileLogger", as: (any Logger).self, .value("path", String.self)) { FileLogger(name: $0) }
      add(&registry)
      return registry
    }

    /// A logger with a value as its argument.
    private struct FileLogger: Logger {
      let name: String
    }

    /// Creates a container of a module with the given services and types.
    private func container(_ services: String, _ add: (inout Registry) -> Void) throws -> Container {
      try Container(
        text: #"{ "configdi": 1, "module": "m", "services": { \#(services) } }"#, variables: ["TOKEN": "hush"],
        registry: registry(add))
    }

    /// Returns the arguments of the type with a name, as the catalog describes them.
    private func arguments(of name: String, _ add: (inout Registry) -> Void) throws -> [ArgumentDescriptor] {
      try #require(registry(add).catalog.types.first { $0.name == name }).arguments
    }

    @Test func `a file supplies the arguments of an initializer`() throws {
      let services = #"""
        "console": { "type": "ConsoleLogger" },
        "file": { "type": "FileLogger", "values": { "path": "log" } },
        "mailer": {
          "type": "Mailer",
          "inject": { "logger": "file", "spare": "console", "all": ["file", "console"] },
          "values": {
            "host": "h", "port": 26, "ratio": 0.5, "level": "high", "options": { "tries": 4 }, "words": ["b", "c"]
          }
        }
        """#
      let mailer = try container(services) { $0.add(Mailer.self) }.resolve(Mailer.self)
      #expect(
        mailer.text == "h 26 0.5 high 4 log console [\"log\", \"console\"] [\"b\", \"c\"] "
          + "ConfigDIMacrosTests/Services.swift")
    }

    @Test func `arguments missing in the file use the defaults of the initializer`() throws {
      let services = #""mailer": { "type": "Mailer", "values": { "host": "h" } }"#
      let mailer = try container(services) { $0.add(Mailer.self) }.resolve(Mailer.self)
      #expect(mailer.text == "h 25 1.0 low 3 console none [] [\"a\"] ConfigDIMacrosTests/Services.swift")
    }

    @Test func `the catalog has the keys, types and defaults of the initializer`() throws {
      let arguments = try arguments(of: "Mailer") { $0.add(Mailer.self) }
      #expect(
        arguments.map(\.key) == [
          "host", "port", "ratio", "level", "options", "logger", "spare", "all", "words",
        ])
      #expect(arguments.map(\.hasDefault) == [false, true, true, true, true, false, false, false, true])
      #expect(arguments[1].kind == .value(.integer(.Int64)))
      #expect(arguments[1].defaultValue == .integer(25))
      #expect(arguments[3].kind == .value(.oneOf([.string("low"), .string("high")])))
      #expect(arguments[5].kind == .service(type: "Logger", wrapper: .direct))
      #expect(arguments[7].kind == .service(type: "Logger", wrapper: .list))
      #expect(arguments.map(\.isOptional) == [false, false, false, false, false, true, true, true, false])
    }

    @Test func `a missing value is reported by the load`() {
      #expect(throws: LoadError.self) {
        try container(#""mailer": { "type": "Mailer" }"#) { $0.add(Mailer.self) }
      }
    }

    @Test func `the marked initializer is called, and the others stay usable`() throws {
      let marked = try container(#""m": { "type": "Marked", "values": { "number": 7 } }"#) { $0.add(Marked.self) }
      #expect(try marked.resolve(Marked.self).text == "7")
      #expect(Marked(text: "own").text == "own")
    }

    @Test func `a look-up passes run-time arguments`() throws {
      let services = #"""
        "console": { "type": "ConsoleLogger" },
        "session": {
          "type": "Session", "scope": "transient", "inject": { "logger": "console" }, "values": { "token": "${token}" }
        } }, "parameters": { "token": { "env": "TOKEN", "secret": true }
        """#
      let container = try container(services) { $0.add(Session.self) }
      let session = try container.resolve(Session.self, arguments: 7, (8, "nine"))
      #expect(session.user == 7)
      #expect(session.pair == (8, "nine"))
      #expect(session.token == "hush")
      #expect(session.loggerName == "console")
      #expect(try arguments(of: "Session") { $0.add(Session.self) }.map(\.isSecret) == [false, false, true, false])
    }

    @Test func `a decorator receives the wrapped instance`() throws {
      let services = #"""
        "logger": { "type": "ConsoleLogger", "decorate": [{ "type": "Loud", "values": { "mark": "!" } }] }
        """#
      let container = try container(services) { $0.add(Loud.self, as: [.type((any Logger).self) { $0 }]) }
      #expect(try container.resolve((any Logger).self).name == "console!")
    }

    @Test func `a type sets its keys, its types and its dispose action`() throws {
      let container = try container(#""l": { "type": "ClosedLogger", "values": { "title": "x" } }"#) {
        $0.add(ClosedLogger.self)
      }
      let logger = try container.resolve(ClosedLogger.self)
      #expect(try container.resolve((any Logger).self) as? ClosedLogger === logger)
      #expect(logger.name == "x")
      container.dispose()
      #expect(logger.isClosed)
    }

    @Test func `errors of an initializer reach the look-up`() throws {
      let container = try container(#""p": { "type": "Picky", "values": { "number": -1 } }"#) { $0.add(Picky.self) }
      let error = #expect(throws: ResolutionError.self) { try container.resolve(Picky.self) }
      #expect(error?.description.contains("Failure") == true)
    }

    @Test func `many values, a keyword as a label and a look-up property`() throws {
      let data = "abcdefghijklmnop".map { #""\#($0)": { "number": 2 }"# }.joined(separator: ", ")
      let container = try container(
        #""many": { "type": "Collector", "values": { \#(data) } }, "#
          + #""clerk": { "type": "Clerk", "values": { "default": "x" } }, "logger": { "type": "ConsoleLogger" }"#
      ) {
        $0.add(Collector.self)
        $0.add(Clerk.self, sharedSafely: true)
      }
      #expect(try container.resolve(Collector.self).sum == 32)
      let clerk = try withContainer(container) { try container.resolve(Clerk.self) }
      #expect(clerk.word == "x" && clerk.logger.name == "console")
    }

    @Test func `a default value is evaluated for each instance`() throws {
      let container = try container(#""n": { "type": "Numbered", "scope": "transient" }"#) { $0.add(Numbered.self) }
      let first = try container.resolve(Numbered.self)
      let second = try container.resolve(Numbered.self)
      #expect(second.count.number == first.count.number + 1)
    }

    @Test func `nested and generic types can be built`() throws {
      let services = #"""
        "open": {
          "type": "Open", "scope": "transient", "values": { "settings": { "size": 2 } }, "inject": { "elements": [] }
        },
        "closed": { "type": "Closed", "values": { "settings": { "size": 3 } }, "inject": { "elements": [] } },
        "extended": { "type": "Extended", "values": { "size": 4 } }
        """#
      let container = try container(services) {
        $0.add(Outer<Int>.Open<any Logger>.self, name: "Open")
        $0.add(Outer<Int>.Closed<any Logger>.self, name: "Closed")
        $0.add(Outer<Int>.Extended.self, name: "Extended")
      }
      #expect(try container.resolve(Outer<Int>.Open<any Logger>.self).settings.size == 2)
      #expect(try container.resolve(Outer<Int>.Closed<any Logger>.self).settings.size == 3)
      #expect(try container.resolve(Outer<Int>.Extended.self).size == 4)
    }

    @Test func `types of each access level and kind can be built`() throws {
      let services = #"""
        "published": { "type": "Published", "values": { "level": "high" } },
        "packaged": { "type": "Packaged", "values": { "size": 1 } },
        "stated": { "type": "Stated", "values": { "size": 2 } },
        "model": { "type": "Model", "values": { "size": 4 } },
        "timer": { "type": "Timer", "scope": "transient", "values": { "size": 5 } },
        "watch": { "type": "Stopwatch", "scope": "transient" }
        """#
      let container = try container(services) {
        $0.add(Published.self)
        $0.add(Packaged.self)
        $0.add(Stated.self)
        $0.add(Model.self)
        $0.add(Timer.self)
        $0.add(Stopwatch.self)
      }
      #expect(try container.resolve(Published.self).name == "high")
      #expect(try container.resolve(Packaged.self).size == 1)
      #expect(try container.resolve(Stated.self).size == 2)
      #expect(try container.resolve(Model.self).size == 4)
      let now: @Sendable () -> Int = { 6 }
      let later: (@Sendable () -> Int)? = { 7 }
      #expect(try container.resolve(Timer.self, arguments: now, later).text == "6 7 5")
      let twice: @Sendable () -> Int = { 8 }
      let watch = try container.resolve(Stopwatch.self, arguments: now, twice)
      #expect(watch.twice() == 8 && watch.third == nil)
    }

    @Test func `isolated types are built in their isolation domain`() async throws {
      let services = #"""
        "handle": { "type": "Handle", "scope": "transient" },
        "counter": { "type": "Counter", "values": { "start": 3, "label": "l" } },
        "view": { "type": "View", "inject": { "handle": "handle" } },
        "window": { "type": "Window", "values": { "title": "t" }, "inject": { "view": "view" } },
        "page": { "type": "Page", "inject": { "handle": "handle" } },
        "database": { "type": "Database", "values": { "path": "p", "rows": 2 } },
        "connection": { "type": "Connection", "values": { "url": "u" } }
        """#
      let container = try container(services) {
        $0.add("Handle") { Handle() }
        $0.add(Counter.self)
        $0.add(View.self)
        $0.add(Window.self)
        $0.add(Page.self)
        $0.add(Database.self)
        $0.add(Connection.self)
      }
      #expect(try await container.resolveAsync(Counter.self).label == "l")
      let window = try await container.resolveAsync(Window.self)
      #expect(await window.view?.size == 3)
      #expect(await window.view === (try await container.resolveAsync(View.self)))
      #expect(try await container.resolveAsync(Page.self) === (try await container.resolveAsync(Page.self)))
      #expect(try await container.resolveAsync(Database.self).path == "p")
      #expect(try await container.resolveAsync(Connection.self).url == "u")
    }

    @Test func `code registers a type`() throws {
      let container = Container()
      container.register(Chain.self)
      container.register((any Logger).self) { try $0(ConsoleLogger.self) }
      container.register(Link.self)
      let chain = try container.resolve(Chain.self)
      #expect(chain.link.logger.name == "console")
      #expect(try container.resolve(Chain.self) === chain)
      #expect(chain.length == 3)
    }

    @Test func `code passes run-time arguments`() throws {
      let container = Container()
      container.register((any Logger).self) { ConsoleLogger() }
      container.register(Greeter.self, scope: .transient)
      let greeter = try container.resolve(Greeter.self, arguments: "you")
      #expect(greeter.text == "you console")
    }

    @Test func `the generated initializer is available to code`() {
      #expect(Outer<Int>.Open(settings: .init(size: 1), elements: [2]).key == nil)
      #expect(Packaged(size: 3).size == 3)
      #expect(Session(user: 1, pair: (2, ""), token: "", logger: ConsoleLogger()).loggerName == "console")
    }
  }
#endif
