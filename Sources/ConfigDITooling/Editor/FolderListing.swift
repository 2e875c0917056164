// SPDX-License-Identifier: Apache-2.0

/// Lists folders. The server lists those on disk; tests can supply others.
package protocol FolderListing: Sendable {
  /// Returns the names in a folder, ascending, and whether each is a folder. Empty if the folder cannot be read.
  func entries(of folder: String) -> [(name: String, isFolder: Bool)]
}
