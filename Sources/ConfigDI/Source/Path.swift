// SPDX-License-Identifier: Apache-2.0

/// Operations on paths as text, separated by `/`. They never access a disk, and compare paths byte by byte.
package enum Path {
  /// Whether a path begins at the root of the file system.
  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// Returns a path relative to a folder, or the path itself if it is absolute.
  ///
  /// `join("configs", "parts/a.json")` is `configs/parts/a.json`.
  package static func join(_ folder: String, _ path: String) -> String {
    if isAbsolute(path) || folder.isEmpty { return path }
    return folder.utf8.last == slash ? folder + path : folder + "/" + path
  }

  /// Returns the folder of a file: the part before the last slash, or `.` if there is no slash.
  package static func folder(of path: String) -> String {
    guard let end = path.utf8.lastIndex(of: slash) else { return "." }
    return end == path.utf8.startIndex ? "/" : String(path[..<end])
  }

  /// Returns a path without `.` and repeated slashes, and with each `..` resolved against the component before it.
  ///
  /// A relative path keeps leading `..`; an absolute path has none above its root. An empty path becomes `.`.
  package static func normalize(_ path: String) -> String {
    let isAbsolute = isAbsolute(path)
    var kept: [Substring] = []
    for part in parts(of: path) {
      switch part {
      case ".": continue
      case "..":
        if let last = kept.last, last != ".." {
          kept.removeLast()
        } else if !isAbsolute {
          kept.append(part)
        }
      default: kept.append(part)
      }
    }
    let joined = kept.joined(separator: "/")
    if isAbsolute { return "/" + joined }
    return joined.isEmpty ? "." : joined
  }

  /// Whether a path is a folder or inside of it. Both must be absolute and normalized.
  package static func isBelow(_ path: String, _ folder: String) -> Bool {
    guard path.utf8.starts(with: folder.utf8) else { return false }
    if path.utf8.count == folder.utf8.count || folder == "/" { return true }
    return path.utf8.dropFirst(folder.utf8.count).first == slash
  }

  /// Returns the name of a file for messages: relative to the working folder if the file is inside, otherwise absolute.
  ///
  /// Both paths must be absolute and normalized.
  package static func displayName(of path: String, workingFolder: String) -> String {
    guard isBelow(path, workingFolder), path.utf8.count > workingFolder.utf8.count else { return path }
    let rest = path.utf8.dropFirst(workingFolder == "/" ? 1 : workingFolder.utf8.count + 1)
    return String(Substring(rest))
  }

  /// Returns the components of a path.
  package static func parts(of path: String) -> [Substring] {
    path.utf8.split(separator: slash).map(Substring.init)
  }

  /// The byte that separates components.
  private static let slash = UInt8(ascii: "/")
}
