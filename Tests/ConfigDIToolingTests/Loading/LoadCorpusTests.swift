// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

struct LoadCorpusTests {
  @Test func `fuzzing inputs have their findings in place and load again`() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Fuzz/Corpus/load").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var (soundCount, builtCount) = (0, 0)
    for name in LongTests.sample(names.sorted(), every: 4) {
      let input = LoadInput(Array(try Data(contentsOf: folder.appending(path: name))))
      #expect(input.problems == [], "\(name)")
      if input.isSound { soundCount += 1 }
      if input.isBuilt { builtCount += 1 }
    }
    #expect(soundCount > 0)
    #expect(builtCount > 0)
  }

  @Test func `the dictionary of the fuzzer has each key of the format`() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../Fuzz/Load.dict").standardized
    let lines = Set(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init))
    for keyword in Keyword.allCases {
      #expect(lines.contains(#""\"\#(keyword.text)\":""#), "\(keyword)")
    }
  }

  @Test func `a secret in an output is detected`() {
    let module = """
      {"configdi":1,"module":"m","parameters":{"p":{"env":"SECRET"SECRECY}},"services":{"s":{"type":"S","values":{"v":"${p}"}}}}
      """
    func check(_ secrecy: String) -> ModuleCheck {
      ModuleCheck(
        checking: ModuleRequest(
          entry: .file("app.json"), variables: .init([LoadInput.secretName: LoadInput.secret])),
        environments: nil,
        files: MemoryFiles(["app.json": Array(module.replacing("SECRECY", with: secrecy).utf8)]))
    }
    #expect(LoadInput.leaks(of: check(#","secret":true"#)) == [])
    #expect(LoadInput.outputs(of: check("")).contains { LoadInput.holdsSecret(Array($0.utf8)) })
  }
}
