// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct TemplateShapeTests {
  @Test func `a template with every key is valid, and no key is required`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"base": {"type": "T", "provides": ["T", "U"], "scope": "weak", "inject": {"x": "b"}, "values": {"y": 1},
          "doc": "d", "x-y": {"z": 1}}, "next": {"extends": "base"}, "none": {}},
        "services": {"b": {"type": "B"}, "a": {"extends": "next"}, "c": {"extends": "none", "type": "C"}}
        """#)
    ])
  }

  @Test(arguments: [
    #""a": «CDI0202»"T""#, #""a": {"extends": «CDI0202»1}"#, #""a": {"type": «CDI0202»1}"#,
    #""a": {"type": «CDI0204»"a b"}"#, #""a": {"provides": «CDI0202»"T"}"#,
    #""a": {"provides": «CDI0202»{"append": ["T"]}}"#, #""a": {"scope": «CDI0202»[]}"#,
    #""a": {"inject": «CDI0202»[]}"#, #""a": {"inject": {"k": «CDI0202»1}}"#, #""a": {"values": «CDI0202»1}"#,
    #""a": {"inject": {"k": "b"}, "values": {«CDI0207»"k": 1}}"#, #"«CDI0204»"1a": {"type": "T"}"#,
    #""a": {«CDI0201»"tags": ["t"]}"#, #""a": {«CDI0201»"decorate": []}"#, #""a": {«CDI0201»"when": {"all": []}}"#,
    #""a": {«CDI0201»"eager": true}"#, #""a": {«CDI0201»"private": true}"#, #""a": {«CDI0201»"autowire": true}"#,
    #""a": {«CDI0201»"deprecated": "d"}"#, #""a": {«CDI0201»"unset": []}"#,
  ])
  func `a structural error in a template is reported at its token`(entry: String) {
    expectFindings(in: ["app.json": module("\"templates\": {\(entry)}")])
  }

  @Test func `a service that extends a template needs no type`() {
    expectFindings(in: [
      "app.json": module(#""templates": {"t": {"type": "T"}}, "services": {"a": {"extends": "t"}, «CDI0203»"b": {}}"#)
    ])
    expectFindings(in: ["app.json": module(#""services": {"a": {«CDI0201»"extend": "t"}}"#)])
  }

  @Test func `under override a template may extend its list and unset parts`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"t": {"type": "T", "provides": ["T"], "values": {"k": 1}}},
        "override": {"templates": {"t": {"provides": {"append": ["U"]}, "unset": ["values.k"], «CDI0201»"eager": true}}}
        """#)
    ])
  }
}
