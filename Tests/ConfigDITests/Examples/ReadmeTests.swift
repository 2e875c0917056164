// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct ReadmeTests {
  /// The README.
  private let readme: Markdown

  init() throws { readme = try Markdown("README.md") }

  /// Calls a closure with the path of the page's module in a temporary folder. `change` is applied to the layer.
  private func withModule(changing change: (String) -> String = { $0 }, _ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("readme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = readme.blocks(of: "json")
    try #require(files.count == 2)
    let entry = folder.appendingPathComponent("app.json")
    try Data(files[0].utf8).write(to: entry)
    try Data(change(files[1]).utf8).write(to: folder.appendingPathComponent("prod.json"))
    try body(entry)
  }

  @Test func `the Swift code of the page equals the compiled code`() throws {
    let source = try Markdown("Tests/ConfigDITests/Examples/ReadmeExample.swift").text
    let begins = try #require(source.range(of: "  // README begins\n"))
    let ends = try #require(source.range(of: "  // README ends\n"))
    let lines = source[begins.upperBound..<ends.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
    let compiled = lines.map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }.joined(separator: "\n")
    #expect(readme.blocks(of: "swift").first == "import ConfigDI\n\n" + compiled)
  }

  @Test func `the module of the page has the documented result`() throws {
    try withModule { entry in
      let results = try ["dev", "prod"].map { environment in
        try ReadmeExample().publish(module: entry.path, environment: environment) + "\n"
      }
      #expect(readme.blocks(of: "text").first == results.joined())
    }
  }

  @Test func `the finding of the page matches the actual one`() throws {
    try withModule(changing: { $0.replacingOccurrences(of: #""mailer": {"#, with: #""mailr": {"#) }) { entry in
      let error = try #require(throws: LoadError.self) {
        try ReadmeExample().publish(module: entry.path, environment: "prod")
      }
      // The page shows paths relative to the working folder.
      let folder = entry.deletingLastPathComponent().path + "/"
      let reported = error.description.replacingOccurrences(of: folder, with: "")
      #expect(readme.blocks(of: "text").last == reported.trimmingCharacters(in: .newlines) + "\n")
    }
  }

  @Test(arguments: try Markdown.pages)
  func `every link to a file has a target`(path: String) throws {
    let page = try Markdown(path)
    let folder = page.url.deletingLastPathComponent()
    let dead = page.linkedPaths.filter { path in
      !FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }
    #expect(dead == [])
  }
}
