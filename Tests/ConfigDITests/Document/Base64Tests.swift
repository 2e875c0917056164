// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

@Suite struct Base64Tests {
  /// The test vectors of RFC 4648 section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `the test vectors of the standard encode and decode`(plain: String, encoded: String) {
    #expect(Base64.text(of: Array(plain.utf8)) == encoded)
    #expect(Base64.bytes(of: encoded) == Array(plain.utf8))
  }

  @Test func `every byte round-trips at every position`() {
    for length in 1...4 {
      for byte in UInt8.min ... .max {
        let bytes = (0..<length).map { byte &+ UInt8($0 * 85) }
        #expect(Base64.bytes(of: Base64.text(of: bytes)) == bytes)
      }
    }
  }

  @Test(arguments: [
    "Zg", "Zg=", "Zg===", "Zm8", "====", "Z===", "Zg==Zg==", "Zm9v\n", "Zm 9v", "Zm9-", "Zm9_", "Zh==", "Zm9=", "=Zm9",
    "Zm9é",
  ])
  func `invalid base64 is rejected`(text: String) {
    #expect(Base64.bytes(of: text) == nil)
  }
}
