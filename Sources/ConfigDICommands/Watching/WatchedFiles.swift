// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import Synchronization

  /// The files on disk, with a record of every path that a check accesses, including the paths of missing files.
  ///
  /// The stamp of a file is taken before the file is read, so that a change during the check is detected after it.
  final class WatchedFiles: FileAccess {
    /// The files on disk.
    private let disk = DiskFiles()
    /// The stamp of each accessed path at its first access, by absolute path.
    private let stamps = Mutex<[String: FileStamp]>([:])

    /// The absolute paths of files whose contents were read.
    private let read = Mutex<Set<String>>([])

    /// The kinds of changes of a file.
    enum Change: String {
      case changed, appeared, disappeared
    }

    var workingFolder: String { disk.workingFolder }

    /// The number of accessed files that existed.
    var fileCount: Int { Set(stamps.withLock { $0.filter(\.value.exists).keys.map(disk.canonicalPath(of:)) }).count }

    /// The canonical paths of the files whose contents were read.
    var readFiles: Set<String> { Set(read.withLock { $0 }.map(disk.canonicalPath(of:))) }

    func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
      note(path)
      let contents = disk.contents(of: path, limit: limit)
      if case .success = contents { read.withLock { _ = $0.insert(Path.join(workingFolder, path)) } }
      return contents
    }

    func canonicalPath(of path: String) -> String {
      note(path)
      return disk.canonicalPath(of: path)
    }

    /// Records the stamp of a path, unless it was accessed before.
    private func note(_ path: String) {
      let path = Path.join(workingFolder, path)
      let stamp = FileStamp(of: path)
      stamps.withLock { stamps in
        if stamps[path] == nil { stamps[path] = stamp }
      }
    }

    /// Returns the current stamps of the accessed paths.
    func currentStamps() -> [String: FileStamp] {
      stamps.withLock { Array($0.keys) }.reduce(into: [:]) { $0[$1] = FileStamp(of: $1) }
    }

    /// Returns the changes since the first accesses, with the names of the files in messages, ascending.
    func changes(to current: [String: FileStamp]) -> [(name: String, change: Change)] {
      let old = stamps.withLock { $0 }
      var changes: [String: Change] = [:]
      for (path, stamp) in current {
        guard let before = old[path], before != stamp else { continue }
        let name = Path.displayName(of: Path.normalize(path), workingFolder: workingFolder)
        changes[name] = !before.exists ? .appeared : !stamp.exists ? .disappeared : .changed
      }
      return changes.sorted { $0.key < $1.key }.map { (name: $0.key, change: $0.value) }
    }
  }
#endif
