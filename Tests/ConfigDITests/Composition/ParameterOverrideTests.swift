// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct ParameterOverrideTests {
  /// Returns the parameter `p` after the overrides. The variable `E` is 7 and `F` is not set.
  private func overridden(
    _ parameter: String, by patches: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Value {
    let layers = patches.map { ModuleLayer.text(module(#""override": {"parameters": {"p": \#($0)}}"#)) }
    let resolved = try resolved(
      ["app.json": module(#""parameters": {"x": 1, "p": \#(parameter)}"#)], variables: ["E": "7"], layers: layers,
      sourceLocation: sourceLocation)
    return try #require(resolved["parameters"]?["p"], sourceLocation: sourceLocation)
  }

  /// A parameter, its override, and the resulting value and type.
  private static let changes: [(String, String, Value, String)] = [
    ("1", "2", 2, "int"), ("1.5", "2", 2.0, "double"), ("1.5", "2.5", 2.5, "double"), (#""a""#, #""b""#, "b", "string"),
    ("true", "false", false, "bool"), ("[1]", #"["a"]"#, ["a"], "list"), ("1", #"{"value": 3}"#, 3, "int"),
    ("1", #"{"env": "E"}"#, 7, "int"), ("1.5", #"{"env": "E"}"#, 7.0, "double"),
    (#""a""#, #"{"env": "E"}"#, "7", "string"),
    ("[1]", #"{"env": "E"}"#, ["7"], "list"), (#"{"value": 1}"#, #"{"env": "E"}"#, 7, "int"),
    (#"{"value": 1}"#, #"{"env": "E", "type": "string"}"#, "7", "string"),
    (#"{"value": 1, "type": "double"}"#, #"{"env": "E"}"#, 7.0, "double"),
    (#"{"value": {"k": 1}}"#, #"{"value": {"l": 2}}"#, ["l": 2], "map"),
    (#"{"value": {"k": 1}}"#, #"{"env": "F", "default": {"l": 2}}"#, ["l": 2], "map"),
    (#"{"value": {"k": 1}, "type": "json"}"#, "5", 5, "json"), ("1", #"{"deprecated": "d"}"#, 1, "int"),
    (#"{"env": "F", "type": "int", "default": 1}"#, #"{"default": 2}"#, 2, "int"),
    (#"{"env": "F", "type": "int", "default": 1}"#, "3", 3, "int"),
    (#"{"env": "F", "type": "int", "default": 1}"#, #"{"env": "E"}"#, 7, "int"),
    (#"{"env": "F", "default": 1, "type": "int"}"#, #"{"type": "double"}"#, 1.0, "double"),
    (#"{"file": "gone", "type": "int", "default": 1}"#, #"{"env": "E"}"#, 7, "int"),
    ("1", #"{"unset": ["value"], "env": "E"}"#, 7, "int"),
    (#"{"value": "a"}"#, #"{"unset": ["value"], "env": "E"}"#, "7", "string"),
    (
      #"{"env": "F", "default": "d", "secret": false}"#, #"{"unset": ["env", "default", "secret"], "value": "v"}"#, "v",
      "string"
    ),
    (#"{"value": 5, "type": "double"}"#, #"{"unset": ["type"]}"#, 5, "int"),
    ("1", #""${x}""#, 1, "int"), (#""${x}""#, "2", 2, "int"), (#""${x}""#, #"{"env": "E"}"#, 7, "int"),
    (#"{"value": "${x}", "max": 9}"#, #"{"env": "E"}"#, 7, "int"), (#""${x}""#, #"{"min": 1}"#, 1, "int"),
    (#""${x}""#, #"{"env": "F", "default": 3}"#, 3, "int"), (#""x${x}""#, #"{"env": "E"}"#, "7", "string"),
    (#"{"value": "${x}"}"#, #"{"type": "double"}"#, 1.0, "double"),
    (#"{"value": 5, "min": 1, "max": 9}"#, #"{"unset": ["min", "max"], "value": 99}"#, 99, "int"),
    (#"{"value": "a", "oneOf": ["a"]}"#, #"{"unset": ["oneOf"], "value": "b"}"#, "b", "string"),
    (#"{"value": "a", "oneOf": ["a"]}"#, #"{"oneOf": ["b"], "value": "b"}"#, "b", "string"),
  ]

  @Test(arguments: changes)
  func `an override changes source and default, and keeps the type`(
    parameter: String, patch: String, value: Value, type: String
  ) throws {
    let parameter = try overridden(parameter, by: patch)
    #expect(parameter["value"] == value)
    #expect(parameter["type"] == .string(type))
  }

  @Test func `secrecy is kept, and can be added to a literal`() throws {
    #expect(try overridden(#"{"value": "a", "secret": true}"#, by: #""b""#)["value"] == "<secret p>")
    #expect(try overridden(#"{"value": "a", "secret": true}"#, by: #"{"env": "E"}"#)["value"] == "<secret p>")
    #expect(try overridden(#""a""#, by: #"{"secret": true}"#)["value"] == "<secret p>")
  }

  @Test(arguments: [#"{"secret": false}"#, #"{"unset": ["secret"]}"#, #"{"value": "b", "secret": false}"#])
  func `a value once declared secret is never printed, whatever later layers declare`(patch: String) throws {
    #expect(try overridden(#"{"value": "a", "secret": true}"#, by: patch)["value"] == "<secret p>")
  }

  @Test func `only the final state is checked, not intermediate ones`() throws {
    #expect(try overridden(#"{"env": "F", "default": "a"}"#, by: #"{"type": "int"}"#, #"{"default": 2}"#)["value"] == 2)
    #expect(try overridden(#"{"env": "F", "default": "a"}"#, by: #"{"unset": ["env"]}"#, #""b""#)["value"] == "b")
    #expect(try overridden("5", by: #"{"max": 4}"#, "3")["value"] == 3)
  }

  @Test(arguments: [
    ("1", #"«CDI0202»"a""#), ("1", "«CDI0202»1.5"), ("1", #"{"value": «CDI0202»true}"#), (#""a""#, "«CDI0202»1"),
    ("[1]", "«CDI0202»1"), (#"{"value": 1}"#, #"«CDI0202»"a""#), ("1", #"{«CDI0207»"type": "double"}"#),
    ("1", #"{"value": 2, «CDI0207»"type": "int"}"#), (#"{"value": 1, "type": "int"}"#, #"«CDI0202»"a""#),
    (#"{"env": "E", "type": "int"}"#, "«CDI0202»1.5"), (#"{"value": 1, "max": 3}"#, "«CDI0407»4"),
    (#"{"env": "F", "type": "int", "max": 3}"#, #"{"default": «CDI0407»4}"#),
    (#"{"env": "F", "type": "int", "min": 3, "default": 4}"#, #"{«CDI0207»"min": 1, "type": "list", "default": []}"#),
    ("1", #"{«CDI0207»"default": 2}"#), (#"{"value": 1}"#, #"{«CDI0207»"default": 2}"#),
    (#"{"env": "E"}"#, #"{"unset": [«CDI0306»"value"]}"#),
    (#"{"env": "E"}"#, #"{"unset": [«CDI0306»"type"], "type": "int"}"#),
    ("1", #"{"unset": [«CDI0306»"type"]}"#),
    ("1", #"{"unset": [«CDI0306»"env", «CDI0306»"no", «CDI0306»"", «CDI0306»"value.x"]}"#),
    ("1", #"{"oneOf": [1, «CDI0202»"1"]}"#),
    (#"{"value": {"k": 1}}"#, "«CDI0202»5"), (#"{"value": {"k": 1}}"#, #"{"value": «CDI0202»[{}]}"#),
    (#"{"value": {"k": 1}}"#, #"{"env": «CDI0406»"E"}"#),
    (#"{"value": {"k": 1}}"#, #"{"env": "F", "default": «CDI0202»5}"#),
    (#"{"value": {"k": 1}}"#, #"{"oneOf": [«CDI0202»1]}"#),
  ])
  func `an invalid combination is reported at the token of the override`(parameter: String, patch: String) {
    expectFindings(
      in: [
        "app.json": module(#""parameters": {"p": \#(parameter)}"#),
        "l.json": module(#""override": {"parameters": {"p": \#(patch)}}"#),
      ], variables: ["E": "1"], layers: ["l.json"])
  }

  @Test func `a variable that replaces a map is listed with a valid type`() {
    let app = module(#""parameters": {"m": {"value": {"k": 1}}}"#)
    let layer = module(#""override": {"parameters": {"m": {"env": "E"}}}"#)
    let loaded = LoadedModule(["app.json": app], .init(variables: ["E": "{}"], layers: [.text(layer)]))
    #expect(loaded.check.sources(.env).map(\.type) == ["json"])
    #expect(loaded.resolved?.parameter("m") == [:])
  }

  @Test func `a placeholder for another parameter does not change the type of a map`() throws {
    let app = module(#""parameters": {"n": 5, "l": [1], "j": {"value": {}, "type": "json"}, "m": {"value": {"k": 1}}}"#)
    for text in ["«CDI0202»\"${n}\"", "«CDI0202»\"${l}\"", "\"${j}\""] {
      let layer = module(#""override": {"parameters": {"m": \#(text)}}"#)
      expectFindings(in: ["app.json": app, "l.json": layer], layers: ["l.json"])
    }
    let layer = module(#""override": {"parameters": {"m": 5}}"#)
    let loaded = LoadedModule(["app.json": app], .init(layers: [.text(layer)]))
    #expect(loaded.findingsText.contains(#"expected a map, because the parameter has type "map""#))
  }

  @Test func `a literal stays a literal: no later override may declare a type`() throws {
    let first = ModuleLayer.text(module(#""override": {"parameters": {"p": {"value": 6, "max": 9}}}"#), name: "first")
    expectFindings(
      in: [
        "app.json": module(#""parameters": {"p": 5}"#),
        "l.json": module(#""override": {"parameters": {"p": {«CDI0207»"type": "double"}}}"#),
      ], layers: [first, "l.json"])
    #expect(
      try overridden(#"{"value": 5}"#, by: #"{"value": 6}"#, #"{"type": "double"}"#)["value"] == 6.0)
  }

  @Test func `an override of a placeholder keeps the type of the parameter that it stands for at the end`() throws {
    let files = [
      "app.json": module(
        #"""
        "environments": { "e": ["one.json", "two.json"] },
        "parameters": { "x": 1, "a": "${x}", "b": "${a}", "c": "${b}", "d": "${d2}", "d2": "${d}", "u": "${x}" }
        """#),
      "one.json": module(
        #""override": { "parameters": { "a": "5s", "b": "6s", "c": { "env": "C" }, "d": 1, "u": «CDI0202»"many" } }"#),
      "two.json": module(
        #"""
        "replace": { "parameters": { "x": { "value": "1s", "type": "duration" } } }, "override": { "parameters": { "b": "7s" } }
        """#),
    ]
    expectFindings(in: files, environments: ["e"], variables: ["C": "8s"])
    let resolved = try resolved(
      files.mapValues { $0.replacing(#", "u": «CDI0202»"many""#, with: "") }, environment: "e", variables: ["C": "8s"])
    for (id, value, type) in [("a", "5s", "duration"), ("b", "7s", "duration"), ("c", "8s", "duration")] {
      #expect(resolved["parameters"]?[id]?["value"] == .duration(value))
      #expect(resolved["parameters"]?[id]?["type"] == .string(type))
    }
    #expect(resolved["parameters"]?["d"]?["type"] == "int")
  }

  @Test func `bounds apply to the final value, and are reported at its deciding token`() {
    let files = ["app.json": module(#""parameters": {"p": {"value": «CDI0407»5, "max": 4}}"#)]
    let layer = module(#""override": {"parameters": {"p": «CDI0407»6}}"#)
    expectFindings(in: files)
    expectFindings(
      in: ["app.json": files["app.json"]?.replacing("«CDI0407»", with: "") ?? "", "l.json": layer], layers: ["l.json"])
    expectFindings(
      in: files.mapValues { $0.replacing("«CDI0407»", with: "") },
      layers: [.text(module(#""override": {"parameters": {"p": 3}}"#))])
  }

  @Test func `a duration is accepted as a string, also if its variable is missing`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"e": {"env": "E", "type": "duration"}, "s": {"value": "${e}", "type": "string"}, "z": {"env": "Z", "type": "size"},
          "t": {"value": "${z}", "type": "string"}, "i": {"value": «CDI0202»"${e}", "type": "int"}}
        """#)
    ])
  }

  @Test func `a parameter left without a source is reported at the override`() {
    expectFindings(
      in: [
        "app.json": module(#""parameters": {"p": {"env": "E"}}"#),
        "l.json": module(#""override": {"parameters": {«CDI0203»"p": {"unset": ["env"]}}}"#),
      ], layers: ["l.json"])
  }

  @Test func `a relative file of an override is relative to its own folder`() throws {
    let files = [
      "app.json": module(#""parameters": {"p": {"file": "text"}}, "imports": []"#), "text": "one", "sub/text": "two",
      "sub/l.json": module(#""override": {"parameters": {"p": {"file": "text"}}}"#),
    ]
    #expect(try resolved(files, layers: ["sub/l.json"]).parameter("p") == "two")
  }
}
