// SPDX-License-Identifier: Apache-2.0

/// The hash function SHA-256 (FIPS 180-4), for the fingerprints of findings and for the hash of a page's own script.
package enum SHA256 {
  /// Returns the hash of bytes: 32 bytes.
  ///
  /// - Complexity: linear in the number of bytes.
  package static func hash(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var message = Array(bytes)
    let bitCount = UInt64(message.count) * 8
    // Section 5.1.1: padding with a one bit, zeros, and the length in bits, up to a multiple of 64 bytes.
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    message += bigEndian(bitCount)
    var state = initialState
    for start in stride(from: 0, to: message.count, by: 64) { compress(message[start..<start + 64], into: &state) }
    return state.flatMap(bigEndian)
  }

  /// Updates the state with a block of 64 bytes (section 6.2.2).
  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var schedule = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
      block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for place in 16..<64 {
      let (early, late) = (schedule[place - 15], schedule[place - 2])
      let first = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
      let second = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
      schedule.append(schedule[place - 16] &+ first &+ schedule[place - 7] &+ second)
    }
    var words = state
    for place in 0..<64 {
      let (a, e) = (words[0], words[4])
      let choice = e & words[5] ^ ~e & words[6]
      let majority = a & words[1] ^ a & words[2] ^ words[1] & words[2]
      let first =
        words[7] &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ constants[place] &+ schedule[place]
      let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
      words = [first &+ second, a, words[1], words[2], words[3] &+ first, e, words[5], words[6]]
    }
    for place in 0..<8 { state[place] &+= words[place] }
  }

  /// Returns a word rotated to the right.
  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// Returns the bytes of a number in big-endian order.
  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// Section 5.3.3: from the square roots of the first 8 primes.
  private static let initialState: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  /// Section 4.2.2: from the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
