// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension Path {
  /// Returns a path relative to a folder, with `..` if it is not inside; the inverse of `join(_:_:)`.
  ///
  /// Both must be relative to the same folder, or both absolute. Otherwise, the result is the normalized path.
  package static func relative(_ path: String, to folder: String) -> String {
    let (path, folder) = (normalize(path), normalize(folder))
    guard isAbsolute(path) == isAbsolute(folder) else { return path }
    var target = parts(of: path)[...]
    var base = parts(of: folder).filter { $0 != "." }[...]
    while let step = target.first, let other = base.first, step.utf8.elementsEqual(other.utf8) {
      target.removeFirst()
      base.removeFirst()
    }
    guard !base.contains("..") else { return path }
    return (base.map { _ in ".." } + target).joined(separator: "/")
  }
}
