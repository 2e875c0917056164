// SPDX-License-Identifier: Apache-2.0

/// Why a file could not be read.
package enum FileFailure: Error, Hashable, Sendable {
  /// Nothing stands at the path.
  case missing
  /// What stands there is no regular file; the word says what it is: "a folder", "a pipe", ...
  case notAFile(String)
  /// The file has more bytes than the limit.
  case tooLarge
  /// The system refused; its own words.
  case refused(String)
  /// The file changed while it was read.
  case changed
}

/// How a load reaches files; the disk outside tests.
package protocol FileAccess: Sendable {
  /// The whole content of a regular file of at most `limit` bytes. Never waits for a pipe or a device.
  func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure>

  /// The absolute path with `.`, `..` and symbolic links resolved as far as it exists;
  /// what does not exist is appended as it stands.
  func canonicalPath(of path: String) -> String

  /// The absolute path of the folder that relative paths start from.
  var workingFolder: String { get }
}
