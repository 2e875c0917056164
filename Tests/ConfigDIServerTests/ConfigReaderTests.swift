// SPDX-License-Identifier: Apache-2.0

#if SwiftConfiguration
  import ConfigDI
  import ConfigDISwiftConfiguration
  import Configuration
  import Synchronization
  import Testing

  /// Tests of parameters whose values come from a `ConfigReader`.
  @Suite struct ConfigReaderTests {
    /// A service that stores the values it was built with.
    private struct Settings: Sendable, Equatable {
      var port: Int
      var ratio: Double
      var isOn: Bool
      var hosts: [String]
      var token: String
    }

    private static let module = """
      {"configdi": 1, "module": "app",
       "parameters": {
         "port": {"config": "http.port", "type": "int"}, "ratio": {"config": "ratio", "type": "double"},
         "on": {"config": "on", "type": "bool"}, "hosts": {"config": "hosts", "type": "list"},
         "token": {"config": "token", "secret": true}},
       "services": {"settings": {"type": "Settings", "values": {
         "port": "${port}", "ratio": "${ratio}", "on": "${on}", "hosts": "${hosts}", "token": "${token}"}}}}
      """

    private func settings(_ reader: ConfigReader) throws -> Settings {
      var registry = Registry()
      registry.add(
        "Settings", Settings.init, .value("port"), .value("ratio"), .value("on"), .value("hosts"),
        .value("token", secret: true))
      let container = try Container(ModuleSource(text: Self.module).reading(reader), registry: registry)
      return try container.resolve()
    }

    private let wanted = Settings(port: 80, ratio: 1.5, isOn: true, hosts: ["a", "b"], token: "hunter2")

    @Test func `strings are converted by the rules of the format`() throws {
      let variables = ["HTTP_PORT": "+80", "RATIO": "1.5", "ON": "true", "HOSTS": "a, b", "TOKEN": "hunter2"]
      let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
      #expect(try settings(reader) == wanted)
    }

    @Test func `typed values keep their types`() throws {
      let reader = ConfigReader(
        provider: InMemoryProvider(values: [
          "http.port": 80, "ratio": 1.5, "on": true, "hosts": .init(.stringArray(["a", "b"]), isSecret: false),
          "token": .init("hunter2", isSecret: true),
        ]))
      #expect(try settings(reader) == wanted)
    }

    @Test func `a key is relative to the scope of the reader, and the first provider with a value is used`() throws {
      let reader = ConfigReader(providers: [
        InMemoryProvider(values: ["app.http.port": 80]),
        EnvironmentVariablesProvider(environmentVariables: [
          "APP_HTTP_PORT": "81", "APP_RATIO": "1.5", "APP_ON": "true", "APP_HOSTS": "a,b", "APP_TOKEN": "hunter2",
        ]),
      ]).scoped(to: "app")
      #expect(try settings(reader) == wanted)
    }

    @Test func `missing and mistyped values are reported with their lines and without values`() throws {
      let reader = ConfigReader(
        provider: InMemoryProvider(values: [
          "http.port": 1.5, "ratio": "half", "on": 8, "hosts": .init(.intArray([1]), isSecret: false),
        ]))
      let error = try #require(throws: LoadError.self) { try settings(reader) }
      #expect(
        error.diagnostics.map { "\($0.code) \($0.location.start?.line ?? 0)" } == [
          "CDI0406 3", "CDI0406 3", "CDI0406 4", "CDI0405 5", "CDI0604 7",
        ])
      let text = "\(error)"
      #expect(text.contains(#"configuration value "http.port" is a real number, not an integer"#))
      #expect(text.contains(#"configuration value "ratio" is not a number"#))
      #expect(text.contains(#"configuration value "on" is an integer, not a boolean"#))
      #expect(!text.contains("half") && !text.contains("1.5"))
    }

    @Test func `no message shows a value, not even of a parameter that is not declared secret`() throws {
      let values: [AbsoluteConfigKey: ConfigValue] = [
        "http.port": 80, "ratio": 1.5, "on": true, "token": "t",
        "hosts": .init(.intArray([4711]), isSecret: true),
      ]
      let error = try #require(throws: LoadError.self) {
        try settings(ConfigReader(provider: InMemoryProvider(values: values)))
      }
      #expect(error.diagnostics.map(\.code) == [.valueMismatch])
      #expect(!"\(error)".contains("4711"))
    }

    /// A provider that reads any number as a boolean, as the one for JSON does.
    private struct NumberProvider: ConfigProvider, ConfigSnapshot {
      typealias Results = ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
      typealias Snapshots = ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>

      let number: Double
      let providerName = "numbers"

      func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let content: ConfigContent? =
          switch type {
          case .bool: .bool(number != 0)
          case .int: Int(exactly: number).map(ConfigContent.int)
          case .double: .double(number)
          default: nil
          }
        return LookupResult(encodedKey: "\(key)", value: content.map { ConfigValue($0, isSecret: false) })
      }

      nonisolated(nonsending) func fetchValue(
        forKey key: AbsoluteConfigKey, type: ConfigType
      ) async throws -> LookupResult {
        try value(forKey: key, type: type)
      }

      nonisolated(nonsending) func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: nonisolated(nonsending) (Results) async throws -> Return
      ) async throws -> Return {
        try await watchValueFromValue(forKey: key, type: type, updatesHandler: updatesHandler)
      }

      func snapshot() -> any ConfigSnapshot { self }

      nonisolated(nonsending) func watchSnapshot<Return: ~Copyable>(
        updatesHandler: nonisolated(nonsending) (Snapshots) async throws -> Return
      ) async throws -> Return {
        try await watchSnapshotFromSnapshot(updatesHandler: updatesHandler)
      }
    }

    @Test(arguments: [(0, nil), (1, nil), (8, "an integer"), (0.5, "a real number")] as [(Double, String?)])
    func `only 0 and 1 are booleans for a provider that reads any number as one`(number: Double, kind: String?) throws {
      let source = ModuleSource(
        text: #"{"configdi": 1, "module": "app", "parameters": {"a": {"config": "a", "type": "bool"}}}"#
      ).reading(ConfigReader(provider: NumberProvider(number: number)))
      guard let kind else {
        _ = try Container(source, registry: Registry())
        return
      }
      let error = try #require(throws: LoadError.self) { try Container(source, registry: Registry()) }
      #expect("\(error)".contains(#"configuration value "a" is \#(kind), not a boolean"#))
    }

    @Test func `bytes are reported instead of counting as missing`() throws {
      let provider = InMemoryProvider(values: ["a": .init(.bytes([1]), isSecret: false)])
      let source = ModuleSource(
        text: #"{"configdi": 1, "module": "app", "parameters": {"a": {"config": "a", "default": "b"}}}"#)
      let error = try #require(throws: LoadError.self) {
        try Container(source.reading(ConfigReader(provider: provider)), registry: Registry())
      }
      #expect(error.diagnostics.contains { $0.code == .failedConversion })
    }

    @Test func `an array of byte chunks is a list of bytes`() throws {
      let provider = InMemoryProvider(values: ["a": .init(.byteChunkArray([[1], [2, 3]]), isSecret: false)])
      let source = ModuleSource(
        text: """
          {"configdi": 1, "module": "app", "parameters": {"a": {"config": "a", "type": "list"}},
           "services": {"chunks": {"type": "Chunks", "values": {"chunks": "${a}"}}}}
          """)
      var registry = Registry()
      registry.add("Chunks", .value("chunks", [[UInt8]].self)) { $0 }
      let container = try Container(source.reading(ConfigReader(provider: provider)), registry: registry)
      #expect(try container.resolve([[UInt8]].self, named: "chunks") == [[1], [2, 3]])
    }

    @Test func `a number that is not finite is reported`() throws {
      let values: [AbsoluteConfigKey: ConfigValue] = [
        "http.port": 80, "ratio": .init(.double(.nan), isSecret: false), "on": true, "token": "t",
        "hosts": .init(.stringArray(["a"]), isSecret: false),
      ]
      let error = try #require(throws: LoadError.self) {
        try settings(ConfigReader(provider: InMemoryProvider(values: values)))
      }
      #expect(error.diagnostics.map(\.code) == [.failedConversion])
      #expect("\(error)".contains(#"configuration value "ratio" is not a finite number"#))
    }

    @Test(arguments: ["list", "json"]) func `a number in an array that is not finite is reported`(type: String) throws {
      let provider = InMemoryProvider(values: ["a": .init(.doubleArray([1, .infinity]), isSecret: false)])
      let source = ModuleSource(
        text: #"{"configdi": 1, "module": "app", "parameters": {"a": {"config": "a", "type": "\#(type)"}}}"#)
      let error = try #require(throws: LoadError.self) {
        try Container(source.reading(ConfigReader(provider: provider)), registry: Registry())
      }
      #expect(error.diagnostics.contains { $0.code == .failedConversion })
      #expect("\(error)".contains(#"configuration value "a" contains a number that is not finite"#))
    }

    @Test func `a secret is read as a secret`() throws {
      /// A reporter that records the keys that were read as secrets.
      final class Reporter: AccessReporter {
        let secrets = Mutex<Set<String>>([])
        func report(_ event: AccessEvent) {
          guard case .success(let value?) = event.result, value.isSecret else { return }
          secrets.withLock { _ = $0.insert("\(event.metadata.key)") }
        }
      }
      let reporter = Reporter()
      let variables = ["HTTP_PORT": "80", "RATIO": "1.5", "ON": "true", "HOSTS": "a,b", "TOKEN": "hunter2"]
      let provider = EnvironmentVariablesProvider(environmentVariables: variables)
      _ = try settings(ConfigReader(provider: provider, accessReporter: reporter))
      #expect(reporter.secrets.withLock { $0 } == ["token"])
    }

    @Test func `a list or a real number is read as such after the attempt to read a string`() throws {
      /// A reporter that counts the reads without a result by key.
      final class Reporter: AccessReporter {
        let failures = Mutex<[String: Int]>([:])
        func report(_ event: AccessEvent) {
          guard case .success(nil) = event.result else { return }
          failures.withLock { $0["\(event.metadata.key)", default: 0] += 1 }
        }
      }
      let reporter = Reporter()
      let provider = InMemoryProvider(values: [
        "http.port": 80, "ratio": 1.5, "on": true, "hosts": .init(.stringArray(["a", "b"]), isSecret: false),
        "token": "hunter2",
      ])
      #expect(try settings(ConfigReader(provider: provider, accessReporter: reporter)) == wanted)
      let failures = reporter.failures.withLock { $0 }
      #expect(failures["hosts"] == 1)
      #expect(failures["ratio"] == 1)
    }

    @Test func `a reload reads the current values of the reader`() async throws {
      let provider = MutableInMemoryProvider(initialValues: [
        "http.port": 80, "ratio": 1.5, "on": true, "hosts": .init(.stringArray([]), isSecret: false), "token": "t",
      ])
      var registry = Registry()
      registry.add(
        "Settings", Settings.init, .value("port"), .value("ratio"), .value("on"), .value("hosts"),
        .value("token", secret: true))
      let source = ModuleSource(text: Self.module).reading(ConfigReader(provider: provider))
      let container = try await ReloadingContainer(source, registry: registry)
      #expect(try container.current.resolve(Settings.self).port == 80)
      provider.setValue(81, forKey: "http.port")
      _ = try await container.reload()
      #expect(try container.current.resolve(Settings.self).port == 81)
      provider.setValue("x", forKey: "http.port")
      await #expect(throws: LoadError.self) { try await container.reload() }
      #expect(try container.current.resolve(Settings.self).port == 81)
    }
  }
#endif
