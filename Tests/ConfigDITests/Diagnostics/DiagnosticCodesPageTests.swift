// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct DiagnosticCodesPageTests {
  /// Returns the codes that the library declares, in the order of its source file.
  private func codes() throws -> [DiagnosticCode] {
    let file = Markdown.root.appendingPathComponent("Sources/ConfigDI/Diagnostics/DiagnosticCode.swift")
    return try String(contentsOf: file, encoding: .utf8).matches(of: /= DiagnosticCode\((\d+)\)/).map {
      DiagnosticCode(try #require(Int($0.output.1)))
    }
  }

  @Test func `the page has every code with its severity, in order, and no others`() throws {
    let page = try DiagnosticCodesPage()
    #expect(page.codes == (try codes().sorted().map { "\($0) \($0.severity.rawValue.capitalized)" }))
  }

  @Test(arguments: try DiagnosticCodesPage().examples)
  func `the wrong module has only the finding`(example: DiagnosticCodesPage.Example) {
    #expect(example.wrong.check().diagnostics.map(\.code.description) == [example.code])
  }

  @Test(arguments: try DiagnosticCodesPage().examples)
  func `the corrected module has no finding and loads`(example: DiagnosticCodesPage.Example) {
    let check = example.right.check()
    #expect(check.diagnostics.map(\.message) == [])
    #expect(check.compositions.allSatisfy { $0.graph != nil })
  }

  @Test func `every link refers to a heading or a file`() throws {
    let page = try Markdown("Documentation/DiagnosticCodes.md")
    let headings = page.text.split(separator: "\n").filter { $0.hasPrefix("#") }.map {
      $0.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
    }
    let targets = page.text.matches(of: /\]\(#([^)]+)\)/).map { String($0.output.1) }
    #expect(!targets.isEmpty && Set(targets).subtracting(headings) == [])
    for path in page.linkedPaths {
      let file = page.url.deletingLastPathComponent().appendingPathComponent(path)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
    }
  }
}
