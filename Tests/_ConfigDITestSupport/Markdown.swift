// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A page of the project's documentation.
package struct Markdown {
  /// The folder of the package.
  package static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL

  /// Where the page lies.
  package let url: URL
  /// What it says.
  package let text: String

  /// Reads a page by its path from the package's folder.
  package init(_ path: String) throws {
    url = Markdown.root.appendingPathComponent(path)
    text = try String(contentsOf: url, encoding: .utf8)
  }

  /// The contents of the fenced blocks of a language, in order, each line with its break.
  package func blocks(of language: String) -> [String] {
    var blocks: [String] = []
    var current: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let block = current {
        if line == "```" { blocks.append(block) }
        current = line == "```" ? nil : block + line + "\n"
      } else if line == "```\(language)" {
        current = ""
      }
    }
    return blocks
  }

  /// The targets of the links to other files, without what follows a `#`.
  package var linkedPaths: [String] {
    text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/).map { String($0.output.1) }
  }
}
