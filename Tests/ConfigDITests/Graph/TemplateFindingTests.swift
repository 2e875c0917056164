// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Errors in templates. Each is reported once, in the template, with the affected services.
struct TemplateFindingTests {
  private let types = [
    TypeDescriptor(
      name: "Mailer", provides: ["Mailer"],
      arguments: [
        ArgumentDescriptor(key: "log", kind: .service(type: "Logger", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "port", kind: .value(.integer(.Int)), defaultValue: 25),
        ArgumentDescriptor(key: "host", kind: .value(.string)),
      ]),
    TypeDescriptor(name: "Console", provides: ["Logger"], isSendable: false),
    TypeDescriptor(name: "Clock", provides: ["Clock"]),
  ]

  @Test func `each kind of error is reported at its token, with the services in ascending order`() {
    let module = CheckedModule(
      """
      "templates": { "base": {
        "type": "Mailer", "provides": [«CDI0606»"Clock"], "inject": { "log": «CDI0605»"clock", «CDI0602»"clock": "clock" },
        "values": { "port": «CDI0604»"many", "host": «CDI0401»"${gone}" } } },
      "services": { "c": { "extends": "base" }, "B": { "extends": "base" }, "a": { "extends": "base" }, "clock": { "type": "Clock" } }
      """, types: types)
    for finding in module.findings {
      #expect(finding.message.contains(#"service "B""#) && finding.message.hasSuffix(#" (also in "a", "c")"#))
    }
  }

  @Test func `dangling references are reported for all services, and do not suggest their holders`() {
    let module = CheckedModule(
      """
      "environments": { "dev": [] },
      "templates": { "base": { "type": "T", "inject": { "x": «CDI0501»"consol", "y": «CDI0502»"out" } } },
      "services": { "a": { "extends": "base" }, "b": { "extends": "base" }, "console": { "type": "T" },
        "out": { "type": "T", "when": { "not": { "environment": "dev" } } } }
      """)
    #expect(module.findings.allSatisfy { $0.message.hasSuffix(#" (also in "b")"#) })
    #expect(module.findings[0].help == #"did you mean "console"?"#)
  }

  @Test func `a type or scope of a template is reported in the template`() {
    let module = CheckedModule(
      """
      "templates": { "t": { "type": «CDI0601»"Mailr" }, "u": { "type": "Console", "scope": «CDI0609»"shared" }, "v": { "scope": «CDI0507»"shard" } },
      "services": {
        "a": { "extends": "t" }, "b": { "extends": "t" }, "c": { "extends": "u" }, "d": { "extends": "u" },
        "e": { "extends": "v", "type": "Clock" }, "f": { "extends": "v", "type": "Clock" } },
      "bindings": { "Logger": "c", "Clock": "e" }
      """, types: types)
    #expect(module.findings.map { String($0.message.suffix(4)) } == [#""b")"#, #""d")"#, #""f")"#])
  }

  @Test func `an unused template is checked, without missing arguments`() {
    let module = CheckedModule(
      """
      "templates": { «CDI0704»"base": {
        "type": "Mailer", "scope": «CDI0507»"shard", "provides": [«CDI0606»"X"], "inject": { "log": «CDI0501»"gone", «CDI0611»"port": «CDI0501»"no" },
        "values": { «CDI0602»"prt": 1 } } }
      """, types: types)
    #expect(
      module.findings.allSatisfy {
        $0.message.hasPrefix(#"template "base""#) || $0.message.contains(#"of template "base""#)
      })
  }

  @Test func `a part that every service replaces is not reported`() {
    _ = CheckedModule(
      """
      "templates": { "base": { "type": "Gone", "scope": "shard", "inject": { "log": "gone" }, "values": { "port": "x", "host": "h" } } },
      "services": {
        "a": { "extends": "base", "type": "Mailer", "scope": "shared", "inject": { "log": "l" }, "values": { "port": 1 } },
        "l": { "type": "Console", "scope": "transient" } }
      """, types: types)
  }

  @Test func `a template of disabled, malformed or other environments' services is checked where these are enabled`() {
    _ = CheckedModule(
      """
      "environments": { "dev": [], "prod": ["prod.json"] },
      "templates": {
        "off": { "type": "Gone", "scope": "shard", "inject": { "log": "gone" }, "values": { "host": "${gone}" } },
        "late": { "extends": "early", "inject": { "log": "c" }, "values": { «CDI0602@prod»"x": 1 } },
        "early": { "type": "Mailer", "inject": { "log": "gone" } },
        "odd": { "type": "Mailer", "inject": { "log": "gone", "x": "gone" } } },
      "services": {
        "a": { "extends": "off", "type": "Mailer", "scope": "shared", "inject": { "log": "c" }, "values": { "host": "h" },
          "when": { "environment": "prod" } },
        "b": { "extends": "odd", «CDI0201»"foo": 1 }, "c": { "type": "Console", "scope": "transient" } }
      """,
      files: [
        "prod.json": #"""
        { "configdi": 1, "module": "prod", "services": { "d": { "extends": "late", "values": { "host": "h" } } },
          "bindings": { "Mailer": "d" } }
        """#
      ], types: types)
  }

  @Test func `a warning of a template of another environment's services is no error of this one`() {
    for environments in [nil, ["prod"], ["dev"]] {
      _ = CheckedModule(
        """
        "diagnostics": { "CDI0705": { "severity": "error" } },
        "environments": { "dev": ["dev.json"], "prod": [] }, "bindings": { "Logger": "new" },
        "templates": { \(environments == ["prod"] ? "«CDI0704»" : "")"t": { "inject": { "log": "old" } } },
        "services": {
          "old": { "type": "Console", "scope": "transient", "deprecated": "x" },
          "new": { "type": "Console", "scope": "transient" },
          "m": { "type": "Mailer", "inject": { "log": "new" }, "values": { "host": "h" } } }
        """,
        files: [
          "dev.json": #"""
          { "configdi": 1, "module": "dev", "services": { "n": { "type": "Console", "scope": "transient" } },
            "override": { "services": { "m": { "extends": "t", "inject": { "log": "n" } } } } }
          """#
        ], types: types, environments: environments)
    }
  }

  @Test func `a template of services of an environment that is not checked is not checked`() {
    let members = { (mark: String) in
      """
      "environments": { "dev": [], "prod": ["prod.json"] },
      "templates": {
        \(mark)"base": { "type": "Mailer", "inject": { "log": "gone" }, "values": { "port": "many", "host": "${gone}" } } }
      """
    }
    let files = [
      "prod.json": #"""
      { "configdi": 1, "module": "prod", "services": {
        "a": { "extends": "base", "inject": { "log": "l" }, "values": { "port": 1, "host": "h" } },
        "l": { "type": "Console", "scope": "transient" } } }
      """#
    ]
    _ = CheckedModule(members(""), files: files, types: types)
    _ = CheckedModule(members("«CDI0704»"), files: files, types: types, environments: ["dev"])
    let others = [
      "prod.json": #"{ "configdi": 1, "module": "prod", "services": { "a": { "extends": "base" } } }"#
    ]
    _ = CheckedModule(members("«CDI0704»"), files: others, types: types, environments: ["dev"])
  }

  @Test(arguments: [[:], ["prod.json": #"{ "configdi": 1, "module": "prod" }"#]])
  func `a template that no service of any environment extends is checked`(files: [String: String]) {
    _ = CheckedModule(
      """
      "environments": { "dev": [], "prod": ["prod.json"] },
      "templates": {
        «CDI0704»"base": { "type": "Mailer", "inject": { "log": «CDI0501»"gone" }, "values": { "port": «CDI0604»"many" } } }
      """, files: files, types: types, environments: ["dev"])
  }

  @Test func `an unused template does not check the existence of services`() {
    let members = { (injected: String) in
      """
      "environments": { "dev": [], "prod": [] },
      "templates": { "t": { "type": "A", "inject": { "c": \(injected) } } },
      "services": {
        "a": { "extends": "t", "when": { "environment": "prod" } }, "c": { "type": "C", "when": { "environment": "prod" } },
        "d": { "type": "D", "tags": { "g": { "key": "k" } } },
        "e": { "type": "D", "tags": { \(injected == "\"c\"" ? "" : "«CDI0510@prod»")"g": { "key": "k" } } },
        "f": { "type": "F", "inject": { "all": { "tagged": "g" } } } }
      """
    }
    _ = CheckedModule(members(#""c""#))
    _ = CheckedModule(members(#"{ "tagged": "g", "as": "map" }"#))
  }

  @Test func `a service with an unknown template has no findings about its arguments, its decorators have`() {
    _ = CheckedModule(
      """
      "services": { "a": { "extends": «CDI0505»"gone", "type": "Mailer", "values": { "prt": 1 }, "inject": { "x": «CDI0501»"no" },
        "decorate": [{ "type": «CDI0612»"Clock", "values": { «CDI0602»"y": 1 } }] } }
      """, types: types)
  }

  @Test func `the contents of a malformed template count as use`() {
    _ = CheckedModule(
      """
      "parameters": { "p": 1 },
      "templates": { "t": { "extends": «CDI0505»"gone", "inject": { "x": "hidden", "y": { "tagged": "g" } }, "values": { "v": "${p}" } } },
      "services": {
        "a": { "type": "T", "extends": "t" }, "hidden": { "type": "T", "private": true },
        "member": { "type": "T", "private": true, "tags": ["g"] } }
      """)
  }
}
