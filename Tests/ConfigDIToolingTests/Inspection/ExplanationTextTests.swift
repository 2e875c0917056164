// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct ExplanationTextTests {
  /// Returns the explanation of an id in a module, as text.
  private func text(
    of id: String, in members: String, types: [TypeDescriptor]? = nil, environments: [String]? = nil,
    files: [String: String] = [:], settings: [String] = []
  ) throws -> String {
    let module = CheckedModule(members, files: files, types: types, environments: environments, settings: settings)
    return try #require(Explainer(try module.graph()).explanation(of: id)).text()
  }

  @Test func `parts are listed one per line, earlier values below them`() throws {
    let members = """
      "environments": { "prod": ["prod.json"] },
      "services": { "mailer": { "type": "M", "values": { "host": "a", "port": 25 }, "inject": { "log": "log" } },
        "log": { "type": "L" }, "health": { "type": "H", "inject": { "x": "mailer" } } }
      """
    let layer =
      #"{"configdi": 1, "module": "p", "override": {"services": {"mailer": {"type": "SMTP", "values": {"host": "b"}}}}}"#
    #expect(
      try text(
        of: "mailer", in: members, environments: ["prod"], files: ["prod.json": layer],
        settings: ["services.mailer.values.port=2525"]) == """
          service mailer, SMTP, shared

            inject.log   "log"   define    app.json:3:98
            type         "SMTP"  override  prod.json:1:77
              before     "M"     define    app.json:3:35
            values.host  "b"     override  prod.json:1:104
              before     "a"     define    app.json:3:60
            values.port  2525    set       <command line>
              before     25      define    app.json:3:73

          uses     log
          used by  health

          """)
  }

  @Test func `arguments that are bound by type are listed`() throws {
    let types = [
      TypeDescriptor(
        name: "A", provides: ["A"],
        arguments: [ArgumentDescriptor(key: "log", kind: .service(type: "Log", wrapper: .direct))]),
      TypeDescriptor(name: "L", provides: ["Log"]),
    ]
    let reported = try text(
      of: "a", in: #""autowire": true, "services": { "a": { "type": "A" }, "l": { "type": "L" } }"#, types: types)
    #expect(reported.contains("  inject.log  \"l\"  bound by type\n"))
    #expect(reported.hasSuffix("uses     l\nused by  nothing\n"))
  }

  @Test func `a condition is shown, also if it disables the service`() throws {
    let members = #"""
      "environments": { "dev": [], "prod": [] },
      "services": { "a": { "type": "A", "when": { "environment": "prod" } } }
      """#
    #expect(
      try text(of: "a", in: members, environments: ["prod"]).contains(
        "when     { \"environment\": \"prod\" }  app.json:3:43\n"))
    #expect(
      try text(of: "a", in: members, environments: ["dev"]) == """
        service a, disabled here by its condition

        when     { "environment": "prod" }  app.json:3:43
                 does not hold in dev
        uses     nothing
        used by  nothing

        """)
  }

  @Test func `a long value is truncated, a secret is omitted`() throws {
    let long = String(repeating: "x", count: 80)
    let members = #"""
      "parameters": { "p": "\#(long)", "k": { "value": "hunter2", "secret": true } },
      "services": { "s": { "type": "T", "values": { "v": ["${p}", "${k}"] } } }
      """#
    #expect(
      try text(of: "p", in: members).contains(
        "  value  \"\(String(repeating: "x", count: 58))…  define  app.json:2:22\n"))
    let secret = try text(of: "k", in: members)
    #expect(secret.contains("\"<secret k>\""))
    #expect(!secret.contains("hunter2"))
  }
}
