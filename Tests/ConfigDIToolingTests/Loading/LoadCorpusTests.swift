// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ConfigDI
@testable import ConfigDITooling

struct LoadCorpusTests {
  @Test func `whatever fuzzing found has its findings in place and loads again`() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Fuzz/Corpus/load").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var soundCount = 0
    for name in names.sorted() {
      let input = LoadInput(Array(try Data(contentsOf: folder.appending(path: name))))
      #expect(input.problems == [], "\(name)")
      if input.isSound { soundCount += 1 }
    }
    #expect(soundCount > 0)
  }
}
