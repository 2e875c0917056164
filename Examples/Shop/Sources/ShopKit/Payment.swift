// SPDX-License-Identifier: Apache-2.0

/// Takes money.
package protocol Payment: Sendable {
  /// Charges a customer, and tells whether that worked.
  func charge(_ amount: Money, to customer: String) -> Bool
}

/// Takes every amount, in place of those who move money.
package struct AcceptingPayment: Payment {
  package func charge(_ amount: Money, to customer: String) -> Bool { true }
}

/// Declines whatever is above a limit.
package struct LimitedPayment: Payment {
  /// Takes what is not above the limit.
  package let inner: any Payment
  /// The greatest amount in cents.
  package let limit: Int

  package func charge(_ amount: Money, to customer: String) -> Bool {
    amount.cents <= limit && inner.charge(amount, to: customer)
  }
}

/// Tells what becomes of each charge.
package struct AuditedPayment: Payment {
  /// Takes the money.
  package let inner: any Payment
  /// Is told of everything.
  package let audit: any Logger

  package func charge(_ amount: Money, to customer: String) -> Bool {
    let isAccepted = inner.charge(amount, to: customer)
    audit.log(.info, "\(isAccepted ? "charged" : "declined") \(amount) to \(customer)")
    return isAccepted
  }
}

/// Counts the charges.
package struct MeteredPayment: Payment {
  /// Takes the money.
  package let inner: any Payment
  /// Counts.
  package let metrics: any Metrics

  package func charge(_ amount: Money, to customer: String) -> Bool {
    let isAccepted = inner.charge(amount, to: customer)
    metrics.count(isAccepted ? "payments.charged" : "payments.declined")
    return isAccepted
  }
}
