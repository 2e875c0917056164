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
/// A POSIX mutex and not the standard library's `Mutex`, because the thread sanitizer does not see the latter on Linux.
struct Guarded<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Unchecked: the pointer leads to memory that this value alone owns, as it cannot be copied, and the state in it is read and
  // changed only in `withLock`, under the mutex. What is put in is `sending`, so that nobody outside shares it.

  /// The mutex and the state, at an address that does not change.
  private struct Content: ~Copyable {
    var mutex = pthread_mutex_t()
    var state: State
  }

  private let content: UnsafeMutablePointer<Content>
  private let rank: LockRank

  init(_ state: consuming sending State, rank: LockRank = .leaf) {
    self.rank = rank
    content = .allocate(capacity: 1)
    content.initialize(to: Content(state: state))
    content.pointee.mutex.begin()
  }

  deinit {
    content.pointee.mutex.end()
    content.deinitialize(count: 1)
    content.deallocate()
  }

  /// Reads or changes the state while no other thread does.
  ///
  /// The body must not call code of the application: no builder, `deinit`, `==` or continuation. It returns what has to be
  /// released or called, and the caller does that afterwards.
  func withLock<Result: ~Copyable, Failure>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    LockOrder.willLock(rank)
    pthread_mutex_lock(&content.pointee.mutex)
    defer {
      pthread_mutex_unlock(&content.pointee.mutex)
      LockOrder.didUnlock(rank)
    }
    return try body(&content.pointee.state)
  }
}

extension pthread_mutex_t {
  /// Makes a zeroed mutex ready. On Linux it is: `PTHREAD_MUTEX_INITIALIZER` is all zeros in glibc, musl and Bionic.
  mutating func begin() {
    #if canImport(Darwin)
      pthread_mutex_init(&self, nil)
    #endif
  }

  /// Gives back what a mutex holds; on Linux that is nothing.
  mutating func end() {
    #if canImport(Darwin)
      pthread_mutex_destroy(&self)
    #endif
  }
}

/// Carries a value out of a critical section, or to the thread that goes on with it.
struct Hold<Value>: @unchecked Sendable {
  // Unchecked: a value is handed on, and who gave it away does not use it any more, so that one thread at a time has it. The
  // exception is what is not changed any more, as the snapshot of a directory.

  var value: Value

  init(_ value: Value) { self.value = value }
}

/// An object that is not kept alive.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  private struct Content {
    weak var object: Object?
  }

  private let content: Guarded<Content>

  /// An object, which is noted at once or later.
  init(_ object: Object? = nil) { content = Guarded(Content(object: object)) }

  /// The object; nil once it is gone.
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
  /// Who waits for whom.
  case coordinator = 4
  /// A mutex under which no other one is taken, and no user code is called.
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

  /// Notes that this thread is about to take a mutex. Stops the program in a debug build where the order forbids it.
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

  /// Checks that this thread holds none of the container's mutexes. Called before code of the application.
  @inline(__always) static func willCallUserCode() {
    #if DEBUG
      precondition(held == 0, "code of the application is called while a mutex is held")
    #endif
  }
}
