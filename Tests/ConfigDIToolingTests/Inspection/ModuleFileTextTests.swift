// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

struct ModuleFileTextTests {
  @Test func `referenced tags are declared, as tag references are expanded, and declared ones stay declared`() throws {
    let module = CheckedModule(
      """
      "tags": { "plugin": { "doc": "d" }, "empty": {} },
      "templates": { "t": { "type": "T", "inject": { "x": { "tagged": "ofTemplate" } } } },
      "services": {
        "a": { "type": "T", "tags": ["g", "plugin", «CDI0709»"lost", "ofTemplate"] },
        "u": { "extends": "t", "inject": { "x": "a" } },
        "hub": { "type": "T", "inject": { "x": { "tagged": "g" }, "y": { "tagged": "empty" } } } }
      """)
    let text = try module.moduleFile()
    #expect(
      ResolvedModule(try module.graph()).moduleFile.at("tags") == [
        "empty": [:], "g": [:], "ofTemplate": [:], "plugin": [:],
      ])
    #expect(
      LoadedModule(["app.json": text]).check.diagnostics.map(\.message) == [
        #"no reference collects tag "lost" of this service"#
      ])
  }

  /// Loads the text of a resolved module, and compares the result with the module.
  private func expectReloads(
    _ module: CheckedModule, files: [String: String] = [:], variables: [String: String] = [:],
    types: [TypeDescriptor]? = nil, location: SourceLocation = #_sourceLocation
  ) throws {
    var texts = files
    texts["app.json"] = try module.moduleFile(location)
    if let types { texts["types.json"] = Catalog(types: types).json }
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json"), variables: .init(variables)), environments: [],
      files: MemoryFiles(texts: texts), catalog: types == nil ? nil : "types.json")
    let again = try #require(check.compositions.first?.graph, "\(check.diagnostics)", sourceLocation: location)
    let (first, second) = (try module.resolved(location), ResolvedModule(again).value)
    for key in ["services", "aliases", "bindings", "start"] {
      #expect(first.at(key) == second.at(key), sourceLocation: location)
    }
    let ids = first.at("parameters")?.keys ?? []
    #expect(second.at("parameters")?.keys == ids, sourceLocation: location)
    for id in ids {
      for key in ["value", "type"] {
        #expect(first.at("parameters", id, key) == second.at("parameters", id, key), sourceLocation: location)
      }
    }
  }

  @Test func `expanded placeholders, and similar characters, load to the same value`() throws {
    let module = CheckedModule(
      """
      "parameters": { "p": "a$${b}", "q": "$${p}" , "r": { "value": { "k": "$$${p}" } } },
      "services": { "s": { "type": "T", "values": {
        "a": "${p}", "b": "x${p}$", "c": "$${d}", "d": "$$${d}", "e": ["$", "$$", "{", "${q}"], "f": "${r}" } } }
      """)
    try expectReloads(module)
    #expect(try module.resolved().at("services", "s", "values", "e") == ["$", "$$", "{", "${p}"])
  }

  @Test func `a setting of a parameter loads to the same value`() throws {
    let module = CheckedModule(
      """
      "parameters": { "p": "x", "q": "y", "j": { "env": "J", "type": "json" }, "w": { "value": "1s", "type": "duration" },
        "l": ["a", "${q}"], "m": { "value": { "k": 1 } } },
      "services": { "a": { "type": "A", "values": { "v": ["${p}", "${j}", "${w}", "${l}", "${m}"] } } }
      """,
      settings: [
        "parameters.p=${q}", #"parameters.j={"z": "${p}"}"#, "parameters.w=2s", "parameters.l[0]=${q}",
        "parameters.m.value.k=2",
      ])
    #expect(
      try module.resolved().at("services", "a", "values", "v") == [
        "${q}", ["z": "${p}"], .duration("2s"), ["${q}", "y"], ["k": 2],
      ])
    try expectReloads(module)
  }

  @Test func `parameters keep their sources, secrets their placeholders`() throws {
    let module = CheckedModule(
      """
      "parameters": {
        "pw": { "env": "PW", "secret": true }, "again": { "value": "${pw}", "secret": true },
        "n": { "env": "N", "type": "int", "default": 3, "min": 1, "max": 9 }, "m": { "value": 5, "oneOf": [5, 6], "deprecated": "x" } },
      "services": { "s": { "type": "T", "values": { "v": { "k": ["a${pw}", "${n}"] }, "w": "${again}", "x": "${m}" }, "deprecated": "y" } }
      """, variables: ["PW": "swordfish"])
    try expectReloads(module, variables: ["PW": "swordfish"])
    let text = try module.moduleFile()
    #expect(text.contains("a${pw}") && text.contains(#""value": "${pw}""#) && !text.contains("swordfish"))
  }

  @Test func `a secret literal is masked, and only then the text differs`() throws {
    let module = CheckedModule(
      """
      "parameters": { "pw": { "value": "swordfish", "secret": true }, "d": { "env": "D", "default": "tuna", "secret": true } },
      "services": { "s": { "type": "T", "values": { "v": "${pw}${d}" } } }
      """)
    let text = try module.moduleFile()
    #expect(text.contains(#""value": "<secret pw>""#) && text.contains(#""default": "<secret d>""#))
    #expect(!text.contains("swordfish") && !text.contains("tuna"))
  }

  @Test func `a masked secret of a type other than string loads again`() throws {
    let members = """
      "parameters": {
        "n": { "env": "N", "type": "int", "default": 4711, "min": 5, "secret": true },
        "l": { "env": "L", "type": "list", "default": ["swordfish"], "secret": true },
        "v": { "value": "4711s", "type": "duration", "secret": true }, "m": { "value": { "k": 4711 }, "secret": true },
        "j": { "env": "J", "type": "json", "default": { "k": 4711 }, "secret": true } },
      "services": { "s": { "type": "T", "values": { "v": ["${n}", "${l}", "${v}", "${m}", "${j}"] } } }
      """
    for variables in [[:], ["N": "42", "L": "tuna"]] {
      let module = CheckedModule(members, variables: variables)
      let text = try module.moduleFile()
      for secret in ["4711", "swordfish", "42", "tuna"] { #expect(!text.contains(secret)) }
      #expect(text.contains(#""type": "int""#) == !variables.isEmpty)
      let again = LoadedModule(["app.json": text], .init(variables: variables, missing: .refused))
      #expect(again.check.diagnostics.isEmpty, "\(again.check.diagnostics)")
      #expect(try again.resolved?.at("services") == module.resolved().at("services"))
    }
  }

  @Test func `missing variables stay missing`() throws {
    let module = CheckedModule(
      """
      "parameters": { "p": { "env": "P", "type": "list" } },
      "services": { "s": { "type": "T", "values": { "v": ["${p}", "x"] } } }
      """)
    try expectReloads(module)
    #expect(try module.moduleFile().contains("${p}"))
  }

  @Test func `a value from layers and settings is written as one value`() throws {
    let module = CheckedModule(
      """
      "environments": { "dev": ["dev.json"] },
      "services": {
        "s": { "type": "T", "values": { "v": { "a": 1, "b": { "c": "x", "d": [1, { "k": "z" }] } } }, "eager": false,
          "inject": { "x": { "service": "gone", "optional": true }, "y": "t" } },
        "t": { "type": "T", "provides": ["A"], "eager": true } }
      """,
      files: [
        "dev.json": """
        {"configdi": 1, "module": "d", "override": {"services": {
          "s": {"values": {"v": {"b": {"c": "y", "e": true}}}}, "t": {"provides": {"append": ["B"]}}}}}
        """
      ], environments: ["dev"], settings: ["services.s.values.v.b.d[1].k=w"])
    try expectReloads(module)
    #expect(
      try module.resolved().at("services", "s", "values", "v") == [
        "a": 1, "b": ["c": "y", "d": [1, ["k": "w"]], "e": true],
      ])
  }

  @Test func `a file of another folder's module has a path relative to the entry module`() throws {
    let files = [
      "parts/mail.json":
        #"{"configdi": 1, "module": "m", "parameters": {"p": {"file": "key.txt"}, "q": {"file": "../up.txt"}, "r": {"file": "/etc/abs"}}}"#,
      "parts/key.txt": "k", "up.txt": "u", "/etc/abs": "a",
    ]
    let module = CheckedModule(
      """
      "imports": ["parts/mail.json"],
      "services": { "s": { "type": "T", "values": { "v": ["${p}", "${q}", "${r}"] } } }
      """, files: files)
    try expectReloads(module, files: files)
    let text = try module.moduleFile()
    for path in ["parts/key.txt", "up.txt", "/etc/abs"] { #expect(text.contains(#""file": "\#(path)""#)) }
  }

  @Test func `defaults and empty values are omitted`() throws {
    let module = CheckedModule(#""parameters": {}, "services": { "s": { "type": "T", "inject": {}, "values": {} } }"#)
    #expect(
      try module.moduleFile() == """
        {
          "configdi": 1,
          "module": "app",
          "services": {
            "s": {
              "type": "T"
            }
          }
        }
        """)
  }

  @Test func `templates, conditions, tags, decorators and scopes load to the same composition`() throws {
    let module = CheckedModule(
      """
      "environments": { "dev": [] }, "scopes": ["request"],
      "parameters": { "pw": { "env": "PW", "secret": true } },
      "templates": { "base": { "type": "T", "scope": "transient", "values": { "a": "${pw}", "b": "$${x}" } } },
      "aliases": { "out": "gone", "in": "s" }, "bindings": { "G": "out", "S": «CDI0705»"in" },
      "services": {
        "s": { "extends": "base", "tags": ["t"], "deprecated": "x", "decorate": [
          { "type": "D", "inject": { "all": ["u", { "tagged": "t" }] }, "values": { "v": ["${pw}", "$${y}"] } }, { "type": "E" }] },
        "u": { "type": "T", "tags": { "t": { "order": 5, "key": "five" } },
          "inject": { "o": { "service": "gone", "optional": true } } },
        "v": { "type": "T", "scope": "request", "inject": { "m": { "tagged": «CDI0705»"t", "as": "map" } } },
        "gone": { "type": "T", "when": { "environment": [] } } }
      """, environments: ["dev"], variables: ["PW": "swordfish"])
    try expectReloads(module, variables: ["PW": "swordfish"])
    #expect(try !module.moduleFile().contains("swordfish"))
  }

  /// Two types. One has arguments for a single service and for a list of services.
  private let bound = [
    TypeDescriptor(name: "P", provides: ["P"]),
    TypeDescriptor(
      name: "T", provides: ["T"],
      arguments: [
        ArgumentDescriptor(key: "all", kind: .service(type: "Q", wrapper: .list)),
        ArgumentDescriptor(key: "one", kind: .service(type: "P", wrapper: .direct)),
      ]),
  ]

  @Test func `arguments bound by type are written explicitly`() throws {
    let module = CheckedModule(
      #""autowire": true, "services": { "p": { "type": "P" }, "t": { "type": "T" } }"#, types: bound)
    try expectReloads(module, types: bound)
    #expect(try module.resolved().at("services", "t", "inject") == ["all": [], "one": "p"])
    #expect(try !module.moduleFile().contains("autowire"))
  }

  @Test func `without types binding by type is kept`() throws {
    let module = CheckedModule(
      #""autowire": true, "services": { "p": { "type": "P", "autowire": false }, "t": { "type": "T" } }"#)
    let text = try module.moduleFile()
    #expect(text.contains("\"autowire\": true") && text.split(separator: "autowire").count == 2)
    let again = CheckedModule(
      String(text.dropFirst().dropLast()).replacing("\"configdi\": 1,", with: "").replacing(
        "\"module\": \"app\",", with: ""), types: bound)
    #expect(try again.resolved().at("services", "t", "inject") == ["all": [], "one": "p"])
  }

  /// Returns the findings of the text of a resolved module.
  private func findingsOfText(
    _ module: CheckedModule, types: [TypeDescriptor]? = nil, location: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    var texts = ["app.json": try module.moduleFile(location)]
    if let types { texts["types.json"] = Catalog(types: types).json }
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json")), environments: [], files: MemoryFiles(texts: texts),
      catalog: types == nil ? nil : "types.json")
    return check.diagnostics.map { "\($0.code) \($0.path)" }
  }

  @Test func `the text adds no warnings to those of the module`() throws {
    let module = CheckedModule(
      """
      "environments": { "dev": [] },
      "parameters": {
        "used": 1, "base": "b", "url": "x${base}", "switch": true, "own": 2, «CDI0702»"off": 3 },
      "templates": { "t": { "type": "T", "values": { "a": "${own}", "u": "${url}" } } },
      "services": {
        "s": { "extends": "t", "values": { "a": "${used}" }, "inject": { "p": "near" } },
        "b": { "type": "B", "inject": { "all": ["bound"] } },
        "on": { "type": "T", "when": { "parameter": "switch", "equals": true } },
        "no": { "type": "T", "when": { "environment": [] }, "values": { "o": "${off}" } },
        "hidden": { "type": "P", "private": true } },
      "aliases": { "near": "far", "far": "hidden", "bound": "hidden" }, "bindings": { "P": "far" }
      """, environments: ["dev"])
    #expect(try findingsOfText(module) == [])
    let text = try module.moduleFile()
    #expect(text.contains(#""a": "${used}""#) && text.contains(#""u": "${url}""#) && text.contains(#""base": "b""#))
    try expectReloads(module)
  }

  @Test func `a binding to a disabled service causes no warning`() throws {
    let members = """
      "environments": { "dev": [] },
      "services": {
        "a": { "type": "T", "provides": ["P"] }, "b": { "type": "T", "provides": ["P"] },
        "c": { "type": "T", "provides": ["P"], "when": { "environment": [] } } },
      "bindings": { "P": "c", "Q": "c" }
      """
    #expect(try findingsOfText(CheckedModule(members, environments: ["dev"])) == [])
    // The text has no `suppress` without effect, which would cause another warning.
    let one = members.replacing(#", "b": { "type": "T", "provides": ["P"] }"#, with: "")
    #expect(one != members)
    #expect(try findingsOfText(CheckedModule(one, environments: ["dev"])) == [])
  }

  @Test(arguments: ["dev", "prod", "test"])
  func `the text of the sample has no warnings`(environment: String) throws {
    let folder = Markdown.root.appendingPathComponent("Configs/Shop").path
    let module = ModuleCheck(
      checking: ModuleRequest(entry: .file(folder + "/app.json")), environments: [environment],
      files: DiskFiles(), catalog: folder + "/catalog.json")
    let resolved = ResolvedModule(try #require(module.compositions.first?.graph, "\(module.diagnostics)"))
    let text = JSONWriter.text(of: resolved.moduleFile)
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .text(SourceFile(name: "again.json", text: text), .json)),
      environments: [],
      files: DiskFiles(), catalog: folder + "/catalog.json")
    #expect(check.diagnostics.isEmpty, "\(check.diagnostics)")
    let again = ResolvedModule(try #require(check.compositions.first?.graph))
    for key in ["services", "aliases", "bindings", "start"] { #expect(resolved.value.at(key) == again.value.at(key)) }
  }
}
