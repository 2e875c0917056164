// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// Files that get other contents together.
  struct FileChanges {
    /// The changes.
    let changes: [ModuleRepair.Change]

    /// Writes the changed files, each as a whole. Where one cannot be written, those before it get their contents back.
    ///
    /// - Throws: `ExitCode` where a file has changed since it was read, or cannot be written.
    func write(_ files: DiskFiles) throws {
      func name(_ change: ModuleRepair.Change) -> String {
        Path.displayName(of: change.path, workingFolder: files.workingFolder).visible
      }
      func fail(_ message: String) throws {
        StandardStream.error.write("error: \(message)\n")
        throw ExitCode(ExitStatus.failedOutput.rawValue)
      }
      // What somebody else wrote in the meantime is not lost.
      for change in changes {
        guard case .success(let bytes) = files.contents(of: change.path, limit: .max), bytes == change.before else {
          return try fail("\"\(name(change))\" has changed since it was read; nothing was written")
        }
      }
      for (number, change) in changes.enumerated() {
        do {
          try NewFile.replace(change.path, with: change.after)
        } catch {
          for written in changes[..<number].reversed() { try? NewFile.replace(written.path, with: written.before) }
          try fail("cannot write \"\(name(change))\": \(error.words)")
        }
      }
    }
  }

  extension NewFile {
    /// Writes a file, unless it has the text already: what is made of it need not be made anew.
    static func update(_ text: String, at path: String) throws {
      let files = DiskFiles()
      guard case .success(let current) = files.contents(of: path, limit: .max), current == Array(text.utf8) else {
        return try put(text, at: path)
      }
    }

    /// Writes a file as a whole, in the place of another one or where none was.
    ///
    /// - Throws: `ExitCode` where it cannot be written, with a message on the standard error.
    static func put(_ text: String, at path: String) throws {
      let target = DiskFiles().canonicalPath(of: path)
      do throws(Failure) {
        if NewFile(path: target).exists {
          try replace(target, with: Array(text.utf8))
        } else {
          try NewFile(path: target).write(text)
        }
      } catch {
        StandardStream.error.write("error: cannot write \"\(path.visible)\": \(error.words)\n")
        throw ExitCode(ExitStatus.failedOutput.rawValue)
      }
    }
  }
#endif
