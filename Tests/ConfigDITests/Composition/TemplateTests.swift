// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct TemplateTests {
  @Test func `arguments merge by key along a chain, other keys come from the nearest template with the key`() throws {
    let resolved = try resolved([
      "app.json": module(
        #"""
        "templates": {
          "base": {"type": "Base", "scope": "transient", "provides": ["P", "Q"], "inject": {"a": "x", "b": "x"},
                   "values": {"k": 1, "l": 2, "m": 3}},
          "middle": {"extends": "base", "type": "Middle", "inject": {"b": "y"}, "values": {"l": 20}},
          "near": {"extends": "middle", "provides": ["R"]}},
        "services": {"x": {"type": "X"}, "y": {"type": "Y"},
          "s": {"extends": "near", "values": {"m": 300}}, "t": {"extends": "base", "type": "T", "scope": "shared", "provides": []}}
        """#)
    ])
    let service = try #require(resolved["services"]?["s"])
    #expect(service["type"] == "Middle")
    #expect(service["scope"] == "transient")
    #expect(service["provides"] == ["R"])
    #expect(service["inject"] == ["a": "x", "b": "y"])
    #expect(service["values"] == ["k": 1, "l": 20, "m": 300])
    let other = try #require(resolved["services"]?["t"])
    #expect(other["type"] == "T")
    #expect(other["scope"] == "shared")
    #expect(other["provides"] == [])
    #expect(other["values"] == ["k": 1, "l": 2, "m": 3])
    #expect(resolved["templates"] == nil)
  }

  @Test func `merging is one level deep, and the nearer key removes the key from the other map`() throws {
    let resolved = try resolved([
      "app.json": module(
        #"""
        "templates": {"base": {"inject": {"a": "x", "b": "x", "c": "x"}, "values": {"d": 1, "map": {"k": 1, "l": 2}, "list": [1]}},
                      "near": {"extends": "base", "inject": {"d": "x"}, "values": {"b": 2}}},
        "services": {"x": {"type": "X"}, "s": {"extends": "near", "type": "S", "inject": {"list": "x"}, "values": {"a": 1, "map": {"k": 9}}}}
        """#)
    ])
    #expect(resolved.inject(of: "s") == ["c": "x", "d": "x", "list": "x"])
    #expect(resolved.values(of: "s") == ["a": 1, "b": 2, "map": ["k": 9]])
  }

  @Test func `templates are found in any file, and layers change them for all their services`() throws {
    let files = [
      "app.json": module(
        #""imports": ["a.json", "b.json"], "services": {"s": {"extends": "t"}, "own": {"extends": "t", "values": {"k": 7}}}"#
      ),
      "a.json": module(#""services": {"early": {"extends": "t"}}"#),
      "b.json": module(#""templates": {"t": {"extends": "u"}, "u": {"type": "U", "values": {"k": 1, "m": {"a": 1}}}}"#),
    ]
    #expect(try resolved(files).values(of: "early") == ["k": 1, "m": ["a": 1]])
    let changed = try resolved(
      files,
      layers: [
        .text(module(#""override": {"templates": {"u": {"type": "V", "values": {"k": 2, "m": {"b": 2}}}}}"#)),
        .text(module(#""services": {"late": {"extends": "t"}}"#), name: "late"),
      ])
    #expect(changed["services"]?["s"]?["type"] == "V")
    for id in ["s", "early", "late"] { #expect(changed.values(of: id) == ["k": 2, "m": ["a": 1, "b": 2]]) }
    #expect(changed.values(of: "own") == ["k": 7, "m": ["a": 1, "b": 2]])
    let replaced = try resolved(
      files, layers: [.text(module(#""replace": {"templates": {"u": {"type": "W"}}}"#))])
    #expect(replaced.values(of: "s") == [:])
    let moved = try resolved(
      files, layers: [.text(module(#""override": {"services": {"s": {"unset": ["extends"], "type": "S"}}}"#))])
    #expect(moved["services"]?["s"]?["values"] == [:])
  }

  @Test func `an override of a service takes precedence over its template, and additions to a list extend it`() throws {
    let resolved = try resolved(
      [
        "app.json": module(
          #"""
          "templates": {"t": {"type": "T", "provides": ["P"], "values": {"m": {"a": 1}}}}, "services": {"s": {"extends": "t"}}
          """#)
      ],
      layers: [
        .text(module(#""override": {"services": {"s": {"provides": {"append": ["Q"]}, "values": {"m": {"b": 2}}}}}"#))
      ])
    #expect(resolved["services"]?["s"]?["provides"] == ["P", "Q"])
    #expect(resolved.values(of: "s") == ["m": ["b": 2]])
  }

  @Test(arguments: [
    (#"{"append": ["Q"]}"#, ["N", "P", "Q", "T"]), (#"["Q"]"#, ["Q"]),
    (#"{"prepend": ["Q"], "append": ["R"]}"#, ["N", "P", "Q", "R", "T"]),
  ])
  func `additions of layers extend the provided names of the whole chain of templates`(
    patch: String, names: [String]
  ) throws {
    let resolved = try resolved(
      [
        "app.json": module(
          #"""
          "templates": {"far": {"type": "T", "provides": ["P"]}, "near": {"extends": "far"}}, "services": {"s": {"extends": "near"}}
          """#)
      ],
      layers: [
        .text(module(#""override": {"services": {"s": {"provides": {"append": ["N"]}}}}"#)),
        .text(module(#""override": {"templates": {"near": {"provides": {"append": ["T"]}}}}"#)),
        .text(module(#""override": {"services": {"s": {"provides": \#(patch)}}}"#)),
      ])
    #expect(resolved["services"]?["s"]?["provides"] == .list(names.map(Value.string)))
  }

  @Test func `an unknown template is reported at the name, with similar ones but never itself`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"trans": {"extends": «CDI0505»"tranz"}, "cousin": {"type": "C"}},
        "services": {"a": {"extends": «CDI0505»"cusin", "inject": {"x": «CDI0501»"ghost"}}, "b": {"extends": "trans"}}
        """#)
    ])
    let findings = module.check.diagnostics
    #expect(findings.map(\.message).first == "template \"trans\" extends unknown template \"tranz\"")
    #expect(findings.first { $0.path == "services.a.extends" }?.help == "did you mean \"cousin\"?")
    #expect(findings.first?.help == nil)
    #expect(findings.filter { $0.code == .unknownTemplate }.map(\.fixes.count) == [0, 1])
  }

  @Test func `a cycle of templates is reported once, at the smallest one`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"c": {"extends": "a", "values": {"x": "${ghost}"}}, "a": {"extends": «CDI0506»"b"}, "b": {"extends": "c", "type": "B"},
          "self": {"extends": «CDI0506»"self"}, "into": {"extends": "self"}},
        "services": {"s": {"extends": "a", "values": {"k": 1}}, "t": {"extends": "into"}, "u": {"extends": "self"}}
        """#.replacing(#""${ghost}""#, with: #"«CDI0401»"${ghost}""#))
    ])
    let cycles = module.check.diagnostics.filter { $0.code == .templateCycle }
    #expect(
      cycles.map(\.message) == [
        "template cycle: a -> b -> c -> a",
        "template cycle: self -> self",
      ])
    let definition = try #require(module.check.compositions[0].definition)
    #expect(definition.services.map(\.hasInvalidTemplate) == [true, true, true])
    #expect(definition.services[0].declaration.type.map { definition.names[$0.name] } == "B")
    #expect(definition.services[0].declaration.arguments.values.count == 1)
  }

  @Test func `a service with a broken chain of templates keeps the known part, without its arguments`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"near": {"extends": "far", "scope": "weak", "values": {"k": 1}}, "far": {"extends": «CDI0505»"gone", "type": "T"}},
        "services": {"s": {"extends": "near"}}
        """#)
    ])
    let service = try #require(module.check.compositions[0].definition?.services[0])
    #expect(service.hasInvalidTemplate)
    #expect(service.declaration.type != nil && service.declaration.scope != nil)
    #expect(service.values.isEmpty)
  }

  @Test func `only the error of a malformed template itself is reported`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"t": {«CDI0201»"eager": true, "extends": "gone"}, "u": {"extends": "t"}},
        "services": {"s": {"extends": "t"}, "v": {"extends": "u", "values": {"k": "${p}"}}}, "parameters": {"p": 1}
        """#)
    ])
  }

  @Test func `a service without a type from its template is reported at the deciding token`() {
    let files = [
      "app.json": module(
        #"""
        "templates": {"t": {"values": {"k": 1}}, "typed": {"type": "T"}},
        "services": {«CDI0203»"bare": {"extends": "t"}, "taken": {"extends": "typed"}, "moved": {"extends": "typed"},
          "unset": {"extends": "typed"}}
        """#),
      "l.json": module(
        #"""
        "override": {"services": {"bare": {"values": {"l": 1}}, «CDI0203»"taken": {"unset": ["extends"]}, «CDI0203»"moved": {"extends": "t"},
          «CDI0203»"unset": {"unset": ["type"]}}}
        """#),
      "m.json": module(#""override": {"services": {"taken": {"private": true}, "moved": {"private": true}}}"#),
    ]
    expectFindings(in: files, layers: ["l.json", "m.json"])
  }

  @Test func `an unknown template is reported only if the service exists`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "environments": {"dev": [], "prod": []},
        "services": {"a": {"extends": «CDI0505@prod»"ghost", "when": {"environment": "prod"}}}
        """#)
    ])
  }
}

