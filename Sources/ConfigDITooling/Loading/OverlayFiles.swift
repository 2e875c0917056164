// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Files of which some have a text that is not on the disk, or not yet.
package struct OverlayFiles: FileAccess {
  /// The files below.
  package let base: any FileAccess
  /// The texts by canonical path.
  package private(set) var texts: [String: [UInt8]] = [:]
  package let workingFolder: String

  /// The files of a disk, named relative to a folder, which must be absolute and without symbolic links.
  package init(over base: any FileAccess, workingFolder: String) {
    self.base = base
    self.workingFolder = workingFolder
  }

  /// The text of a canonical path, or nil where the file below counts.
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
