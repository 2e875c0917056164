// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

@Suite struct PathTests {
  @Test(arguments: [
    ("", "."), (".", "."), ("/", "/"), ("//", "/"), ("a", "a"), ("a/", "a"), ("./a", "a"), ("a/./b", "a/b"),
    ("a//b", "a/b"), ("a/../b", "b"), ("a/..", "."), ("..", ".."), ("../a", "../a"), ("a/../../b", "../b"),
    ("../../a", "../../a"), ("/..", "/"), ("/../a", "/a"), ("/a/b/../../c", "/c"), ("/a/./b/", "/a/b"), ("...", "..."),
    ("é/../e\u{301}", "e\u{301}"),
  ])
  func `normalizing removes redundant components`(path: String, normalized: String) {
    #expect(Array(Path.normalize(path).utf8) == Array(normalized.utf8))
  }

  @Test(arguments: [
    ("configs", "a.json", "configs/a.json"), ("/", "a", "/a"), ("/x/", "a", "/x/a"), ("", "a", "a"),
    ("/x", "/y", "/y"), ("x", "../a", "x/../a"),
  ])
  func `joining keeps an absolute path`(folder: String, path: String, joined: String) {
    #expect(Path.join(folder, path) == joined)
  }

  @Test(arguments: [("a.json", "."), ("/a.json", "/"), ("x/a.json", "x"), ("/x/y/a.json", "/x/y")])
  func `the folder of a file is the path before its last slash`(path: String, folder: String) {
    #expect(Path.folder(of: path) == folder)
  }

  @Test(arguments: [
    ("/a/b", "/a", true), ("/a", "/a", true), ("/ab", "/a", false), ("/", "/a", false), ("/a", "/", true),
    ("/", "/", true),
    ("/e\u{301}/x", "/é", false),
  ])
  func `a path is below a folder if complete components match byte by byte`(path: String, folder: String, below: Bool) {
    #expect(Path.isBelow(path, folder) == below)
  }

  @Test(arguments: [
    ("/w/a.json", "/w", "a.json"), ("/w/x/a.json", "/w", "x/a.json"), ("/wx/a.json", "/w", "/wx/a.json"),
    ("/w", "/w", "/w"), ("/a.json", "/", "a.json"), ("/a.json", "/w", "/a.json"),
  ])
  func `a file below the working directory is shown by its relative path`(path: String, folder: String, name: String) {
    #expect(Path.displayName(of: path, workingFolder: folder) == name)
  }
}
