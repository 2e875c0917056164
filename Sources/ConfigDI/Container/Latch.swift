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

/// Lets threads wait until another has built what they need.
///
/// On a POSIX condition, since the standard library has nothing to wait on but a mutex, which is not to be held while a
/// builder runs; and Dispatch would be a dependency for this alone.
final class Latch: @unchecked Sendable {
  // Unchecked for the pointers and the state, which is read and written under the mutex alone.

  /// Guards the state.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Signals that the state has changed.
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// Whether the wait is over.
  private var isOpen = false
  /// Why there is nothing to be had, or nil.
  private var error: (any Error)?

  /// A closed latch.
  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Ends the wait of all threads.
  ///
  /// - Parameter outcome: how building ended.
  func open(_ outcome: Work.Outcome) {
    pthread_mutex_lock(mutex)
    isOpen = true
    if case .failed(let error) = outcome { self.error = error }
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the latch is opened.
  ///
  /// - Throws: the error with which it was opened.
  func wait() throws(ResolutionError) {
    pthread_mutex_lock(mutex)
    while !isOpen { pthread_cond_wait(condition, mutex) }
    let error = error
    pthread_mutex_unlock(mutex)
    if let error { throw error as? ResolutionError ?? .lazyFailed(error) }
  }
}
