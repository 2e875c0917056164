// SPDX-License-Identifier: Apache-2.0
#if YAML
  import ConfigDIYAML
  import Foundation
  import Testing
  import _ConfigDITestSupport

  @testable import ConfigDI

  @Suite struct YAMLCorpusTests {
    @Test func `every fuzzing input is a complete tree, and round-trips`() throws {
      let folder = URL(filePath: #filePath).appending(path: "../../../Fuzz/Corpus/yaml").standardized
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!names.isEmpty)
      for name in names.sorted() {
        let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
        #expect(Document.problems(ofReading: bytes, as: .yaml, with: [.yaml]) == [], "\(name)")
      }
    }
  }
#endif
