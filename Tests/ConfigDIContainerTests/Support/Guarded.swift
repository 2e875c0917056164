// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value behind a lock that the thread sanitizer sees: it does not know `Synchronization.Mutex`
/// on Linux, and reports a race where there is none.
final class Guarded<Value>: @unchecked Sendable {
  /// Held while the value is read or changed.
  private let lock = NSLock()

  /// The value; only used by `withLock`.
  private var value: Value

  /// Guards a value.
  init(_ value: Value) { self.value = value }

  /// Runs the body with the value, alone.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
