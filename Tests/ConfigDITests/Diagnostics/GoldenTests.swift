// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ConfigDI

/// The exact reports of the wrong modules in `Documentation/DiagnosticCodes.md`.
///
/// `CONFIGDI_UPDATE_GOLDEN=1 swift test --filter GoldenTests` rewrites the expected files. Review their changes before
/// they are committed.
@Suite struct GoldenTests {
  /// The folder with a subfolder for each code.
  private static let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../Golden").standardizedFileURL
  /// Whether the files are rewritten instead of compared.
  private static let isUpdating = ProcessInfo.processInfo.environment["CONFIGDI_UPDATE_GOLDEN"] == "1"

  /// Returns the path of an example's expected text, relative to the folder.
  private static func path(of example: DiagnosticCodesPage.Example) -> String {
    "\(example.code)/expected\(example.number == 1 ? "" : "-\(example.number)").txt"
  }

  @Test(arguments: try DiagnosticCodesPage().examples)
  func `the text of a finding matches the expected text`(example: DiagnosticCodesPage.Example) throws {
    let check = example.wrong.check()
    let text = check.renderer().text(of: check.diagnostics)
    let file = GoldenTests.folder.appendingPathComponent(GoldenTests.path(of: example))
    if GoldenTests.isUpdating {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    #expect(try Data(contentsOf: file) == Data(text.utf8), "\(file.path) would be\n\(text)")
  }

  @Test(.disabled(if: GoldenTests.isUpdating, "the files are being written"))
  func `every expected text belongs to an example`() throws {
    let wanted = Set(try DiagnosticCodesPage().examples.map(GoldenTests.path(of:)))
    let found = try FileManager.default.subpathsOfDirectory(atPath: GoldenTests.folder.path)
    #expect(Set(found.filter { $0.hasSuffix(".txt") }) == wanted)
  }
}
