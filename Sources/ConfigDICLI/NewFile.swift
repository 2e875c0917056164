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

/// A file that is written where none was.
struct NewFile {
  /// The path.
  let path: String

  /// Why a file was not written.
  enum Failure: Error, Hashable {
    /// Something stands at the path already, if only a link to nowhere.
    case exists
    /// The system refused; its own words.
    case refused(String)

    /// The failure of the last call.
    fileprivate static var last: Failure { errno == EEXIST ? .exists : .refused(String(cString: strerror(errno))) }
  }

  /// Whether something stands at the path, if only a link to nowhere.
  var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Writes the file, and makes the folders above it that do not exist.
  func write(_ text: String) throws(Failure) {
    try makeFolders()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw .last
      }
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

/// The system's `write`, under a name that the method of the same name does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
