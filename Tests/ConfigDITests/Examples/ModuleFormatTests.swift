// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// The examples in `Documentation/ModuleFormat.md`.
@Suite struct ModuleFormatTests {
  /// The modules of the page, each with the layers that follow it there.
  private static let modules: [(module: String, layers: [String])] = {
    var modules: [(module: String, layers: [String])] = []
    for block in (try? Markdown("Documentation/ModuleFormat.md").blocks(of: "json")) ?? [] {
      if block.contains("\n  \"services\": {") {
        modules.append((block, []))
      } else {
        modules[modules.count - 1].layers.append(block)
      }
    }
    return modules
  }()

  @Test func `the page shows every part of the format`() {
    #expect(Self.modules.count == 13)
    #expect(Self.modules.map(\.layers.count).reduce(0, +) == 2)
  }

  @Test(arguments: modules.indices)
  func `a file of the page has neither errors nor warnings`(place: Int) {
    let (module, texts) = Self.modules[place]
    let layers = texts.enumerated().map { ModuleLayer.text($1, name: "layer \($0).json") }
    for layers in [[], layers] {
      let request = ModuleRequest(entry: .file("app.json"), layers: layers)
      let check = ModuleCheck(checking: request, environments: nil, files: MemoryFiles(texts: ["app.json": module]))
      #expect(check.diagnostics.map(\.message) == [])
      #expect(check.isSound)
    }
  }

  @Test func `secrets are printed as the page describes`() throws {
    let module = try #require(Self.modules.last?.module)
    let request = ModuleRequest(entry: .file("app.json"), variables: .init(["DB_PASSWORD": "hunter2"]))
    let check = ModuleCheck(checking: request, environments: nil, files: MemoryFiles(texts: ["app.json": module]))
    let resolved = ResolvedModule(try #require(check.compositions.first?.graph)).value
    #expect(resolved["services"]?["db"]?["values"]?["url"] == "<secret db.password>")
  }
}
