// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ConditionTests {
  /// Returns the ids of the present services.
  private func services(
    _ services: String, _ parameters: String = "", environment: String? = nil, variables: [String: String] = [:],
    settings: [String] = [], layers: [ModuleLayer] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    try resolved(
      [
        "app.json": module(
          #""environments": {"dev": [], "prod": []}, "parameters": {\#(parameters)}, "services": {\#(services)}"#)
      ], environment: environment, variables: variables, settings: settings, layers: layers,
      sourceLocation: sourceLocation)["services"]?.keys ?? []
  }

  /// Returns whether a service with the condition is present.
  private func holds(
    _ condition: String, _ parameters: String = "", environment: String? = nil, variables: [String: String] = [:],
    settings: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    try !services(
      #""s": {"type": "S", "when": \#(condition)}"#, parameters, environment: environment, variables: variables,
      settings: settings, sourceLocation: sourceLocation
    ).isEmpty
  }

  @Test(arguments: [
    (#"{"environment": "dev"}"#, ["dev"]), (#"{"environment": ["dev", "prod"]}"#, ["dev", "prod"]),
    (#"{"environment": []}"#, []), (#"{"not": {"environment": "dev"}}"#, ["", "prod"]),
    (#"{"all": []}"#, ["", "dev", "prod"]),
    (#"{"any": []}"#, []), (#"{"not": {"any": []}}"#, ["", "dev", "prod"]),
    (#"{"all": [{"environment": "dev"}, {"environment": "prod"}]}"#, []),
    (#"{"any": [{"environment": "dev"}, {"environment": "prod"}]}"#, ["dev", "prod"]),
    (#"{"not": {"all": [{"environment": ["dev", "prod"]}, {"not": {"environment": "prod"}}]}}"#, ["", "prod"]),
  ])
  func `conditions on the environment`(condition: String, environments: [String]) throws {
    for environment in ["", "dev", "prod"] {
      let holds = try holds(condition, environment: environment.isEmpty ? nil : environment)
      #expect(holds == environments.contains(environment), "\(environment)")
    }
  }

  /// The literal of a parameter, the literals that equal it, and literals that do not.
  private static let comparisons: [(String, [String], [String])] = [
    (#""text""#, [#""text""#], [#""Text""#, #""""#]), ("5", ["5"], ["6", "-5"]), ("2.5", ["2.5"], ["2", "2.25"]),
    ("2.0", ["2", "2.0"], ["3"]), ("true", ["true"], ["false"]), (#"["a", 1]"#, [#"["a", 1]"#], [#"[1, "a"]"#, "[]"]),
    (#"{"value": {"a": 1, "b": 2}}"#, [#"{"b": 2, "a": 1}"#], [#"{"a": 1}"#]),
    (#"{"value": "1000ms", "type": "duration"}"#, [#""1s""#, #""1000ms""#], [#""1ms""#]),
    (#"{"value": "1KiB", "type": "size"}"#, [#""1024B""#], [#""1kB""#]),
    (#"{"value": 3, "type": "double"}"#, ["3", "3.0"], ["3.5"]),
    (#"{"env": "FIVE", "type": "int"}"#, ["5"], ["4"]), (#"{"env": "FIVE"}"#, [#""5""#], [#""05""#]),
    (#"{"env": "GONE", "type": "bool", "default": true}"#, ["true"], ["false"]),
    (#"{"env": "LIST", "type": "list"}"#, [#"["a", "b"]"#], [#"["a,b"]"#]),
    (#"{"env": "JSON", "type": "json"}"#, [#"{"k": [1]}"#], [#"{"k": [2]}"#, "1", #""x""#]),
    (#""${five}""#, ["5"], ["6"]), (#""x${five}""#, [#""x5""#], [#""x${five}""#]),
    (#""$${five}""#, [#""${five}""#], [#""$${five}""#]),
  ]

  @Test(arguments: comparisons)
  func `equals compares values of the parameter's type`(parameter: String, equal: [String], other: [String]) throws {
    for (literal, expected) in equal.map({ ($0, true) }) + other.map({ ($0, false) }) {
      let holds = try holds(
        #"{"parameter": "p", "equals": \#(literal)}"#, #""five": 5, "p": \#(parameter)"#,
        variables: ["FIVE": "5", "LIST": "a, b", "JSON": #"{"k": [1]}"#])
      #expect(holds == expected, "\(literal)")
    }
  }

  @Test func `strings compare by Unicode scalars`() throws {
    #expect(try !holds("{\"parameter\": \"p\", \"equals\": \"e\u{301}\"}", "\"p\": \"é\""))
    #expect(try holds("{\"parameter\": \"p\", \"equals\": \"é\"}", "\"p\": \"é\""))
  }

  @Test(arguments: [
    ("5", #"«CDI0202»"5""#), ("true", "«CDI0202»1"), (#""x""#, "«CDI0202»[]"), ("[1]", "«CDI0202»1"),
    ("5", "«CDI0202»5.0"), (#"{"value": {"k": 1}}"#, "«CDI0202»5"),
    (#"{"value": "1s", "type": "duration"}"#, "«CDI0202»1"), (#"{"value": "1B", "type": "size"}"#, #"«CDI0202»"1 B""#),
    (#"{"env": "GONE", "type": "int", "default": 1}"#, #"«CDI0202»"x""#),
    (#"{"value": 3, "type": "double"}"#, #"«CDI0202»"3""#),
  ])
  func `a literal that cannot have the type is reported, and the service stays undecided`(
    parameter: String, literal: String
  ) {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"p": \#(parameter)}, "services": {"s": {"type": "S", "when": {"parameter": "p", "equals": \#(literal)}},
          "user": {"type": "U", "inject": {"s": "s"}}}
        """#)
    ])
    #expect(module.check.compositions[0].definition?.services.map(\.isMalformed) == [true, false])
  }

  @Test func `a parameter with a JSON value is compared by this value`() throws {
    let parameters = #""j": {"env": "J", "type": "json", "default": {"k": 1}}, "p": "${j}""#
    #expect(try holds(#"{"parameter": "p", "equals": {"k": 1}}"#, parameters))
    #expect(try !holds(#"{"parameter": "p", "equals": 5}"#, parameters))
  }

  @Test func `layers and settings apply to parameters and to the condition itself`() throws {
    let services = #""s": {"type": "S", "when": {"parameter": "p", "equals": "on"}}"#
    let layer = ModuleLayer.text(module(#""override": {"parameters": {"p": "on"}}"#))
    #expect(try self.services(services, #""p": "off""#) == [])
    #expect(try self.services(services, #""p": "off""#, layers: [layer]) == ["s"])
    #expect(try self.services(services, #""p": "off""#, settings: ["parameters.p=on"]) == ["s"])
    #expect(try self.services(services, #""p": "off""#, settings: ["services.s.when.equals=off"]) == ["s"])
    #expect(
      try self.services(services, #""p": "off", "q": "on""#, settings: ["services.s.when.parameter=q"]) == ["s"])
    let nested = #""s": {"type": "S", "when": {"all": [{"not": {"environment": ["dev", "prod"]}}]}}"#
    #expect(try self.services(nested, environment: "dev") == [])
    #expect(
      try self.services(nested, environment: "dev", settings: ["services.s.when.all[0].not.environment[0]=prod"]) == [
        "s"
      ])
    let other = ModuleLayer.text(module(#""override": {"services": {"s": {"when": {"any": []}}}}"#))
    #expect(try self.services(nested, layers: [other]) == [])
    let none = ModuleLayer.text(module(#""override": {"services": {"s": {"unset": ["when"]}}}"#))
    #expect(try self.services(nested, environment: "dev", layers: [none]) == ["s"])
  }

  @Test func `unknown environments and parameters are reported at their strings, with similar names`() {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "environments": {"dev": [], "prod": []}, "parameters": {"mode": 1},
        "services": {"a": {"type": "A", "when": {"environment": ["dev", «CDI0511»"prd"]}}, "b": {"type": "B", "when": {"any": [{"environment": "dev"},
          {"not": {"parameter": «CDI0511»"moode", "equals": 1}}]}}, "c": {"type": "C", "inject": {"a": "a", "b": "b"}}}
        """#)
    ])
    #expect(
      module.check.diagnostics.filter { $0.code == .unknownCondition }.map(\.help) == [
        "did you mean \"prod\"?", "did you mean \"mode\"?",
      ])
  }

  @Test func `without declared environments every environment is unknown`() {
    expectFindings(in: [
      "app.json": module(#""services": {"a": {"type": "A", "when": {"environment": «CDI0511»"dev"}}}"#)
    ])
  }

  @Test func `disabled services are kept separately, with the location of the condition`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"z": {"type": "Z", "when": {"any": []}, "inject": {"x": "ghost"}, "values": {"k": "${ghost}"}}, "b": {"type": "B"},
          "a": {"type": "A", "when": {"not": {"all": []}}}}
        """#)
    ])
    let definition = try #require(module.check.compositions[0].definition)
    #expect(definition.services.map { definition.names[$0.name] } == ["b"])
    #expect(definition.excluded.map { definition.names[$0.name] } == ["a", "z"])
    #expect(definition.excluded.allSatisfy { definition.documents[$0.condition.node].kind == .map })
  }

  @Test func `a malformed service is not disabled, and its condition is not evaluated`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": «CDI0202»1, "when": {"parameter": "ghost", "equals": 1}}, "b": {"type": "B", "inject": {"a": "a"}}}
        """#)
    ])
  }
}

@Suite struct ConditionSourceTests {
  @Test func `a variable or file of a condition must exist, even if missing sources are tolerated`() throws {
    let files = [
      "app.json": module(
        #"""
        "parameters": {"on": {"env": «CDI0405»"ON", "type": "bool"}, "f": {"file": «CDI0405»"gone"}, "t": "x${f}", "u": "${t}",
          "other": {"env": "OTHER"}, "set": {"env": "SET", "type": "bool"}, "default": {"env": "D", "default": "d"}},
        "services": {"a": {"type": "A", "when": {"parameter": "on", "equals": true}}, "b": {"type": "B", "when": {"not": {"parameter": "u", "equals": "xy"}}},
          "c": {"type": "C", "values": {"o": "${other}"}}, "d": {"type": "D", "when": {"parameter": "set", "equals": true}},
          "e": {"type": "E", "when": {"any": [{"parameter": "default", "equals": "d"}, {"parameter": "on", "equals": false}]}},
          "user": {"type": "U", "inject": {"a": "a", "b": "b", "e": "e"}}}
        """#)
    ]
    let module = expectFindings(in: files, variables: ["SET": "true"])
    let definition = try #require(module.check.compositions[0].definition)
    #expect(definition.services.map(\.isMalformed) == [true, true, false, false, true, false])
    let marked: [String: String] = files.mapValues { $0.replacing(#""OTHER""#, with: #"«CDI0405»"OTHER""#) }
    expectFindings(in: marked, variables: ["SET": "true"], missing: .refused)
  }

  @Test func `a condition on a malformed parameter is not reported`() throws {
    let module = expectFindings(
      in: [
        "app.json": module(
          #"""
          "parameters": {"malformed": {«CDI0201»"enw": "E"}, "text": {"env": «CDI0406»"E", "type": "int"}, "in": "${text}",
            "bounds": {"value": «CDI0407»5, "max": 4}, "circle": «CDI0402»"${circle}"},
          "services": {"a": {"type": "A", "when": {"parameter": "malformed", "equals": 1}}, "b": {"type": "B", "when": {"parameter": "text", "equals": 1}},
            "c": {"type": "C", "when": {"parameter": "in", "equals": "x"}}, "d": {"type": "D", "when": {"parameter": "bounds", "equals": 5}},
            "e": {"type": "E", "when": {"any": [{"all": []}, {"parameter": "circle", "equals": 5}]}},
            "user": {"type": "U", "inject": {"l": ["a", "b", "c", "d", "e"]}}}
          """#)
      ], variables: ["E": "x"])
    let definition = try #require(module.check.compositions[0].definition)
    #expect(definition.services.map(\.isMalformed) == [true, true, true, true, true, false])
    #expect(definition.excluded.isEmpty)
  }

  @Test func `a condition may compare a secret without revealing it`() throws {
    let module = expectFindings(
      in: [
        "app.json": module(
          #"""
          "parameters": {"key": {"env": "KEY", "secret": true}, "pin": {"value": 4711, "secret": true}},
          "services": {"a": {"type": "A", "when": {"parameter": "key", "equals": "hunter2"}}, "b": {"type": "B", "when": {"parameter": "pin", "equals": «CDI0202»"hunter2"}}}
          """#)
      ], variables: ["KEY": "hunter2"])
    #expect(module.check.compositions[0].definition?.services.count == 2)
    #expect(!module.findingsText.contains("hunter2") && !module.findingsText.contains("4711"))
  }
}
