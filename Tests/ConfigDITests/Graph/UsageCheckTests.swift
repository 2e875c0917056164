// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct UsageCheckTests {
  @Test func `an unused private service, parameter and alias of a private service are reported at their keys`() {
    let module = CheckedModule(
      """
      "parameters": { «CDI0702»"p": 1, "q": 2 },
      "services": {
        «CDI0701»"idle": { "type": "T", "private": true }, "kept": { "type": "T", "private": true },
        "public": { "type": "T", "values": { "v": "${q}" } }, "open": { "type": "T", "private": false } },
      "aliases": { «CDI0703»"back": "kept", "name": "public" }
      """)
    #expect(
      module.findings.map(\.message) == [
        #"parameter "p" is never used"#, #"private service "idle" is never used"#, #"alias "back" is never used"#,
      ])
  }

  @Test func `services reachable from a public service are used, in every form of reference`() {
    _ = CheckedModule(
      """
      "services": {
        "main": { "type": "T", "inject": {
          "a": "p1", "b": ["p2", ["p3"]], "c": { "map": { "k": "p4" } }, "d": { "service": "p5", "optional": true },
          "e": "alias" } },
        "p1": { "type": "T", "private": true, "inject": { "x": "deep" } }, "p2": { "type": "T", "private": true },
        "p3": { "type": "T", "private": true }, "p4": { "type": "T", "private": true },
        "p5": { "type": "T", "private": true }, "p6": { "type": "T", "private": true },
        "deep": { "type": "T", "private": true } },
      "aliases": { "alias": "alias2", "alias2": "p6" }
      """)
  }

  @Test func `names in malformed templates, parameters, aliases and bindings are used`() {
    _ = CheckedModule(
      """
      "parameters": { "v": 1, "w": 2, "bad": { "value": "${v}", «CDI0201»"foo": 1 }, «CDI0204»"9p": { "value": "${w}" } },
      "templates": { "t": { "type": "T" }, "u": { "type": "T" }, "bad": { "extends": "t", «CDI0201»"foo": 1 },
        «CDI0204»"9t": { "extends": "u" } },
      "services": { "a": { "type": "T", "private": true }, "b": { "type": "T", "private": true } },
      "aliases": { «CDI0204»"9": "a" }, "bindings": { «CDI0204»"9": "b" }
      """)
  }

  @Test func `an eager private service and what it needs are used`() {
    _ = CheckedModule(
      """
      "services": {
        "worker": { "type": "T", "private": true, "eager": true, "inject": { "x": "queue" } },
        "queue": { "type": "T", "private": true } }
      """)
  }

  @Test func `private services that only use each other are unused`() {
    _ = CheckedModule(
      """
      "services": {
        «CDI0701»"a": { "type": "T", "private": true, "inject": { "x": "b" } },
        «CDI0701»"b": { "type": "T", "private": true } }
      """)
  }

  @Test func `an alias and a binding use their private service`() {
    _ = CheckedModule(
      """
      "services": { "a": { "type": "T", "private": true, "inject": { "x": "c" } }, "b": { "type": "T", "private": true },
        "c": { "type": "T", "private": true } },
      "aliases": { "x": "b" },
      "bindings": { "T": "a", "U": "x" }
      """)
  }

  @Test func `an alias that only another alias uses is used through it`() {
    _ = CheckedModule(
      """
      "services": { "a": { "type": "T", "private": true } },
      "aliases": { «CDI0703»"outer": "inner", "inner": "a" }
      """)
  }

  @Test func `parameters are used by values, at any depth, and by used parameters`() {
    _ = CheckedModule(
      """
      "parameters": {
        "a": ["${b}", "${c}"], "b": 1, "c": { "value": ["${d}"] }, "d": "x", "e": { "env": "E", "default": "${f}" },
        «CDI0702»"f": 1, «CDI0702»"g": "${h}", «CDI0702»"h": 1 },
      "services": { "s": { "type": "T", "values": { "v": [{ "k": "${a}" }], "w": "${e}", "x": "$${g}" } } }
      """)
  }

  @Test func `a string with a malformed placeholder uses the parameters of the others`() {
    _ = CheckedModule(
      #"""
      "parameters": { "a": 1, "b": 1, "c": 1, «CDI0702»"d": 1, "p": «CDI0403»"${b} ${" },
      "services": { "s": { "type": "T", "values": {
        "v": «CDI0403»"${not a name}:${a}", "w": «CDI0403»"${x ${c} $${d}", "y": "${p}" } } }
      """#)
  }

  @Test func `an unused private service uses its parameters`() {
    _ = CheckedModule(
      """
      "parameters": { "p": 1 },
      "services": { «CDI0701»"s": { "type": "T", "private": true, "values": { "v": "${p}" } } }
      """)
  }

  @Test func `names in a malformed service are used, and so are their dependencies`() {
    _ = CheckedModule(
      """
      "parameters": { "p": 1 },
      "services": {
        "odd": { "type": "T", «CDI0201»"colour": 1, "inject": { "x": "p1" }, "values": { "v": "${p}" } },
        "p1": { "type": "T", "private": true, "inject": { "x": "p2" } }, "p2": { "type": "T", "private": true } }
      """)
  }

  @Test func `a malformed entry is not reported as unused`() {
    _ = CheckedModule(
      """
      "parameters": { "p": { "value": 1, «CDI0201»"colour": 1 } },
      "services": { "s": { "type": "T", "private": true, «CDI0201»"colour": 1 } },
      "aliases": { "a": «CDI0202»1 }
      """)
  }

  @Test func `an unused entry is reported only if it is unused in every checked environment`() {
    let module = { (mark: String, environments: [String]?) in
      CheckedModule(
        """
        "environments": { "dev": [], "prod": ["prod.json"] },
        "parameters": { \(mark.isEmpty ? "" : "«CDI0702»")"p": 1 },
        "services": { \(mark.isEmpty ? "" : "«CDI0701»")"s": { "type": "T", "private": true } },
        "aliases": { \(mark.isEmpty ? "" : "«CDI0703»")"a": "s2" }
        """
        .replacing("\"services\": {", with: #""services": { "s2": { "type": "T", "private": true }, "#),
        files: [
          "prod.json":
            #"{"configdi": 1, "module": "p", "services": {"main": {"type": "T", "inject": {"x": "s", "y": "a"}, "values": {"v": "${p}"}}}}"#
        ], environments: environments)
    }
    _ = module("", nil)
    _ = module("", ["prod"])
    _ = module("told", ["dev"])
    _ = module("told", [])
  }

  @Test func `an entry of some environments is reported if none of them uses it`() {
    _ = CheckedModule(
      """
      "environments": { "dev": ["shared.json"], "test": [], "prod": ["shared.json", "prod.json"] },
      "services": {
        «CDI0701@prod»"late": { "type": "T", "private": true, "when": { "environment": "prod" } },
        "early": { "type": "T", "private": true, "when": { "environment": ["dev", "prod"] } } }
      """,
      files: [
        "shared.json": """
        {"configdi": 1, "module": "s", "parameters": {"usedInProd": 1, «CDI0702@dev,prod»"unused": 1}}
        """,
        "prod.json": """
        {"configdi": 1, "module": "p", "parameters": {«CDI0702@prod»"p": 1}, "templates": {«CDI0704@prod»"t": {"type": "T"}},
          "services": {«CDI0701@prod»"s": {"type": "T", "private": true}, "kept": {"type": "T", "private": true},
            "main": {"type": "T", "inject": {"x": "early", "y": "kept"}, "values": {"v": "${usedInProd}"}}},
          "aliases": {«CDI0703@prod»"a": "kept"}}
        """,
      ])
  }

  @Test func `an environment that removed or replaced an entry does not suppress the warning`() {
    _ = CheckedModule(
      """
      "environments": { "dev": ["dev.json"], "test": ["test.json"], "prod": [] },
      "parameters": { «CDI0702@test,prod»"p": 1, «CDI0702@dev,prod»"q": 1 }
      """,
      files: [
        "dev.json": #"{"configdi": 1, "module": "d", "remove": {"parameters": ["p"]}}"#,
        "test.json": #"{"configdi": 1, "module": "d", "remove": {"parameters": ["q"]}}"#,
      ])
  }

  @Test func `an unreadable environment may use every entry`() {
    _ = CheckedModule(
      #""environments": { "dev": [], "prod": ["prod.json"] }, "parameters": { "p": 1 }"#,
      files: ["prod.json": "{«CDI0101@prod»"])
  }

  @Test func `an alias that a layer makes public is used by code`() {
    _ = CheckedModule(
      """
      "environments": { "dev": [], "prod": ["prod.json"] },
      "services": { "s": { "type": "T", "private": true } }, "aliases": { "a": "s" }
      """,
      files: [
        "prod.json": #"{"configdi": 1, "module": "p", "override": {"services": {"s": {"private": false}}}}"#
      ])
  }

  @Test func `tags, decorators and templates use the names in them`() {
    _ = CheckedModule(
      """
      "templates": { "t": { "inject": { "x": "fromTemplate" } } },
      "services": {
        "a": { "type": "T", "extends": "t", "inject": { "y": { "tagged": "g" } },
          "decorate": [{ "type": "D", "inject": { "z": "fromDecorator" } }] },
        "fromTemplate": { "type": "T", "private": true }, "fromDecorator": { "type": "T", "private": true },
        "fromTag": { "type": "T", "private": true, "tags": ["g"] }, «CDI0701»"other": { "type": "T", "private": true, "tags": [«CDI0709»"h"] } }
      """)
  }

  @Test func `services bound by type are used, also by lists`() {
    let types = [
      TypeDescriptor(name: "P", provides: ["P"]), TypeDescriptor(name: "Q", provides: ["Q"]),
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [
          ArgumentDescriptor(key: "p", kind: .service(type: "P", wrapper: .direct)),
          ArgumentDescriptor(key: "q", kind: .service(type: "Q", wrapper: .list)),
        ]),
    ]
    _ = CheckedModule(
      """
      "autowire": true,
      "services": { "a": { "type": "T" }, "p": { "type": "P", "private": true }, "q": { "type": "Q", "private": true } }
      """, types: types)
  }

  @Test func `a declared tag, by which code looks up, uses its services`() {
    _ = CheckedModule(
      """
      "tags": { "command": {}, "empty": {} },
      "services": {
        "a": { "type": "T", "private": true, "tags": ["command"], "inject": { "x": "deep" } },
        "b": { "type": "T", "private": true, "tags": { "own": {}, "command": { "order": 1 } } },
        "deep": { "type": "T", "private": true, "inject": { "x": { "tagged": "own" } } },
        «CDI0701»"empty": { "type": "T", "private": true }, "c": { "type": "T", "private": true, "tags": ["own"] } }
      """)
  }

  @Test func `a tag or keyword with the text of an alias does not use it`() {
    _ = CheckedModule(
      """
      "aliases": { «CDI0703»"map": "s", «CDI0703»"g": "s" },
      "services": { "a": { "type": "T", "inject": { "x": { "tagged": «CDI0708»"g", "as": "map" }, "y": "s" } },
        "s": { "type": "T", "private": true } }
      """)
  }

  @Test func `a malformed service uses the services of its tag references`() {
    _ = CheckedModule(
      """
      "services": {
        "odd": { "type": "T", «CDI0201»"colour": 1, "inject": { "x": { "tagged": "g" } } },
        "p": { "type": "T", "private": true, "tags": ["g"] } }
      """)
  }

  @Test func `a template is used by existing services and by used templates`() {
    _ = CheckedModule(
      """
      "environments": { "dev": [], "prod": [] },
      "templates": {
        "a": { "extends": "b" }, "b": { "type": "T" }, «CDI0704»"c": { "extends": "d" }, «CDI0704»"d": { "type": "T" },
        "e": { "type": "T" }, «CDI0704»"f": { "type": "T" } },
      "services": {
        "s": { "extends": "a" }, "odd": { "extends": "e", «CDI0201»"colour": 1 },
        "never": { "extends": "f", "when": { "all": [{ "environment": "dev" }, { "environment": "prod" }] } } }
      """)
  }
}
