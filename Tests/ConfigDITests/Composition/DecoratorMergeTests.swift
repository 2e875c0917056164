// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct DecoratorMergeTests {
  /// Returns the types of the decorators of service `a` after the layers are applied, innermost first.
  private func types(
    _ decorators: String, by patches: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let layers = patches.map { ModuleLayer.text(module(#""override": {"services": {"a": \#($0)}}"#)) }
    let loaded = expectFindings(
      in: ["app.json": module(#""services": {"a": {"type": "A"\#(decorators)}}"#)], layers: layers,
      sourceLocation: sourceLocation)
    let definition = try #require(loaded.check.compositions[0].definition)
    return definition.services[0].decorators.map { definition.names[$0.declaration.type.name] }
  }

  @Test func `a list replaces the old list, append and prepend extend it`() throws {
    let decorators = #", "decorate": [{"type": "M"}, {"type": "N"}]"#
    #expect(try types(decorators) == ["M", "N"])
    #expect(try types(decorators, by: #"{"decorate": [{"type": "O"}]}"#) == ["O"])
    #expect(try types(decorators, by: #"{"decorate": []}"#) == [])
    #expect(
      try types(decorators, by: #"{"decorate": {"append": [{"type": "O"}, {"type": "P"}]}}"#) == ["M", "N", "O", "P"])
    #expect(
      try types(decorators, by: #"{"decorate": {"prepend": [{"type": "O"}, {"type": "P"}]}}"#) == ["O", "P", "M", "N"])
    #expect(
      try types(decorators, by: #"{"decorate": {"append": [{"type": "Z"}], "prepend": [{"type": "A"}]}}"#) == [
        "A", "M", "N", "Z",
      ])
    #expect(
      try types(
        decorators, by: #"{"decorate": {"append": [{"type": "O"}]}}"#, #"{"decorate": {"prepend": [{"type": "I"}]}}"#,
        #"{"decorate": {"append": [{"type": "P"}]}}"#) == ["I", "M", "N", "O", "P"])
    #expect(try types("", by: #"{"decorate": {"append": [{"type": "O"}]}}"#) == ["O"])
    #expect(try types(decorators, by: #"{"unset": ["decorate"], "decorate": {"append": [{"type": "O"}]}}"#) == ["O"])
  }

  @Test func `values of decorators are expanded, and errors in them name decorator and service`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"n": 3}, "services": {"a": {"type": "A", "decorate": [{"type": "D", "values": {"b": "${n}", "a": "x${n}"}},
          {"type": "E", "values": {"k": «CDI0401»"${ghost}"}}]}}
        """#)
    ])
    #expect(
      module.check.diagnostics.map(\.message) == [
        "decorator \"E\" of service \"a\" uses unknown parameter \"ghost\""
      ])
    let service = try #require(module.check.compositions[0].definition?.services[0])
    #expect(service.decorators[0].values.map(\.content.value) == ["x3", 3])
  }

  @Test func `decorators and their arguments are removed by position`() throws {
    let decorators =
      #", "decorate": [{"type": "M", "values": {"k": {"l": 1}, "m": 1}, "inject": {"i": "a"}}, {"type": "N"}, {"type": "O"}]"#
    #expect(try types(decorators, by: #"{"unset": ["decorate[0]", "decorate[2]"]}"#) == ["N"])
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"b": {"type": "B"}, "a": {"type": "A", "decorate": [{"type": "M", "values": {"k": {"l": 1, "m": 2}, "n": 1}, "inject": {"i": "b"}}]}},
        "override": {"services": {"a": {"unset": ["decorate[0].values.k.l", "decorate[0].inject.i", "decorate[0].values.n", «CDI0306»"decorate[1]",
          «CDI0306»"decorate[0].type", «CDI0306»"decorate[0].values.o", «CDI0306»"decorate[0]x", «CDI0306»"decorate.append",
          «CDI0306»"decorate[0].scope", «CDI0306»"decorate[0].inject.i.service"]}}}
        """#)
    ])
    let decorator = try #require(module.check.compositions[0].definition?.services[0].decorators.first)
    #expect(decorator.values.map(\.content.value) == [["m": 2]])
    #expect(decorator.declaration.arguments.inject.isEmpty)
  }

  @Test func `an override with the same decorators changes nothing`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"b": {"type": "B"}, "a": {"type": "A", "decorate": [{"type": "D", "values": {"k": 1, "l": [2]}, "inject": {"i": ["b"]}}]},
          "c": {"type": "C", "decorate": [{"type": "D", "values": {"k": 1}}, {"type": "E"}]}},
        "override": {"services": {
          "a": {"decorate": «CDI0308»[{"inject": {"i": ["b"]}, "type": "D", "values": {"l": [2], "k": 1}}]},
          "c": {"decorate": [{"type": "E"}, {"type": "D", "values": {"k": 1}}]},
          "b": {"decorate": {"append": []}}}}
        """#)
    ])
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {
          "a": {"type": "A", "decorate": [{"type": "D"}], "provides": ["P"]}, "b": {"type": "B", "provides": ["P", "Q"]}},
        "override": {"services": {
          "a": {"decorate": «CDI0308»{"append": [], "prepend": []}, "provides": «CDI0308»{"append": []}},
          "b": {"provides": «CDI0308»{"append": ["P"], "prepend": ["Q"]}}}}
        """#)
    ])
  }

  @Test func `settings change types and values of decorators`() throws {
    let module = expectFindings(
      in: [
        "app.json": module(
          #"""
          "services": {"b": {"type": "B"}, "c": {"type": "C"}, "a": {"type": "A", "decorate": [{"type": "D"}, {"type": "E", "values": {"k": 1, "m": {"l": "x"}}, "inject": {"i": "b"}}]}}
          """#)
      ],
      settings: [
        "services.a.decorate[0].type=F", "services.a.decorate[1].values.k=2", "services.a.decorate[1].values.m.l=y",
        "services.a.decorate[1].inject.i=c", "services.a.decorate[2].type=G", "services.a.decorate[1].values.no=1",
        "services.a.decorate=1", "services.a.decorate[1]=1", "services.a.decorate[1].values.m=1",
        "services.a.decorate[1].values.k=x", "services.a.decorate[1].type=a b",
      ],
      commandLine: [
        "services.a.decorate[2].type CDI0305", "services.a.decorate[1].values.no CDI0305",
        "services.a.decorate CDI0305",
        "services.a.decorate[1] CDI0305", "services.a.decorate[1].values.m CDI0305",
        "services.a.decorate[1].values.k CDI0406", "services.a.decorate[1].type CDI0204",
      ])
    let definition = try #require(module.check.compositions[0].definition)
    let decorators = definition.services[0].decorators
    #expect(decorators.map { definition.names[$0.declaration.type.name] } == ["F", "E"])
    #expect(decorators[1].values.map(\.content.value) == [1, ["l": "y"]])
  }
}
