// SPDX-License-Identifier: Apache-2.0

/// The first step of a load alone, for those who measure it: the bytes of a file become a tree with places.
@_spi(Measuring) public enum TreeReading {
  /// Reads a JSON text, reports repeated keys, and forgets the tree.
  ///
  /// - Returns: How many keys and values the text has, as far as it could be read.
  /// - Complexity: linear in the size of the text.
  public static func nodeCount(ofJSON bytes: [UInt8]) -> Int {
    var bag = DiagnosticBag()
    let source = SourceFile(name: "", bytes: bytes)
    return Document(reading: source, file: FileID(0), syntax: .json, bag: &bag).nodes.count
  }
}
