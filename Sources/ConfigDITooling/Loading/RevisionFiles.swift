// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The files of a repository as they were at one revision.
///
/// Files outside of the repository, and those that it ignores, have no revision: they are what the disk has.
package struct RevisionFiles: FileAccess {
  /// What a revision has at a path.
  private struct Entry: Sendable {
    /// What it is.
    let mode: Mode
    /// The id of its contents.
    let object: String
  }

  /// What stands at a path of a revision, by the numbers of git.
  private enum Mode: String {
    case file = "100644"
    case executable = "100755"
    case link = "120000"
    case submodule = "160000"
  }

  /// Where contents come from.
  package protocol Objects: Sendable {
    /// The contents of an object, of at most `limit` bytes.
    func contents(of object: String, limit: Int) -> Result<[UInt8], FileFailure>
    /// Whether the repository ignores a path, which is relative to its top.
    func isIgnored(_ path: String) -> Bool
  }

  /// The top folder of the repository, absolute and without symbolic links.
  private let top: String
  /// What the revision has, by path below the top.
  private var entries: [String: Entry] = [:]
  /// The folders that hold something, by path below the top.
  private var folders: Set<String> = []
  /// Where contents come from.
  private let objects: any Objects
  /// The files of the disk.
  private let base: any FileAccess

  package var workingFolder: String { base.workingFolder }

  /// The files of a revision.
  ///
  /// - Parameters:
  ///   - listing: What `git ls-tree -r -z --full-tree` prints.
  ///   - top: The top folder of the repository, absolute and without symbolic links.
  ///   - base: The files of the disk.
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
    guard let inside = insidePath(path) else { return base.contents(of: path, limit: limit) }
    guard let entry = entries[inside] else {
      if folders.contains(inside) || inside.isEmpty { return .failure(.notAFile("a folder")) }
      return objects.isIgnored(inside) ? base.contents(of: path, limit: limit) : .failure(.missing)
    }
    switch entry.mode {
    case .file, .executable: return objects.contents(of: entry.object, limit: limit)
    case .submodule: return .failure(.notAFile("a submodule"))
    // One that leads in a cycle.
    case .link: return .failure(.missing)
    }
  }

  /// Whether a file is read from the revision, or missing there.
  package func isOfRevision(_ path: String) -> Bool {
    guard !path.hasPrefix("<"), let inside = insidePath(canonicalPath(of: path)) else { return false }
    return entries[inside] != nil || !objects.isIgnored(inside)
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
      guard let inside = insidePath(next) else {
        // What the disk has above the repository, or beside it.
        found = base.canonicalPath(of: next)
        continue
      }
      guard let entry = entries[inside], entry.mode == .link, links < RevisionFiles.maximumLinkCount,
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

  /// How many symbolic links a path may go through.
  private static let maximumLinkCount = 40

  /// The path below the top of the repository, without a slash in front; nil for what is outside.
  private func insidePath(_ path: String) -> String? {
    guard Path.isBelow(path, top) else { return nil }
    return String(Substring(path.utf8.dropFirst(top.utf8.count + (top == "/" ? 0 : 1))))
  }
}
