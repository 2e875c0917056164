// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// A git repository, read with the program `git`.
  struct GitRepository: RevisionFiles.Objects {
    /// The reason why a revision cannot be read.
    struct Failure: Error {
      /// The reason as text for a message.
      let message: String
    }

    /// The top folder, absolute and without symbolic links.
    let top: String
    /// The program. In a git hook, the hidden variables describe the repository of the hook, which may be another one. They
    /// are those that `git rev-parse --local-env-vars` lists, without those of the configuration, which apply to any
    /// repository.
    private static let git = Subprocess(
      program: "git",
      hiddenVariables: [
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
      ])

    /// Finds the repository that contains a file. The file and its folder may no longer exist.
    ///
    /// - Parameter path: The absolute path of the file.
    /// - Throws: `Failure` if git cannot be run, or if no repository contains the file.
    init(holding path: String) throws(Failure) {
      var folder = Path.folder(of: path)
      while folder != "/", !FileStamp(of: folder).exists { folder = Path.folder(of: folder) }
      let outcome = try GitRepository.run(["-C", folder, "rev-parse", "--show-toplevel"])
      guard outcome.status == 0 else { throw Failure(message: "git: " + outcome.firstError) }
      top = DiskFiles().canonicalPath(of: outcome.firstLine)
    }

    /// Returns the files at a revision. Throws `Failure` if the revision does not exist or git cannot be run.
    func files(at revision: String, over base: DiskFiles) throws(Failure) -> RevisionFiles {
      let commit = try run(["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"])
      guard commit.status == 0 else {
        throw Failure(message: "\"\(revision)\" is not a revision of the repository \(top)")
      }
      let tree = try run(["ls-tree", "-r", "-z", "--full-tree", commit.firstLine])
      guard tree.status == 0 else { throw Failure(message: "git: " + tree.firstError) }
      return RevisionFiles(listing: tree.output, top: top, objects: self, over: base)
    }

    func contents(of object: String, limit: Int) -> Result<[UInt8], FileFailure> {
      do throws(Subprocess.Failure) {
        let outcome = try GitRepository.git.run(["-C", top, "cat-file", "blob", object], limit: limit)
        return outcome.status == 0 ? .success(outcome.output) : .failure(.refused("git: " + outcome.firstError))
      } catch {
        if case .tooMuchOutput = error { return .failure(.tooLarge) }
        return .failure(.refused(Failure(error).message))
      }
    }

    func isIgnored(_ path: String) -> Bool {
      (try? run(["check-ignore", "--quiet", "--", path]))?.status == 0
    }

    /// Runs git in the repository.
    private func run(_ arguments: [String]) throws(Failure) -> Subprocess.Outcome {
      try GitRepository.run(["-C", top] + arguments)
    }

    /// Runs git.
    private static func run(_ arguments: [String]) throws(Failure) -> Subprocess.Outcome {
      do throws(Subprocess.Failure) { return try git.run(arguments) } catch { throw Failure(error) }
    }
  }

  extension GitRepository.Failure {
    /// Creates the failure for git from that of its process.
    fileprivate init(_ failure: Subprocess.Failure) {
      message =
        switch failure {
        case .notFound: "git is not installed, or not in PATH"
        case .refused(let words): "git cannot be run: \(words)"
        case .tooMuchOutput: "git printed too much"
        }
    }
  }

  extension Subprocess.Outcome {
    /// The first line of the standard output.
    fileprivate var firstLine: String { Subprocess.Outcome.firstLine(of: output) }

    /// The first line of the standard error, without the prefix `fatal: `.
    fileprivate var firstError: String {
      let line = Subprocess.Outcome.firstLine(of: error)
      return line.hasPrefix("fatal: ") ? String(line.dropFirst(7)) : line
    }

    /// Returns the first line of a text.
    private static func firstLine(of text: [UInt8]) -> String {
      String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }
#endif
