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

/// Goes on with what a thread does on another thread, which has a large stack, while the first one waits.
///
/// What has to run on the first one, because that is on the main actor, goes back there.
final class StandIn: @unchecked Sendable {
  // Unchecked for the pointers and the state, which is read and written under the mutex alone.

  /// Guards the state.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Signals that the state has changed.
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// What the thread of the stand-in does.
  private var task: (() -> Void)?
  /// What the waiting thread is asked to do; nil where it is asked nothing.
  private var errand: (() -> Void)?
  /// Whether the stand-in is done.
  private var isDone = false
  /// Whether the waiting thread is on the main actor, or stands for one that is.
  let standsForMain: Bool

  /// How many bytes of stack a stand-in has: as many as a main thread, so that tools which follow calls can do it here too (the
  /// thread sanitizer has room for 65,536 calls). They take memory only where they are used.
  static let stackSize = 8 << 20

  /// A stand-in for the calling thread.
  private init(standsForMain: Bool, _ task: @escaping () -> Void) {
    self.task = task
    self.standsForMain = standsForMain
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

  /// Runs a body on another thread, and waits for it; where the system has no thread to give, on this one.
  ///
  /// - Parameters:
  ///   - outer: the stand-in whose thread this is; nil on threads of others.
  ///   - body: what to run. It is told its stand-in's thread and stack.
  static func run<Result>(
    within outer: StandIn?, _ body: (ThreadID, StackExtent) throws(ResolutionError) -> Result
  ) throws(ResolutionError) -> Result {
    var result: Swift.Result<Result, ResolutionError>?
    withoutActuallyEscaping(body) { body in
      var standIn: StandIn?
      standIn = StandIn(standsForMain: MainActor.isCurrent || outer?.standsForMain == true) {
        guard let standIn else { return }
        do throws(ResolutionError) {
          result = .success(try body(.current, StackExtent(base: StackExtent.here, standIn: standIn)))
        } catch {
          result = .failure(error)
        }
      }
      standIn?.start()
      standIn?.waitUntilDone()
      standIn = nil
    }
    guard let result else { throw .stackExhausted }
    return try result.get()
  }

  /// Has the waiting thread do something, and waits for it.
  func sendBack(_ errand: () -> Void) {
    withoutActuallyEscaping(errand) { errand in
      pthread_mutex_lock(mutex)
      self.errand = errand
      pthread_cond_broadcast(condition)
      while self.errand != nil { pthread_cond_wait(condition, mutex) }
      pthread_mutex_unlock(mutex)
    }
  }

  /// Starts the thread.
  private func start() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, StandIn.stackSize)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let own = Unmanaged.passRetained(self).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(&thread, &attributes, { StandIn.main($0) }, own)
    #else
      var thread = pthread_t()
      let status = pthread_create(&thread, &attributes, { StandIn.main($0) }, own)
    #endif
    if status != 0 {
      Unmanaged<StandIn>.fromOpaque(own).release()
      work()
    }
  }

  /// What the new thread runs.
  private static func main(_ own: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let own { Unmanaged<StandIn>.fromOpaque(own).takeRetainedValue().work() }
    return nil
  }

  /// Does what the stand-in is there for.
  private func work() {
    task?()
    task = nil
    pthread_mutex_lock(mutex)
    isDone = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits for the stand-in, and does meanwhile what it asks for.
  private func waitUntilDone() {
    pthread_mutex_lock(mutex)
    while !isDone {
      if let errand {
        pthread_mutex_unlock(mutex)
        errand()
        pthread_mutex_lock(mutex)
        self.errand = nil
        pthread_cond_broadcast(condition)
      } else {
        pthread_cond_wait(condition, mutex)
      }
    }
    pthread_mutex_unlock(mutex)
  }
}
