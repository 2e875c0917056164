// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITooling
import Testing
import _ConfigDITestSupport

@Suite struct TagDeclarationTests {
  /// Opens a file that declares a tag, with a cursor in it.
  private func open(_ old: String, _ new: String) -> OpenWorkspace {
    let text = """
      { "configdi": 1, "module": "app",
        "tags": { "plugin": { "doc": "Collected by hand." } },
        "services": { "a": { "type": "T", "tags": ["plugin", "lost"] },
          "b": { "type": "T", "inject": { "x": { "tagged": "asked" } } } } }
      """
    return OpenWorkspace(["app.json": text.replacing(old, with: new, maxReplacements: 1)])
  }

  @Test func `tags in use can be declared, once`() {
    #expect(open(#"by hand." } }"#, #"by hand." }, "‸" }"#).labels == ["asked", "lost"])
    #expect(open(#"{ "doc": "Collected by hand." }"#, "{ ‸ }").labels == ["doc"])
    let item = open(#""module": "app","#, #""module": "app", "‸","#).completions.first { $0.label == "bindings" }
    #expect(item != nil)
  }

  @Test func `a declared tag can be referenced and assigned`() {
    #expect(open(#""tagged": "asked""#, #""tagged": "‸""#).labels.contains("plugin"))
    #expect(open(#"["plugin", "lost"]"#, #"["‸"]"#).labels.contains("plugin"))
  }

  @Test func `a tag is shown with the text of its declaration`() throws {
    let hover = try #require(open(#"["plug"#, #"["plug‸"#).hover)
    #expect(hover.hasPrefix("**tag** `plugin`\n\nCollected by hand.\n\n- defined at `app.json:2`"), "\(hover)")
  }

  @Test func `a tag leads to its declaration, which is renamed with it`() {
    let open = open(#"["plug"#, #"["plug‸"#)
    #expect(open.definitions == ["app.json:2:14"])
    let renamed = open.renaming(to: "addOn").texts["app.json"]
    #expect(renamed?.contains(#""tags": { "addOn": {"#) == true && renamed?.contains(#"["addOn", "lost"]"#) == true)
  }

  @Test func `the outline has the declared tags`() {
    let open = open(#"["plug"#, #"["plug‸"#)
    let symbols = open.workspace.symbols(in: open.path)
    #expect(symbols.map(\.name) == ["tags", "services"])
    #expect(symbols[0].children.map(\.name) == ["plugin"] && symbols[0].children.map(\.kind) == [.tag])
  }

  @Test func `a misspelt tag is reported while it is typed`() {
    let open = open(#""tagged": "asked""#, #""tagged": "‸loost""#)
    #expect(open.codes(in: "app.json") == ["CDI0709 3:56", "CDI0708 4:54"])
  }
}
