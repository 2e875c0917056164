// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct UnchangedOverrideTests {
  @Test func `every value that equals the old one is reported`() {
    expectFindings(
      in: [
        "app.json": module(
          #"""
          "parameters": {"l": 1, "t": "${l}", "e": {"env": "E", "type": "int", "default": 1, "oneOf": [1, 2], "min": 0, "max": 9,
            "secret": true, "deprecated": "d"}, "f": {"file": "/f"}, "v": {"value": {"a": 1, "b": 2}}, "n": 5},
          "services": {"b": {"type": "B"}, "a": {"type": "A", "provides": ["T", "U"], "scope": "shared", "eager": true,
            "private": true, "deprecated": "d", "inject": {"x": "b", "l": ["b"], "n": {"map": {"k": "b", "l": "b"}}},
            "values": {"k": 1, "m": {"a": [1, 2], "b": {"c": "${l}"}}, "r": 1}}, "same": {"type": "S"}},
          "aliases": {"al": "a"}, "bindings": {"T": "a"},
          "override": {
            "parameters": {"l": «CDI0308»1, "t": «CDI0308»"${l}", "e": {"env": «CDI0308»"E", "type": «CDI0308»"int",
              "default": «CDI0308»1, "oneOf": «CDI0308»[1, 2], "min": «CDI0308»0, "max": «CDI0308»9, "secret": «CDI0308»true,
              "deprecated": «CDI0308»"d"}, "f": {"file": «CDI0308»"/f"}, "v": {"value": «CDI0308»{"b": 2, "a": 1}},
              "n": «CDI0308»{"doc": "d"}},
            "services": {"a": {"type": «CDI0308»"A", "provides": «CDI0308»["U", "T"], "scope": «CDI0308»"shared",
              "eager": «CDI0308»true, "private": «CDI0308»true, "deprecated": «CDI0308»"d",
              "inject": {"x": «CDI0308»"b", "l": «CDI0308»["b"], "n": «CDI0308»{"map": {"l": "b", "k": "b"}}},
              "values": {"k": «CDI0308»1, "m": {"a": «CDI0308»[1, 2], "b": {"c": «CDI0308»"${l}"}}, "r": 1.0}},
              "same": «CDI0308»{}},
            "aliases": {"al": «CDI0308»"a"}, "bindings": {"T": «CDI0308»"a"}}
          """#)
      ], variables: ["E": "1"])
  }

  @Test func `a change is not reported`() {
    expectFindings(
      in: [
        "app.json": module(
          """
          "parameters": {"dropped": {"env": "E", "default": "x"}, "typed": {"value": 1}, "s": "é"},
          "services": {"a": {"type": "A", "provides": ["T"], "values": {"m": {"a": 1}, "k": 1, "s": "é"}}, "b": {"type": "B"}},
          "override": {"parameters": {"dropped": {"env": "E"}, "typed": {"type": "int"}, "s": "e\u{301}"},
            "services": {"a": {"unset": ["values.m"], "values": {"m": {"a": 1}, "k": 1.0, "s": "e\u{301}"}}}}
          """)
      ], variables: ["E": "x"])
  }

  @Test func `an empty map merged into a map changes nothing`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A", "values": {"m": {"k": 1}, "n": 1}}},
        "override": {"services": {"a": {"values": {"m": «CDI0308»{}, "n": {}}}}}
        """#)
    ])
  }

  @Test func `a value that changes one environment is not reported`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"p": 1, "q": 1}, "environments": {"dev": ["five.json", "one.json"], "prod": ["one.json"], "none": []}
        """#),
      "five.json": module(#""override": {"parameters": {"p": 5}}"#),
      "one.json": module(#""override": {"parameters": {"p": 1, "q": «CDI0308@dev,prod»1}}"#),
    ])
  }
}
