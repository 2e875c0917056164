// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ConfigDI

struct LoadCorpusTests {
  @Test func `whatever fuzzing found has its findings in place and loads again`() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Fuzz/Corpus/load").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.isEmpty)
    for name in names.sorted() {
      let input = LoadInput(Array(try Data(contentsOf: folder.appending(path: name))))
      #expect(input.problems == [], "\(name)")
    }
  }
}
