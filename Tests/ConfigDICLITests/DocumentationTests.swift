// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct DocumentationTests {
  /// A fenced code block of the page.
  private struct Block {
    /// The words after the opening fence.
    let words: [Substring]
    /// The content, each line with its line break.
    var text = ""
  }

  /// The page about the tool, `Documentation/CommandLine.md`.
  private static let page: String = {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
    return (try? String(contentsOf: root.appendingPathComponent("Documentation/CommandLine.md"), encoding: .utf8)) ?? ""
  }()

  /// The blocks of the page.
  private static let blocks: [Block] = {
    var blocks: [Block] = []
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if !isInside { blocks.append(Block(words: line.dropFirst(3).split(separator: " "))) }
        isInside.toggle()
      } else if isInside {
        blocks[blocks.count - 1].text += line + "\n"
      }
    }
    return blocks
  }()

  @Test func `the examples of the page match the output of the tool`() throws {
    let tool = try BuiltTool()
    var count = 0
    for block in Self.blocks {
      if block.words.first == "json", let name = block.words.last {
        try Data(block.text.utf8).write(to: tool.folder.appendingPathComponent(String(name)))
      }
      guard block.words.first == "console" else { continue }
      defer { count += 1 }
      // The usual run takes a sample, of which the first example creates the module.
      guard count % LongTests.size(4, full: 1) == 0 else { continue }
      let lines = block.text.split(separator: "\n", maxSplits: 1)
      let command = try #require(lines.first)
      #expect(command.hasPrefix("$ configdi "))
      let run = try tool.shell("$TOOL " + command.dropFirst("$ configdi ".count))
      #expect(run.output == (lines.count > 1 ? String(lines[1]) : ""), "\(command)")
      #expect(run.error == "")
    }
    #expect(count == 12)
  }

  @Test func `the page has a section about every command`() throws {
    let help = try BuiltTool().run("--help").output
    let commands = help.components(separatedBy: "SUBCOMMANDS:").last ?? ""
    let names = commands.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "See" }
    #expect(names.count == 13)
    for name in names { #expect(Self.page.contains("\n## \(name)\n"), "\(name)") }
  }
}
