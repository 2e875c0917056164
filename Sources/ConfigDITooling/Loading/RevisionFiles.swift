// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The files of a Git repository at one revision.
///
/// Files outside of the repository, and ignored files that are not in the revision, are read from disk.
package struct RevisionFiles: FileAccess {
  /// An entry of the revision's tree.
  private struct Entry: Sendable {
    /// The mode.
    let mode: Mode
    /// The id of the object with its contents.
    let object: String
  }

  /// The mode of an entry, as Git writes it.
  private enum Mode: String {
    case file = "100644"
    case executable = "100755"
    case link = "120000"
    case submodule = "160000"
  }

  /// The access to the objects and ignore rules of a repository.
  package protocol Objects: Sendable {
    /// Returns the contents of an object, of at most `limit` bytes.
    func contents(of object: String, limit: Int) -> Result<[UInt8], FileFailure>
    /// Returns whether the repository ignores a path, which is relative to its top folder.
    func isIgnored(_ path: String) -> Bool
  }

  /// The top folder of the repository, absolute and without symbolic links.
  private let top: String
  /// The entries of the revision, by path relative to the top folder.
  private var entries: [String: Entry] = [:]
  /// The folders that contain entries, by path relative to the top folder.
  private var folders: Set<String> = []
  /// The access to objects and ignore rules.
  private let objects: any Objects
  /// The files on disk.
  private let base: any FileAccess

  package var workingFolder: String { base.workingFolder }

  /// Creates the files of a revision.
  ///
  /// - Parameters:
  ///   - listing: The output of `git ls-tree -r -z --full-tree`.
  ///   - top: The top folder of the repository, absolute and without symbolic links.
  ///   - base: The files on disk.
  package init(listing: [UInt8], top: String, objects: some Objects, over base: any FileAccess) {
    self.top = top
    self.objects = objects
    self.base = base
    for line in listing.split(separator: 0) {
      // <mode> SP <type> SP <object> TAB <path>
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      let words = line[..<tab].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 3, let mode = Mode(rawValue: words[0]) else { continue }
      let path = String(decoding: line[(tab + 1)...], as: UTF8.self)
      entries[path] = Entry(mode: mode, object: words[2])
      var folder = Path.folder(of: path)
      while folder != ".", folders.insert(folder).inserted { folder = Path.folder(of: folder) }
    }
  }

  package func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    let path = canonicalPath(of: path)
    guard let relative = relativePath(path) else { return base.contents(of: path, limit: limit) }
    guard let entry = entries[relative] else {
      if folders.contains(relative) || relative.isEmpty { return .failure(.notAFile("a folder")) }
      return objects.isIgnored(relative) ? base.contents(of: path, limit: limit) : .failure(.missing)
    }
    switch entry.mode {
    case .file, .executable: return objects.contents(of: entry.object, limit: limit)
    case .submodule: return .failure(.notAFile("a submodule"))
    // `canonicalPath(of:)` resolves links, except those that are unreadable or in a cycle.
    case .link: return .failure(.missing)
    }
  }

  /// Returns whether a path is resolved in the revision, where the file may be missing, and not on disk.
  package func isResolvedInRevision(_ path: String) -> Bool {
    guard !path.hasPrefix("<"), let relative = relativePath(canonicalPath(of: path)) else { return false }
    return entries[relative] != nil || !objects.isIgnored(relative)
  }

  package func canonicalPath(of path: String) -> String {
    var pending = Array(Path.join(workingFolder, path).split(separator: "/").reversed())
    var found = "/"
    var links = 0
    while let part = pending.popLast() {
      if part == "." { continue }
      if part == ".." {
        found = Path.folder(of: found)
        continue
      }
      let next = Path.join(found, String(part))
      guard let relative = relativePath(next) else {
        // The path is outside of the repository.
        found = base.canonicalPath(of: next)
        continue
      }
      guard let entry = entries[relative], entry.mode == .link, links < RevisionFiles.maximumLinkCount,
        case .success(let target) = objects.contents(of: entry.object, limit: 4_096)
      else {
        found = next
        continue
      }
      links += 1
      let text = String(decoding: target, as: UTF8.self)
      if Path.isAbsolute(text) { found = "/" }
      pending += text.split(separator: "/").reversed()
    }
    return found
  }

  /// The maximum number of symbolic links that are followed in one path.
  private static let maximumLinkCount = 40

  /// Returns the path relative to the top folder, without a leading slash, or `nil` if it is outside of the repository.
  private func relativePath(_ path: String) -> String? {
    guard Path.isBelow(path, top) else { return nil }
    return String(Substring(path.utf8.dropFirst(top.utf8.count + (top == "/" ? 0 : 1))))
  }
}
