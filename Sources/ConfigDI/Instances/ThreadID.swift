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

/// A thread, as long as it runs.
struct ThreadID: Hashable, Sendable {
  /// The thread's address or number in the system's thread library.
  let bits: UInt

  /// The running thread.
  static var current: ThreadID {
    #if canImport(Glibc) || canImport(Android)
      ThreadID(bits: UInt(truncatingIfNeeded: pthread_self()))
    #else
      ThreadID(bits: UInt(bitPattern: pthread_self()))
    #endif
  }
}
