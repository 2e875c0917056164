// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct SyntaxCorpusTests {
  @Test(arguments: [
    ("json", Syntax.json, ""), ("jsonc", .jsonc, ""), ("xmlpropertylist", .plist, ""),
    ("binarypropertylist", .plist, "bplist00"),
  ])
  func `fuzzing inputs are complete trees with their findings in place`(
    corpus: String, syntax: Syntax, header: String
  ) throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Fuzz/Corpus/\(corpus)").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.isEmpty)
    for name in LongTests.sample(names.sorted(), every: 8) {
      let bytes = Array(header.utf8) + Array(try Data(contentsOf: folder.appending(path: name)))
      for nesting in [16, 128] {
        #expect(Document.problems(ofReading: bytes, as: syntax, nesting: nesting) == [], "\(name)")
      }
    }
  }
}
