// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file and the library as one module, with the imports of the library removed.
package import ConfigDI

/// Files in memory.
package struct MemoryFiles: FileAccess {
  package let workingFolder: String

  /// The contents by absolute, normalized path in UTF-8, since two paths are equal only if their bytes are equal.
  private var files: [[UInt8]: [UInt8]] = [:]

  /// Creates files by path. Relative paths are relative to the working folder, which must be absolute.
  package init(_ files: [String: [UInt8]] = [:], workingFolder: String = "/") {
    self.workingFolder = Path.normalize(workingFolder)
    for (path, bytes) in files { self[path] = bytes }
  }

  /// Creates files from texts.
  package init(texts: [String: String], workingFolder: String = "/") {
    self.init(texts.mapValues { Array($0.utf8) }, workingFolder: workingFolder)
  }

  /// The content of a file, or `nil` if the file does not exist.
  package subscript(path: String) -> [UInt8]? {
    get { files[Array(canonicalPath(of: path).utf8)] }
    set { files[Array(canonicalPath(of: path).utf8)] = newValue }
  }

  package func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    guard let bytes = self[path] else { return .failure(isFolder(path) ? .notAFile("a folder") : .missing) }
    return bytes.count > limit ? .failure(.tooLarge) : .success(bytes)
  }

  package func canonicalPath(of path: String) -> String {
    Path.normalize(Path.join(workingFolder, path))
  }

  /// Whether some file is below a path.
  private func isFolder(_ path: String) -> Bool {
    let folder = canonicalPath(of: path)
    return files.keys.contains { Path.isBelow(String(decoding: $0, as: UTF8.self), folder) }
  }
}
