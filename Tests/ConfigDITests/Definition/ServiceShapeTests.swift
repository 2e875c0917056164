// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ServiceShapeTests {
  @Test func `a service with every key is valid`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"b": {"type": "B"}, "a": {"type": "T", "provides": ["T", "U"], "scope": "shared", "inject": {"x": "b"},
          "values": {"y": 1}, "eager": true, "private": true, "deprecated": "no", "doc": "d", "x-y": {"z": 1}, "autowire": true,
          "tags": ["t"], "decorate": [{"type": "D"}], "when": {"all": []}, "extends": "base"}},
        "templates": {"base": {}}
        """#)
    ])
  }

  @Test(arguments: [
    #""a": «CDI0202»"T""#, #""a": «CDI0202»[]"#, #"«CDI0203»"a": {}"#, #"«CDI0203»"a": {"scope": "shared"}"#,
    #""a": {«CDI0201»"typ": "T"}"#, #""a": {"type": «CDI0202»1}"#, #""a": {"type": "T", "provides": «CDI0202»"T"}"#,
    #""a": {"type": "T", "provides": [«CDI0202»1]}"#, #""a": {"type": "T", "provides": «CDI0202»{"append": ["U"]}}"#,
    #""a": {"type": "T", "scope": «CDI0202»true}"#, #""a": {"type": "T", "inject": «CDI0202»[]}"#,
    #""a": {"type": "T", "values": «CDI0202»[]}"#, #""a": {"type": "T", "eager": «CDI0202»"true"}"#,
    #""a": {"type": "T", "private": «CDI0202»1}"#, #""a": {"type": "T", "autowire": «CDI0202»"no"}"#,
    #""a": {"extends": «CDI0202»1}"#, #""a": {"type": "T", "deprecated": «CDI0202»true}"#,
    #""a": {"type": "T", "doc": «CDI0202»1}"#, #""a": {"type": "T", «CDI0201»"unset": []}"#,
    #""a": {"type": "T", "values": {«CDI0204»"": 1}}"#, #""a": {"type": "T", "inject": {«CDI0204»"": "a"}}"#,
    #""a": {"type": "T", "inject": {"k": "b"}, "values": {«CDI0207»"k": 1}}"#,
    #""a": {"type": "T", "values": {"k": 1}, "inject": {«CDI0207»"k": "b"}}"#,
  ])
  func `a structural error in a service is reported at its token`(entry: String) {
    expectFindings(in: ["app.json": module("\"services\": {\(entry)}")])
  }

  @Test func `argument keys may be any text, and are distinct by Unicode scalars`() throws {
    let resolved = try resolved([
      "app.json": module(
        "\"services\": {\"a\": {\"type\": \"T\", \"values\": {\" \": 1, \"é\": 2, \"e\u{301}\": 3, \"a.b\": 4}}}")
    ])
    #expect(resolved.values(of: "a")?["é"] == 2)
    #expect(resolved.values(of: "a")?["e\u{301}"] == 3)
  }

  @Test func `a malformed service defines its id and is otherwise ignored`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {
          "bad": {"type": "T", "scope": "nowhere", "inject": {"x": "ghost"}, "values": {"y": "${ghost}"}, "eager": «CDI0202»1},
          "good": {"type": "T", "inject": {"bad": "bad"}}},
        "aliases": {"alias": "bad"}, "bindings": {"T": «CDI0503»"ghost"}
        """#)
    ])
  }

  @Test func `under override the type is optional and provided names may be extended`() {
    let base =
      #""services": {"a": {"type": "T", "provides": ["T"], "values": {"k": 1}}}, "override": {"services": {"a": "#
    for (patch, isSound) in [
      (#"{"scope": "transient"}"#, true), (#"{"provides": {"append": ["U"]}}"#, true),
      (#"{"provides": {"prepend": ["U"], "append": ["V"], "doc": "d", "x-a": 1}}"#, true),
      (#"{"unset": ["values.k"]}"#, true), (#"{«CDI0203»"provides": {}}"#, false),
      (#"{"provides": {"append": «CDI0202»"U"}}"#, false), (#"{"provides": {«CDI0201»"appnd": ["U"]}}"#, false),
      (#"{"provides": {"append": [«CDI0204»"1"]}}"#, false), (#"{"unset": «CDI0202»"values.k"}"#, false),
      (#"{"unset": [«CDI0202»1]}"#, false), (#"{"eager": «CDI0202»1}"#, false),
    ] {
      let module = expectFindings(in: ["app.json": module(base + patch + "}}")])
      #expect(module.check.isSound == isSound)
    }
  }
}

@Suite struct ReferenceShapeTests {
  @Test func `every form of a reference is valid, at any depth`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"b": {"type": "B"}, "a": {"type": "T", "inject": {
          "id": "b", "map form": {"service": "b"}, "gone": {"service": "ghost", "optional": true, "doc": "d", "x-a": 1},
          "list": ["b", {"service": "b", "optional": false}, ["b"], {"map": {"": "b"}}, {"tagged": "t"}], "none": [],
          "tag": {"tagged": "t"}, "tags": {"tagged": "t", "as": "map", "doc": "d"}, "listed": {"as": "list", "tagged": "t"},
          "map": {"map": {"k": "b", "l": {"map": {}}, "doc": "b", "x-y": "b"}}}}}
        """#)
    ])
  }

  @Test(arguments: [
    #""r": «CDI0202»1"#, #""r": «CDI0202»true"#, #"«CDI0203»"r": {}"#, #"«CDI0203»"r": {"optional": true}"#,
    #""r": [«CDI0203»{}]"#, #""r": ["b", «CDI0202»1]"#, #""r": {"service": «CDI0202»1}"#,
    #""r": {"service": "b", "optional": «CDI0202»1}"#, #""r": {"map": «CDI0202»["b"]}"#,
    #""r": {"map": {"k": «CDI0202»1}}"#, #""r": {"map": {"k": [«CDI0203»{}]}}"#, #""r": {«CDI0201»"servce": "b"}"#,
    #""r": {"service": "b", «CDI0207»"map": {}}"#, #""r": {"map": {}, «CDI0207»"service": "b"}"#,
    #""r": {"map": {}, «CDI0207»"optional": true}"#, #""r": {«CDI0207»"optional": true, "map": {}}"#,
    #""r": {"map": {}, «CDI0207»"service": "b", "optional": true}"#,
    #""r": {"service": "b", "doc": «CDI0202»1}"#, #""r": {"tagged": «CDI0202»1}"#, #""r": {"tagged": «CDI0202»["t"]}"#,
    #""r": {"tagged": "t", "as": «CDI0202»"set"}"#, #""r": {"tagged": "t", "as": «CDI0202»true}"#,
    #""r": {"tagged": "t", «CDI0207»"service": "b"}"#, #""r": {"map": {}, «CDI0207»"tagged": "t"}"#,
    #""r": {"tagged": "t", «CDI0207»"optional": true}"#, #""r": {"service": "b", «CDI0207»"as": "map"}"#,
    #"«CDI0203»"r": {"as": "map"}"#, #""r": {«CDI0201»"taged": "t", "as": "map"}"#,
  ])
  func `a structural error in a reference is reported at its token`(entry: String) {
    expectFindings(in: [
      "app.json": module("\"services\": {\"b\": {\"type\": \"B\"}, \"a\": {\"type\": \"T\", \"inject\": {\(entry)}}}")
    ])
  }

  @Test func `the path of a finding inside a reference is that of its token`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #""services": {"a": {"type": "T", "inject": {"k": [{"service": «CDI0501»"ghost"}], "a.b": «CDI0501»"ghost"}}}"#)
    ])
    #expect(
      module.check.diagnostics.map(\.path) == ["services.a.inject.k[0].service", #"services.a.inject["a.b"]"#])
  }
}
