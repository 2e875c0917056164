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

/// A value that is read and changed under a mutex.
///
/// The mutex is a POSIX mutex. On Linux the standard library's `Mutex` passes from thread to thread in the order of
/// waiting: with more threads than processors, each passing waits for the scheduler. The thread sanitizer does not know
/// `Mutex` either.
struct Guarded<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Unchecked: this value cannot be copied and is the only owner of the memory. The state is read and changed only in
  // `withLock`, under the mutex. The initial state is `sending`, so that nobody else shares it.

  /// The mutex and the state, at a fixed address.
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

  /// Calls a closure with the state, under the mutex.
  ///
  /// The closure must not call code of the application: no builder, `deinit`, `==` or continuation. It returns what has
  /// to be released or called, and the caller does that afterwards.
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

  /// Calls a closure as `withLock` does, and moves its result out of the critical section: the state keeps no reference.
  func take<Result>(_ body: (inout State) -> Result) -> Result { withLock { Transferred(body(&$0)) }.value }
}

extension pthread_mutex_t {
  /// Initializes a zeroed mutex. On Linux it is valid: `PTHREAD_MUTEX_INITIALIZER` is zeros in glibc, musl and Bionic.
  mutating func begin() {
    #if canImport(Darwin)
      pthread_mutex_init(&self, nil)
    #endif
  }

  /// Destroys a mutex. Linux needs nothing.
  mutating func end() {
    #if canImport(Darwin)
      pthread_mutex_destroy(&self)
    #endif
  }
}

/// A mutex in several parts, each in its own cache line. A reader locks one part, a writer all of them in order.
///
/// Copies share the parts. The creator destroys the lock, after the last user is gone.
@usableFromInline struct StripedLock {
  /// One part: a mutex, with padding, so that two threads seldom write to the same cache line.
  private struct Stripe {
    var mutex = pthread_mutex_t()
    var padding: (UInt64, UInt64, UInt64) = (0, 0, 0)
  }

  /// A proof that the caller holds one part of the lock, or all of it.
  @usableFromInline struct Token: ~Copyable {
    /// The index of the part that is held; -1 for all.
    fileprivate let stripe: Int
  }

  /// The number of parts; a power of two.
  private static let count = 8
  private let stripes: UnsafeMutablePointer<Stripe>

  init() {
    stripes = .allocate(capacity: StripedLock.count)
    stripes.initialize(repeating: Stripe(), count: StripedLock.count)
    for index in 0..<StripedLock.count { stripes[index].mutex.begin() }
  }

  /// Destroys the mutexes and frees the memory.
  func destroy() {
    for index in 0..<StripedLock.count { stripes[index].mutex.end() }
    stripes.deallocate()
  }

  /// Locks the part that the address of the caller's stack selects, so that a thread always locks the same one.
  @usableFromInline func lockForReading() -> Token {
    LockOrder.willLock(.directory)
    var local: UInt8 = 0
    let address = withUnsafeMutablePointer(to: &local) { UInt64(UInt(bitPattern: $0)) }
    // Stacks are at least 512 kB apart. The multiplication distributes their numbers among the parts.
    let stripe = Int(truncatingIfNeeded: ((address >> 19) &* 0x9E37_79B9_7F4A_7C15) >> 61)
    pthread_mutex_lock(&stripes[stripe].mutex)
    return Token(stripe: stripe)
  }

  func lockForWriting() -> Token {
    LockOrder.willLock(.directory)
    for index in 0..<StripedLock.count { pthread_mutex_lock(&stripes[index].mutex) }
    return Token(stripe: -1)
  }

  /// Unlocks the parts that were locked with the token.
  @usableFromInline func unlock(_ token: borrowing Token) {
    if token.stripe >= 0 {
      pthread_mutex_unlock(&stripes[token.stripe].mutex)
    } else {
      for index in (0..<StripedLock.count).reversed() { pthread_mutex_unlock(&stripes[index].mutex) }
    }
    LockOrder.didUnlock(.directory)
  }
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
  /// The release of instances that the containers of a series of reloads share.
  case release = 4
  /// The wait-for graph of builds.
  case coordinator = 8
  /// A mutex under which no other mutex is taken and no user code is called.
  case leaf = 16
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
