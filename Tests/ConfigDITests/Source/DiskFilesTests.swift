// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import ConfigDI

@Suite struct DiskFilesTests {
  @Test func `a regular file is read completely, up to the limit`() throws {
    try withFolder { folder in
      try Data("12345".utf8).write(to: folder.appending(path: "a"))
      try Data().write(to: folder.appending(path: "empty"))
      let files = DiskFiles(workingFolder: folder.path)
      #expect(files.contents(of: "a", limit: 5) == .success(Array("12345".utf8)))
      #expect(files.contents(of: folder.path + "/a", limit: .max) == .success(Array("12345".utf8)))
      #expect(files.contents(of: "a", limit: 4) == .failure(.tooLarge))
      #expect(files.contents(of: "empty", limit: 0) == .success([]))
    }
  }

  @Test func `other kinds of files are rejected immediately`() throws {
    try withFolder { folder in
      let pipe = folder.appending(path: "pipe").path
      #expect(mkfifo(pipe, 0o600) == 0)
      let files = DiskFiles(workingFolder: folder.path)
      #expect(files.contents(of: "pipe", limit: 9) == .failure(.notAFile("a pipe")))
      #expect(files.contents(of: ".", limit: 9) == .failure(.notAFile("a folder")))
      #expect(files.contents(of: "/dev/null", limit: 9) == .failure(.notAFile("a device")))
    }
  }

  @Test func `a path without a file is missing`() throws {
    try withFolder { folder in
      try Data("1".utf8).write(to: folder.appending(path: "a"))
      let files = DiskFiles(workingFolder: folder.path)
      for path in ["b", "x/y", "a/b", "a\0b"] {
        #expect(files.contents(of: path, limit: 9) == .failure(.missing), "\(path)")
      }
    }
  }

  @Test func `a file that grows during reading is rejected, or read as before or after`() throws {
    try withFolder { folder in
      let url = folder.appending(path: "log")
      let start = Data(repeating: UInt8(ascii: "a"), count: 1 << 21)
      try start.write(to: url)
      let files = DiskFiles(workingFolder: folder.path)
      let writer = Writer()
      let handle = try FileHandle(forWritingTo: url)
      Thread.detachNewThread { writer.append(to: handle) }
      // On a busy machine the thread runs late.
      while try Data(contentsOf: url).count == start.count { sched_yield() }
      var answers: Set<String> = []
      for _ in 0..<20_000 where !answers.contains("changed") {
        switch files.contents(of: "log", limit: .max) {
        case .success(let bytes): answers.insert(Data(bytes.prefix(start.count)) == start ? "whole" : "torn")
        case .failure(let failure): answers.insert("\(failure)")
        }
      }
      writer.isDone.store(true, ordering: .relaxed)
      #expect(answers.contains("changed"))
      #expect(answers.isSubset(of: ["changed", "whole"]))
    }
  }

  @Test func `a virtual file that is generated during reading is read up to the limit`() throws {
    let path = "/proc/self/status"
    guard FileManager.default.fileExists(atPath: path) else { return }
    let files = DiskFiles()
    #expect(try files.contents(of: path, limit: 1 << 20).get().starts(with: Array("Name:".utf8)))
    #expect(files.contents(of: path, limit: 10) == .failure(.tooLarge))
  }

  @Test func `the canonical path resolves links as far as the path exists`() throws {
    try withFolder { folder in
      let manager = FileManager.default
      try manager.createDirectory(at: folder.appending(path: "real/inner"), withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "real/inner")
      try manager.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: "loop")
      let files = DiskFiles(workingFolder: folder.path)
      let root = files.canonicalPath(of: ".")
      #expect(files.canonicalPath(of: "link") == root + "/real/inner")
      #expect(files.canonicalPath(of: "link/..") == root + "/real")
      #expect(files.canonicalPath(of: "link/new/./x.json") == root + "/real/inner/new/x.json")
      #expect(files.canonicalPath(of: "new/../link/x") == root + "/real/inner/x")
      #expect(files.canonicalPath(of: "new/../../x") == Path.folder(of: root) + "/x")
      #expect(files.canonicalPath(of: "new/x/../../../y") == Path.folder(of: root) + "/y")
      #expect(files.canonicalPath(of: "loop/x") == root + "/loop/x")
      #expect(files.canonicalPath(of: "real/a\0b") == root + "/real/a\0b")
      #expect(files.canonicalPath(of: "/../..") == "/")
    }
  }

  @Test func `the working directory is that of the process unless it is given`() {
    #expect(DiskFiles().workingFolder == FileManager.default.currentDirectoryPath)
    #expect(DiskFiles(workingFolder: "/x").workingFolder == "/x")
  }

  /// Calls a closure with a new, empty folder, and removes the folder afterwards.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}

/// Appends to a file until `isDone` is set.
private final class Writer: Sendable {
  /// Whether the writer is to stop.
  let isDone = Atomic(false)

  /// Appends single bytes to a file.
  func append(to handle: FileHandle) {
    while !isDone.load(ordering: .relaxed) {
      _ = try? handle.seekToEnd()
      try? handle.write(contentsOf: Data("b".utf8))
    }
  }
}
