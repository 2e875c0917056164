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

  /// The result of a read.
  package enum Answer: Equatable, Sendable {
    /// The hash value of contents, which is comparable within one process only.
    case hash(Int)
    /// The failure to read a file.
    case failure(FileFailure)
    /// A path.
    case path(String)

    /// Creates the answer for the contents of a file.
    fileprivate init(_ contents: Result<[UInt8], FileFailure>) {
      switch contents {
      case .success(let bytes): self = .hash(bytes.hashValue)
      case .failure(let failure): self = .failure(failure)
      }
    }
  }

  /// The file access that is recorded.
  private let files: any FileAccess
  /// The results so far.
  private let answers = Guarded([Question: Answer]())

  /// Creates a recorder of a file access, without recorded reads.
  package init(_ files: any FileAccess) { self.files = files }

  package var workingFolder: String { files.workingFolder }

  package func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    let contents = files.contents(of: path, limit: limit)
    answers.withLock { $0[.contents(path, limit: limit)] = Answer(contents) }
    return contents
  }

  package func canonicalPath(of path: String) -> String {
    let resolved = files.canonicalPath(of: path)
    answers.withLock { $0[.canonicalPath(path)] = .path(resolved) }
    return resolved
  }

  /// The recorded results.
  package var recorded: [Question: Answer] { answers.withLock { $0 } }

  /// The results of repeating the recorded reads now. Reads all files.
  package var current: [Question: Answer] {
    var current: [Question: Answer] = [:]
    for question in recorded.keys {
      switch question {
      case .contents(let path, let limit): current[question] = Answer(files.contents(of: path, limit: limit))
      case .canonicalPath(let path): current[question] = .path(files.canonicalPath(of: path))
      }
    }
    return current
  }
}
