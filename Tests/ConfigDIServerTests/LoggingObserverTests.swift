// SPDX-License-Identifier: Apache-2.0

#if Logging
  import ConfigDI
  import ConfigDILogging
  import Logging
  import Synchronization
  import Testing
  import _ConfigDITestSupport

  /// A thread-safe list of log lines.
  private final class Lines: Sendable {
    struct Line: Sendable {
      let level: Logger.Level
      let text: String
      let metadata: Logger.Metadata
    }
    private let state = Mutex<[Line]>([])
    func add(_ line: Line) { state.withLock { $0.append(line) } }
    var all: [Line] { state.withLock { $0 } }

    /// A logger that adds its lines to the list.
    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
      let lines: Lines
      var metadata: Logger.Metadata = [:]
      var logLevel = Logger.Level.trace
      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }
      func log(event: LogEvent) {
        lines.add(Line(level: event.level, text: event.message.description, metadata: event.metadata ?? [:]))
      }
    }
  }

  @Suite struct LoggingObserverTests {
    private struct TestError: Error, CustomStringConvertible {
      let description: String
    }
    private let lines = Lines()

    @Test func aLineForEachBuild() throws {
      let container = Container(observers: [LoggingObserver(lines.logger)])
      container.register { Store() }
      container.register(named: "shop") { Shop(try $0.resolve()) }
      _ = try container.resolve(Shop.self)
      container.dispose()
      #expect(
        lines.all.map(\.text) == ["built service", "built service", "disposed of service", "disposed of service"])
      #expect(lines.all.allSatisfy { $0.level == .debug })
      let first = try #require(lines.all.first).metadata
      #expect(first["service"] == "Store")
      #expect(first["type"] == "Store")
      #expect(first["consumer"] == "shop")
      #expect(first["origin"]?.description.contains("LoggingObserverTests.swift:") == true)
      #expect(first["duration_ms"] != nil)
      #expect(lines.all[1].metadata["consumer"] == nil)
    }

    @Test func servicesWithShorterLifetimesHaveASeparateLevel() throws {
      var registry = Registry()
      registry.add("Store", { Store() })
      registry.add("Wrapped", { (store: Store) in store }, .decorated("inner"))
      registry.add("Shop", { (store: Store) in Shop(store) }, .service("store"))
      let container = try Container(
        text: """
          { "configdi": 1, "module": "m", "scopes": ["request"], "services": {
              "store": { "type": "Store", "decorate": [{ "type": "Wrapped" }] },
              "shop": { "type": "Shop", "scope": "request", "inject": { "store": "store" } },
              "guest": { "type": "Shop", "provides": ["Shop"], "scope": "transient", "inject": { "store": "store" } } },
            "bindings": { "Shop": "shop" } }
          """, registry: registry, observers: [LoggingObserver(lines.logger, level: .info, briefLevel: .notice)])
      try container.scope("request") { request in
        _ = try request.resolve(Shop.self)
        _ = try request.resolve(named: "guest") as Shop
      }
      // The store and its decorator are logged at `level`, the services of the request at `briefLevel`.
      #expect(lines.all.map(\.level) == [.info, .info, .notice, .notice, .notice])
      #expect(lines.all.map { $0.metadata["service"] } == ["store", "store", "shop", "guest", "shop"])
      #expect(lines.all.last?.text == "disposed of service")
    }

    @Test func aLineForEachFailure() throws {
      let container = Container(observers: [LoggingObserver(lines.logger)])
      container.register { () throws -> Store in throw TestError(description: "no disk") }
      container.register { Shop(try $0.resolve()) }
      #expect(throws: ResolutionError.self) { try container.resolve(Shop.self) }
      #expect(throws: ResolutionError.self) { try container.resolve(Int.self) }
      #expect(
        lines.all.map(\.text) == [
          "service could not be built", "service could not be built", "look-up found no service, or several",
        ])
      #expect(lines.all.allSatisfy { $0.level == .error })
      #expect(lines.all[0].metadata["error"] == "no disk")
      #expect(lines.all[1].metadata["error"] == "builderFailed")
      #expect(lines.all[1].metadata["cause"] == "Store")
      #expect(lines.all[2].metadata["error"] == "notRegistered")
      #expect(lines.all[2].metadata["type"] == "Int")
    }

    @Test(.hangLimit) func aCancelledBuildIsNoFailure() async throws {
      try await cancelBuilds(with: LoggingObserver(lines.logger))
      #expect(lines.all.map(\.text) == ["build of service was cancelled", "build of service was cancelled"])
      #expect(lines.all.allSatisfy { $0.level == .debug && $0.metadata["error"] == nil })
    }

    /// `isWrapped`: whether the error of the consumer contains that of the look-up.
    @Test(arguments: [false, true]) func noSecretIsLogged(isWrapped: Bool) throws {
      struct ShopError: Error { let cause: any Error }
      var registry = Registry()
      registry.add("Store", .value("password", String.self, secret: true)) { (password: String) -> Store in
        throw TestError(description: "cannot log in with \(password)")
      }
      if isWrapped {
        registry.add("Shop", .service("store", Lazy<Store>.self)) { store in
          do { return Shop(try store.get()) } catch { throw ShopError(cause: error) }
        }
      } else {
        registry.add("Shop", .service("store", Store.self)) { Shop($0) }
      }
      let container = try Container(
        text: """
          { "configdi": 1, "module": "m",
            "parameters": { "password": { "value": "sesame-open", "secret": true } },
            "services": { "store": { "type": "Store", "values": { "password": "${password}" } },
                          "shop": { "type": "Shop", "inject": { "store": "store" } } } }
          """, registry: registry, observers: [LoggingObserver(lines.logger)])
      #expect(throws: ResolutionError.self) { try container.resolve(Shop.self) }
      #expect(lines.all.count == 2)
      #expect(!"\(lines.all)".contains("sesame"))
      #expect(lines.all[0].metadata["error"] == "TestError")
    }
  }
#endif
