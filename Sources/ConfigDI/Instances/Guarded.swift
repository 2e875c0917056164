// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A state that one thread at a time reads and changes.
///
/// The standard library's `Mutex` would do, but on Linux the thread sanitizer does not see it and reports what it guards.
final class Guarded<State>: @unchecked Sendable {
  // Unchecked, as the state is reached through `withLock` alone.

  /// Guards the state.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The state.
  private var state: State

  /// A state to begin with.
  init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Reads or changes the state while no other thread does. The body must not call user code.
  func withLock<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}

/// Takes out of a lock what is to be released or compared without it, as that may run code of the application.
struct Hold<Value>: @unchecked Sendable {
  // Unchecked: one thread takes it out and lets it go.

  /// What is held.
  var value: Value

  /// Holds a value.
  init(_ value: Value) { self.value = value }
}
