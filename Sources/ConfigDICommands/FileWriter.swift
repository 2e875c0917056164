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

  /// A file that is created with its contents, or whose whole contents are replaced.
  struct FileWriter {
    /// The path.
    let path: String

    /// The reason why a file was not written.
    enum Failure: Error, Hashable {
      /// The path already exists, possibly as a symbolic link without a target.
      case exists
      /// The system reported an error, with this message.
      case refused(String)

      /// The reason as text for a message.
      var words: String {
        switch self {
        case .exists: "it exists"
        case .refused(let reason): reason
        }
      }

      /// The failure of the last system call, from `errno`.
      fileprivate static var last: Failure { errno == EEXIST ? .exists : .refused(String(cString: strerror(errno))) }
    }

    /// Whether the path exists, possibly as a symbolic link without a target.
    var exists: Bool {
      var status = stat()
      return lstat(path, &status) == 0
    }

    /// Creates the file. Throws `Failure.exists` if the path exists.
    ///
    /// - Parameter makesFolders: Whether to create missing folders above it.
    func write(_ text: String, makesFolders: Bool = true) throws(Failure) {
      if makesFolders { try makeFolders() }
      try write(Array(text.utf8))
    }

    /// Creates the file in an existing folder, and waits until its contents are on disk.
    ///
    /// - Parameter mode: The permissions, which the umask of the process restricts.
    private func write(_ bytes: [UInt8], mode: mode_t = 0o666) throws(Failure) {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw .last }
      defer { close(descriptor) }
      do throws(Failure) {
        try FileWriter.write(bytes, to: descriptor)
        guard fsync(descriptor) == 0 else { throw .last }
      } catch {
        // An incomplete file would be taken for the file, and would make the next attempt fail.
        unlink(path)
        throw error
      }
    }

    /// Whether the path leads to something that exists and is not a file, such as a pipe or a device.
    var isSpecial: Bool {
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Writes to a pipe or a device, which has no contents to replace.
    func writeSpecial(_ text: String) throws(Failure) {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last }
      defer { close(descriptor) }
      try FileWriter.write(Array(text.utf8), to: descriptor)
    }

    /// Writes all bytes to an open file.
    private static func write(_ bytes: [UInt8], to descriptor: CInt) throws(Failure) {
      guard bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) else { throw .last }
    }

    /// Replaces the contents of an existing file atomically: a reader sees the old ones or the new ones, and a failure
    /// leaves the old ones. Keeps the permissions and, if the process may set it, the owner.
    ///
    /// - Parameter path: The path, without symbolic links.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
      var status = stat()
      guard stat(path, &status) == 0 else { throw .last }
      // The number differs in each run, so that a file which a killed process has left is not in the way. The name does not
      // contain that of the file, which may be as long as the system allows.
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
      let part = FileWriter(path: "\(folder).\(UInt64.random(in: 0...(.max))).configdi.part")
      try part.write(bytes, mode: 0o600)
      do throws(Failure) {
        // An error is ignored, because the process may have no right to set the owner.
        if status.st_uid != geteuid() || status.st_gid != getegid() {
          _ = chown(part.path, status.st_uid, status.st_gid)
        }
        guard chmod(part.path, status.st_mode & 0o7777) == 0, rename(part.path, path) == 0 else { throw .last }
      } catch {
        unlink(part.path)
        throw error
      }
    }

    /// Creates the missing folders above the file, the outermost first.
    private func makeFolders() throws(Failure) {
      for slash in path.utf8.indices.dropFirst() where path.utf8[slash] == UInt8(ascii: "/") {
        guard mkdir(String(path[..<slash]), 0o777) != 0, errno != EEXIST else { continue }
        throw .last
      }
    }
  }
#endif
