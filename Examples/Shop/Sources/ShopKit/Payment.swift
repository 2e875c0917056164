// SPDX-License-Identifier: Apache-2.0

/// A payment service.
package protocol Payment: Sendable {
  /// Charges a customer. Returns whether the charge was accepted.
  func charge(_ amount: Money, to customer: String) -> Bool
}

/// A payment service that accepts every charge, as a stand-in for a real one.
package struct AcceptingPayment: Payment {
  package func charge(_ amount: Money, to customer: String) -> Bool { true }
}

/// A decorator that declines charges above a limit.
package struct LimitedPayment: Payment {
  /// The decorated service, which handles charges up to the limit.
  package let inner: any Payment
  /// The greatest accepted amount, in cents.
  package let limit: Int

  package func charge(_ amount: Money, to customer: String) -> Bool {
    amount.cents <= limit && inner.charge(amount, to: customer)
  }
}

/// A decorator that logs the outcome of each charge.
package struct AuditedPayment: Payment {
  /// The decorated service.
  package let inner: any Payment
  /// The audit log.
  package let audit: any Logger

  package func charge(_ amount: Money, to customer: String) -> Bool {
    let isAccepted = inner.charge(amount, to: customer)
    audit.log(.info, "\(isAccepted ? "charged" : "declined") \(amount) to \(customer)")
    return isAccepted
  }
}

/// A decorator that counts charges by outcome.
package struct MeteredPayment: Payment {
  /// The decorated service.
  package let inner: any Payment
  /// The counters.
  package let metrics: any Metrics

  package func charge(_ amount: Money, to customer: String) -> Bool {
    let isAccepted = inner.charge(amount, to: customer)
    metrics.count(isAccepted ? "payments.charged" : "payments.declined")
    return isAccepted
  }
}
