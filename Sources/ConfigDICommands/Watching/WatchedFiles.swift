// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI
internal import Synchronization

/// The files of the disk, which notes every path that a check asks for, also of files that are not there.
///
/// The stamp of a file is taken before the file is read, so that what changes during a check is noticed behind it.
final class WatchedFiles: FileAccess {
  /// The files of the disk.
  private let disk = DiskFiles()
  /// The first stamp of each absolute path that was asked for.
  private let stamps = Mutex<[String: FileStamp]>([:])

  /// The absolute paths of files whose contents were read.
  private let read = Mutex<Set<String>>([])

  /// What became of a file.
  enum Change: String {
    case changed, appeared, disappeared
  }

  var workingFolder: String { disk.workingFolder }

  /// How many of the paths lead to something.
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

  /// Takes the stamp of a path, unless it was taken before.
  private func note(_ path: String) {
    let path = Path.join(workingFolder, path)
    let stamp = FileStamp(of: path)
    stamps.withLock { stamps in
      if stamps[path] == nil { stamps[path] = stamp }
    }
  }

  /// The stamps that the paths have now.
  func currentStamps() -> [String: FileStamp] {
    stamps.withLock { Array($0.keys) }.reduce(into: [:]) { $0[$1] = FileStamp(of: $1) }
  }

  /// What differs from when the files were asked for, by the names that messages show, ascending.
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
