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

/// The building of an instance of a scope by a thread that builds nothing else.
///
/// That is how nearly all instances of scopes are built, and by far the cheapest way: the claim stands on the stack of the
/// thread, and the store alone knows of it. As soon as anybody else asks for the instance, or the thread builds something
/// within, the claim is *adopted*: it becomes a `Work`, with which one can wait, and by which circles are found. A thread has
/// one claim at most, and none within a `Work` of the same container.
struct BriefClaim {
  /// What is being built.
  unowned(unsafe) let subject: any WorkSubject
  /// Its slot.
  let slot: SlotKey
  /// The store of the scope that will keep it.
  unowned(unsafe) let store: InstanceStore
  /// What would adopt the claim.
  let builds: ObjectIdentifier
  /// The thread that builds.
  let thread: ThreadID
  /// Where on the stack of the thread that began.
  let address: UInt

  /// Names the claim of each thread.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The claim of the running thread; nil where it has none.
  static var current: UnsafePointer<BriefClaim>? {
    get { UnsafePointer(pthread_getspecific(key)?.assumingMemoryBound(to: BriefClaim.self)) }
    set { pthread_setspecific(key, newValue) }
  }
}
