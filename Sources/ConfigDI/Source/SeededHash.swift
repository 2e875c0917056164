// SPDX-License-Identifier: Apache-2.0

/// A hash function with a random seed, so that no file can be written to cause collisions in a table.
struct SeededHash: Sendable {
  private let seed = UInt64.random(in: .min ... .max)

  /// Returns the hash of a UTF-8 text. Each word of eight bytes is multiplied to its double width and folded.
  ///
  /// - Complexity: linear in the length of the text.
  @inline(__always)
  func callAsFunction(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let count = bytes.count
    let hash = seed ^ UInt64(truncatingIfNeeded: count)
    guard count >= 8 else { return folded(hash ^ SeededHash.shortWord(bytes)) }
    return hashOfWords(UnsafeRawBufferPointer(bytes), from: hash)
  }

  /// Hashes eight or more bytes. The last word may overlap the one before; the length in `hash` keeps this unambiguous.
  private func hashOfWords(_ bytes: UnsafeRawBufferPointer, from start: UInt64) -> UInt64 {
    var hash = start
    var offset = 0
    while offset + 8 < bytes.count {
      hash = folded(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    return folded(hash ^ bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
  }

  /// Multiplies by an odd constant (2^64 over the golden ratio), folds both halves of the product, and adds the seed.
  @inline(__always)
  private func folded(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return (product.high ^ product.low) &+ seed
  }

  /// Returns up to seven bytes as a number. Together with the length, it is unique.
  @inline(__always)
  private static func shortWord(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let count = bytes.count
    if count >= 4 {
      let raw = UnsafeRawBufferPointer(bytes)
      let first = raw.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let last = raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(first) << 32 | UInt64(last)
    }
    guard count > 0 else { return 0 }
    // One byte is used three times; of two bytes, the second is used twice; three bytes are used once each.
    return UInt64(bytes[0]) << 16 | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1])
  }
}
