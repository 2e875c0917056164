// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ConditionShapeTests {
  @Test func `every form of a condition is valid, at any depth`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "environments": {"dev": [], "prod": []}, "parameters": {"p": 1, "q": [1], "m": {"value": {"k": 1}}},
        "services": {"a": {"type": "A", "when": {"environment": "dev"}}, "b": {"type": "B", "when": {"environment": ["dev", "prod"]}},
          "c": {"type": "C", "when": {"parameter": "p", "equals": 1, "doc": "d", "x-a": 1}}, "d": {"type": "D", "when": {"any": []}},
          "e": {"type": "E", "when": {"equals": [1], "parameter": "q"}}, "f": {"type": "F", "when": {"parameter": "m", "equals": {"k": 1}}},
          "g": {"type": "G", "when": {"not": {"all": [{"any": [{"environment": []}]}, {"not": {"parameter": "p", "equals": 2}}]}}}}
        """#)
    ])
  }

  @Test(arguments: [
    #""when": «CDI0202»"dev""#, #""when": «CDI0202»[]"#, #"«CDI0203»"when": {}"#, #"«CDI0203»"when": {"doc": "d"}"#,
    #"«CDI0203»"when": {"equals": 1}"#, #"«CDI0203»"when": {"parameter": "p"}"#,
    #""when": {«CDI0201»"paramter": "p", "equals": 1}"#,
    #""when": {"parameter": "p", «CDI0201»"equal": 1}"#, #""when": {"parameter": «CDI0202»1, "equals": 1}"#,
    #""when": {"environment": «CDI0202»true}"#, #""when": {"environment": ["dev", «CDI0202»1]}"#,
    #""when": {"environment": «CDI0202»{"a": 1}}"#, #""when": {"all": «CDI0202»{"environment": "dev"}}"#,
    #""when": {"any": «CDI0202»"dev"}"#, #""when": {"not": «CDI0202»[{"all": []}]}"#,
    #""when": {"all": [«CDI0203»{}, «CDI0202»1, {"not": «CDI0202»2}]}"#,
    #""when": {"environment": "dev", «CDI0207»"not": {"all": []}}"#, #""when": {"all": [], «CDI0207»"any": []}"#,
    #""when": {"environment": "dev", «CDI0207»"parameter": "p"}"#,
    #""when": {"environment": "dev", «CDI0207»"equals": 1}"#, #""when": {«CDI0207»"equals": 1, "not": {"all": []}}"#,
    #""when": {"parameter": "p", «CDI0207»"environment": "dev", "equals": 1}"#,
    #""when": {"all": [], "doc": «CDI0202»1}"#,
  ])
  func `a structural error in a condition is reported, and the service stays undecided`(condition: String) {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "environments": {"dev": []}, "parameters": {"p": 1},
        "services": {"a": {"type": "A", "inject": {"x": "ghost"}, \#(condition)}, "b": {"type": "B", "inject": {"a": "a"}}}
        """#)
    ])
    let definition = module.check.compositions[0].definition
    #expect(definition?.services.map(\.isMalformed) == [true, false])
  }

  @Test func `the path of CDI0203 is that of the incomplete condition`() {
    let module = expectFindings(in: [
      "app.json": module(
        #""services": {"a": {"type": "A", "when": {"all": [«CDI0203»{}, {«CDI0203»"not": {"equals": 1}}]}}}"#)
    ])
    #expect(module.check.diagnostics.map(\.path) == ["services.a.when.all[0]", "services.a.when.all[1].not"])
  }

  @Test(arguments: [
    (#"{"all": [{"parameter": "p", "equals": 1}, 1]}"#, DiagnosticCode.wrongKind),
    (#"{"not": {"parameter": "p"}}"#, .missingKey), (#"{"environment": "dev", "parameter": "p"}"#, .excludingKeys),
  ])
  func `a parameter in a malformed condition counts as used`(condition: String, code: DiagnosticCode) {
    let check = LoadedModule([
      "app.json": module(#""parameters": {"p": 1}, "services": {"a": {"type": "A", "when": \#(condition)}}"#)
    ]).check
    #expect(check.diagnostics.contains { $0.code == code })
    #expect(!check.diagnostics.contains { $0.severity == .warning })
  }
}
