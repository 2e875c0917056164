// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A writer of receipts.
package protocol Receipts: Sendable {
  /// Returns the receipt of an order.
  func receipt(for order: Order) -> String
}

/// Receipts without a signature.
package struct PlainReceipts: Receipts {
  /// The name of the issuer.
  package let issuer: String
  /// The source of the timestamps.
  package let clock: any ShopClock

  package func receipt(for order: Order) -> String {
    let time = clock.now().formatted(.iso8601)
    return "Receipt of \(issuer), \(time): \(order.customer) paid \(order.total) for \(order.id)."
  }
}

/// Receipts with a signature (HMAC with SHA-256), by which the shop recognizes its own receipts.
package struct SignedReceipts: Receipts {
  /// Writes the text to sign.
  package let plain: PlainReceipts
  /// The key of the signature.
  private let key: [UInt8]

  /// Creates a writer that signs with a key.
  package init(issuer: String, key: String, clock: any ShopClock) {
    plain = PlainReceipts(issuer: issuer, clock: clock)
    self.key = Array(key.utf8)
  }

  package func receipt(for order: Order) -> String {
    let text = plain.receipt(for: order)
    return "\(text)\nSignature: \(signature(of: text))"
  }

  /// Returns whether a text is a receipt that was signed with this key.
  package func isGenuine(_ receipt: String) -> Bool {
    let parts = receipt.components(separatedBy: "\nSignature: ")
    return parts.count == 2 && signature(of: parts[0]) == parts[1]
  }

  /// Returns the signature of a text in hexadecimal digits.
  private func signature(of text: String) -> String {
    SHA256.authenticationCode(of: Array(text.utf8), key: key).map { String(format: "%02x", $0) }.joined()
  }
}