@Suite struct TemplateMistakeTests {
  /// Returns the messages of the findings with a code.
  private func messages(_ module: LoadedModule, _ code: DiagnosticCode) -> [String] {
    module.check.diagnostics.filter { $0.code == code }.map(\.message)
  }

  @Test func `an error in a template is reported once, with all affected services, ascending`() {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"t": {"type": "T", "values": {"k": «CDI0401»"${ghost}"}}, "u": {"extends": "t", "values": {"l": 1}}},
        "services": {"zeta": {"extends": "t"}, "alpha": {"extends": "u"}, "own": {"extends": "t", "values": {"k": 1}},
          "mid": {"extends": "t", "inject": {"k": "own"}}, "last": {"extends": "u"}}
        """#)
    ])
    #expect(
      messages(module, .unknownParameter) == [
        "service \"alpha\" uses unknown parameter \"ghost\" (also in \"last\", \"zeta\")"
      ])
  }

  @Test func `it is reported in the words of the first environment, with all environments that have it`() {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "environments": {"dev": [], "prod": [], "test": ["test.json"]},
        "templates": {"t": {"type": "T", "values": {"k": «CDI0401@dev,prod»"${ghost}"}}},
        "services": {"a": {"extends": "t", "when": {"environment": "prod"}}, "b": {"extends": "t"}, "c": {"extends": "t"}}
        """#), "test.json": module(#""parameters": {"ghost": 1}"#),
    ])
    #expect(
      messages(module, .unknownParameter) == ["service \"b\" uses unknown parameter \"ghost\" (also in \"c\")"])
  }

  @Test func `a template that no service extends reports its errors under its own id`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"lonely": {"values": {"k": «CDI0401»"${one}"}}, "out": {"values": {"k": "${two}"}},
          "base": {"values": {"k": «CDI0401»"${three}"}}, "bad": {"extends": "base", «CDI0201»"eager": true},
          "broken": {"values": {"k": "${four}"}}},
        "services": {"a": {"extends": "out", "type": "A", "when": {"any": []}}, "b": {"extends": "bad", "type": "B"},
          "c": {"extends": "broken", "type": "C", "eager": «CDI0202»1}}
        """#)
    ])
    #expect(
      messages(module, .unknownParameter).sorted() == [
        "template \"base\" uses unknown parameter \"three\"", "template \"lonely\" uses unknown parameter \"one\"",
      ])
    let definition = try #require(module.check.compositions[0].definition)
    #expect(definition.templates.filter(\.isLoose).map { definition.names[$0.name] } == ["bad", "base", "lonely"])
  }

  @Test func `a part that every service replaces is not reported`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"t": {"type": "T", "values": {"k": "${ghost}"}}, "u": {"extends": "t", "values": {"k": 1}}},
        "services": {"a": {"extends": "t", "values": {"k": 2}}, "b": {"extends": "u"}, "x": {"type": "X"},
          "c": {"extends": "t", "inject": {"k": "x"}}}
        """#)
    ])
  }

  @Test func `a parameter stays secret through a template`() throws {
    let resolved = try resolved([
      "app.json": module(
        #"""
        "parameters": {"key": {"value": "hunter2", "secret": true}}, "templates": {"t": {"type": "T", "values": {"url": "x${key}"}}},
        "services": {"a": {"extends": "t"}}
        """#)
    ])
    #expect(resolved.values(of: "a") == ["url": "<secret key>"])
  }
}
