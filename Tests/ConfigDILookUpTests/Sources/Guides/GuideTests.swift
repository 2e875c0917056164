// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

/// Tests of the guides for users of other containers.
@Suite struct GuideTests {
  /// The names of the other containers.
  static let systems = ["LazyContainer", "Swinject", "KOInject", "Lambdaspire", "STRV"]

  /// Returns the guide for users of a container.
  private func guide(_ system: String) throws -> Markdown { try Markdown("Documentation/ComingFrom/\(system).md") }

  /// Returns the lines of the code that is compiled for a guide, without indentation.
  private func compiled(_ system: String) throws -> [String] {
    lines(of: try Markdown("Tests/ConfigDILookUpTests/Sources/Guides/\(system)Guide.swift").text)
  }

  /// Returns the lines of a text, without indentation.
  private func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test(arguments: systems)
  func `each new code block of a guide occurs in the tests`(system: String) throws {
    let compiled = try compiled(system)
    let blocks = try guide(system).blocks(of: "swift").map { lines(of: $0) }
    try #require(!blocks.isEmpty)
    for block in blocks {
      let isRegistered = compiled.indices.contains { compiled[$0...].starts(with: block) }
      #expect(isRegistered, "\(block.joined(separator: "\n"))")
    }
  }

  @Test(arguments: systems)
  func `each new code line of a table occurs in the tests`(system: String) throws {
    let compiled = try compiled(system)
    // All rows of the tables, except the header rows.
    let lines = try guide(system).text.split(separator: "\n", omittingEmptySubsequences: false)
    let rows = zip(lines, lines.dropFirst()).filter { $0.hasPrefix("| ") && !$1.hasPrefix("|--") }.map(\.0)
    try #require(rows.count > 3)
    for row in rows {
      let cells = row.split(separator: "|")
      let new = try #require(cells.dropFirst().first)
      let codes = new.matches(of: /`([^`]+)`/).map { String($0.output.1) }
      #expect(!codes.isEmpty, "\(row)")
      for code in codes {
        #expect(compiled.contains { $0.contains(code) }, "\(code)")
      }
    }
  }

  @Test(arguments: systems)
  func `the README links to the guide, and the links of the guide exist`(system: String) throws {
    #expect(try Markdown("README.md").linkedPaths.contains("Documentation/ComingFrom/\(system).md"))
    let page = try guide(system)
    let folder = page.url.deletingLastPathComponent()
    let dead = page.linkedPaths.filter { path in
      !FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }
    #expect(dead == [])
  }
}
