// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct RevisionFilesTests {
  /// Objects with the default content `object ID`.
  private struct Objects: RevisionFiles.Objects {
    /// The contents of some objects by id.
    var contents: [String: String] = [:]

    func contents(of object: String, limit: Int) -> Result<[UInt8], FileFailure> {
      let bytes = Array((contents[object] ?? "object \(object)").utf8)
      return bytes.count > limit ? .failure(.tooLarge) : .success(bytes)
    }

    func isIgnored(_ path: String) -> Bool { path == "build/catalog.json" }
  }

  /// A revision with files, folders, links and a submodule. The working folder is a folder of the repository.
  private static let files: RevisionFiles = {
    let lines = [
      "100644 blob 1\tapp.json", "100755 blob 2\tsub/deep/a b.json", "120000 blob l1\tlinked",
      "120000 blob l2\tsub/up.json",
      "120000 blob l3\tcircle", "160000 commit 9\tvendor", "120000 blob l4\tout",
    ]
    return RevisionFiles(
      listing: lines.flatMap { Array($0.utf8) + [0] }, top: "/repo",
      objects: Objects(contents: ["l1": "sub/deep", "l2": "../app.json", "l3": "circle", "l4": "/elsewhere/x.json"]),
      over: MemoryFiles(
        texts: ["/elsewhere/x.json": "outside", "/repo/build/catalog.json": "ignored", "/repo/new.json": "new"],
        workingFolder: "/repo/sub"))
  }()

  /// Returns the content of the file at a path, or the failure, as text.
  private func found(_ path: String) -> String {
    switch Self.files.contents(of: path, limit: 100) {
    case .success(let bytes): String(decoding: bytes, as: UTF8.self)
    case .failure(let failure): "\(failure)"
    }
  }

  @Test(arguments: [
    ("../app.json", "object 1"), ("/repo/app.json", "object 1"), ("deep/a b.json", "object 2"),
    ("../linked/a b.json", "object 2"), ("up.json", "object 1"), ("../circle", "missing"), ("../out", "outside"),
    ("/repo/new.json", "missing"), ("../build/catalog.json", "ignored"), ("/elsewhere/x.json", "outside"),
    ("deep", #"notAFile("a folder")"#), ("..", #"notAFile("a folder")"#), ("../vendor", #"notAFile("a submodule")"#),
    ("/repository/x", "missing"),
  ])
  func `each path is read from the revision or the disk`(path: String, expected: String) {
    #expect(found(path) == expected)
  }

  @Test func `symbolic links are resolved, and limits apply`() {
    #expect(Self.files.canonicalPath(of: "../linked/./a b.json") == "/repo/sub/deep/a b.json")
    #expect(Self.files.canonicalPath(of: "new/../none.json") == "/repo/sub/none.json")
    #expect(Self.files.contents(of: "/repo/app.json", limit: 3) == .failure(.tooLarge))
    #expect(Self.files.workingFolder == "/repo/sub")
  }

  @Test func `files of the revision are known, ignored and foreign files are not`() {
    #expect(Self.files.isResolvedInRevision("deep/a b.json") && Self.files.isResolvedInRevision("none.json"))
    #expect(
      !Self.files.isResolvedInRevision("../build/catalog.json") && !Self.files.isResolvedInRevision("/elsewhere/x.json")
    )
    #expect(!Self.files.isResolvedInRevision("<command line>"))
  }
}
