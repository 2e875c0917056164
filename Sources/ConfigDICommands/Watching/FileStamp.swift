// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// What tells whether the file at a path is another one than before, without reading it.
///
/// Symbolic links are followed, and where they lead is a part of the stamp: a link that leads to another folder changes what
/// the relative paths in the file mean, even if the file there is the same one by a hard link.
struct FileStamp: Hashable, Sendable {
  /// The file's numbers; nil where nothing stands at the path, or it may not be looked at.
  private let numbers: Numbers?
  /// The path without symbolic links; nil where nothing stands there.
  private let destination: String?

  /// What the system says of a file.
  private struct Numbers: Hashable {
    let device: UInt64
    let file: UInt64
    let size: Int64
    /// The time of the last change of the content and that of the file's properties, as the bytes of the system's structures.
    let times: [UInt8]
  }

  /// Whether something stands at the path.
  var exists: Bool { numbers != nil }

  /// The stamp of what stands at an absolute path.
  init(of path: String) {
    var status = stat()
    // A path of the system ends at a zero byte, and a file of a shorter name is not the one that was meant.
    guard !path.utf8.contains(0), stat(path, &status) == 0 else {
      (numbers, destination) = (nil, nil)
      return
    }
    #if canImport(Darwin)
      let (changed, touched) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (changed, touched) = (status.st_mtim, status.st_ctim)
    #endif
    numbers = Numbers(
      device: UInt64(truncatingIfNeeded: status.st_dev), file: UInt64(truncatingIfNeeded: status.st_ino),
      size: Int64(status.st_size),
      times: withUnsafeBytes(of: changed) { Array($0) } + withUnsafeBytes(of: touched) { Array($0) })
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    destination = resolved.map { String(cString: $0) }
  }
}
