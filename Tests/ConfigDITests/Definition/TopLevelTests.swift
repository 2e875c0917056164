// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct TopLevelTests {
  @Test func `a file with every top-level key is valid`() {
    expectFindings(in: [
      "app.json": """
      { "$schema": "s", "configdi": 1, "doc": "d", "x-any": [1, {}], "x-": true, "module": "m" }
      """
    ])
    expectFindings(
      in: [
        "app.json": module(
          #"""
          "imports": ["a.json", {"path": "b.json", "optional": true, "doc": "d", "x-a": 1}],
          "environments": {"dev": [], "prod.eu-1": ["l.json"]}, "parameters": {}, "services": {}, "aliases": {},
          "bindings": {}, "override": {"doc": "d", "x-a": 1}, "replace": {"parameters": {}}, "remove": {"services": []}
          """#),
        "a.json": module(), "l.json": module(),
      ])
  }

  @Test(arguments: [
    (#"{"configdi": 1, "module": "m", «CDI0201»"imort": []}"#, "the root's own keys"),
    (#"{"configdi": 1, "module": «CDI0202»1}"#, "module"),
    (#"{"configdi": 1, "module": "m", "$schema": «CDI0202»1}"#, "$schema"),
    (#"{"configdi": 1, "module": "m", "doc": «CDI0202»[]}"#, "doc"),
    (#"{"configdi": 1, "module": "m", "imports": «CDI0202»"a.json"}"#, "imports"),
    (#"{"configdi": 1, "module": "m", "environments": «CDI0202»[]}"#, "environments"),
    (#"{"configdi": 1, "module": "m", "parameters": «CDI0202»[]}"#, "parameters"),
    (#"{"configdi": 1, "module": "m", "services": «CDI0202»1}"#, "services"),
    (#"{"configdi": 1, "module": "m", "aliases": «CDI0202»true}"#, "aliases"),
    (#"{"configdi": 1, "module": "m", "bindings": «CDI0202»1.5}"#, "bindings"),
    (#"{"configdi": 1, "module": "m", "override": «CDI0202»"x"}"#, "override"),
    (#"{"configdi": 1, "module": "m", "replace": «CDI0202»[]}"#, "replace"),
    (#"{"configdi": 1, "module": "m", "remove": «CDI0202»[]}"#, "remove"),
    (#"{"configdi": 1, "module": "m", "remove": {"services": «CDI0202»"a"}}"#, "a section of remove"),
    (#"{"configdi": 1, "module": "m", "remove": {"services": [«CDI0202»1]}}"#, "an id of remove"),
    (#"{"configdi": 1, "module": "m", "override": {«CDI0201»"imports": []}}"#, "keys of override"),
    (#"{"configdi": 1, "module": "m", "replace": {«CDI0201»"override": {}}}"#, "keys of replace"),
    (#"{"configdi": 1, "module": "m", "remove": {«CDI0201»"remove": []}}"#, "keys of remove"),
    (#"{"configdi": 1, "module": "m", «CDI0201»"Services": {}}"#, "case counts"),
    (#"{"configdi": 1, "module": "m", «CDI0201»"schema": "s"}"#, "the dollar counts"),
    (#"{"configdi": 1, "module": "m", "x-a": 1, «CDI0201»"x": 1, «CDI0201»"X-a": 1}"#, "x- needs its hyphen"),
  ])
  func `a structural error at the top level is reported at its token`(text: String, about: String) {
    expectFindings(in: ["app.json": text])
  }

  @Test(arguments: [
    (#""services": «CDI0202»["a"]"#, #"write a map such as { "logger": { "type": "ConsoleLogger" } }"#),
    (#""environments": «CDI0202»["dev"]"#, #"write a map such as { "prod": ["prod.json"] }"#),
    (#""services": {"a": {"type": "A", "values": «CDI0202»[1]}}"#, #"write a map such as { "port": 8080 }"#),
    (#""services": {"a": {"type": "A", "inject": «CDI0202»"b"}}"#, #"write a map such as { "logger": "console" }"#),
    (#""replace": «CDI0202»["a"]"#, #"allowed keys: "parameters", "templates", "services", "aliases", "bindings""#),
  ])
  func `the help for an expected map shows its form`(part: String, help: String) {
    let module = expectFindings(in: ["app.json": module(part)])
    #expect(module.check.diagnostics.map(\.help) == [help])
  }

  @Test func `missing required keys are reported at the root's bracket, each separately`() {
    expectFindings(in: ["app.json": "«CDI0203 CDI0203»{}"])
    expectFindings(in: ["app.json": #" «CDI0203»{"configdi": 1}"#])
    expectFindings(in: ["app.json": #"{"configdi": 1, «CDI0201»"modul": "m"}"#])
  }

  @Test(arguments: [
    #"{"configdi": «CDI0205»2, "services": 5}"#, #"{"configdi": «CDI0205»0}"#, #"{"configdi": «CDI0205»-1}"#,
    #"{"configdi": «CDI0202»"1", "imports": 5}"#, #"{"configdi": «CDI0202»1.0}"#, #"{"configdi": «CDI0202»true}"#,
    "«CDI0202»[]", #"«CDI0202»"text""#, "«CDI0202»1",
  ])
  func `a wrong version, or a root that is not a map, is the file's only finding`(text: String) {
    expectFindings(in: ["app.json": text])
  }

  @Test func `environments are valid in the entry module only, and their contents elsewhere are not checked`() {
    expectFindings(in: [
      "app.json": module(#""imports": ["part.json"]"#), "part.json": module(#"«CDI0206»"environments": 5"#),
    ])
    expectFindings(
      in: ["app.json": module(), "layer.json": module(#"«CDI0206»"environments": {}"#)], layers: ["layer.json"])
  }

  @Test(arguments: [
    #"{"configdi": «CDI0205»2, "module": "m", "foo": null, "n": 1e999}"#,
    #"{"configdi": «CDI0205»2, "module": "m", "configdi": 1}"#, #"{"configdi": «CDI0202»"1", "module": null}"#,
    #"{"configdi": «CDI0103»null, "foo": 1}"#, #"{"configdi": «CDI0108»99999999999999999999, "foo": 1}"#,
  ])
  func `a wrong version is the only finding`(text: String) {
    expectFindings(in: ["app.json": text])
  }

  @Test func `dates and bytes are rejected under unknown keys, too`() {
    let date = "<date>2020-01-01T00:00:00Z</date>"
    expectFindings(in: [
      "app.json": module(#""imports": ["a.plist"]"#),
      "a.plist": """
      <plist><dict><key>configdi</key><integer>1</integer><key>module</key><string>a</string>
      <key>x-a</key>«CDI0202»\(date)
      <key>x-b</key><array>«CDI0202»\(date)«CDI0202»<data>AA==</data></array>
      «CDI0201»<key>foo</key>«CDI0202»\(date)
      </dict></plist>
      """,
    ])
  }

  @Test func `entries of a malformed or misplaced section are not reported as missing`() {
    let uses = #"""
      "services": {"a": {"type": "A", "extends": "t", "scope": "job", "inject": {"x": "b"}, "values": {"v": "${p}"},
        "when": {"any": [{"environment": "dev"}, {"parameter": "q", "equals": 1}]}}}, "bindings": {"N": "b"}
      """#
    expectFindings(in: [
      "app.json": module(
        #""imports": «CDI0202»"b.json", "scopes": ["job"], "environments": {"dev": []}, "#
          + uses)
    ])
    expectFindings(in: [
      "app.json": module(
        #"«CDI0201»"import": ["b.json"], "scopes": ["job"], "environments": {"dev": []}, "#
          + uses)
    ])
    expectFindings(in: [
      "app.json": module(
        #""imports": ["a.json"], "#
          + #""templates": «CDI0202»[], "aliases": «CDI0202»"b", "parameters": «CDI0202»1, "# + uses),
      "a.json": module(#"«CDI0206»"scopes": ["job"], «CDI0206»"environments": {"dev": []}"#),
    ])
    expectFindings(in: [
      "app.json": module(#""services": «CDI0202»["b"], "aliases": {"c": "b"}, "bindings": {"N": "b"}"#)
    ])
    expectFindings(in: [
      "app.json": module(#""templates": «CDI0202»[], "services": {"a": {"type": "A", "inject": {"x": «CDI0501»"b"}}}"#)
    ])
  }

  @Test func `a malformed section hides no finding about the entries of another one`() {
    let changes = #"""
      "override": {"parameters": {«CDI0305»"q": 1}, "services": {«CDI0305»"s": {"eager": true}}},
      "remove": {"templates": [«CDI0305»"t"]}
      """#
    expectFindings(
      in: ["app.json": module(#"«CDI0201»"bindngs": {}, "# + changes)], settings: ["parameters.x=1"],
      commandLine: ["parameters.x CDI0305"])
    expectFindings(
      in: [
        "app.json": module(
          #"«CDI0201»"parametrs": {}, "services": {"a": {"type": "A", "when": {"environment": «CDI0511»"prod"}}}"#)
      ], settings: ["parameters.x=1"])
    expectFindings(
      in: ["app.json": module(#""templates": «CDI0202»[], "services": {"a": {"type": "A", "extends": "t"}}"#)],
      settings: ["services.a.values.x=1"])
  }

  @Test func `an import is a path or a map with a path`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "imports": [«CDI0202»1, «CDI0202»["a.json"], «CDI0203»{}, «CDI0203»{"optional": true}, {"path": «CDI0202»1},
                    {"path": "a.json", "optional": «CDI0202»"yes"}, {"path": "a.json", «CDI0201»"option": true},
                    {«CDI0201»"pth": "a.json"}, "a.json"]
        """#),
      "a.json": module(),
    ])
  }

  @Test func `a layer is a path, and a malformed environment is not checked`() {
    let files = [
      "app.json": module(
        #"""
        "environments": {"dev": [«CDI0202»{"path": "a.json"}], "prod": «CDI0202»"a.json", «CDI0204»"1st": ["gone.json"]}
        """#)
    ]
    let module = expectFindings(in: files)
    #expect(module.check.environments.isEmpty)
    expectFindings(in: files, environments: ["dev"])
  }
}

@Suite struct NameShapeTests {
  @Test(arguments: ["a", "_", "a.b", "a-b", "A9", "a..b", "a."])
  func `ids may contain letters, digits, dots and hyphens`(id: String) {
    expectFindings(in: [
      "app.json": module(
        #"""
        "environments": {"\#(id)": []}, "parameters": {"\#(id)": 1}, "services": {"\#(id)": {"type": "\#(id)"}},
        "aliases": {"\#(id)x": "\#(id)"}, "bindings": {"\#(id)": "\#(id)"}
        """#)
    ])
  }

  @Test(arguments: ["", "1a", ".a", "-a", "a b", "é", "a/b", "a<b>", "@a"])
  func `an invalid id is reported at the key, in every section`(id: String) {
    expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {«CDI0204»"\#(id)": 1}, "services": {«CDI0204»"\#(id)": {"type": "T"}},
        "aliases": {«CDI0204»"\#(id)!": "b"}
        """#)
    ])
  }

  @Test(arguments: ["Cache<String, Data>", "A<B<C>>", "m.Type", "A< B >"])
  func `types and provided names may contain angle brackets`(name: String) {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "\#(name)", "provides": ["\#(name)"]}}, "bindings": {"\#(name)": "a"}
        """#)
    ])
  }

  @Test(arguments: ["", "A<", "A>", "A<>", "<A>", "A,B", "A B", "A<B,>", "A<é>"])
  func `an invalid type name is reported at the name`(name: String) {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": «CDI0204»"\#(name)"}, "b": {"type": "B", "provides": ["B", «CDI0204»"\#(name)"]}},
        "bindings": {«CDI0204»"\#(name)": "a"}
        """#)
    ])
  }

  @Test func `an entry with an invalid name is checked structurally`() {
    expectFindings(in: ["app.json": module(#""services": {«CDI0204»"1": {«CDI0201»"typ": "T"}}"#)])
  }
}
