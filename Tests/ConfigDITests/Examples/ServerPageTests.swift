// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct ServerPageTests {
  /// Returns the lines of all files with an extension in a folder of the package and its subfolders.
  private func lines(of ending: String, in folder: String) throws -> Set<Substring> {
    let url = Markdown.root.appendingPathComponent(folder)
    let paths = try #require(FileManager.default.enumerator(atPath: url.path)).compactMap { $0 as? String }
    var found: Set<Substring> = []
    for path in paths where path.hasSuffix(ending) && !path.contains(".build") {
      found.formUnion(Markdown.codeLines(try String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)))
    }
    return found
  }

  @Test func everyCodeBlockOccursInTheExample() throws {
    let page = try Markdown("Documentation/Server.md")
    let sources = [
      ("swift", try lines(of: ".swift", in: "Examples/Notes"), 8),
      ("json", try lines(of: ".json", in: "Configs/Notes"), 3),
    ]
    for (language, compiled, least) in sources {
      let blocks = page.blocks(of: language)
      #expect(blocks.count >= least)
      for line in blocks.flatMap(Markdown.codeLines) { #expect(compiled.contains(line), "\(line)") }
    }
  }
}
