// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

  /// The properties of the file at a path. If they are equal to earlier ones, the file has not changed.
  ///
  /// Symbolic links are followed. The path with the links resolved is part of the stamp: if a link leads to another
  /// folder, the relative paths in the file have another meaning, even if the file is the same one by a hard link.
  struct FileStamp: Hashable, Sendable {
    /// The status of the file, or `nil` if the path does not exist or is not accessible.
    private let numbers: Numbers?
    /// The path with symbolic links resolved, or `nil` if it does not exist.
    private let destination: String?

    /// The parts of a file's status that change with the file.
    private struct Numbers: Hashable {
      let device: UInt64
      let file: UInt64
      let size: Int64
      /// The times of the last change of the contents and of the status, as the bytes of two `timespec` structures.
      let times: [UInt8]
    }

    /// Whether the path exists and is accessible.
    var exists: Bool { numbers != nil }

    /// Takes the stamp of an absolute path.
    init(of path: String) {
      var status = stat()
      // The system would end the path at a zero byte, and use another file than the one that was meant.
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
#endif
