// SPDX-License-Identifier: Apache-2.0

/// The reason why a file could not be read.
package enum FileFailure: Error, Hashable, Sendable {
  /// Nothing exists at the path.
  case missing
  /// It is not a regular file. The text names what it is, such as "a folder" or "a pipe".
  case notAFile(String)
  /// The file is larger than the limit.
  case tooLarge
  /// The system reported an error, with this message.
  case refused(String)
  /// The file changed while it was read.
  case changed
}

/// Access to files for a load: `DiskFiles`, except in tests.
package protocol FileAccess: Sendable {
  /// Returns the whole content of a regular file of at most `limit` bytes. Never blocks on a pipe or a device.
  func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure>

  /// Returns the absolute path without `.` and `..`, with symbolic links resolved in the part that exists.
  func canonicalPath(of path: String) -> String

  /// The absolute path of the folder to which relative paths are relative.
  var workingFolder: String { get }
}
