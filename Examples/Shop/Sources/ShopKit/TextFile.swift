// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Synchronization

/// A text file to which lines are appended. It is safe to use from any thread.
package final class TextFile: Sendable {
  /// The location of the file.
  package let url: URL
  /// The lock that serializes reads and writes.
  private let turn = Mutex(())

  /// Opens the file at a path. Creates the file and its folder if they do not exist.
  ///
  /// - Throws: An error of Foundation if the folder or the file cannot be created.
  package init(path: String) throws {
    url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // An existing file keeps its contents.
    if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
  }

  /// Appends a line.
  package func append(_ line: some StringProtocol) throws {
    try turn.withLock { _ in
      let handle = try FileHandle(forWritingTo: url)
      defer { try? handle.close() }
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("\(line)\n".utf8))
    }
  }

  /// Returns all lines, in order, without empty ones.
  package func lines() throws -> [Substring] {
    try turn.withLock { _ in
      try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    }
  }
}
