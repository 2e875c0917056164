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

  /// The layer of the module.
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

  /// Returns the explanation of an id in an environment.
  private func explain(_ id: String, in environment: String = "prod", settings: [String] = []) throws -> Explanation? {
    let module = CheckedModule(
      Self.module, files: ["prod.json": Self.layer], environments: [environment], settings: settings)
    return Explainer(try module.graph()).explanation(of: id)
  }

  /// Returns the decisions about an id, each in one line: its path, and the value, verb, file and line of the decision
  /// and of those that it overrode.
  private func decisions(_ id: String, in environment: String = "prod", settings: [String] = []) throws -> [String] {
    let explanation = try #require(try explain(id, in: environment, settings: settings))
    return explanation.decisions.map { decision in
      ([decision] + decision.before).map { token in
        let value = JSONWriter.text(of: token.value, .line)
        return "\(value) \(token.verb) \(token.location.file):\(token.location.start?.line ?? 0)"
      }.joined(separator: " < ") + " = \(decision.path)"
    }
  }

  @Test func `what a layer removes inside a part is decided by the layer`() throws {
    let module = """
      "environments": { "prod": ["l.json"] },
      "parameters": { "hosts": ["a", "b"], "key": { "value": ["planted", "x"], "secret": true } },
      "templates": { "t": { "type": "T", "values": { "inherited": [1, 2] } } },
      "services": {
        "a": { "type": "A" }, "b": { "type": "B" }, "other": { "extends": "t" },
        "s": { "extends": "t", "inject": { "all": ["a", "b"] }, "provides": ["P", "Q"],
          "values": { "hosts": "${hosts}", "list": [1, 2], "map": { "k": 1, "list": [3, 4] }, "key": "${key}" },
          "when": { "any": [{ "environment": "prod" }, { "environment": "dev" }] } } }
      """
    let layer = """
      { "configdi": 1, "module": "l", "override": {
        "parameters": { "hosts": { "unset": ["value[0]"] }, "key": { "unset": ["value[1]"] } },
        "services": { "s": { "unset": ["inject.all[1]", "provides[0]", "values.list[0]", "values.map.k",
          "values.map.list[1]", "values.inherited[0]", "when.any[1]"] } } } }
      """
    let explainer = Explainer(
      try CheckedModule(module, files: ["l.json": layer], environments: ["prod"]).graph())
    func shown(_ decision: Explanation.Decision) -> String {
      ([decision] + decision.before).map { token in
        "\(JSONWriter.text(of: token.value, .line)) \(token.verb) \(token.location.file)"
      }.joined(separator: " < ")
    }
    func decisions(_ id: String) throws -> [String: String] {
      let explanation = try #require(explainer.explanation(of: id))
      return Dictionary(uniqueKeysWithValues: explanation.decisions.map { ($0.path, shown($0)) })
    }
    let service = try decisions("s")
    #expect(service["inject.all"] == #"["a"] override l.json < ["a", "b"] define app.json"#)
    #expect(service["provides"] == #"["Q"] override l.json < ["P", "Q"] define app.json"#)
    #expect(service["values.list"] == "[2] override l.json < [1, 2] define app.json")
    #expect(service["values.map.list"] == "[3] override l.json < [3, 4] define app.json")
    #expect(service["values.inherited"] == "[2] override l.json < [1, 2] template app.json")
    let explanation = try #require(explainer.explanation(of: "s"))
    #expect(explanation.removals.map(\.path) == ["values.map.k"])
    #expect(explanation.condition?.location.file == "l.json" && explanation.condition?.before.count == 1)
    let hosts = try #require(explanation.decisions.first { $0.path == "values.hosts" }?.from.first)
    #expect(shown(hosts) == #"["b"] override l.json < ["a", "b"] define app.json"#)
    #expect(try decisions("hosts")["value"] == #"["b"] override l.json < ["a", "b"] define app.json"#)
    #expect(try decisions("other")["values.inherited"] == "[1, 2] template app.json")
    let key = try #require(try decisions("key")["value"])
    #expect(key.contains("override l.json <") && !key.contains("planted"), "\(key)")
  }

  @Test func `every part of a service is shown with its origin and its earlier values`() throws {
    #expect(
      try decisions("mailer", settings: ["services.mailer.values.retries=11"]) == [
        "[\"Retry\", \"Trace\"] override prod.json:7 < [\"Retry\"] define app.json:12 = decorate",
        "\"Retry\" define app.json:12 = decorate[0].type",
        "3 define app.json:12 = decorate[0].values.n",
        "\"log\" override prod.json:7 = decorate[1].inject.l",
        "\"Trace\" override prod.json:7 = decorate[1].type",
        "\"base\" define app.json:10 = extends",
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

  @Test func `a list of which a setting changes an element is shown as set`() throws {
    let module = CheckedModule(
      #""services": { "a": { "type": "A", "values": { "l": [1, [2]], "m": [3] } } }"#,
      settings: ["services.a.values.l[1][0]=7"])
    let parts = try #require(Explainer(try module.graph()).explanation(of: "a")).decisions
    let list = try #require(parts.first { $0.path == "values.l" })
    #expect(list.verb == .set && list.value == .list([.integer(1), .list([.integer(7)])]))
    #expect(
      list.before.map(\.verb) == [.define] && list.before.map(\.value) == [.list([.integer(1), .list([.integer(2)])])])
    #expect(parts.first { $0.path == "values.m" }?.verb == .define)
  }

  @Test func `doc texts are shown with their locations, also for a disabled service`() throws {
    let module = CheckedModule(
      """
      "environments": { "prod": ["prod.json", "back.json"] },
      "parameters": { «CDI0702»"level": { "doc": "How much.", "value": 1 } },
      "templates": { "base": { "doc": "For all.", "type": "T" } },
      "services": {
        "log": { "doc": "First.", "type": "Log", "values": { "n": "${level}" } },
        "plain": { "extends": "base" },
        "off": { "doc": "Not here.", "type": "Log", "when": { "not": { "environment": "prod" } } },
        "old": { "doc": "Replaced.", "type": "Log" }, "gone": { "doc": "Gone.", "type": "Log" } }
      """,
      files: [
        "prod.json": """
        { "configdi": 1, "module": "prod",
          "override": { "services": { "log": { "doc": "Second.", "values": { "n": 2 } } } },
          "replace": { "services": { "old": { "type": "New" } } }, "remove": { "services": ["gone"] } }
        """,
        "back.json": """
        { "configdi": 1, "module": "back",
          "services": { "gone": { "doc": "Back.", "type": "New" } } }
        """,
      ], environments: ["prod"])
    let explainer = Explainer(try module.graph())
    func docs(_ id: String) throws -> [String] {
      let explanation = try #require(explainer.explanation(of: id))
      return explanation.decisions.filter { $0.path == "doc" }.flatMap { [$0] + $0.before }.map {
        "\($0.value.text ?? "") \($0.verb) \($0.location.file):\($0.location.start?.line ?? 0)"
      }
    }
    #expect(try docs("log") == ["Second. override prod.json:2", "First. define app.json:6"])
    #expect(try docs("plain") == [])
    #expect(try docs("off") == ["Not here. define app.json:8"])
    #expect(try docs("old") == [] && docs("gone") == ["Back. define back.json:2"])
    #expect(try docs("level") == ["How much. define app.json:3"])
    #expect(try docs("base") == ["For all. define app.json:4"])
    #expect(explainer.explanation(of: "base")?.definition.member("doc") == nil)
    #expect(explainer.explanation(of: "log")?.text().contains("  doc       \"Second.\"") == true)
  }

  @Test func `a replaced service shows the replaced one`() throws {
    #expect(try decisions("log") == ["\"Log2\" replace prod.json:8 < \"Log\" define app.json:8 = type"])
    #expect(try decisions("log", in: "dev") == ["\"Log\" define app.json:8 = type"])
  }

  @Test func `users and dependencies are shown`() throws {
    let mailer = try #require(try explain("mailer"))
    #expect(mailer.uses == ["log"])
    #expect(mailer.usedBy == ["user"])
    #expect(try #require(try explain("l")).usedBy == ["mailer"])
    #expect(try #require(try explain("level")).usedBy == ["level.copy", "mailer"])
    #expect(try #require(try explain("password")).usedBy == ["spare", "url"])
    #expect(try #require(try explain("base")).usedBy == ["mailer"])
  }

  @Test func `an alias is used by references to it, not by references to a tag of its name`() throws {
    let module = CheckedModule(
      """
      "services": {
        "s": { "type": "T", "tags": ["al"] },
        "byTag": { "type": "U", "inject": { "all": { "tagged": "al" } } },
        "byName": { "type": "U", "inject": { "all": [{ "map": { "tagged": { "service": "al", "optional": true } } }] } },
        "decorated": { "type": "V", "decorate": [{ "type": "W", "inject": { "x": "al" } }] } },
      "aliases": { "al": "s" }
      """)
    let explainer = Explainer(try module.graph())
    #expect(explainer.explanation(of: "al")?.usedBy == ["byName", "decorated"])
    let text = explainer.explanation(of: "s")?.text(usesColor: false) ?? ""
    #expect(text.contains("by tag al") && text.contains("by alias al"))
    let namedAlike = CheckedModule(
      #""services": {"db": {"type": "D", "tags": ["db"]}, "user": {"type": "U", "inject": {"all": {"tagged": "db"}}}}"#)
    let explanation = try #require(Explainer(try namedAlike.graph()).explanation(of: "db"))
    #expect(explanation.text(usesColor: false).contains("by tag db"))
  }

  @Test func `the literals of a secret parameter are not shown, including earlier ones`() throws {
    let secret = try #require(try explain("password"))
    #expect(secret.decisions.map(\.value) == [true, "<secret password>"])
    #expect(secret.decisions[1].before.map(\.value) == ["<secret password>"])
    for id in ["password", "url", "mailer", "spare"] {
      let explanation = try #require(try explain(id))
      #expect(!explanation.text(usesColor: false).contains("hunter"))
      #expect(!JSONWriter.text(of: explanation.value).contains("hunter"))
    }
  }

  @Test func `a disabled service is explained by its condition`() throws {
    let spare = try #require(try explain("spare"))
    #expect(spare.isExcluded)
    #expect(spare.condition?.value == ["parameter": "password", "equals": "<secret password>"])
    #expect(spare.text(usesColor: false).contains("hunter") == false)
  }

  @Test func `a section before the id distinguishes entries with the same name`() throws {
    #expect(try explain("services.mailer")?.section == .services)
    #expect(try explain("parameters.level.copy")?.section == .parameters)
    #expect(try explain("templates.base")?.section == .templates)
    #expect(try explain("aliases.l")?.section == .aliases)
    #expect(try explain("services.level") == nil)
    #expect(try explain("nothing") == nil)
  }

  @Test(arguments: [
    #""override": { "parameters": { "p": { "secret": false } } }"#,
    #""override": { "parameters": { "p": { "value": "dummy", "secret": false } } }"#,
    #""override": { "parameters": { "p": { "unset": ["secret"], "value": "dummy" } } }"#,
    #""replace": { "parameters": { "p": "dummy" } }"#, #""replace": { "parameters": { "p": { "env": "P" } } }"#,
  ])
  func `the earlier value of a parameter stays secret if it was declared secret`(change: String) throws {
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

  @Test func `a value is traced to the variable, the default and the deciding layer`() throws {
    let module = CheckedModule(
      #"""
      "environments": { "prod": ["prod.json"] },
      "parameters": {
        "level": { "env": "LEVEL", "default": "debug" },
        "words": "${level}, ${host}", "host": { "env": "HOST" } },
      "services": { "s": { "type": "T", "values": { "w": "${words} ${level}" } } }
      """#,
      files: [
        "prod.json": #"{"configdi": 1, "module": "p", "override": {"parameters": {"level": {"default": "info"}}}}"#
      ],
      environments: ["prod"], variables: ["HOST": "mx"])
    let explanation = try #require(Explainer(try module.graph()).explanation(of: "s"))
    #expect(
      explanation.text() == #"""
        service s, T, shared

          type          "T"              define    app.json:6:30
          values.w      "info, mx info"  define    app.json:6:52
            ${words}    "info, mx"       define    app.json:5:12
              ${level}  "info"           override  prod.json:1:81
                the default, as variable LEVEL is not set (app.json:4:21)
                before  "debug"          define    app.json:4:41
              ${host}   "mx"             define    app.json:5:50
                from variable HOST (app.json:5:50)
            ${level}    "info"           override  prod.json:1:81
              the default, as variable LEVEL is not set (app.json:4:21)
              before    "debug"          define    app.json:4:41

        uses     nothing
        used by  nothing

        """#)
    let link = try #require(explanation.decisions.last?.from.last)
    #expect(link.parameter == "level")
    #expect(link.source?.isSet == false)
    #expect(link.source?.hasDefault == true)
  }

  @Test(arguments: [40, LongTests.size(5_000, full: 20_000)])
  func `of a long chain of parameters the first 32 are shown`(count: Int) throws {
    let chain = (1..<count).map { #""p\#($0)": "${p\#($0 - 1)}""# }.joined(separator: ", ")
    let module = CheckedModule(
      """
      "parameters": { "p0": "x", \(chain) },
      "services": { "s": { "type": "T", "values": { "v": "${p\(count - 1)}" } } }
      """)
    let explanation = try #require(Explainer(try module.graph()).explanation(of: "s"))
    #expect(explanation.text().contains("${p\(count - 32)}"))
    #expect(!explanation.text().contains("${p\(count - 33)}"))
    #expect(explanation.value.member("decisions")?.elements.last?.member("value")?.text == "x")
  }

  @Test func `of several sources all missing ones are shown`() throws {
    let module = CheckedModule(
      #"""
      "parameters": {
        "host": { "sources": [{ "env": "A" }, { "file": "b" }], "default": "x" },
        "port": { "sources": [{ "env": "C" }, { "env": "D" }], "type": "int" } },
      "services": { "s": { "type": "T", "values": { "h": "${host}", "p": "${port}" } } }
      """#)
    let explainer = Explainer(try module.graph())
    let text = try #require(explainer.explanation(of: "s")).text()
    #expect(text.contains("the default, as variable A and file b are not set (app.json:3:34)"), "\(text)")
    #expect(text.contains("variable C and variable D are not set and have no default (app.json:4:34)"), "\(text)")
    let other = CheckedModule(
      #""parameters": { "p": { "sources": [{ "env": "C" }, { "env": "D" }] } }, "#
        + #""services": { "s": { "type": "T", "values": { "p": "${p}" } } }"#,
      variables: ["D": "d"])
    let set = try #require(Explainer(try other.graph()).explanation(of: "p"))
    #expect(set.text().contains("from variable D (app.json:"))
  }

  @Test func `a part removed by a layer is shown, unless it was added again`() throws {
    let module = CheckedModule(
      #"""
      "environments": { "prod": ["one.json", "two.json"] },
      "parameters": {
        "a": { "env": "A", "default": 1, "type": "int", "min": 1 }, "k": { "env": "K", "default": "hunter2", "secret": true } },
      "services": {
        "s": { "type": "T", "values": { "a": "${a}", "k": "${k}", "gone": 5 }, "eager": true }, "t": { "type": "T" } }
      """#,
      files: [
        "one.json": #"""
        {"configdi": 1, "module": "one", "remove": {"services": ["t"]}, "override": {
          "parameters": {"a": {"unset": ["default", "min"]}, "k": {"unset": ["default"]}},
          "services": {"s": {"unset": ["values.gone"]}}},
          "replace": {"services": {"s": {"type": "T", "values": {"a": "${a}", "k": "${k}", "gone": 6}}}}}
        """#,
        "two.json": #"{"configdi": 1, "module": "two", "override": {"parameters": {"a": {"min": 2}}}}"#,
      ], environments: ["prod"])
    let explainer = Explainer(try module.graph())
    func removals(_ id: String) throws -> [String] {
      try #require(explainer.explanation(of: id)).removals.map { removal in
        let before = removal.before.map { "\(JSONWriter.text(of: $0.value, .line)) \($0.verb)" }
        return "\(removal.path) \(removal.verb) \(removal.location.file):\(removal.location.start?.line ?? 0) \(before)"
      }
    }
    #expect(try removals("a") == [#"default override one.json:2 ["1 define"]"#])
    #expect(try removals("k") == [#"default override one.json:2 ["\"<secret k>\" define"]"#])
    #expect(
      try removals("s") == [
        #"eager replace one.json:4 ["true define"]"#,
        #"values.gone override one.json:3 ["6 replace", "5 define"]"#,
      ])
    let minimum = try #require(explainer.explanation(of: "a")?.decisions.first { $0.path == "min" })
    #expect(minimum.location.file == "two.json")
    #expect(minimum.before.map(\.value) == [1])
    let removed = try #require(explainer.explanation(of: "t"))
    #expect(removed.text().hasPrefix("service t, removed here at one.json:1:58, defined at app.json:6:91\n"))
  }

  @Test func `removed values, but no other removed texts, have expanded placeholders`() throws {
    let module = CheckedModule(
      #"""
      "environments": { "prod": ["prod.json"] }, "parameters": { «CDI0702»"p": "x" },
      "services": { "s": {
        "type": "T", "values": { "a": "${p}", "values.b": "${p}" }, "tags": { "values": { "key": "$${p}" } },
        "decorate": [{ "type": "D", "values": { "c d": "${p}" } }] } }
      """#,
      files: [
        "prod.json": #"""
        {"configdi": 1, "module": "prod", "override": {"services": {
          "s": {"unset": ["values", "tags.values", "decorate[0].values"]}}}}
        """#
      ], environments: ["prod"])
    let removals = try #require(Explainer(try module.graph()).explanation(of: "s")).removals
    #expect(
      removals.map { "\($0.path) \($0.before.map(\.value.line))" } == [
        #"decorate[0].values["c d"] ["\"x\""]"#, #"tags.values ["\"values\""]"#,
        #"tags.values.key ["\"$${p}\""]"#, #"values.a ["\"x\""]"#, #"values["values.b"] ["\"x\""]"#,
      ])
  }

  @Test func `a condition shows its result and the values that it used`() throws {
    let module = CheckedModule(
      #"""
      "environments": { "prod": ["prod.json"] }, "parameters": { "kind": "memory", "key": { "value": "hunter2", "secret": true } },
      "services": {
        "a": { "type": "A", "when": { "all": [{ "environment": "prod" }, { "parameter": "kind", "equals": "redis" }] } },
        "b": { "type": "A", "when": { "parameter": "key", "equals": "hunter2" } } }
      """#,
      files: [
        "prod.json": #"""
        {"configdi": 1, "module": "p", "override": {"parameters": {"kind": "redis"},
          "services": {"b": {"when": {"parameter": "key", "equals": "hunter3"}}}}}
        """#
      ], environments: ["prod"])
    let explainer = Explainer(try module.graph())
    #expect(
      try #require(explainer.explanation(of: "a")).text().contains(
        """
        app.json:4:31
                 holds in prod
                   ${kind}   "redis"   override  prod.json:1:68
                     before  "memory"  define    app.json:2:68
        uses
        """))
    let other = try #require(explainer.explanation(of: "b"))
    #expect(other.isExcluded)
    #expect(other.condition?.before.map(\.value) == [["equals": "<secret key>", "parameter": "key"]])
    #expect(!(other.text() + JSONWriter.text(of: other.value)).contains("hunter"))
  }

  @Test func `references to a service and its other names are shown`() throws {
    let types = [
      TypeDescriptor(
        name: "User", provides: ["User"],
        arguments: [ArgumentDescriptor(key: "log", kind: .service(type: "Logging", wrapper: .direct))]),
      TypeDescriptor(name: "Log", provides: ["Logging"]), TypeDescriptor(name: "Log2", provides: ["Logging"]),
    ]
    let module = CheckedModule(
      #"""
      "services": {
        "log": { "type": "Log", "tags": [«CDI0709»"t"] }, "other": { "type": "Log2" },
        "byType": { "type": "User", "autowire": true }, "byID": { "type": "User", "inject": { "log": "log" } },
        «CDI0706»"byAlias": { "type": "User", "inject": { "log": "l" } } },
      "aliases": { "l": "log" }, "bindings": { "Logging": "l" }
      """#, types: types)
    let explainer = Explainer(try module.graph())
    let text = try #require(explainer.explanation(of: "log")).text()
    #expect(
      text.hasSuffix(
        """
        alias    l  app.json:6:19
        binding  Logging  app.json:6:53
        uses     nothing
        used by  byAlias, byID, byType
                 byAlias  inject.log  by alias l
                 byType  inject.log  by type Logging

        """), "\(text)")
    #expect(try #require(explainer.explanation(of: "Logging")).section == .bindings)
  }

  @Test func `arguments of a service and of its decorators that are bound by type are in JSON`() throws {
    let log = ArgumentDescriptor(key: "log", kind: .service(type: "Logging", wrapper: .direct))
    let module = CheckedModule(
      #"""
      "services": { "log": { "type": "Log" },
        "user": { "type": "User", "autowire": true, "decorate": [{ "type": "Extra" }] } }
      """#,
      types: [
        TypeDescriptor(name: "User", provides: ["User"], arguments: [log]),
        TypeDescriptor(name: "Log", provides: ["Logging"]),
        TypeDescriptor(
          name: "Extra", provides: ["User"],
          arguments: [ArgumentDescriptor(key: "inner", kind: .decorated(type: "User")), log]),
      ])
    let value = try #require(Explainer(try module.graph()).explanation(of: "user")).value
    let paths = ["inject.log", "decorate[0].inject.log"]
    #expect(value.member("bound") == .list(paths.map { ["path": .string($0), "value": "log"] }))
  }

  @Test func `each known id is suggested for an unknown one`() throws {
    let module = CheckedModule(
      #"""
      "parameters": { "p": "x" }, "templates": { "t": { "type": "T", "values": { "v": "${p}" } } },
      "services": { "s": { "extends": "t" }, "off": { "type": "T", "when": { "environment": "prod" } } },
      "environments": { "prod": [] }, "aliases": { "a": "s" }, "bindings": { "B": "s" }
      """#, environments: [])
    let explainer = Explainer(try module.graph())
    #expect(explainer.ids.sorted() == ["B", "a", "off", "p", "s", "t"])
    for id in explainer.ids { #expect(explainer.explanation(of: id) != nil) }
  }
}
