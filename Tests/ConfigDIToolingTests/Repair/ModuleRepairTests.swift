// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// Fixes that are applied to the files of a module in memory.
@Suite struct ModuleRepairTests {
  /// Returns the repair of a module in all its environments.
  private func repair(_ files: [String: String], layers: [String] = [], catalog: String? = nil) -> ModuleRepair {
    ModuleRepair(
      of: ModuleRequest(entry: .file("app.json"), layers: layers.map { .file($0) }), environments: nil,
      files: MemoryFiles(texts: files), knowing: KnownTypes(catalog: catalog))
  }

  /// Returns the texts of the changed files by name.
  private func texts(_ repair: ModuleRepair) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: repair.changes.map {
        (Path.displayName(of: $0.path, workingFolder: "/"), String(decoding: $0.after, as: UTF8.self))
      })
  }

  @Test func `a valid module has nothing to fix`() {
    let repair = repair(["app.json": module(#""services": {"a": {"type": "A"}}"#)])
    #expect(repair.fixes.isEmpty && repair.changes.isEmpty && repair.check.isSound)
  }

  @Test func `only the token changes`() {
    let text = "\u{FEFF}{\r\n \"configdi\": 1, \"module\": \"é𝄞\", \"servces\"\t: {}}\r\n"
    let repair = repair(["app.json": text])
    #expect(texts(repair).values.map(\.self) == [text.replacing("servces", with: "services")])
    #expect(repair.check.isSound)
  }

  @Test func `findings revealed by a fix are fixed as well`() {
    let body = #""servces": {"a": {"typ": "A"}, "b": {"type": "B", "inject": {"x": "aa"}}}, "aliases": {"one": "a"}"#
    let repair = repair(["app.json": module(body)])
    let fixed = body.replacing("servces", with: "services").replacing("typ\"", with: "type\"")
    #expect(repair.fixes.map(\.text).prefix(2) == [#""services""#, #""type""#])
    #expect(texts(repair).values.first?.contains(fixed.prefix(40)) == true)
  }

  @Test func `fixes that are sound are applied beside one that reveals a finding`() {
    let services = (0..<60).map { #""s\#($0)": {"type": "A", "inject": {"n": "loger"}}"# }
    let others = [#""logger": {"type": "L"}"#, #""k": {"type": "X", "injcet": {"a": "ghost"}}"#]
    let repair = repair([
      "app.json": module(#""services": {\#((others + services).joined(separator: ", "))}"#)
    ])
    #expect(repair.fixes.count { $0.text == #""logger""# } == 60)
    #expect(repair.check.counts.errors == 1)
  }

  @Test func `a fix that does not improve the module is skipped`() {
    // "wen" is similar to "when", whose value would then be of the wrong kind.
    let body = #""services": {"a": {"type": "A", "wen": 5}, "c": {"typ": "C"}}"#
    let repair = repair(["app.json": module(body)])
    #expect(repair.fixes.map(\.text) == [#""type""#])
    #expect(texts(repair).values.first?.contains(#""wen""#) == true)
    #expect(repair.check.counts.errors == 1)
  }

  @Test(arguments: [
    ("http://${mail.hots}/", "http://${mail.host}/"), ("${mail.hots}", "${mail.host}"),
    ("${mail.hots}:${mail.hots}", "${mail.host}:${mail.host}"), ("${mail.hots} ${cuont}", "${mail.host} ${count}"),
    ("$${mail.hots} ${mail.hots}", "$${mail.hots} ${mail.host}"),
    (#"\u00e9\"${mail.hots}\n"#, #"\u00e9\"${mail.host}\n"#), (#"\u0024{mail.hots} ${mail.host}"#, nil),
  ])
  func `only the name of a misspelt placeholder changes`(text: String, fixed: String?) {
    func body(_ text: String) -> String {
      #"""
      "parameters": {"mail.host": "h", "count": 25}, "services": {"a": {"type": "A", "values": {"url": "\#(text)"}}}
      """#
    }
    let repair = repair(["app.json": module(body(text))])
    #expect(texts(repair).values.map(\.self) == (fixed.map { [module(body($0))] } ?? []))
    #expect(repair.check.isSound == (fixed != nil))
  }

  @Test func `a fix of a placeholder does not show the text around it`() {
    let body = #""parameters": {"user": "u", "url": {"value": "http://${usr}:hunter2@x/${usr}", "secret": true}}"#
    let check = repair(["app.json": module(body.replacing("usr", with: "usr\\u0041"))]).check
    #expect(!check.renderer().text(of: check.diagnostics).contains("hunter2"))
    #expect(repair(["app.json": module(body)]).fixes.map(\.text) == ["user", "user"])
  }

  @Test func `a key that contains a colon is replaced completely`() {
    let repair = repair(["app.json": module(#""services": {"a": {"type:A": "A", "scope": "weak"}}"#)])
    #expect(repair.fixes.isEmpty)
    #expect(repair.check.diagnostics.map(\.help) == ["did you mean \"type\"?"])
  }

  @Test func `files of imports and layers change, a catalog does not`() {
    let catalog = #"{"configdi-catalog": 1, "types": [{"nme": "A"}]}"#
    let repair = repair(
      [
        "app.json": module(#""imports": ["part.json"]"#), "part.json": module(#""servces": {}"#),
        "layer.json": module(#""servces": {}"#), "catalog.json": catalog,
      ], layers: ["layer.json"], catalog: "catalog.json")
    #expect(Set(texts(repair).keys) == ["layer.json", "part.json"])
  }

  @Test func `the same fix in two environments is found once`() {
    let body =
      #""environments": {"dev": [], "prod": []}, "services": {"a": {"type": "A"}}, "aliases": {"x": "aa", "y": "a"}"#
    let repair = repair(["app.json": module(body)])
    #expect(repair.fixes.count == 1 && repair.check.isSound)
  }

  @Test(arguments: ["a\nbcé𝄞d\r\n\n", "\u{FEFF}x\ny", "", "\n", "one"])
  func `offset to position and position to offset are inverse`(text: String) {
    let bytes = Array(text.utf8)
    let lines = LineTable(bytes)
    for offset in bytes.indices where bytes[offset] & 0xC0 != 0x80 && bytes[offset] != UInt8(ascii: "\n") {
      guard offset >= (LineTable.hasByteOrderMark(bytes) ? 3 : 0) else { continue }
      #expect(lines.offset(of: lines.position(of: offset, in: bytes), in: bytes) == offset, "\(offset)")
    }
    #expect(lines.offset(of: SourcePosition(line: 99, column: 1), in: bytes) == bytes.count)
  }

  /// Two environments, of which one has a service that the entry module refers to.
  private let environments = [
    "app.json": module(
      #""environments": {"dev": ["dev.json"], "prod": ["prod.json"]}, "services": {"s": {"type": "S", "inject": {"x": "cache"}}}"#
    ),
    "dev.json": module(#""services": {"cache": {"type": "C"}}"#),
    "prod.json": module(#""services": {"cache1": {"type": "C"}}"#),
  ]

  @Test func `a reference that is right in another environment stays`() {
    #expect(repair(environments).fixes.isEmpty)
    let request = ModuleRequest(entry: .file("app.json"))
    let repair = ModuleRepair(
      of: request, environments: ["prod"], files: MemoryFiles(texts: environments), knowing: .none)
    #expect(repair.fixes.isEmpty && repair.check.environments == ["prod"] && repair.check.counts.errors == 1)
  }

  @Test func `a layer of one environment is fixed, if that environment is chosen`() {
    var files = environments
    files["app.json"] = files["app.json"]?.replacing(#""cache"}"#, with: #""cache1"}"#)
    files["dev.json"] = module(
      #""services": {"cache1": {"type": "C", "inject": {"y": "cahce1"}}, "cache2": {"type": "D"}}"#)
    let request = ModuleRequest(entry: .file("app.json"))
    func fixes(in environments: [String]?) -> [String] {
      ModuleRepair(of: request, environments: environments, files: MemoryFiles(texts: files), knowing: .none)
        .fixes.map(\.text)
    }
    #expect(fixes(in: ["prod"]) == [])
    #expect(fixes(in: ["dev"]) == [#""cache2""#])
    #expect(fixes(in: nil) == [#""cache2""#])
  }

  @Test func `an override is removed only if it has no effect in any environment that applies it`() {
    var files = [
      "app.json": module(#""environments": {"dev": ["x.json", "p.json"], "prod": ["p.json"]}, "parameters": {"p": 1}"#),
      "x.json": module(#""override": {"parameters": {"p": 2}}"#),
      "p.json": module(#""override": {"parameters": {"p": 1}}"#),
    ]
    func removesOverride() -> Bool {
      ModuleRepair(
        of: ModuleRequest(entry: .file("app.json")), environments: ["prod"], files: MemoryFiles(texts: files),
        knowing: .none
      ).fixes.contains { $0.finding.code == .overrideWithoutEffect }
    }
    #expect(!removesOverride())
    files["x.json"] = module("")
    #expect(removesOverride())
  }
}
