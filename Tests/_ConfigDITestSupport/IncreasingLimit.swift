// SPDX-License-Identifier: Apache-2.0

/// Calls a body with increasing time limits until it returns the expected value.
///
/// No fixed limit is certain to be long enough, because other tests can occupy all threads for many seconds.
///
/// - Parameters:
///   - first: The first limit. Each further one is twice as long, up to 512 times the first.
///   - expected: The result of a body that has reached the point under test before its limit.
/// - Returns: The last result of the body.
package func withIncreasingLimit<Value: Equatable>(
  from first: Duration, until expected: Value, _ body: (Duration) async throws -> Value
) async rethrows -> Value {
  var limit = first
  while true {
    let value = try await body(limit)
    if value == expected || limit >= first * 512 { return value }
    limit *= 2
  }
}
