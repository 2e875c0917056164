// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct SettingTests {
  @Test func `a setting has a path and a text, split at the first equals sign`() {
    #expect(Setting("a.b=c=d")?.path == "a.b")
    #expect(Setting("a.b=c=d")?.text == "c=d")
    #expect(Setting("a=")?.text == "")
    #expect(Setting("a.b") == nil)
  }
}

@Suite struct SettingsTests {
  /// A module with parts of every kind.
  private static let files = [
    "app.json": module(
      #"""
      "parameters": {"port": 25, "mail.host": "h", "rate": {"env": "RATE", "type": "double"}, "list": [1], "map": {"value": {"k": 1}},
        "wait": {"value": "1s", "type": "duration"}, "hosts": {"env": "HOSTS", "type": "list"}, "json": {"env": "JSON", "type": "json"},
        "same": "${port}", "top": {"value": 1, "max": 9}, "a": "short", "a.b": "long", "on": false, "none": {"env": "NONE", "type": "int"},
        "deep": ["x${port}", {"k": "${port}", "o": [1.5]}], "keys": [1, "${key}"],
        "text": "x${port}", "key": {"value": 1, "secret": true}},
      "services": {
        "db": {"type": "DB"}, "db.main": {"type": "DB", "values": {"url": "u"}},
        "s": {"type": "S", "provides": ["P", "Q"], "scope": "shared", "eager": false, "private": false, "deprecated": "d",
          "inject": {"x": "db", "m": {"service": "db", "optional": false}, "l": ["db", "db"]},
          "values": {"text": "t", "int": 1, "real": 0.5, "flag": false, "port": "${port}", "wait": "${wait}", "mixed": "p${port}",
            "list": [1, {"k": "v"}], "map": {"a.b": 1, "a": {"b": 2}}, "hosts": "${list}", "none": "${none}", "key": "${key}",
            "é": 1}}},
      "aliases": {"al": "db", "al.x": "db"}, "bindings": {"P<Q, R>": "db", "T": "al"}
      """#)
  ]

  /// Returns the resolved module after some settings.
  private func set(_ settings: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> Value {
    try resolved(
      Self.files, variables: ["RATE": "1", "HOSTS": "a", "JSON": "1"], settings: settings, missing: .tolerated,
      sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    ("parameters.port=2525", "port", 2525 as Value), ("parameters.mail.host=x", "mail.host", "x"),
    (#"parameters["mail.host"]=x"#, "mail.host", "x"), ("parameters.rate=2", "rate", 2.0),
    ("parameters.wait=30s", "wait", .duration("30s")),
    ("parameters.hosts=b, c", "hosts", .list(["b", "c"])),
    (#"parameters.json={"k": [1]}"#, "json", .map([.init(key: "k", value: .list([1]))])),
    ("parameters.same=7", "same", 7), ("parameters.a.b=x", "a.b", "x"), ("parameters.a=x", "a", "x"),
    ("parameters.port.value=1", "port", 1), ("parameters.on=true", "on", true), ("parameters.none=5", "none", 5),
    ("parameters.text=7", "text", "7"), ("parameters.mail.host=", "mail.host", ""),
    ("parameters.key=2", "key", "<secret key>"),
    ("parameters.mail.host=${port}", "mail.host", "${port}"), ("parameters.mail.host=a${b", "mail.host", "a${b"),
    ("parameters.mail.host=$$${x}$", "mail.host", "$$${x}$"),
    (#"parameters.json=["${port}"]"#, "json", .list(["${port}"])),
  ])
  func `a setting of a parameter is a literal text of its type`(setting: String, id: String, value: Value) throws {
    #expect(try set(setting).parameter(id) == value)
  }

  /// A setting of a part of a parameter, the parameter's name, and its resulting value.
  private static let parts: [(String, String, Value)] = [
    ("parameters.list[0]=7", "list", [7]), ("parameters.list.value[0]=7", "list", [7]),
    ("parameters.map.value.k=7", "map", ["k": 7]), (#"parameters.map.value["k"]=7"#, "map", ["k": 7]),
    ("parameters.deep[1].k=7", "deep", ["x25", ["k": 7, "o": [1.5]]]),
    ("parameters.deep[1].o[0]=7", "deep", ["x25", ["k": 25, "o": [7.0]]]),
    ("parameters.deep[0]=${port}", "deep", ["${port}", ["k": 25, "o": [1.5]]]),
  ]

  @Test(arguments: parts)
  func `a setting of a part of a parameter is a text of its type`(setting: String, id: String, value: Value) throws {
    #expect(try set(setting).parameter(id) == value)
  }

  @Test func `a list that a layer reads from a variable is set as a list`() throws {
    let resolved = try resolved(
      ["app.json": module(#""parameters": {"l": ["a"]}"#)], settings: ["parameters.l=x, y"],
      layers: [.text(module(#""override": {"parameters": {"l": {"env": "L"}}}"#))])
    #expect(resolved.parameter("l") == ["x", "y"])
  }

  @Test func `several parts of a parameter are set, also inside an earlier setting`() throws {
    let resolved = try set(
      "parameters.deep[0]=a", "parameters.deep[1].k=1", "parameters.deep[0]=b", "parameters.hosts=x,y",
      "parameters.hosts[1]=z")
    #expect(resolved.parameter("deep") == ["b", ["k": 1, "o": [1.5]]])
    #expect(resolved.parameter("hosts") == ["x", "z"])
    #expect(resolved["parameters"]?["deep"]?["origin"] == "<command line>")
    #expect(resolved["parameters"]?["deep"]?["type"] == "list")
  }

  @Test func `values that depend on a parameter use its setting`() throws {
    let resolved = try set("parameters.port=7")
    #expect(resolved.values(of: "s")?["port"] == 7)
    #expect(resolved.values(of: "s")?["mixed"] == "p7")
    #expect(resolved["parameters"]?["port"]?["type"] == "int")
    #expect(resolved["parameters"]?["port"]?["origin"] == "<command line>")
  }

  @Test(arguments: [
    ("text=30", "text", "30" as Value), ("int=2", "int", 2), ("real=2", "real", 2.0), ("flag=true", "flag", true),
    ("port=99", "port", 99), ("wait=2m", "wait", "2m"), ("mixed=x", "mixed", "x"), ("none=4", "none", 4),
    ("é=2", "é", 2),
    ("list[0]=9", "list", .list([9, .map([.init(key: "k", value: "v")])])),
    ("list[1].k=w", "list", .list([1, .map([.init(key: "k", value: "w")])])),
    ("text=${port}", "text", "${port}"), (#"text=a"b"#, "text", #"a"b"#),
  ])
  func `a setting of a value has the type of the expanded value`(setting: String, key: String, value: Value) throws {
    #expect(try set("services.s.values." + setting).values(of: "s")?[key] == value)
  }

  @Test func `the longest matching id is used, bracketed keys match exactly`() throws {
    #expect(try set("services.s.values.map.a.b=5").values(of: "s")?["map"] == ["a": ["b": 5], "a.b": 1])
    #expect(try set(#"services.s.values.map["a.b"]=5"#).values(of: "s")?["map"] == ["a": ["b": 2], "a.b": 5])
    #expect(try set(#"services.s.values.map["a"].b=5"#).values(of: "s")?["map"] == ["a": ["b": 5], "a.b": 1])
    #expect(try set("services.db.main.values.url=x").values(of: "db.main") == ["url": "x"])
    #expect(try set(#"services["db.main"].values["url"]=x"#).values(of: "db.main") == ["url": "x"])
    #expect(try set("aliases.al.x=s")["aliases"] == ["al": "db", "al.x": "s"])
  }

  @Test func `other scalars of a service, aliases and bindings can be set`() throws {
    let resolved = try set(
      "services.s.type=Z", "services.s.scope=transient", "services.s.private=true", "services.s.deprecated=e",
      "services.s.provides[1]=R", "services.s.inject.x=db.main", "services.s.inject.l[1]=al",
      "services.s.inject.m.service=ghost", "services.s.inject.m.optional=true", "aliases.al=db.main", "bindings.T=al.x",
      #"bindings["P<Q, R>"]=al"#)
    let service = resolved["services"]?["s"]
    #expect(service?["type"] == "Z")
    #expect(service?["scope"] == "transient")
    #expect(service?["private"] == true)
    #expect(service?["provides"] == ["P", "R"])
    #expect(service?["inject"] == ["l": ["db", "db.main"], "x": "db.main"])
    #expect(resolved["aliases"] == ["al": "db.main", "al.x": "db"])
    #expect(resolved["bindings"] == ["P<Q, R>": "db.main", "T": "db"])
    #expect(try set("services.s.eager=true")["start"] == ["db", "s"])
  }

  @Test func `the last setting of a path is used, and earlier ones have no findings`() throws {
    #expect(try set("parameters.port=many", "parameters.port=1", "parameters.port=2").parameter("port") == 2)
    #expect(
      try set("services.s.values.int=x", "services.s.values.int=1", "services.s.values.int=2").values(of: "s")?["int"]
        == 2)
    let spelled = try set("services.s.values.int=5", #"services.s.values["int"]=6"#, #"services["s"].values.int=7"#)
    #expect(spelled.values(of: "s")?["int"] == 7)
    let inList = try set(
      "services.s.values.list[0]=5", "services.s.values.list[1].k=w", #"services.s.values["list"][0]=6"#)
    #expect(inList.values(of: "s")?["list"] == [6, ["k": "w"]])
  }

  @Test(arguments: [
    "", "parameters", "parameters.no", "parameters.port.max", "parameters[0]", "parameters.list", "parameters.map",
    "parameters.map.k", "parameters.map.value.no", "parameters.map.value", "parameters.list[1]", "parameters.list[0].x",
    "parameters.deep[1].o", "parameters.hosts[0]", "parameters.port.value.x", "parameters.port[0]",
    "services", "services.no.values.x", "services.s", "services.s.values", "services.s.values.no",
    "services.s.values.list",
    "services.s.values.list[2]", "services.s.values.map", "services.s.values.hosts", "services.s.inject",
    "services.s.inject.l",
    "services.s.inject.m", "services.s.provides", "services.s.provides[2]", "services.s.provides[0].x",
    "services.s.doc", "services.db.eager",
    "services.db.scope", "services.db.provides[0]", "services.s.eager.x", "aliases.no", "aliases.al.y", "bindings.no",
    "module", "configdi",
    "templates.x", "services..s", "services.s.values.e\u{301}", #"services.s.values["a"#,
  ])
  func `a missing or non-scalar target is reported at its path`(path: String) {
    let module = expectFindings(
      in: Self.files, variables: ["RATE": "1", "HOSTS": "a", "JSON": "1"], settings: [path + "=1"],
      commandLine: ["\(path) CDI0305"])
    #expect(module.check.diagnostics.first { $0.code == .nothingToChange }?.help != nil)
  }

  @Test(arguments: [
    "parameters.port=2.5", "parameters.port=", "parameters.rate=x", "parameters.wait=5", "parameters.on=yes",
    "parameters.json={",
    "parameters.list[0]=x", "parameters.deep[1].k=x", "parameters.map.value.k=x",
    "parameters.same=x", "services.s.values.int=3.5", "services.s.values.int= 3", "services.s.values.flag=1",
    "services.s.values.real=x", "services.s.values.port=x", "services.s.values.wait=5", "services.s.values.none=x",
    "services.s.eager=1", "services.s.private=", "services.s.inject.m.optional=no",
  ])
  func `a text of another type is reported at its path`(setting: String) throws {
    let path = try #require(Setting(setting)?.path)
    expectFindings(
      in: Self.files, variables: ["RATE": "1", "HOSTS": "a", "JSON": "1"], settings: [setting],
      commandLine: ["\(path) CDI0406"])
  }

  @Test func `a parameter whose setting is refused lacks no source`() {
    expectFindings(
      in: Self.files, variables: ["HOSTS": "a", "JSON": "1", "NONE": "1"], settings: ["parameters.rate=x"],
      missing: .refused, commandLine: ["parameters.rate CDI0406"])
  }

  @Test func `bounds apply to settings`() {
    expectFindings(
      in: Self.files, variables: ["RATE": "1", "HOSTS": "a", "JSON": "1"], settings: ["parameters.top=10"],
      commandLine: ["parameters.top CDI0407"])
  }

  @Test func `a finding about a setting names the parameter and shows the path`() throws {
    let text = module(
      #""parameters": { "port": { "value": 25, "max": 100 } }, "services": { "s": { "type": "T", "values": { "p": "${port}" } } }"#
    )
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json"), settings: ["parameters.port=1000"].compactMap { Setting($0) }),
      environments: [], files: MemoryFiles(texts: ["app.json": text]))
    #expect(check.diagnostics.map(\.message) == [#"parameter "port" is 1000, but must be at most 100"#])
    let shown = check.renderer().text(of: check.diagnostics)
    #expect(shown.contains("--> <command line>: parameters.port\n"))
  }

  @Test func `a finding about a setting is located on the command line`() {
    expectFindings(
      in: Self.files, variables: ["RATE": "1", "HOSTS": "a", "JSON": "1"],
      settings: ["services.s.inject.x=ghost", "aliases.al=phantom", "services.s.scope=nowhere"],
      commandLine: ["services.s.inject.x CDI0501", "aliases.al CDI0503", "services.s.scope CDI0507"])
  }

  @Test func `a secret setting is never shown`() {
    for setting in ["parameters.keys[1]=hunter2", "parameters.key=hunter2", "services.s.values.key=hunter2"] {
      let module = LoadedModule(Self.files, .init(settings: [setting]))
      #expect(module.reported.count == 1)
      #expect(!module.findingsText.contains("hunter2"))
    }
  }

  @Test func `similar ids are suggested`() {
    let module = LoadedModule(Self.files, .init(settings: ["parameters.prt=1", "services.sb.values.x=1"]))
    let help = module.check.diagnostics.filter { $0.code == .nothingToChange }.map { $0.help ?? "" }
    #expect(help == ["did you mean \"port\"?", "did you mean \"db\" or \"s\"?"])
  }

  @Test func `a section without an id suggests none`() {
    let module = LoadedModule(Self.files, .init(settings: ["services=x", "parameters=x"]))
    let help = module.check.diagnostics.filter { $0.code == .nothingToChange }.compactMap(\.help)
    #expect(help.count == 2 && help.allSatisfy { $0.contains("services.mailer.values.timeout") })
  }

  @Test func `a type and a provided name must be names`() {
    expectFindings(
      in: Self.files, variables: ["RATE": "1", "HOSTS": "a", "JSON": "1"],
      settings: ["services.s.type=a b", "services.s.provides[0]=", "services.s.provides[1]=A<B, C>"],
      commandLine: ["services.s.type CDI0204", "services.s.provides[0] CDI0204"])
  }

  @Test func `conflicts with a set flag are reported on the command line`() {
    let module = expectFindings(
      in: Self.files, variables: ["RATE": "1", "HOSTS": "a", "JSON": "1"],
      settings: ["services.s.eager=true", "services.s.scope=transient"], commandLine: ["services.s.eager CDI0207"])
    #expect(module.check.diagnostics.first { $0.code == .excludingKeys }?.location.file == "<command line>")
  }

  @Test func `template parts of a service can be set, the template itself cannot`() throws {
    let files = [
      "app.json": module(
        #"""
        "templates": {"t": {"type": "T", "scope": "weak", "values": {"k": 1, "m": {"l": "x"}}, "inject": {"i": "b"}}},
        "services": {"a": {"extends": "t"}, "b": {"type": "B"}, "c": {"extends": "t"}}
        """#)
    ]
    let resolved = try resolved(
      files,
      settings: [
        "services.a.values.k=2", "services.a.values.m.l=y", "services.a.scope=shared", "services.a.inject.i=c",
      ])
    #expect(resolved.values(of: "a") == ["k": 2, "m": ["l": "y"]])
    #expect(resolved["services"]?["a"]?["scope"] == "shared")
    #expect(resolved.inject(of: "a") == ["i": "c"])
    #expect(resolved.values(of: "c") == ["k": 1, "m": ["l": "x"]])
    expectFindings(
      in: files, settings: ["templates.t.values.k=2", "services.a.extends=t"],
      commandLine: ["templates.t.values.k CDI0305", "services.a.extends CDI0305"])
  }

  @Test func `a partial setting keeps the locations of the rest`() {
    expectFindings(
      in: [
        "app.json": module(
          #"""
          "services": { "a": { "type": "A" }, "s": { "type": "T", "tags": ["t", "u"],
            "inject": { "l": ["a", «CDI0501»"ghost"], "x": «CDI0501»"gone" },
            "values": { "m": { "k": «CDI0401»"${no}", "j": 1 }, "n": [1, «CDI0401»"${no}"] },
            "decorate": [ { "type": "D", "inject": { "i": «CDI0501»"phantom" },
              "values": { "k": «CDI0401»"${no}", "n": 1 } } ] } }
          """#)
      ],
      settings: [
        "services.s.inject.l[0]=lost", "services.s.values.m.j=2", "services.s.values.n[0]=2",
        "services.s.decorate[0].values.n=2", "services.s.tags.t.order=2",
      ], commandLine: ["services.s.inject.l[0] CDI0501"])
  }

  @Test func `tags, conditions and decorators can be set`() throws {
    let files = [
      "app.json": module(
        #"""
        "parameters": { "p": 1 }, "services": { "a": { "type": "A" }, "s": { "type": "T", "tags": ["t", "u"],
          "when": { "all": [ { "parameter": "p", "equals": 2 } ] },
          "inject": { "m": { "map": { "x.y": "a", "x": { "tagged": "t" } } } },
          "decorate": [ { "type": "D", "inject": { "values": "a" }, "values": { "k": "${p}", "t": "x" } } ] } }
        """#)
    ]
    #expect(try resolved(files)["services"]?["s"] == nil)
    let service = try resolved(
      files,
      settings: [
        "services.s.when.all[0].equals=1", "services.s.tags.t.order=3", "services.s.tags.u.key=k",
        "services.s.decorate[0].type=E", "services.s.decorate[0].values.k=7", "services.s.decorate[0].values.t=${p}",
        "services.s.decorate[0].inject.values=a", "services.s.inject.m.map.x.tagged=u",
      ])["services"]?["s"]
    #expect(service?["tags"] == ["t": ["key": "s", "order": 3], "u": ["key": "k", "order": 0]])
    #expect(
      service?["decorate"] == [["type": "E", "inject": ["values": "a"], "values": ["k": 7, "t": "${p}"]]])
    #expect(service?["inject"] == ["m": ["map": ["x": [], "x.y": "a"]]])
  }

  @Test func `a path into the value of a placeholder is reported with the parameter`() throws {
    let check = LoadedModule(Self.files, .init(settings: ["services.s.values.hosts[0]=9"])).check
    let finding = try #require(check.diagnostics.first { $0.severity == .error })
    #expect(finding.code == .nothingToChange)
    #expect(finding.help == #"the value is that of parameter "list"; set the part of the parameter"#)
  }

  @Test func `an unknown keyword is reported at its path`() {
    expectFindings(
      in: [
        "app.json": module(#""services": { "s": { "type": "T", "inject": { "x": { "tagged": "t", "as": "map" } } } }"#)
      ],
      settings: ["services.s.inject.x.as=lst"], commandLine: ["services.s.inject.x.as CDI0202"])
  }

  /// Settings of parts of `descriptors`, a parameter's name, and its resulting value.
  private static let changes: [([String], String, Value)] = [
    (["n.default=2.5"], "n", 2.5), (["n.default=0.5", "n.min=0.5"], "n", 0.5), (["first.default=y"], "first", "y"),
    (["list.default[1]=z"], "list", ["a", "z"]), (["wait.default=2s"], "wait", .duration("2s")),
    (["n=3", "n.max=3"], "n", 3.0),
  ]

  @Test(arguments: changes)
  func `the scalars of a descriptor can be set, the default and the bounds in the type of the parameter`(
    settings: [String], id: String, value: Value
  ) throws {
    let files = ["app.json": module(Self.descriptors)]
    let settings = settings.map { "parameters." + $0 }
    #expect(try resolved(files, variables: ["SET": "7"], settings: settings).parameter(id) == value)
  }

  /// Parameters with descriptors that have most keys.
  private static let descriptors = #"""
    "parameters": {
      "n": { "env": "NO", "type": "double", "default": 1, "min": 1, "max": 9, "oneOf": [0.5, 1, 2.5, 3, 7], "secret": false },
      "first": { "sources": [{ "env": "NO" }, { "file": "none" }, { "env": "NO" }], "default": "x", "deprecated": "d" },
      "list": { "env": "NO", "type": "list", "default": ["a", "b"] },
      "wait": { "env": "NO", "type": "duration", "default": "1s", "max": "1m" } }
    """#

  @Test(arguments: [
    ("n.default=x", "CDI0406"), ("n.max=2h", "CDI0406"), ("wait.max=5", "CDI0406"), ("n.default=8", "CDI0407"),
    ("n.deprecated=x", "CDI0305"), ("n.default.x=1", "CDI0305"), ("list.default=x", "CDI0305"),
    ("n.type=int", "CDI0305"), ("n.env=SET", "CDI0305"), ("first.sources[1].file=x", "CDI0305"),
    ("n.secret=true", "CDI0305"), ("n.oneOf=1", "CDI0305"),
    ("n=3 n.default=1", "CDI0207"), ("n.value=x", "CDI0406"), ("list.min=x", "CDI0305"),
  ])
  func `errors in the setting of a part of a descriptor`(settings: String, code: String) throws {
    let settings = settings.split(separator: " ").map { "parameters." + $0 }
    let module = LoadedModule(["app.json": module(Self.descriptors)], .init(settings: settings))
    let found = module.check.diagnostics.filter { $0.severity == .error }
    #expect(Set(found.map(\.code.description)) == [code])
    #expect(found.contains { $0.location.file == "<command line>" })
  }

  @Test(arguments: ["n.env=SET", "first.sources[0].env=SET", "n.type=int", "n.secret=true"])
  func `a part of a parameter that only files give is not called absent`(setting: String) throws {
    let module = LoadedModule(["app.json": module(Self.descriptors)], .init(settings: ["parameters." + setting]))
    let found = try #require(module.check.diagnostics.first { $0.code == .nothingToChange })
    #expect(found.message.hasSuffix("only files give the source, the type and \"secret\" of a parameter"))
    #expect(found.help == "set the parameter itself, or override it in a layer")
  }

  @Test(arguments: [
    ("module=n", "only files give \"module\""), ("scopes[0]=s", "only files give \"scopes\""),
    ("scope=s", "nothing has this path"),
  ])
  func `a key outside of the sections is not called absent`(setting: String, message: String) throws {
    let module = LoadedModule(["app.json": module(#""scopes": ["request"]"#)], .init(settings: [setting]))
    let found = try #require(module.check.diagnostics.first { $0.code == .nothingToChange })
    #expect(found.message.hasSuffix(": " + message))
  }

  @Test func `a setting keeps the bounds and the type of a parameter, and drops its default`() throws {
    let files = [
      "app.json": module(#""parameters": {"p": {"env": "E", "type": "int", "default": 1, "oneOf": [1, 2]}}"#)
    ]
    #expect(try resolved(files, settings: ["parameters.p=2"]).parameter("p") == 2)
    expectFindings(in: files, settings: ["parameters.p=3"], commandLine: ["parameters.p CDI0407"])
  }

  @Test func `a path in the form of diagnostics leads to its part, beside keys and ids with dots`() throws {
    let files = [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A", "values": {"v": 1, "k": {"b": {"c": 1}}, "k.b": 5, "s": 1, "s.t": 2, "x=y": 3, "]=": 4}},
                     "a.values": {"type": "B", "values": {"v": 2}}}
        """#)
    ]
    let resolved = try resolved(
      files,
      settings: [
        "services.a.values.v=9", "services.a.values.values.v=8", "services.a.values.k.b.c=7", "services.a.values.s.t=6",
        #"services.a.values["x=y"]=55"#, #"services.a.values["]="]=44"#,
      ])
    #expect(
      resolved.values(of: "a") == ["]=": 44, "k": ["b": ["c": 7]], "k.b": 5, "s": 1, "s.t": 6, "v": 9, "x=y": 55])
    #expect(resolved.values(of: "a.values") == ["v": 8])
  }

  @Test(arguments: [
    ("a=b=c", "a", "b=c"), (#"a["b=c"]=d"#, #"a["b=c"]"#, "d"), (#"a["b\"=c"]=d"#, #"a["b\"=c"]"#, "d"),
    (#"a["b=c"#, #"a["b"#, "c"), (#"a=["b=c"]"#, "a", #"["b=c"]"#), (#"a"b=c"#, #"a"b"#, "c"),
  ])
  func `the path ends at the first equals sign outside of brackets`(argument: String, path: String, text: String) {
    #expect(Setting(argument) == Setting(path: path, text: text))
  }
}
