// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ConfigDI

@Suite struct JSONCorpusTests {
  @Test func `whatever fuzzing found is a whole tree with its findings in place`() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Fuzz/Corpus/json").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.isEmpty)
    for name in names.sorted() {
      let source = SourceFile(name: name, bytes: Array(try Data(contentsOf: folder.appending(path: name))))
      for nesting in [16, 128] {
        var bag = DiagnosticBag()
        let document = Document(
          reading: source, file: FileID(0), syntax: .json, limits: Limits(nesting: nesting), bag: &bag)
        #expect(document.problems(with: bag) == [], "\(name)")
      }
    }
  }
}
