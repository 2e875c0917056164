// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ShopKit

@Suite struct SHA256Tests {
  /// Returns the bytes as hexadecimal digits.
  private func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the hash matches the examples of the standard`(text: String, hash: String) {
    #expect(digits(SHA256.hash(Array(text.utf8))) == hash)
  }

  @Test func `the authentication code matches the second test case of RFC 4231`() {
    let code = SHA256.authenticationCode(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(digits(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }
}
