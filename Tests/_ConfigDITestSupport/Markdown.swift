// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A page of the project's documentation.
package struct Markdown {
  /// The root folder of the package.
  package static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL

  /// The paths of all pages, relative to the root folder of the package: those beside the manifest, those of
  /// `Documentation`, and those of the examples.
  package static var pages: [String] {
    get throws {
      let files = FileManager.default
      let documents = try files.subpathsOfDirectory(atPath: root.appendingPathComponent("Documentation").path)
      let examples = try files.contentsOfDirectory(atPath: root.appendingPathComponent("Examples").path)
      return
        (["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + documents.map { "Documentation/\($0)" }.sorted()
        + examples.map { "Examples/\($0)/README.md" }.sorted())
        .filter { $0.hasSuffix(".md") && files.fileExists(atPath: root.appendingPathComponent($0).path) }
    }
  }

  /// The location of the page.
  package let url: URL
  /// The content of the page.
  package let text: String

  /// Reads a page.
  ///
  /// - Parameter path: The path relative to the root folder of the package.
  package init(_ path: String) throws {
    url = Markdown.root.appendingPathComponent(path)
    text = try String(contentsOf: url, encoding: .utf8)
  }

  /// Returns the contents of the fenced code blocks in a language, in order. Each line ends with a line break.
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

  /// Returns the lines of a text that are not blank, without their indentation, to compare code of a page with a file.
  package static func codeLines(_ text: String) -> [Substring] {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
  }

  /// The paths of links to other files, without fragments.
  package var linkedPaths: [String] {
    text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/).map { String($0.output.1) }
  }
}
