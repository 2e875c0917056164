// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

struct ResolvedModuleTests {
  @Test func `every key is written, maps ascend, aliases are resolved`() throws {
    let module = CheckedModule(
      """
      "parameters": { "z": 1, "a": "x" },
      "services": {
        "s": { "values": { "v": { "b": 1, "a": "${a}${z}" }, "u": 1.0 }, "type": "T",
          "inject": { "n": ["name", "t"], "m": { "map": { "y": "t", "x": "name" } } } },
        "t": { "type": "T", "provides": ["Z", "A", "Z"], "scope": "transient", "private": true } },
      "aliases": { "name2": "name", "name": "t" }, "bindings": { "Q": "name2" }
      """)
    #expect(
      try module.resolved() == [
        "configdi": 1, "module": "app",
        "parameters": [
          "a": ["value": "x", "type": "string", "origin": "app.json:2:30"],
          "z": ["value": 1, "type": "int", "origin": "app.json:2:22"],
        ],
        "scopes": [],
        "services": [
          "s": [
            "type": "T", "scope": "shared",
            "inject": ["m": ["map": ["x": "t", "y": "t"]], "n": ["t", "t"]],
            "values": ["u": 1.0, "v": ["a": "x1", "b": 1]], "tags": [:], "decorate": [], "eager": false,
            "private": false,
          ],
          "t": [
            "type": "T", "provides": ["A", "Z"], "scope": "transient", "inject": [:], "values": [:], "tags": [:],
            "decorate": [], "eager": false, "private": true,
          ],
        ],
        "aliases": ["name": "t", "name2": "t"], "bindings": ["Q": "t"], "start": [],
      ])
  }

  @Test func `"provides" comes from the catalog if the file has none, and the environment if one is selected`()
    throws
  {
    let module = CheckedModule(
      #""environments": { "dev": [] }, "services": { "s": { "type": "T" } }"#,
      types: [TypeDescriptor(name: "T", provides: ["B", "A"])], environments: ["dev"])
    #expect(try module.resolved().at("services", "s", "provides") == ["A", "B"])
    #expect(try module.resolved().at("environment") == "dev")
  }

  @Test func `a parameter that is one placeholder has the type of its target`() throws {
    let defaults = [
      "json": "{}", "list": "[]", "double": "5", "string": "\"1s\"", "duration": "\"1s\"", "size": "\"1B\"",
    ]
    for (type, value) in defaults {
      let module = CheckedModule(
        """
        "parameters": { "q": "${p}", "r": "${q}", "p": { "env": "E", "type": "\(type)", "default": \(value) } },
        "services": { "s": { "type": "T", "values": { "v": "${r}" } } }
        """)
      for id in ["p", "q", "r"] {
        #expect(try module.resolved().at("parameters", id, "type") == .string(type))
      }
    }
    for json in ["5", "[1]", "\"x\"", "{\"k\": 1}"] {
      let module = CheckedModule(
        """
        "parameters": { "p": { "env": "E", "type": "json" }, "q": "${p}" },
        "services": { "s": { "type": "T", "values": { "v": "${q}" } } }
        """, variables: ["E": json])
      #expect(try module.resolved().at("parameters", "q", "type") == "json")
    }
  }

  @Test func `a parameter's type is the declared one or the literal's, its origin the deciding token`() throws {
    let module = CheckedModule(
      """
      "environments": { "dev": ["dev.json"] },
      "parameters": {
        "list": [1], "map": { "value": {} }, "real": 1.5, "flag": true, "env": { "env": "E", "type": "size" },
        "layered": { "env": "L", "default": "x" } },
      "services": { "s": { "type": "T", "values": {
        "v": ["${list}", "${map}", "${real}", "${flag}", "${env}", "${layered}"] } } }
      """,
      files: ["dev.json": #"{"configdi": 1, "module": "d", "override": {"parameters": {"layered": "y"}}}"#],
      environments: ["dev"], variables: ["E": "5MB"])
    let parameters = try #require(try module.resolved().at("parameters"))
    #expect(
      parameters.keys.map { parameters.at($0, "type") } == ["size", "bool", "string", "list", "map", "double"])
    #expect(parameters.at("layered", "origin") == "dev.json:1:71")
    #expect(parameters.at("env", "origin") == "app.json:4:83")
    #expect(parameters.at("env", "value") == .size("5MB"))
  }

  @Test func `a setting has the command line as its origin`() throws {
    let module = CheckedModule(
      #""parameters": { "p": 1 }, "services": { "s": { "type": "T", "values": { "v": "${p}" } } }"#,
      settings: ["parameters.p=2"])
    #expect(try module.resolved().at("parameters", "p") == ["value": 2, "type": "int", "origin": "<command line>"])
  }

  @Test func `secrets are masked everywhere, missing values are named`() throws {
    let module = CheckedModule(
      """
      "parameters": {
        "pw": { "env": "PW", "secret": true }, "salt": { "value": "nacl", "secret": true },
        "both": "${salt}:${pw}", "open": { "env": "OPEN" }, "deep": { "value": ["hunter2", 1], "secret": true } },
      "services": { "s": { "type": "T", "values": {
        "a": "${pw}", "b": { "k": ["x ${both}", "plain"] }, "c": "${open}", "d": "${deep}" } } }
      """, variables: ["PW": "swordfish"])
    let resolved = try module.resolved()
    #expect(
      resolved.at("services", "s", "values") == [
        "a": "<secret pw>", "b": ["k": ["<secret pw, salt>", "plain"]], "c": "<unset OPEN>", "d": "<secret deep>",
      ])
    #expect(resolved.at("parameters", "both", "value") == "<secret pw, salt>")
    let texts = [try module.moduleFile(), "\(resolved)"]
    for secret in ["swordfish", "nacl", "hunter2"] { #expect(texts.allSatisfy { !$0.contains(secret) }) }
  }

  @Test func `eager services come after their dependencies`() throws {
    let module = CheckedModule(
      """
      "services": {
        "z": { "type": "T" }, "y": { "type": "T", "inject": { "x": "z" } },
        "b": { "type": "T", "eager": true, "inject": { "x": "y" } }, "a": { "type": "T", "eager": true },
        "c": { "type": "T", "eager": true, "inject": { "x": "b", "w": "b" } }, "idle": { "type": "T" } }
      """)
    #expect(try module.resolved().at("start") == ["a", "z", "y", "b", "c"])
  }

  @Test func `scopes, tags, decorators, templates and conditions are written explicitly`() throws {
    let module = CheckedModule(
      """
      "environments": { "dev": [] }, "scopes": ["session", "request"],
      "templates": { "base": { "type": "T", "scope": "session", "values": { "size": 1, "name": "x" } } },
      "services": {
        "s": { "extends": "base", "values": { "size": 2 }, "tags": { «CDI0709»"b": { "order": 3 }, «CDI0709»"a": { "key": "k" } },
          "decorate": [{ "type": "D", "inject": { "x": "t", "none": { "service": "gone", "optional": true } } }] },
        "t": { "type": "T", "scope": "graph", "when": { "environment": "dev" } }, "u": { "type": "T", "when": { "any": [] } } }
      """, environments: ["dev"])
    let resolved = try module.resolved()
    #expect(resolved.at("scopes") == ["session", "request"])
    #expect(resolved.at("services")?.keys == ["s", "t"])
    #expect(
      resolved.at("services", "s") == [
        "type": "T", "scope": "session", "inject": [:], "values": ["name": "x", "size": 2],
        "tags": ["a": ["key": "k", "order": 0], "b": ["key": "s", "order": 3]],
        "decorate": [["type": "D", "inject": ["x": "t"], "values": [:]]], "eager": false, "private": false,
      ])
  }

  @Test func `the start follows decorators and tags, not deferred arguments`() throws {
    let types = [
      TypeDescriptor(
        name: "T", provides: [],
        arguments: [
          ArgumentDescriptor(key: "all", kind: .service(type: "P", wrapper: .list), isOptional: true),
          ArgumentDescriptor(key: "later", kind: .service(type: "P", wrapper: .lazy), isOptional: true),
          ArgumentDescriptor(key: "often", kind: .service(type: "P", wrapper: .provider), isOptional: true),
        ]),
      TypeDescriptor(name: "P", provides: ["P"]),
      TypeDescriptor(
        name: "D", provides: ["P"],
        arguments: [
          ArgumentDescriptor(key: "inner", kind: .decorated(type: "P")),
          ArgumentDescriptor(key: "by", kind: .service(type: "P", wrapper: .direct)),
        ]),
    ]
    let module = CheckedModule(
      """
      "bindings": { "P": "p" },
      "services": {
        "a": { "type": "T", "eager": true, "inject": { "all": { "tagged": "t" }, "later": "q", "often": "q" } },
        "p": { "type": "P", "tags": ["t"], "decorate": [{ "type": "D", "inject": { "by": "z" } }] },
        "q": { "type": "P" }, "z": { "type": "P" } }
      """, types: types)
    #expect(try module.resolved().at("start") == ["z", "p", "a"])
  }
}
