// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct TagShapeTests {
  @Test func `tags are a list of names or a map with properties`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A", "tags": ["x", "y.z-1", "x"]}, "b": {"type": "B", "tags": []}, "c": {"type": "C", "tags": {}},
          "d": {"type": "D", "tags": {"x": {}, "y": {"order": -3, "key": "", "doc": "d", "x-a": 1}}}}
        """#)
    ])
  }

  @Test func `a duplicate tag in a list counts once`() throws {
    let check = LoadedModule(["app.json": module(#""services": {"a": {"type": "A", "tags": ["x", "y", "x"]}}"#)]).check
    #expect(check.compositions[0].definition?.services[0].tags.count == 2)
  }

  @Test(arguments: [
    #""tags": «CDI0202»"x""#, #""tags": «CDI0202»1"#, #""tags": ["x", «CDI0202»7, «CDI0204»"a b"]"#,
    #""tags": {"x": «CDI0202»1}"#, #""tags": {"x": «CDI0202»[]}"#, #""tags": {«CDI0204»"2nd": {}}"#,
    #""tags": {"x": {"order": «CDI0202»"first"}}"#, #""tags": {"x": {"order": «CDI0202»1.0}}"#,
    #""tags": {"x": {"key": «CDI0202»1}}"#, #""tags": {"x": {«CDI0201»"ordr": 1}}"#,
    #""tags": {"x": {"doc": «CDI0202»1}}"#,
  ])
  func `a structural error in tags is reported at its token`(tags: String) {
    expectFindings(in: ["app.json": module(#""services": {"a": {"type": "A", \#(tags)}}"#)])
  }
}

@Suite struct DecoratorShapeTests {
  @Test func `decorators are a list of types with arguments`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"b": {"type": "B"}, "a": {"type": "A", "decorate": [{"type": "D<E>"},
          {"type": "D", "inject": {"x": ["b"]}, "values": {"y": [1]}, "doc": "d", "x-a": 1}]}, "c": {"type": "C", "decorate": []}}
        """#)
    ])
  }

  @Test(arguments: [
    #""decorate": «CDI0202»{"type": "D"}"#, #""decorate": «CDI0202»"D""#, #""decorate": [«CDI0202»"D"]"#,
    #""decorate": [«CDI0203»{}]"#, #""decorate": [{"type": "D"}, «CDI0203»{"values": {"n": 1}}]"#,
    #""decorate": [{"type": «CDI0202»1}]"#, #""decorate": [{"type": «CDI0204»"a b"}]"#,
    #""decorate": [{"type": "D", "inject": «CDI0202»"b"}]"#,
    #""decorate": [{"type": "D", "inject": {"k": «CDI0202»1}}]"#,
    #""decorate": [{"type": "D", "values": «CDI0202»[]}]"#, #""decorate": [{"type": "D", "values": {«CDI0204»"": 1}}]"#,
    #""decorate": [{"type": "D", "inject": {"k": "b"}, "values": {«CDI0207»"k": 1}}]"#,
    #""decorate": [{"type": "D", "values": {"k": 1}, "inject": {«CDI0207»"k": "b"}}]"#,
    #""decorate": [{"type": "D", «CDI0201»"scope": "weak"}]"#, #""decorate": [{«CDI0201»"typ": "D"}]"#,
    #""decorate": «CDI0202»{"append": [{"type": "D"}]}"#,
  ])
  func `a structural error in decorators is reported at its token`(decorators: String) {
    expectFindings(in: ["app.json": module(#""services": {"a": {"type": "A", \#(decorators)}}"#)])
  }

  @Test func `the same key may be an argument of two decorators and of the service`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"b": {"type": "B"}, "a": {"type": "A", "inject": {"k": "b"},
          "decorate": [{"type": "D", "values": {"k": 1}}, {"type": "D", "inject": {"k": "b"}}]}}
        """#)
    ])
  }

  @Test(arguments: [
    (#"{"append": [{"type": "E"}]}"#, true), (#"{"prepend": [], "append": [], "doc": "d"}"#, true),
    (#"{"append": «CDI0202»{"type": "E"}}"#, false), (#"{"append": [«CDI0203»{}]}"#, false),
    (#"{«CDI0201»"apend": []}"#, false),
  ])
  func `under override decorators may be added at either end`(change: String, isSound: Bool) {
    let mark = change.hasPrefix(#"{"prepend": [], "#) ? "«CDI0308»" : ""
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A", "decorate": [{"type": "D"}]}}, "override": {"services": {"a": {"decorate": \#(mark)\#(change)}}}
        """#)
    ])
    #expect(module.check.isSound == isSound)
  }

  @Test func `a change of a list must have contents`() {
    for key in ["decorate", "provides"] {
      expectFindings(in: [
        "app.json": module(
          #""services": {"a": {"type": "A"}}, "override": {"services": {"a": {«CDI0203»"\#(key)": {"doc": "d"}}}}"#)
      ])
    }
  }
}
