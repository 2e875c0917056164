// SPDX-License-Identifier: Apache-2.0

/// A hash of texts that starts from an unpredictable number, so that no file can be written to make a table slow.
struct SeededHash: Sendable {
  /// What every hash starts from.
  private let seed = UInt64.random(in: .min ... .max)

  /// The hash of a text in UTF-8, eight bytes at a time: each word is multiplied to twice its width and folded.
  ///
  /// - Complexity: linear in the length of the text.
  @inline(__always)
  func callAsFunction(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let count = bytes.count
    let hash = seed ^ UInt64(truncatingIfNeeded: count)
    guard count >= 8 else { return folded(hash ^ SeededHash.shortWord(bytes)) }
    return hashOfWords(UnsafeRawBufferPointer(bytes), from: hash)
  }

  /// The hash of eight bytes or more. The last word overlaps the one before it, which the length in `hash` makes unambiguous.
  private func hashOfWords(_ bytes: UnsafeRawBufferPointer, from start: UInt64) -> UInt64 {
    var hash = start
    var offset = 0
    while offset + 8 < bytes.count {
      hash = folded(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    return folded(hash ^ bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
  }

  /// Multiplies by an odd number without pattern (2^64 over the golden ratio) and adds both halves of the product.
  @inline(__always)
  private func folded(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return (product.high ^ product.low) &+ seed
  }

  /// Up to seven bytes as one number, which with the length is different for different bytes.
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
    // Of one byte all three are the same, of two the middle is the last, of three each is its own.
    return UInt64(bytes[0]) << 16 | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1])
  }
}
