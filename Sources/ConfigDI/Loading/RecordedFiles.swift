// SPDX-License-Identifier: Apache-2.0

/// File access that records every read, so that it can be checked later whether a new load would read something else.
///
/// Compares contents, not times. A file that is rewritten with the same text counts as unchanged. A link that leads to
/// other contents counts as changed, even if the resolution of the system's clock is too low to show it.
package final class RecordedFiles: FileAccess {
  /// A read that was requested.
  package enum Question: Hashable, Sendable {
    /// The contents of a file, read up to a limit in bytes.
    case contents(String, limit: Int)
    /// The path with links resolved.
    case canonicalPath(String)
  }

  /// The file access that is recorded.
  private let files: any FileAccess
  /// The hash values of the results so far. They are comparable within one process only.
  private let answers = Guarded([Question: Int]())

  /// Creates a recorder of a file access, without recorded reads.
  package init(_ files: any FileAccess) { self.files = files }

  package var workingFolder: String { files.workingFolder }

  package func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    let contents = files.contents(of: path, limit: limit)
    answers.withLock { $0[.contents(path, limit: limit)] = contents.hashValue }
    return contents
  }

  package func canonicalPath(of path: String) -> String {
    let resolved = files.canonicalPath(of: path)
    answers.withLock { $0[.canonicalPath(path)] = resolved.hashValue }
    return resolved
  }

  /// The hash values of the recorded results.
  package var recorded: [Question: Int] { answers.withLock { $0 } }

  /// The hash values of the results of repeating the recorded reads now. Reads all files.
  package var current: [Question: Int] {
    var current: [Question: Int] = [:]
    for question in recorded.keys {
      switch question {
      case .contents(let path, let limit): current[question] = files.contents(of: path, limit: limit).hashValue
      case .canonicalPath(let path): current[question] = files.canonicalPath(of: path).hashValue
      }
    }
    return current
  }
}
