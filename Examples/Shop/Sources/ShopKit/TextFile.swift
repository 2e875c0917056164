// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Synchronization

/// A file that grows line by line and may be written from every thread.
package final class TextFile: Sendable {
  /// Where the file lies.
  package let url: URL
  /// Lets one thread write at a time.
  private let turn = Mutex(())

  /// The file at a path, which is made with its folder where it does not exist.
  ///
  /// - Throws: An error of `Foundation` where the folder or the file cannot be made.
  package init(path: String) throws {
    url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Opened for appending, the file is made, and what it holds is kept.
    if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
  }

  /// Adds a line.
  package func append(_ line: some StringProtocol) throws {
    try turn.withLock { _ in
      let handle = try FileHandle(forWritingTo: url)
      defer { try? handle.close() }
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("\(line)\n".utf8))
    }
  }

  /// All lines, from the first to the last.
  package func lines() throws -> [Substring] {
    try turn.withLock { _ in
      try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    }
  }
}
