// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct MemoryFilesTests {
  private let files = MemoryFiles(texts: ["a.json": "[]", "/etc/x/b.json": "{}"], workingFolder: "/w")

  @Test func `a file is found by any equivalent path`() {
    for path in ["a.json", "./a.json", "x/../a.json", "/w/a.json", "/w//a.json"] {
      #expect(files.contents(of: path, limit: 2) == .success(Array("[]".utf8)), "\(path)")
    }
  }

  @Test func `a missing file is reported with the reason`() {
    #expect(files.contents(of: "b.json", limit: 9) == .failure(.missing))
    #expect(files.contents(of: "/etc/x", limit: 9) == .failure(.notAFile("a folder")))
    #expect(files.contents(of: "/", limit: 9) == .failure(.notAFile("a folder")))
    #expect(files.contents(of: "a.json", limit: 1) == .failure(.tooLarge))
  }

  @Test func `names are equal if their bytes are equal`() {
    let files = MemoryFiles(texts: ["é": "1"])
    #expect(files.contents(of: "e\u{301}", limit: 9) == .failure(.missing))
  }
}
