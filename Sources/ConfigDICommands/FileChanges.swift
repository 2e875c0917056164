// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// Changes to several files that are written together.
  struct FileChanges {
    /// The changes.
    let changes: [ModuleRepair.Change]

    /// Writes the changed files, each atomically. If one cannot be written, tries to restore those that were written
    /// before it.
    ///
    /// - Throws: `ExitCode` if a file has changed since it was read, or cannot be written. An error is printed first.
    func write(_ files: DiskFiles) throws {
      func name(_ change: ModuleRepair.Change) -> String {
        Path.displayName(of: change.path, workingFolder: files.workingFolder).visible
      }
      func fail(_ message: String) throws {
        StandardStream.error.write("error: \(message)\n")
        throw ExitCode(ExitStatus.failedOutput.rawValue)
      }
      // Changes that another program has made in the meantime must not be overwritten.
      for change in changes {
        guard case .success(let bytes) = files.contents(of: change.path, limit: .max), bytes == change.before else {
          return try fail("\"\(name(change))\" has changed since it was read; nothing was written")
        }
      }
      for (number, change) in changes.enumerated() {
        do {
          try FileWriter.replace(change.path, with: change.after)
        } catch {
          for written in changes[..<number].reversed() { try? FileWriter.replace(written.path, with: written.before) }
          try fail("cannot write \"\(name(change))\": \(error.words)")
        }
      }
    }
  }

  extension FileWriter {
    /// Writes the output of a command unless the file already has the text, so that build products that depend on it stay
    /// up to date.
    ///
    /// - Parameter inputs: The canonical paths of the files that the command has read.
    /// - Throws: `ValidationError` if the file is one of the inputs; otherwise as `writeOrReplace` does.
    static func writeIfChanged(_ text: String, toOutput path: String, of inputs: Set<String>) throws {
      let files = DiskFiles()
      guard !inputs.contains(files.canonicalPath(of: path)) else {
        throw ValidationError("--output: the command reads this file.")
      }
      guard case .success(let current) = files.contents(of: path, limit: .max), current == Array(text.utf8) else {
        return try writeOrReplace(text, at: path)
      }
    }

    /// Writes a file, replacing an existing one, or writes to a pipe or a device.
    ///
    /// - Parameter makesFolders: Whether to create missing folders above it.
    /// - Throws: `ExitCode` if it cannot be written. An error is printed first.
    static func writeOrReplace(_ text: String, at path: String, makesFolders: Bool = true) throws {
      let target = DiskFiles().canonicalPath(of: path)
      try reportingFailure(path) { () throws(Failure) in
        if FileWriter(path: path).isSpecial {
          try FileWriter(path: path).writeSpecial(text)
        } else if FileWriter(path: target).exists {
          try replace(target, with: Array(text.utf8))
        } else {
          try FileWriter(path: target).write(text, makesFolders: makesFolders)
        }
      }
    }

    /// Writes a file that does not exist yet, and the missing folders above it.
    ///
    /// - Throws: `ExitCode` if it cannot be written. An error is printed first.
    static func create(_ text: String, at path: String) throws {
      try reportingFailure(path) { () throws(Failure) in try FileWriter(path: path).write(text) }
    }

    /// Calls a closure that writes a file. If it fails, prints an error and throws the exit code.
    private static func reportingFailure(_ path: String, _ write: () throws(Failure) -> Void) throws {
      do throws(Failure) { try write() } catch {
        StandardStream.error.write("error: cannot write \"\(path.visible)\": \(error.words)\n")
        throw ExitCode(ExitStatus.failedOutput.rawValue)
      }
    }
  }
#endif
