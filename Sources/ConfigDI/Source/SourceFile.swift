// SPDX-License-Identifier: Apache-2.0

/// The number of a file in one load: its place in the list of files that were read, from 0.
package struct FileID: Hashable, Sendable, Comparable {
  /// The place in the list of files, from 0.
  package let index: UInt32

  /// The file at a place of the list of files.
  package init(_ index: Int) { self.index = UInt32(index) }

  package static func < (left: FileID, right: FileID) -> Bool { left.index < right.index }
}

/// The bytes of one file, and the name by which messages call it.
package struct SourceFile: Sendable {
  /// The path that messages show: relative to the working folder where the file lies below it.
  package let name: String

  /// The whole content, a byte-order mark included.
  package let bytes: [UInt8]

  /// A file of the given content.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// A file of the given text.
  package init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }
}
