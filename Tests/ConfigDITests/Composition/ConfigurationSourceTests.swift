// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// Parameters with the source `config`.
@Suite struct ConfigurationSourceTests {
  /// Returns a module with one parameter, whose value a service uses.
  private func files(_ parameter: String) -> [String: String] {
    [
      "app.json": module(
        #""parameters": {"p": \#(parameter)}, "services": {"s": {"type": "T", "values": {"v": "${p}"}}}"#)
    ]
  }

  /// Loads a module with the parameter and some configuration values.
  private func load(_ parameter: String, _ values: [String: Value]) -> LoadedModule {
    LoadedModule(files(parameter), .init(missing: .refused, configuration: ConfigurationSource(values)))
  }

  @Test(
    arguments: [
      ("string", "08", "08"), ("int", "08", 8), ("int", 8, 8), ("double", "1.5", 1.5), ("double", 2, 2.0),
      ("bool", "true", true), ("bool", false, false), ("duration", "1.5s", .duration("1.5s")),
      ("size", "16MiB", .size("16MiB")),
      ("list", "a, b", ["a", "b"]), ("list", ["a", 1], ["a", 1]), ("json", #"{"a": [1]}"#, ["a": [1]]),
    ] as [(String, Value, Value)])
  func `a string is converted, other values must have the type`(type: String, found: Value, value: Value) throws {
    let loaded = load(#"{"config": "a.b", "type": "\#(type)"}"#, ["a.b": found])
    #expect(loaded.reported == [])
    #expect(loaded.resolved?.values(of: "s")?["v"] == value)
  }

  @Test(
    arguments: [
      ("int", "abc", #"configuration value "a.b" is not an integer"#),
      ("bool", "yes", #"configuration value "a.b" is not "true" or "false""#),
      ("int", 1.5, #"configuration value "a.b" is a real number, not an integer"#),
      ("string", 5, #"configuration value "a.b" is an integer, not a string"#),
      ("bool", 1, #"configuration value "a.b" is an integer, not a boolean"#),
    ] as [(String, Value, String)])
  func `a value of another type is reported at the parameter without the value`(
    type: String, found: Value, message: String
  ) throws {
    let loaded = load(#"{"config": «CDI0406»"a.b", "type": "\#(type)"}"#, ["a.b": found])
    #expect(loaded.reported == loaded.expectations)
    #expect(loaded.check.diagnostics.first?.message == message)
  }

  @Test func `a value out of bounds is reported without the value`() {
    let loaded = load(#"{"config": «CDI0407»"a", "type": "int", "max": 5}"#, ["a": 731])
    #expect(loaded.reported == loaded.expectations)
    #expect(!loaded.findingsText.contains("731"))
  }

  @Test(arguments: ["${p}", "a${q}"]) func `a value that does not fit an argument is reported without the value`(
    text: String
  ) throws {
    var registry = Registry()
    registry.add("T", .value("v", Int.self)) { $0 }
    let source = ModuleSource(
      text: module(
        #"""
        "parameters": {"p": {"config": "a"}, "q": {"value": "b${p}"}},
        "services": {"s": {"type": "T", "values": {"v": "\#(text)"}}}
        """#)
    ).reading(ConfigurationSource(["a": "hunter2"]))
    let error = try #require(throws: LoadError.self) { try Container(source, registry: registry) }
    #expect(error.diagnostics.contains { $0.code == .valueMismatch })
    #expect(!"\(error)".contains("hunter2"))
  }

  @Test func `a missing value uses its default or is reported`() {
    let missing = load(#"{"config": «CDI0405»"a"}"#, [:])
    #expect(missing.reported == missing.expectations)
    #expect(
      missing.check.diagnostics.first?.message == #"configuration value "a" is missing and has no default"#)
    #expect(load(#"{"config": "a", "type": "int", "default": 7}"#, [:]).resolved?.values(of: "s")?["v"] == 7)
    // As with a variable, an empty text counts as missing if it is not a value of the parameter's type.
    let empty: [String: Value] = ["a": ""]
    #expect(load(#"{"config": "a", "type": "int", "default": 7}"#, empty).resolved?.values(of: "s")?["v"] == 7)
    #expect(load(#"{"config": "a", "default": "x"}"#, empty).resolved?.values(of: "s")?["v"] == "")
    #expect(LoadedModule(files(#"{"config": "a"}"#)).resolved?.parameter("p") == "<unset a>")
  }

  @Test func `config can be one of several sources`() {
    let sources = #"{"sources": [{"env": "A"}, {"config": "a"}, {"file": "a"}]}"#
    #expect(load(sources, ["a": "x"]).resolved?.values(of: "s")?["v"] == "x")
    let missing = load(sources.replacing(#""A"}"#, with: #"«CDI0405»"A"}"#), [:])
    #expect(missing.reported == missing.expectations)
    #expect(missing.check.diagnostics.first?.message.contains(#"configuration value "a""#) == true)
  }

  @Test(arguments: [
    #"{"config": «CDI0202»1}"#, #"{"config": "a", «CDI0207»"env": "A"}"#, #"{"config": «CDI0403»"a.${b}"}"#,
    #"{"sources": [{"config": "a", «CDI0207»"env": "A"}]}"#, #"{"sources": [{"config": «CDI0202»[]}]}"#,
  ])
  func `a structural error is reported at its token`(parameter: String) {
    expectFindings(in: files(parameter))
  }

  @Test func `a secret is read as a secret and never shown`() throws {
    let queries = Mutex<[String]>([])
    let source = ConfigurationSource {
      { query in
        queries.withLock { $0.append("\(query.key) \(query.type) \(query.isSecret)") }
        return query.key == "b" ? "4711" : "hunter2"
      }
    }
    let files = [
      "app.json": module(
        #"""
        "parameters": {"p": {"config": "a", "secret": true}, "q": {"config": "a"}, "r": {"config": "b", "type": "int"}},
        "services": {"s": {"type": "T", "values": {"p": "${p}", "q": "${q}", "r": "${r}"}}}
        """#)
    ]
    let loaded = LoadedModule(files, .init(configuration: source))
    #expect(loaded.resolved?.values(of: "s") == ["p": "<secret p>", "q": "<secret q>", "r": 4711])
    #expect(queries.withLock { $0.sorted() } == ["a string true", "a string true", "b int false"])
    #expect(
      loaded.check.sources(.config) == [
        SourceUse(name: "a", type: "string", isSet: true, hasDefault: false, isSecret: true),
        SourceUse(name: "b", type: "int", isSet: true, hasDefault: false, isSecret: false),
      ])
  }

  @Test func `a layer overrides the key, unsets it and replaces it by a value`() throws {
    let layers = [
      "other.json": #"{"override": {"parameters": {"p": {"config": "b"}}}}"#,
      "value.json": #"{"override": {"parameters": {"p": {"value": "v"}}}}"#,
      "unset.json": #"{"override": {"parameters": {"p": {"unset": ["config"], "env": "E"}}}}"#,
      "same.json": #"{"override": {"parameters": {"p": {"config": "a"}}}}"#,
    ].mapValues { #"{"configdi": 1, "module": "layer", "# + $0.dropFirst() }
    func reported(_ layer: String) -> (value: Value?, codes: [String]) {
      let all = files(#"{"config": "a"}"#).merging(layers) { $1 }
      let loaded = LoadedModule(
        all,
        .init(
          variables: ["E": "e"], layers: [.file(layer)], configuration: ConfigurationSource(["a": "x", "b": "y"])))
      return (loaded.resolved?.values(of: "s")?["v"], loaded.check.diagnostics.map { "\($0.code)" })
    }
    #expect(reported("other.json").value == "y")
    #expect(reported("value.json").value == "v")
    #expect(reported("unset.json").value == "e")
    #expect(
      reported("same.json").value == "x" && reported("same.json").codes == ["\(DiagnosticCode.overrideWithoutEffect)"])
    #expect(reported("other.json").codes == [])
  }

  @Test func `resolve and explain show the key`() throws {
    let loaded = load(#"{"config": "a", "type": "int"}"#, ["a": 5])
    #expect(loaded.moduleFile?["parameters"]?["p"]?["config"] == "a")
    let other = resolvedModule(#"{"config": "b", "type": "int"}"#)
    let graph = try #require(loaded.check.compositions.first?.graph)
    let difference = ModuleDifference(from: ResolvedModule(graph), to: try #require(other))
    #expect(!difference.isEmpty)
  }

  /// Returns the resolved module with the parameter; the configuration gives `b` the value 5.
  private func resolvedModule(_ parameter: String) -> ResolvedModule? {
    load(parameter, ["b": 5]).check.compositions.first?.graph.map { ResolvedModule($0) }
  }
}
