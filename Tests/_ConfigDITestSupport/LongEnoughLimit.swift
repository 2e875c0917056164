// SPDX-License-Identifier: Apache-2.0

/// Runs a body that must reach some point before a time limit, with longer and longer limits, until it reaches it.
///
/// Other tests can hold all threads for many seconds, so no limit is certain to be long enough.
///
/// - Parameters:
///   - first: the first limit; each further one is twice as long, up to 512 times the first.
///   - expected: what the body returns when it has reached the point.
/// - Returns: what the body returned last.
package func withLongEnoughLimit<Value: Equatable>(
  from first: Duration, until expected: Value, _ body: (Duration) async throws -> Value
) async rethrows -> Value {
  var limit = first
  while true {
    let value = try await body(limit)
    if value == expected || limit >= first * 512 { return value }
    limit *= 2
  }
}
