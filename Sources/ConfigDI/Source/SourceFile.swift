// SPDX-License-Identifier: Apache-2.0

/// The number of a file in a load: its index in the list of files that were read.
package struct FileID: Hashable, Sendable, Comparable {
  /// The index in the list of files.
  package let index: UInt32

  /// Creates the number of the file at an index of the list of files.
  package init(_ index: Int) { self.index = UInt32(index) }

  package static func < (left: FileID, right: FileID) -> Bool { left.index < right.index }
}

/// The bytes of a file, and its name in messages.
package struct SourceFile: Sendable {
  /// The path in messages, relative to the working folder if the file is inside of it.
  package let name: String

  /// The whole content, including a byte-order mark.
  package let bytes: [UInt8]

  /// The offset of the first character, after a UTF-8 byte-order mark.
  package var textStart: Int { LineTable.hasByteOrderMark(bytes) ? 3 : 0 }

  /// Creates a file with the given content.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Creates a file with the given text.
  package init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }
}
