// SPDX-License-Identifier: Apache-2.0

/// The first step of a load, reading a file into a tree, for benchmarks.
@_spi(Measuring) public enum TreeReading {
  /// Reads JSON text, checks for repeated keys, and discards the tree.
  ///
  /// - Returns: The number of keys and values in the text, as far as it could be read.
  /// - Complexity: linear in the size of the text.
  public static func nodeCount(ofJSON bytes: [UInt8]) -> Int {
    var bag = DiagnosticBag()
    let source = SourceFile(name: "", bytes: bytes)
    return Document(reading: source, file: FileID(0), syntax: .json, bag: &bag).nodes.count
  }
}
