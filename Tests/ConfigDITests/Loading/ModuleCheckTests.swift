// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

struct ModuleCheckTests {
  @Test func `an unknown environment is reported on the command line, beside findings of the others`() {
    let module = CheckedModule(
      #""environments": { "dev": [] }, "services": { "s": { "type": "T" } }"#, environments: [])
    #expect(module.check.isSound)
    let request = ModuleRequest(entry: .file("app.json"))
    let files = MemoryFiles(texts: [
      "app.json":
        #"{"configdi": 1, "module": "a", "environments": {"dev": []}, "services": {"s": {"type": "T", "inject": {"x": "y"}}}}"#
    ])
    let check = ModuleCheck(checking: request, environments: ["prod", "dev"], files: files)
    #expect(check.diagnostics.map(\.code.description) == ["CDI0501", "CDI0307"])
    // The only environment that was checked is "dev".
    #expect(check.diagnostics.map(\.environments) == [nil, nil])
    #expect(check.diagnostics[1].location.file == "<command line>")
    #expect(check.environments == ["dev"])
    #expect(check.compositions.map { $0.definition != nil } == [true, false])
  }

  @Test func `services are counted once for all environments`() {
    let module = CheckedModule(
      """
      "environments": { "dev": ["dev.json"], "prod": [] },
      "services": { "a": { "type": "T" }, "b": { "type": "T" } }
      """,
      files: [
        "dev.json":
          #"{"configdi": 1, "module": "d", "remove": {"services": ["a"]}, "services": {"c": {"type": "T"}}}"#
      ])
    #expect(module.check.serviceCount == 3)
  }

  @Test func `variables and files are listed in order with their properties`() {
    let module = CheckedModule(
      """
      "environments": { "dev": ["dev.json"], "prod": [] },
      "parameters": {
        "b": { "env": "B", "type": "int" }, "a": { "env": "A", "default": "x" }, "f": { "file": "f.txt", "secret": true } },
      "services": { "s": { "type": "T", "values": { "v": ["${a}", "${b}", "${f}"] } } }
      """,
      files: [
        "dev.json": #"{"configdi": 1, "module": "d", "override": {"parameters": {"a": {"env": "C"}}}}"#,
        "f.txt": "text",
      ], variables: ["B": ""])
    #expect(
      module.check.sources(.env).map { "\($0.name) \($0.type) \($0.isSet) \($0.hasDefault)" } == [
        "A string false true", "B int false false", "C string false false",
      ])
    #expect(module.check.sources(.file).map { "\($0.name) \($0.isSet) \($0.isSecret)" } == ["f.txt true true"])
  }

  @Test func `a file path that names a file in one folder and none in another is not set`() {
    let module = CheckedModule(
      """
      "imports": ["m/m.json"], "parameters": { "a": { "file": "f.txt", "default": "" } },
      "services": { "s": { "type": "T", "values": { "v": ["${a}", "${b}"] } } }
      """,
      files: [
        "m/m.json": #"{"configdi": 1, "module": "m", "parameters": {"b": {"file": "f.txt"}}}"#,
        "m/f.txt": "text",
      ])
    #expect(
      module.check.sources(.file).map { "\($0.name) \($0.isSet) \($0.hasDefault)" } == ["f.txt false false"])
  }

  @Test func `errors of one environment do not remove the graphs of the others`() {
    let module = CheckedModule(
      """
      "environments": { "dev": ["dev.json"], "prod": [] }, "services": { "a": { "type": "T" } }
      """,
      files: [
        "dev.json": #"{"configdi": 1, "module": "d", "override": {"services": {«CDI0305@dev»"b": {"type": "T"}}}}"#
      ])
    #expect(module.check.compositions.map { $0.graph != nil } == [false, true])
    #expect(!module.check.isSound)
  }

  @Test func `a catalog with a syntax error is reported in the catalog`() throws {
    let module = CheckedModule(
      #""services": { "a": { "type": "T" } }"#,
      files: [
        "sub/catalog.json":
          #"{ "configdi-catalog": 1, "types": [{ "name": "T", «CDI0201»"colour": 1, "provides": [], "kind": "class", "sendable": true, "arguments": [] }] }"#
      ],
      catalog: "sub/catalog.json")
    #expect(try module.finding().path == "types[0].colour")
  }

  @Test func `a missing catalog is reported on the command line`() throws {
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json")), environments: nil,
      files: MemoryFiles(texts: ["app.json": #"{"configdi": 1, "module": "a"}"#]), catalog: "gone.json")
    #expect(check.diagnostics.map { "\($0.code) \($0.location.file)" } == ["CDI0107 <command line>"])
  }

  @Test(arguments: [nil, ["dev"]], [#"["dev"]"#, "null"])
  func `with malformed environments none is reported as unknown`(
    requested: [String]?, environments: String
  ) {
    let text = SourceFile(
      name: "app.json",
      text: """
        {"configdi": 1, "module": "a", "environments": \(environments), "services": {
          "s": {"type": "T", "when": {"environment": "dev"}}, "t": {"type": "T", "inject": {"x": "ghost"}}
        }}
        """)
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .text(text, .json)), environments: requested, files: MemoryFiles(texts: [:]))
    // A reading error such as `null` hides the findings of later stages.
    let codes: [DiagnosticCode] = environments == "null" ? [.nullValue] : [.wrongKind, .unknownService]
    #expect(check.diagnostics.map(\.code) == codes)
  }

  @Test func `imports of an in-memory module are relative to the working directory`() {
    let text = SourceFile(name: "<stdin>", text: #"{"configdi": 1, "module": "a", "imports": ["b.json"]}"#)
    let files = MemoryFiles(
      texts: ["/srv/b.json": #"{"configdi": 1, "module": "b", "services": {"s": {"type": "T"}}}"#],
      workingFolder: "/srv")
    let check = ModuleCheck(checking: ModuleRequest(entry: .text(text, .json)), environments: nil, files: files)
    #expect(check.diagnostics.isEmpty)
    #expect(check.serviceCount == 1)
  }

  @Test func `a module with warnings only is valid`() {
    let module = CheckedModule(#""parameters": { «CDI0702»"p": 1 }"#)
    #expect(module.check.isSound)
    #expect(module.check.compositions[0].graph != nil)
  }

  @Test func `excerpts mask secret literals, also those that a layer replaced`() {
    let module = CheckedModule(
      """
      "environments": { "dev": ["dev.json"] },
      "parameters": { "pw": { "value": "swordfish", "secret": true }, «CDI0702»"q": 1, "r": "${pw}" },
      "services": { "s": { "type": "T", "values": { "v": "${r}" } } }
      """,
      files: ["dev.json": #"{"configdi": 1, "module": "d", "override": {"parameters": {"pw": «CDI0308»"swordfish"}}}"#])
    #expect(!module.text.contains("swordfish"))
    #expect(module.text.contains("<secret pw>"))
  }
}

extension ModuleCheckTests {
  @Test func `the number of services includes those disabled in every environment`() {
    let module = CheckedModule(
      """
      "environments": { "dev": [], "prod": [] },
      "services": { "a": { "type": "T" }, "b": { "type": "T", "when": { "any": [] } } }
      """)
    #expect(module.check.serviceCount == 2)
  }
}
