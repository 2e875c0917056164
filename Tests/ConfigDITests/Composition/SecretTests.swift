// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct SecretTests {
  private let files = [
    "app.json": module(
      #"""
      "parameters": {"key": {"value": "hunter2", "secret": true}, "pin": {"value": 4711, "secret": true}, "url": "https://${key}@h",
        "outer": {"value": "${url}", "secret": true}, "both": "${pin}-${key}", "list": ["x", "${key}"], "map": {"value": {"k": "${pin}"}},
        "all": {"value": ["swordfish", {"k": "swordfish"}], "secret": true}, "of": "${all}", "env": {"env": "E", "secret": true, "default": "opensesame"}},
      "services": {"s": {"type": "S", "values": {"key": "${key}", "url": "${url}", "outer": "${outer}", "both": "${both}", "list": "${list}",
        "map": "${map}", "of": "${of}", "in": ["${pin}", "plain"], "env": "x${env}"}}}
      """#)
  ]

  @Test func `a string that contains a secret is secret, and redacted by the name nearest to the source`() throws {
    let resolved = try resolved(files)
    #expect(
      resolved.values(of: "s") == [
        "both": "<secret key, pin>", "env": "<secret env>", "in": ["<secret pin>", "plain"], "key": "<secret key>",
        "list": ["x", "<secret key>"], "map": ["k": "<secret pin>"], "of": "<secret all>", "outer": "<secret key>",
        "url": "<secret key>",
      ])
    #expect(resolved.parameter("outer") == "<secret key>")
    #expect(resolved.parameter("all") == "<secret all>")
  }

  @Test func `no output contains a secret`() throws {
    let module = LoadedModule(files, .init(variables: ["E": "alibaba"]))
    let printed = "\(try #require(module.resolved)) \(try #require(module.moduleFile)) \(module.findingsText)"
    for secret in ["hunter2", "4711", "swordfish", "opensesame", "alibaba"] {
      #expect(!printed.contains(secret), "\(secret)")
    }
  }

  @Test(arguments: [
    #""p": {"env": «CDI0406»"E", "type": "int", "secret": true}"#,
    #""p": {"env": «CDI0407»"E", "oneOf": ["swordfish"], "secret": true}"#,
    #""p": {"value": «CDI0407»"hunter2", "oneOf": ["swordfish"], "secret": true}"#,
    #""p": {"value": «CDI0202»"hunter2", "type": "int", "secret": true}"#,
    #""p": {"env": "N", "type": "int", "default": «CDI0202»"hunter2", "secret": true}"#,
    #""k": {"env": "E", "secret": true}, "p": {"value": «CDI0407»"x${k}", "oneOf": ["swordfish"]}"#,
    #""k": {"env": "E", "secret": true}, "p": {"value": «CDI0202»"${k}", "type": "int"}"#,
    #""k": {"env": "E", "secret": true}, "p": {"value": «CDI0402»"${p}${k}"}"#,
    #""p": {"value": «CDI0403»"hunter2${", "secret": true}"#,
    #""p": {"file": «CDI0406»"f", "type": "int", "secret": true}"#,
    #""p": {"env": "N", "default": «CDI0407»"hunter2", "oneOf": ["swordfish"], "secret": true}"#,
    #""p": {"value": "${k}", "oneOf": ["a"]}, "k": {"env": «CDI0407»"E", "oneOf": ["swordfish"], "secret": true}"#,
    #""k": {"value": "hunter2", «CDI0207»"env": "E", "secret": true}, "p": {"env": «CDI0406»"E", "type": "int"}"#,
    #""k": {"env": "E", «CDI0207»"value": "hunter2", "secret": true}, "p": {"env": «CDI0406»"E", "type": "int"}"#,
    #""k": {"env": "E", «CDI0207»"file": "f", "secret": true}, "p": {"env": «CDI0406»"E", "type": "int"}"#,
    #""k": {"sources": [{"env": "N", «CDI0207»"file": "f"}], "secret": true}, "p": {"file": «CDI0406»"f", "type": "int"}"#,
  ])
  func `no finding contains a secret`(parameters: String) {
    let module = expectFindings(
      in: ["app.json": module("\"parameters\": {\(parameters)}"), "f": "hunter2"], variables: ["E": "hunter2"])
    for secret in ["hunter2", "swordfish"] { #expect(!module.findingsText.contains(secret)) }
  }

  @Test func `a parameter that a layer makes secret does not show its allowed values`() {
    let files = [
      "app.json": module(
        #"""
        "parameters": {"p": {"value": «CDI0407»"hunter2", "oneOf": ["swordfish"]}, "n": {"value": «CDI0407»4711, "min": 9999},
          "e": {"env": "E", "type": "int", "default": «CDI0407»31, "max": 7}}
        """#),
      "l.json": module(
        #""override": {"parameters": {"p": {"secret": true}, "n": {"secret": true}, "e": {"secret": true}}}"#),
    ]
    let module = expectFindings(in: files, layers: ["l.json"])
    for secret in ["hunter2", "swordfish", "4711", "9999", "31", "7"] {
      #expect(!module.findingsText.contains(secret), "\(secret)")
    }
  }

  @Test(arguments: ["a.json", "b.json"])
  func `a source stays secret where the secret parameter has another one`(layer: String) throws {
    let files = [
      "app.json": module(
        #"""
        "imports": ["same.json"],
        "parameters": {"key": {"env": "E", "secret": true}, "late": {"file": "f"}, "alike": {"sources": [{"env": "N"}, {"file": "f"}]}}
        """#),
      "same.json": module(#""parameters": {"same": {"env": "E"}}"#),
      "a.json": module(#""override": {"parameters": {"key": "x", "late": {"value": "y", "secret": true}}}"#),
      "b.json": module(#""replace": {"parameters": {"key": "x", "late": {"value": "y", "secret": true}}}"#),
      "f": "swordfish",
    ]
    let resolved = try resolved(
      files, variables: ["E": "hunter2"], layers: [.file(layer)], missing: .tolerated)
    #expect(resolved.parameter("same") == "<secret same>")
    #expect(resolved.parameter("alike") == "<secret alike>")
  }

  @Test func `decorators, templates, lists and maps keep values secret`() throws {
    let module = expectFindings(
      in: [
        "app.json": module(
          #"""
          "parameters": {"key": {"file": "key", "secret": true}, "pair": {"value": {"user": "u", "key": "${key}"}}, "again": "${pair}"},
          "templates": {"t": {"type": "T", "values": {"deep": {"list": ["a", {"k": "${again}"}]}}}},
          "services": {"s": {"extends": "t", "decorate": [{"type": "D", "values": {"k": ["x-${key}"], "m": "${pair}"}}]},
            "bad": {"type": "B", "values": {"text": «CDI0404»"x${pair}"}}}
          """#), "key": "hunter2\n",
      ], missing: .refused)
    #expect(!module.findingsText.contains("hunter2"))
    let definition = try #require(module.check.compositions[0].definition)
    let service = try #require(definition.services.last)
    #expect(
      service.values[0].content.printed == ["list": ["a", ["k": ["user": "u", "key": "<secret key>"]]]])
    #expect(
      service.decorators[0].values.map(\.content.printed) == [["<secret key>"], ["user": "u", "key": "<secret key>"]])
  }

  @Test func `values compared with a secret, and its bounds, are redacted in excerpts and not resolved`()
    throws
  {
    let body =
      #""parameters": {"key": {"env": "E", "secret": true, "oneOf": ["hunter2"]}, "pin": {"value": 7077, "min": 6042, "max": 8099, "secret": true}}, "services": {"#
      + "\n"
    let conditional = #""a": {"type": "A", "when": {"equals": "hunter2", "parameter": "key"}}"#
    let mistaken = #""b": {"type": "B", "inject": {"x": "ghost"}}"#
    let bad = LoadedModule(["app.json": module(body + mistaken + ", " + conditional + "}")]).check
    let text = bad.renderer().text(of: bad.diagnostics)
    #expect(text.contains(#"{"equals": <secret key>, "#))
    #expect(text.contains(#""min": <secret pin>"#))
    for secret in ["hunter2", "6042", "8099", "7077"] { #expect(!text.contains(secret), "\(secret)") }
    let good = LoadedModule(["app.json": module(body + conditional + "}")], .init(variables: ["E": "hunter2"]))
    let printed = "\(try #require(good.resolved)) \(try #require(good.moduleFile))"
    for secret in ["hunter2", "6042", "8099", "7077"] { #expect(!printed.contains(secret), "\(secret)") }
  }
}
