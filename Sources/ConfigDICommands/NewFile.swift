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

/// A file that is written as a whole: where none was, or in the place of another.
struct NewFile {
  /// The path.
  let path: String

  /// Why a file was not written.
  enum Failure: Error, Hashable {
    /// Something stands at the path already, if only a link to nowhere.
    case exists
    /// The system refused; its own words.
    case refused(String)

    /// The failure in words.
    var words: String {
      switch self {
      case .exists: "it exists"
      case .refused(let reason): reason
      }
    }

    /// The failure of the last call.
    fileprivate static var last: Failure { errno == EEXIST ? .exists : .refused(String(cString: strerror(errno))) }
  }

  /// Whether something stands at the path, if only a link to nowhere.
  var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Writes a file that does not exist yet.
  ///
  /// - Parameter makesFolders: Whether folders above it that do not exist are made.
  func write(_ text: String, makesFolders: Bool = true) throws(Failure) {
    if makesFolders { try makeFolders() }
    try write(Array(text.utf8))
  }

  /// Writes the file in a folder that exists, whole and for good before this returns.
  ///
  /// - Parameter mode: Its permissions, less what the process does not grant.
  private func write(_ bytes: [UInt8], mode: mode_t = 0o666) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    do throws(Failure) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          throw .last
        }
      }
      guard fsync(descriptor) == 0 else { throw .last }
    } catch {
      // A part of a file would be taken for the file, and would be in the way of the next attempt.
      unlink(path)
      throw error
    }
  }

  /// Puts new contents in the place of a file that exists, all at once: a reader sees the old ones or the new ones, and a
  /// failure leaves the old ones. The permissions and, as far as the process may set it, the owner stay.
  ///
  /// - Parameter path: The path, without symbolic links.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    // A number of its own, so that what a killed process has left is in nobody's way.
    let part = NewFile(path: "\(path).\(UInt64.random(in: 0...(.max))).part")
    try part.write(bytes, mode: 0o600)
    do throws(Failure) {
      // Another owner is kept where the process may set it.
      if status.st_uid != geteuid() || status.st_gid != getegid() { _ = chown(part.path, status.st_uid, status.st_gid) }
      guard chmod(part.path, status.st_mode & 0o7777) == 0, rename(part.path, path) == 0 else { throw .last }
    } catch {
      unlink(part.path)
      throw error
    }
  }

  /// Makes the folders above the file, the outermost first.
  private func makeFolders() throws(Failure) {
    for slash in path.utf8.indices.dropFirst() where path.utf8[slash] == UInt8(ascii: "/") {
      guard mkdir(String(path[..<slash]), 0o777) != 0, errno != EEXIST else { continue }
      throw .last
    }
  }
}
