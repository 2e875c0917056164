// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A value that is read and changed under a mutex.
struct Guarded<State: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<State>
  /// Shows the thread sanitizer the order of critical sections.
  private let order = CriticalSectionOrder()
  private let rank: LockRank

  init(_ state: consuming sending State, rank: LockRank = .leaf) {
    mutex = Mutex(state)
    self.rank = rank
  }

  /// Calls a closure with the state, under the mutex.
  ///
  /// The closure must not call code of the application: no builder, `deinit`, `==` or continuation. It returns what has
  /// to be released or called, and the caller does that afterwards.
  func withLock<Result: ~Copyable, Failure>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    LockOrder.willLock(rank)
    defer { LockOrder.didUnlock(rank) }
    return try mutex.withLock { state throws(Failure) in
      order.begin()
      defer { order.end() }
      return try body(&state)
    }
  }
}

/// Shows the thread sanitizer the order of the critical sections of one mutex.
///
/// On Linux the sanitizer sees neither that a thread has waited for a `Mutex` nor that another has woken it. It does see
/// that a critical section reads what the one before has stored.
struct CriticalSectionOrder: ~Copyable, Sendable {
  private let last = Atomic(false)

  /// Called at the beginning of a critical section.
  @inline(__always) func begin() { _ = last.load(ordering: .acquiring) }

  /// Called at the end of a critical section.
  @inline(__always) func end() { last.store(true, ordering: .releasing) }
}

/// A value that is moved out of a critical section, or to another thread.
struct Transferred<Value>: @unchecked Sendable {
  // Unchecked: the sender does not use the value any more, so one thread at a time has it. The exception is a value
  // that does not change any more, such as a snapshot of a directory.

  var value: Value

  init(_ value: Value) { self.value = value }
}

/// A weak reference to an object.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  private struct Content {
    weak var object: Object?
  }

  private let content: Guarded<Content>

  /// Creates a reference to an object, which can also be set later.
  init(_ object: Object? = nil) { content = Guarded(Content(object: object)) }

  /// The object; `nil` once it is released.
  var object: Object? {
    get { content.withLock { $0.object } }
    set { content.withLock { $0.object = newValue } }
  }
}

/// The locking order: a thread that holds a mutex of one rank takes only mutexes of higher ranks.
enum LockRank: UInt8 {
  /// The look-up tables of a family of containers.
  case directory = 1
  /// The instances of a container, a scope or a look-up.
  case store = 2
  /// The wait-for graph of builds.
  case coordinator = 4
  /// A mutex under which no other mutex is taken and no user code is called.
  case leaf = 8
}

/// Checks the locking order in debug builds; does nothing in release builds.
enum LockOrder {
  #if DEBUG
    /// The thread-specific value: the ranks that the thread holds, as bits.
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    /// The ranks that this thread holds.
    private static var held: UInt {
      get { UInt(bitPattern: pthread_getspecific(key)) }
      set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }
  #endif

  /// Records that this thread is about to take a mutex. In a debug build, stops the program if the order forbids it.
  @inline(__always) static func willLock(_ rank: LockRank) {
    #if DEBUG
      if rank == .leaf { return }
      precondition(
        held < UInt(rank.rawValue), "a mutex of rank \(rank) is taken while one of an equal or higher rank is held")
      held |= UInt(rank.rawValue)
    #endif
  }

  @inline(__always) static func didUnlock(_ rank: LockRank) {
    #if DEBUG
      if rank != .leaf { held &= ~UInt(rank.rawValue) }
    #endif
  }

  /// Checks that this thread holds no mutex of the container. Called before code of the application.
  @inline(__always) static func willCallUserCode() {
    #if DEBUG
      precondition(held == 0, "code of the application is called while a mutex is held")
    #endif
  }
}
