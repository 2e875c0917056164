// SPDX-License-Identifier: Apache-2.0

/// Takes money.
package protocol Payment: Sendable {
  /// Charges a customer, and tells whether that worked.
  func charge(_ amount: Money, to customer: String) -> Bool
}

/// Declines whatever is above a limit.
package struct LimitedPayment: Payment {
  /// The greatest amount in cents.
  package let limit: Int
  /// Is told of everything.
  package let audit: any Logger

  package func charge(_ amount: Money, to customer: String) -> Bool {
    let isAccepted = amount.cents <= limit
    audit.log(.info, "\(isAccepted ? "charged" : "declined") \(amount) to \(customer)")
    return isAccepted
  }
}
