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
struct Guarded<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Unchecked, as the state is reached through `withLock` alone.

  /// What lies together at an address that never changes.
  private struct Content: ~Copyable {
    /// Guards the state.
    var mutex = pthread_mutex_t()
    /// The state.
    var state: State
  }

  /// The mutex and the state.
  private let content: UnsafeMutablePointer<Content>

  /// A state to begin with.
  init(_ state: consuming sending State) {
    content = .allocate(capacity: 1)
    content.initialize(to: Content(state: state))
    pthread_mutex_init(&content.pointee.mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(&content.pointee.mutex)
    content.deinitialize(count: 1)
    content.deallocate()
  }

  /// Reads or changes the state while no other thread does. The body must not call user code.
  func withLock<Result: ~Copyable>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
    pthread_mutex_lock(&content.pointee.mutex)
    defer { pthread_mutex_unlock(&content.pointee.mutex) }
    return try body(&content.pointee.state)
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
