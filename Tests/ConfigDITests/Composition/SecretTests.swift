// SPDX-License-Identifier: Apache-2.0
import Testing

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

  @Test func `a text with a secret is secret as a whole, by the name nearest the source`() throws {
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

  @Test func `a secret is in no output`() throws {
    let module = LoadedModule(files, .init(variables: ["E": "alibaba"]))
    let printed = "\(try #require(module.resolved)) \(try #require(module.moduleFile)) \(module.words)"
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
  ])
  func `no finding says a secret`(parameters: String) {
    let module = expectFindings(
      in: ["app.json": module("\"parameters\": {\(parameters)}"), "f": "hunter2"], variables: ["E": "hunter2"])
    for secret in ["hunter2", "swordfish"] { #expect(!module.words.contains(secret)) }
  }
}
