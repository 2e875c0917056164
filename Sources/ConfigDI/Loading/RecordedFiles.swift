// SPDX-License-Identifier: Apache-2.0

/// The files of a load, which notes what was read, so that a later look tells whether a new load would read something else.
///
/// Contents are compared, not times: a file that was written anew with the same text has not changed, and a link that leads
/// elsewhere has, also where the system's clock is too coarse to tell.
package final class RecordedFiles: FileAccess {
  /// What was asked for.
  private enum Question: Hashable {
    /// The content of a file of at most so many bytes.
    case contents(String, limit: Int)
    /// The path without links.
    case canonicalPath(String)
  }

  /// What was answered.
  package struct Answers: Equatable, Sendable {
    /// Of a content its hash value, which is the same within one process only.
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

    /// What the same questions are answered now.
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

  /// The files.
  private let files: any FileAccess
  /// What was answered so far.
  private let answers = Guarded(Answers())

  /// Some files, of which none was read yet.
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

  /// What was answered.
  package var recorded: Answers { answers.withLock { $0 } }
  /// What would be answered now. Reads all files.
  package var current: Answers { recorded.repeated(in: files) }
}
