// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ImportTests {
  /// Returns a file with imports that appends its name to the provided names of service `log`.
  private func part(_ name: String, _ imports: [String] = []) -> String {
    module(
      #"""
      "imports": [\#(imports.map { "\"\($0)\"" }.joined(separator: ", "))],
      "override": {"services": {"log": {"provides": {"append": ["\#(name)"]}}}}
      """#)
  }

  /// Returns the names of the `part` files in the order in which they were applied.
  private func order(_ files: [String: String], _ environments: [String] = [], layers: [ModuleLayer] = []) -> [String] {
    var files = files
    files["base.json"] = module(#""services": {"log": {"type": "Log", "provides": []}}"#)
    let module = LoadedModule(files, .init(environments: environments, layers: layers))
    #expect(module.reported == [])
    guard let definition = module.check.compositions.first?.definition else { return [] }
    return definition.services[0].declaration.provides?.appended.map { definition.names[$0.name] } ?? []
  }

  @Test func `the order is imports depth-first, the file, its layers, then the caller's layers`() {
    let files = [
      "app.json": module(
        #"""
        "imports": ["base.json", "a.json", "b.json"], "environments": {"dev": ["l1.json", "l2.json"]},
        "override": {"services": {"log": {"provides": {"append": ["app"]}}}}
        """#),
      "a.json": part("a", ["a1.json", "a2.json"]), "a1.json": part("a1"), "a2.json": part("a2"), "b.json": part("b"),
      "l1.json": part("l1", ["l0.json"]), "l0.json": part("l0"), "l2.json": part("l2"), "x.json": part("x"),
    ]
    let imports = ["a1", "a2", "a", "b", "app"]
    #expect(order(files) == imports)
    #expect(order(files, ["dev"]) == imports + ["l0", "l1", "l2"])
    #expect(order(files, ["dev"], layers: ["x.json"]) == imports + ["l0", "l1", "l2", "x"])
    let text = ModuleLayer.text(part("t"))
    #expect(order(files, ["dev"], layers: ["x.json", text]) == imports + ["l0", "l1", "l2", "x", "t"])
  }

  @Test func `a file is applied once, at its first position, however often it is imported`() {
    let files = [
      "app.json": module(
        #"""
        "imports": ["base.json", "a.json", "./b.json", "x/../a.json"], "environments": {"dev": ["d.json", "l.json", "l.json"]}
        """#),
      "a.json": part("a", ["d.json"]), "b.json": part("b", ["d.json", "base.json"]), "d.json": part("d"),
      "l.json": part("l", ["app.json"]),
    ]
    #expect(order(files, ["dev"], layers: ["l.json", "b.json"]) == ["d", "a", "b", "l"])
  }

  @Test func `a cycle of imports is reported at the closing import, with the chain`() {
    let module = expectFindings(in: [
      "app.json": module(#""imports": ["x.json", "a.json"]"#), "x.json": module(),
      "a.json": module(#""imports": ["b.json"]"#), "b.json": module(#""imports": [«CDI0302»"a.json"]"#),
    ])
    #expect(module.findingsText.contains("a.json -> b.json -> a.json"))
    expectFindings(in: ["app.json": importing("«CDI0302»\"app.json\"")])
  }

  /// Returns a file that has only imports.
  private func importing(_ imports: String) -> String { module("\"imports\": [\(imports)]") }

  @Test func `a missing file is reported at its path, unless it is optional`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "imports": [«CDI0301»"gone.json", {"path": "gone.json", "optional": true}, {"path": «CDI0301»"no.json", "optional": false},
                    «CDI0301»"a.json/b.json", «CDI0107»"folder.json", {"path": «CDI0107»"folder.json", "optional": true},
                    {"path": "meant.json", "optional": «CDI0202»"yes"},
                    «CDI0109»"a.txt", «CDI0109»"", "a.json"],
        "environments": {"dev": [«CDI0301@dev»"layer.json"], "prod": []}
        """#),
      "a.json": module(), "folder.json/x.json": module(),
    ])
  }

  @Test func `a missing layer of the caller is reported on the command line`() {
    expectFindings(in: ["app.json": module()], layers: ["gone.json"], commandLine: [" CDI0301"])
  }

  @Test func `an undeclared environment is reported on the command line`() {
    let files = [
      "app.json": module(
        #""environments": {"dev": [], "prod": []}, "services": {"a": {"type": "T", "inject": {"x": "ghost"}}}"#)
    ]
    let module = expectFindings(in: files, environments: ["prd"], commandLine: [" CDI0307"])
    #expect(module.findingsText.contains("did you mean \"prod\"?"))
    expectFindings(in: ["app.json": importing("")], environments: ["dev"], commandLine: [" CDI0307"])
  }

  @Test func `a path stays below the root, whether or not the file exists`() {
    let files = [
      "configs/app/app.json": module(
        #"""
        "imports": ["in.json", "../app/in.json", «CDI0303»"../out.json", «CDI0303»"../../x/gone.json",
                    {"path": «CDI0303»"../out.json", "optional": true}, «CDI0303»"/configs/app/in.json", «CDI0303»"../app2/in.json"]
        """#),
      "configs/app/in.json": module(), "configs/out.json": module(), "configs/app2/in.json": module(),
    ]
    let marked = MarkedTexts(files)
    let access = MemoryFiles(texts: marked.texts)
    let entry = Entry.file("configs/app/app.json")
    #expect(LoadedModule(access, entry: entry).reported.sorted() == marked.expectations.sorted())
    let wide = LoadedModule(access, .init(root: "configs"), entry: entry).reported
    #expect(wide.count == 2 && wide.allSatisfy { $0.contains("CDI0303") })
  }

  @Test func `a layer of the caller may be outside the root, its imports may not`() {
    let marked = MarkedTexts([
      "app/app.json": module(), "layers/l.json": module(#""imports": [«CDI0303»"m.json", "../app/n.json"]"#),
      "layers/m.json": module(), "app/n.json": module(),
    ])
    let module = LoadedModule(
      MemoryFiles(texts: marked.texts), .init(layers: ["layers/l.json"]), entry: .file("app/app.json"))
    #expect(module.reported == marked.expectations)
  }

  @Test func `the number and size of files are limited`() {
    let files = [
      "app.json": module(#""imports": ["a.json", «CDI0106»"b.json"]"#), "a.json": module(), "b.json": module(),
    ]
    expectFindings(in: files, limits: Limits(files: 2))
    expectFindings(in: files.mapValues { $0.replacing("«CDI0106»", with: "") }, limits: Limits(files: 3))
    let large = module(#""doc": "\#(String(repeating: "x", count: 200))""#)
    expectFindings(
      in: ["app.json": module(#""imports": [«CDI0106»"a.json"]"#), "a.json": large], limits: Limits(fileSize: 150))
    expectFindings(in: ["app.json": "«CDI0106»" + large], limits: Limits(fileSize: 150))
  }

  @Test func `an unreadable entry module is reported at its beginning`() {
    for (path, code) in [("gone.json", "CDI0107"), ("app.txt", "CDI0109"), ("folder.json", "CDI0107")] {
      let files = MemoryFiles(texts: ["app.txt": module(), "folder.json/x": ""])
      #expect(LoadedModule(files, entry: .file(path)).reported == ["\(path):1:1 \(code)"])
    }
  }

  @Test func `paths are equal if their bytes are equal`() throws {
    var files = MemoryFiles(texts: [
      "app.json": module("\"imports\": [\"é.json\", \"e\u{301}.json\"]"), "é.json": module(#""aliases": {"a": "s"}"#),
    ])
    files["e\u{301}.json"] = Array(module(#""services": {"s": {"type": "T"}}"#).utf8)
    #expect(LoadedModule(files).resolved?["aliases"] == ["a": "s"])
  }

  @Test func `symbolic links are identified with their targets`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "imports-\(UUID().uuidString)")
    let manager = FileManager.default
    try manager.createDirectory(at: folder.appending(path: "root/sub"), withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    let marked = MarkedTexts([
      "root/app.json": module(
        #""imports": ["sub/a.json", "link.json", "dir/a.json", «CDI0303»"out.json", «CDI0301»"gone.json"]"#),
      "root/sub/a.json": module(#""imports": ["b.json"], "services": {"a": {"type": "T"}}"#),
      "root/sub/b.json": module(), "outside.json": module(),
    ])
    for (path, text) in marked.texts { try Data(text.utf8).write(to: folder.appending(path: path)) }
    let root = folder.appending(path: "root").path
    try manager.createSymbolicLink(atPath: root + "/link.json", withDestinationPath: "sub/a.json")
    try manager.createSymbolicLink(atPath: root + "/dir", withDestinationPath: "sub")
    try manager.createSymbolicLink(atPath: root + "/out.json", withDestinationPath: "../outside.json")
    try manager.createSymbolicLink(atPath: root + "/gone.json", withDestinationPath: "nowhere/gone.json")
    try manager.createSymbolicLink(atPath: folder.path + "/entry.json", withDestinationPath: "root/app.json")
    let files = DiskFiles(workingFolder: DiskFiles(workingFolder: folder.path).canonicalPath(of: "."))
    #expect(LoadedModule(files, entry: .file("root/app.json")).reported.sorted() == marked.expectations.sorted())
    let linked = marked.expectations.map { $0.replacing("root/app.json", with: "entry.json") }
    #expect(LoadedModule(files, entry: .file("entry.json")).reported.sorted() == linked.sorted())
  }
}
