// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ParameterShapeTests {
  @Test func `every form of a parameter is valid`() {
    expectFindings(
      in: [
        "app.json": module(
          #"""
          "parameters": {"s": "x", "i": 1, "d": 1.5, "b": true, "l": [1, "a", {"k": []}], "m": {"value": {"k": 1}},
            "e": {"env": "E", "type": "int", "default": 1, "oneOf": [1, 2], "min": 0, "max": 2, "secret": true,
                  "deprecated": "no", "doc": "d", "x-a": 1},
            "f": {"file": "f.txt", "type": "duration", "default": "1s", "min": "1ms", "max": "1h"},
            "z": {"value": "1MB", "type": "size", "min": "1kB", "max": "1GB"}, "r": {"value": 1, "type": "double", "max": 2},
            "j": {"env": "J", "type": "json", "default": {"any": []}}, "i2": {"value": 5, "min": 1}}
          """#)
      ])
  }

  @Test(arguments: [
    #"«CDI0203»"p": {}"#, #"«CDI0203»"p": {"type": "int"}"#, #""p": {«CDI0201»"enw": "E"}"#,
    #""p": {"env": "E", «CDI0207»"value": 1}"#, #""p": {"value": 1, «CDI0207»"file": "f"}"#,
    #""p": {"env": "E", «CDI0207»"file": "f", «CDI0207»"value": 1}"#,
    #""p": {"value": 1, «CDI0207»"default": 1}"#, #""p": {"default": 1, «CDI0207»"value": 1}"#,
    #""p": {"env": «CDI0204»""}"#, #""p": {"sources": [{"file": «CDI0204»""}, {"config": «CDI0204»""}]}"#,
    #""p": {"env": «CDI0202»1}"#, #""p": {"file": «CDI0202»[]}"#, #""p": {"env": "E", "type": «CDI0202»"integer"}"#,
    #""p": {"env": "E", "type": «CDI0202»1}"#, #""p": {"env": "E", "secret": «CDI0202»"yes"}"#,
    #""p": {"env": "E", "deprecated": «CDI0202»true}"#, #""p": {"env": "E", "oneOf": «CDI0202»"a"}"#,
    #""p": {"env": "E", "doc": «CDI0202»1}"#, #""p": {"env": "E", «CDI0201»"unset": []}"#,
    #""p": {"env": "E", «CDI0207»"min": 1}"#, #""p": {"value": true, «CDI0207»"max": 1}"#,
    #""p": {"env": "E", "type": "list", «CDI0207»"min": 1, «CDI0207»"max": 2}"#,
    #""p": {"env": "E", "type": "int", "min": «CDI0202»"1"}"#,
    #""p": {"env": "E", "type": "int", "max": «CDI0202»1.5}"#,
    #""p": {"env": "E", "type": "duration", "min": «CDI0202»1}"#,
    #""p": {"env": "E", "type": "size", "max": «CDI0202»"1 MB"}"#,
    #""p": {"env": "E", "type": "int", "oneOf": [1, «CDI0202»"2", 3, «CDI0202»4.5]}"#,
    #""p": {"value": «CDI0407»3, "oneOf": [1, 2]}"#, #""p": {"value": «CDI0407»3, "max": 2}"#,
    #""p": {"value": «CDI0407»"1m", "type": "duration", "min": "61s"}"#,
    #""p": {"value": «CDI0407»[], "oneOf": [[1]]}"#,
    #""p": {"env": "E", "type": "int", "default": «CDI0407»3, "max": 2}"#,
  ])
  func `a structural error in a parameter is reported at its token`(entry: String) {
    expectFindings(in: ["app.json": module("\"parameters\": {\(entry)}")], variables: ["E": "1"])
  }

  /// Literals of each kind, and the types that accept them.
  @Test(arguments: [
    (#""x""#, ["string", "json"]), (#""1s""#, ["string", "json", "duration"]), (#""1MB""#, ["string", "json", "size"]),
    ("1", ["int", "double", "json"]), ("1.5", ["double", "json"]), ("true", ["bool", "json"]),
    ("[1]", ["list", "json"]),
    (#"{"k": 1}"#, ["json"]),
  ])
  func `a literal and a default must have the declared type`(literal: String, types: [String]) {
    for type in ParameterType.declarable {
      let mark = types.contains(type.rawValue) ? "" : "«CDI0202»"
      expectFindings(in: [
        "app.json": module(
          #"""
          "parameters": {"v": {"value": \#(mark)\#(literal), "type": "\#(type)"},
                         "d": {"env": "E", "default": \#(mark)\#(literal), "type": "\#(type)"}}
          """#)
      ])
    }
  }

  @Test func `a map is not a list, also with a placeholder inside`() {
    expectFindings(in: [
      "app.json": module(#""parameters": {"n": 1, "l": {"value": «CDI0202»{"k": "${n}"}, "type": "list"}}"#)
    ])
    expectFindings(in: [
      "app.json": module(#""parameters": {"m": {"env": "E", "type": «CDI0202»"map"}}"#)
    ])
  }

  @Test func `bounds are checked whether they come before or after the type`() {
    expectFindings(in: [
      "app.json": module(#""parameters": {"p": {"max": 2, "default": «CDI0407»3, "type": "int", "env": "E"}}"#)
    ])
  }

  @Test func `oneOf compares values, strings by Unicode scalars`() {
    expectFindings(in: [
      "app.json": module(
        """
        "parameters": {"d": {"value": "1000ms", "type": "duration", "oneOf": ["1s"]},
          "s": {"value": "1024B", "type": "size", "oneOf": ["1KiB"]}, "r": {"value": 1, "type": "double", "oneOf": [1.0]},
          "m": {"value": {"a": 1, "b": 2}, "oneOf": [{"b": 2, "a": 1}]},
          "t": {"value": «CDI0407»"e\u{301}", "oneOf": ["é"]}, "e": {"env": "E", "type": "int", "oneOf": [], "default": «CDI0407»1}}
        """)
    ])
  }

  @Test func `a parameter that is exactly one placeholder accepts the bounds of its type`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"a": 5, "s": "x", "in": {"value": "${a}", "min": 1, "oneOf": [5]}, "out": {"value": «CDI0407»"${a}", "max": 4},
          "list": {"value": "${a}", "oneOf": [«CDI0202»"5"]}, "text": {"value": "${s}", «CDI0207»"min": 1}}
        """#)
    ])
  }
}
