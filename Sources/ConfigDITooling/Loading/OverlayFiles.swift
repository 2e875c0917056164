// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// A file system in which some files have contents in memory that replace those on disk.
package struct OverlayFiles: FileAccess {
  /// The underlying file system.
  package let base: any FileAccess
  /// The contents in memory, by canonical path.
  package private(set) var texts: [String: [UInt8]] = [:]
  package let workingFolder: String

  /// Creates a file system without contents in memory. The working folder must be absolute and without symbolic links.
  package init(over base: any FileAccess, workingFolder: String) {
    self.base = base
    self.workingFolder = workingFolder
  }

  /// The contents in memory at a canonical path, or `nil` to use the underlying file.
  package subscript(path: String) -> [UInt8]? {
    get { texts[path] }
    set { texts[path] = newValue }
  }

  package func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    let path = Path.join(workingFolder, path)
    guard !texts.isEmpty, let bytes = texts[path] ?? texts[canonicalPath(of: path)] else {
      return base.contents(of: path, limit: limit)
    }
    return bytes.count > limit ? .failure(.tooLarge) : .success(bytes)
  }

  package func canonicalPath(of path: String) -> String { base.canonicalPath(of: Path.join(workingFolder, path)) }
}
