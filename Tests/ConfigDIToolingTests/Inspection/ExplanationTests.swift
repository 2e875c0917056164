// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct ExplanationTests {
  /// A module with a layer, templates, decorators and a secret.
  private static let module = """
    "environments": { "dev": [], "prod": ["prod.json"] },
    "parameters": {
      "host": "localhost", "level": 3, «CDI0702»"level.copy": "${level}",
      "password": { "value": "hunter2", "secret": true }, "url": "x://${password}@${host}" },
    "templates": { "base": { "type": "Mailer", "values": { "retries": 3, "host": "${host}" } } },
    "services": {
      "log": { "type": "Log" },
      "mailer": {
        "extends": "base", "inject": { "log": "l" },
        "values": { "url": "${url}", "retries": 4, "options": { "a b": 1, "list": [1] } },
        "tags": { "t": { "order": 3 } }, "decorate": [{ "type": "Retry", "values": { "n": "${level}" } }] },
      "spare": { "type": "Log", "when": { "parameter": "password", "equals": "hunter3" } },
      "user": { "type": "User", "inject": { "all": { "tagged": "t" } } } },
    "aliases": { "l": "log" }
    """

  /// Its layer.
  private static let layer = """
    { "configdi": 1, "module": "prod",
      "override": {
        "parameters": { "password": "hunter4" },
        "templates": { "base": { "values": { "retries": 7 } } },
        "services": { "mailer": {
          "values": { "options": { "a b": 2 }, "retries": 9 }, "scope": "transient",
          "decorate": { "append": [{ "type": "Trace", "inject": { "l": "log" } }] } } } },
      "replace": { "services": { "log": { "type": "Log2" } } } }
    """

  /// The explanation of an id in an environment.
  private func explain(_ id: String, in environment: String = "prod", settings: [String] = []) throws -> Explanation? {
    let module = CheckedModule(
      Self.module, files: ["prod.json": Self.layer], environments: [environment], settings: settings)
    return Explainer(try module.graph()).explanation(of: id)
  }

  /// The decisions of an id, one a line: path, value, verb and line.
  private func decisions(_ id: String, in environment: String = "prod", settings: [String] = []) throws -> [String] {
    let explanation = try #require(try explain(id, in: environment, settings: settings))
    return explanation.decisions.map { decision in
      ([decision] + decision.before).map { token in
        let value = JSONWriter.text(of: token.value, .line)
        return "\(value) \(token.verb) \(token.location.file):\(token.location.start?.line ?? 0)"
      }.joined(separator: " < ") + " = \(decision.path)"
    }
  }

  @Test func `every part of a service is shown with who decided it and what stood there before`() throws {
    #expect(
      try decisions("mailer", settings: ["services.mailer.values.retries=11"]) == [
        "\"Retry\" define app.json:12 = decorate[0].type",
        "3 define app.json:12 = decorate[0].values.n",
        "\"log\" override prod.json:7 = decorate[1].inject.l",
        "\"Trace\" override prod.json:7 = decorate[1].type",
        "\"log\" define app.json:10 = inject.log",
        "\"transient\" override prod.json:6 = scope",
        "3 define app.json:12 = tags.t.order",
        "\"Mailer\" template app.json:6 = type",
        "\"localhost\" template app.json:6 = values.host",
        "[1] define app.json:11 = values.options.list",
        "2 override prod.json:6 < 1 define app.json:11 = values.options[\"a b\"]",
        "11 set <command line>:1 < 9 override prod.json:6 < 4 define app.json:11 < 7 template prod.json:4"
          + " < 3 template app.json:6 = values.retries",
        "\"<secret password>\" define app.json:11 = values.url",
      ])
  }

  @Test func `a replaced service shows what it took the place of`() throws {
    #expect(try decisions("log") == ["\"Log2\" replace prod.json:8 < \"Log\" define app.json:8 = type"])
    #expect(try decisions("log", in: "dev") == ["\"Log\" define app.json:8 = type"])
  }

  @Test func `it tells what uses what`() throws {
    let mailer = try #require(try explain("mailer"))
    #expect(mailer.uses == ["log"])
    #expect(mailer.usedBy == ["user"])
    #expect(try #require(try explain("l")).usedBy == ["mailer"])
    #expect(try #require(try explain("level")).usedBy == ["level.copy", "mailer"])
    #expect(try #require(try explain("password")).usedBy == ["spare", "url"])
    #expect(try #require(try explain("base")).usedBy == ["mailer"])
  }

  @Test func `an alias is used by those that name it, not by those that ask for a tag of its name`() throws {
    let module = CheckedModule(
      """
      "services": {
        "s": { "type": "T", "tags": ["al"] },
        "byTag": { "type": "U", "inject": { "all": { "tagged": "al" } } },
        "byName": { "type": "U", "inject": { "all": [{ "map": { "tagged": { "service": "al", "optional": true } } }] } },
        "decorated": { "type": "V", "decorate": [{ "type": "W", "inject": { "x": "al" } }] } },
      "aliases": { "al": "s" }
      """)
    #expect(Explainer(try module.graph()).explanation(of: "al")?.usedBy == ["byName", "decorated"])
  }

  @Test func `the literals of a secret parameter are not shown, nor those that stood there before`() throws {
    let secret = try #require(try explain("password"))
    #expect(secret.decisions.map(\.value) == ["<secret password>"])
    #expect(secret.decisions[0].before.map(\.value) == ["<secret password>"])
    for id in ["password", "url", "mailer", "spare"] {
      let explanation = try #require(try explain(id))
      #expect(!explanation.text(usesColor: false).contains("hunter"))
      #expect(!JSONWriter.text(of: explanation.value).contains("hunter"))
    }
  }

  @Test func `a service that its condition takes out is explained by the condition`() throws {
    let spare = try #require(try explain("spare"))
    #expect(spare.isExcluded)
    #expect(spare.condition?.value == ["parameter": "password", "equals": "<secret password>"])
    #expect(spare.text(usesColor: false).contains("hunter") == false)
  }

  @Test func `a section in front of the id tells which of several is meant`() throws {
    #expect(try explain("services.mailer")?.kind == .service)
    #expect(try explain("parameters.level.copy")?.kind == .parameter)
    #expect(try explain("templates.base")?.kind == .template)
    #expect(try explain("aliases.l")?.kind == .alias)
    #expect(try explain("services.level") == nil)
    #expect(try explain("nothing") == nil)
  }

  @Test(arguments: [
    #""override": { "parameters": { "p": { "secret": false } } }"#,
    #""override": { "parameters": { "p": { "value": "dummy", "secret": false } } }"#,
    #""override": { "parameters": { "p": { "unset": ["secret"], "value": "dummy" } } }"#,
    #""replace": { "parameters": { "p": "dummy" } }"#, #""replace": { "parameters": { "p": { "env": "P" } } }"#,
  ])
  func `what a parameter was before stays a secret, if it was declared one`(change: String) throws {
    let module = CheckedModule(
      #""environments": { "prod": ["prod.json"] }, "parameters": { "p": { "value": "hunter2", "secret": true }, "q": "${p}" },"#
        + #" "services": { "s": { "type": "T", "values": { "q": "${q}" } } }"#,
      files: ["prod.json": "{ \"configdi\": 1, \"module\": \"prod\", \(change) }"], environments: ["prod"],
      variables: ["P": "hunter2"])
    let explainer = Explainer(try module.graph())
    for id in ["p", "q", "s"] {
      let explanation = try #require(explainer.explanation(of: id))
      #expect(!"\(explanation.value)\(explanation.text())".contains("hunter2"), "\(id)")
    }
  }
}
