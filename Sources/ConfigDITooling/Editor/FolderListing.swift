// SPDX-License-Identifier: Apache-2.0

/// How the editor finds files: the folders of the disk outside tests.
package protocol FolderListing: Sendable {
  /// The names in a folder, ascending, each with whether it is a folder; empty where it cannot be read.
  func entries(of folder: String) -> [(name: String, isFolder: Bool)]
}
