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

/// Access to the files on disk by POSIX calls.
package struct DiskFiles: FileAccess {
  package let workingFolder: String

  /// Creates access relative to an absolute working folder, or to that of the process.
  package init(workingFolder: String? = nil) {
    self.workingFolder = workingFolder ?? DiskFiles.processFolder
  }

  package func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    // The system would end the path at the zero byte, and open another file than the one that was meant.
    guard !path.utf8.contains(0) else { return .failure(.missing) }
    // Without O_NONBLOCK, opening a pipe would block until it has a writer.
    let descriptor = open(Path.join(workingFolder, path), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return .failure(DiskFiles.failure(ofOpening: errno)) }
    defer { close(descriptor) }
    do {
      return .success(try OpenFile(descriptor: descriptor).contents(limit: limit))
    } catch {
      return .failure(error)
    }
  }

  package func canonicalPath(of path: String) -> String {
    let path = Path.join(workingFolder, path)
    if let resolved = DiskFiles.resolved(path) { return resolved }
    var found = "/"
    // The number of trailing components of `found` that do not exist.
    var missing = 0
    for part in Path.parts(of: path) where part != "." {
      if part == ".." {
        // The part that exists is resolved, so its last component is no link, and its parent is its folder.
        found = Path.folder(of: found)
        missing = max(0, missing - 1)
      } else {
        let next = Path.join(found, String(part))
        let resolved = missing == 0 ? DiskFiles.resolved(next) : nil
        if resolved == nil { missing += 1 }
        found = resolved ?? next
      }
    }
    return found
  }
}

// MARK: - System calls

extension DiskFiles {
  /// The working folder of the process.
  private static var processFolder: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Returns the path of an existing file without symbolic links, or `nil` if nothing exists at the path.
  private static func resolved(_ path: String) -> String? {
    guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the failure for an error number of `open`.
  private static func failure(ofOpening number: CInt) -> FileFailure {
    switch number {
    case ENOENT, ENOTDIR: .missing
    case ENXIO, EOPNOTSUPP: .notAFile("a socket")
    default: .refused(String(cString: strerror(number)))
    }
  }
}

/// A file that is open for reading.
private struct OpenFile {
  /// The properties that change when the file is modified.
  private struct State: Equatable {
    /// The size in bytes.
    var size: Int
    /// The modification time, as the bytes of the system's structure. Code cannot name the members of the structure:
    /// which module declares them depends on the other imports of the library.
    var time: [UInt8]
  }

  let descriptor: CInt

  /// Returns the whole content. Throws if it is larger than `limit`, changes while it is read, or cannot be read.
  func contents(limit: Int) throws(FileFailure) -> [UInt8] {
    let before = try state()
    guard before.size <= limit else { throw .tooLarge }
    var bytes = [UInt8](repeating: 0, count: before.size + 1)
    var count = 0
    while true {
      let added = try fill(&bytes, from: count)
      if added == 0 { break }
      count += added
      guard count <= limit else { throw .tooLarge }
      // The system reports a size of 0 for files whose content it generates while they are read.
      if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: max(4_096, count))) }
    }
    let after = try state()
    guard after == before, count == before.size || before.size == 0 else { throw .changed }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Reads once into the buffer, from an index on.
  ///
  /// - Returns: The number of bytes read, 0 at the end of the file.
  private func fill(_ bytes: inout [UInt8], from start: Int) throws(FileFailure) -> Int {
    while true {
      let count = bytes.withUnsafeMutableBytes { buffer in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
        return read(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 { return count }
      guard errno == EINTR else { throw .refused(String(cString: strerror(errno))) }
    }
  }

  /// Returns the size and the modification time, if the file is a regular file.
  private func state() throws(FileFailure) -> State {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .refused(String(cString: strerror(errno))) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .notAFile("a folder")
    case S_IFIFO: throw .notAFile("a pipe")
    case S_IFSOCK: throw .notAFile("a socket")
    default: throw .notAFile("a device")
    }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return State(size: Int(clamping: status.st_size), time: withUnsafeBytes(of: time) { Array($0) })
  }
}
