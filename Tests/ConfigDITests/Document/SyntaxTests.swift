// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct SyntaxTests {
  @Test(arguments: [
    ("a.json", Syntax.json), ("a.JSON", .json), ("a.jsonc", .jsonc), ("b/a.plist", .plist), ("a.yaml", .yaml),
    ("a.b.yml", .yaml),
  ])
  func `the file extension selects the syntax`(path: String, syntax: Syntax) { #expect(Syntax(path: path) == syntax) }

  @Test(arguments: ["a", ".json", "a.txt", "a.json/", "a.json/b", "json", ""])
  func `unknown extensions select none`(path: String) { #expect(Syntax(path: path) == nil) }

  @Test func `YAML without its reader is reported, for an import at the path`() {
    let entry = ReadDocument("a: 1", as: .yaml)
    #expect(entry.places == ["109@0"])
    let module = LoadedModule([
      "app.json": #"{"configdi": 1, "module": "app", "imports": [«CDI0109»"part.yaml"]}"#, "part.yaml": "configdi: 1",
    ])
    #expect(module.reported.sorted() == module.expectations.sorted())
  }
}
