// SPDX-License-Identifier: Apache-2.0

/// File access that records every read, so that it can be checked later whether a new load would read something else.
///
/// Compares contents, not times. A file that is rewritten with the same text counts as unchanged. A link that leads to
/// other contents counts as changed, even if the resolution of the system's clock is too low to show it.
package final class RecordedFiles: FileAccess {
  /// A read that was requested.
  private enum Question: Hashable {
    /// The contents of a file, read up to a limit in bytes.
    case contents(String, limit: Int)
    /// The path with links resolved.
    case canonicalPath(String)
  }

  /// The results of the recorded reads.
  package struct Answers: Equatable, Sendable {
    /// The result of one read. For contents it is their hash value, which is comparable within one process only.
    private enum Answer: Equatable {
      case hash(Int)
      case failure(FileFailure)
      case path(String)
    }

    private var answers: [Question: Answer] = [:]

    fileprivate init() {}

    fileprivate mutating func note(_ contents: Result<[UInt8], FileFailure>, of path: String, limit: Int) {
      answers[.contents(path, limit: limit)] =
        switch contents {
        case .success(let bytes): .hash(bytes.hashValue)
        case .failure(let failure): .failure(failure)
        }
    }

    fileprivate mutating func note(_ resolved: String, of path: String) {
      answers[.canonicalPath(path)] = .path(resolved)
    }

    /// Repeats the recorded reads and returns their results.
    fileprivate func repeated(in files: any FileAccess) -> Answers {
      var now = Answers()
      for question in answers.keys {
        switch question {
        case .contents(let path, let limit): now.note(files.contents(of: path, limit: limit), of: path, limit: limit)
        case .canonicalPath(let path): now.note(files.canonicalPath(of: path), of: path)
        }
      }
      return now
    }
  }

  /// The file access that is recorded.
  private let files: any FileAccess
  /// The results so far.
  private let answers = Guarded(Answers())

  /// Creates a recorder of a file access, without recorded reads.
  package init(_ files: any FileAccess) { self.files = files }

  package var workingFolder: String { files.workingFolder }

  package func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    let contents = files.contents(of: path, limit: limit)
    answers.withLock { $0.note(contents, of: path, limit: limit) }
    return contents
  }

  package func canonicalPath(of path: String) -> String {
    let resolved = files.canonicalPath(of: path)
    answers.withLock { $0.note(resolved, of: path) }
    return resolved
  }

  /// The recorded results.
  package var recorded: Answers { answers.withLock { $0 } }
  /// The results of repeating the recorded reads now. Reads all files.
  package var current: Answers { recorded.repeated(in: files) }
}
