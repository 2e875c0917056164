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

  /// Whether the running thread is the main one, on which the main actor runs.
  static var isMain: Bool {
    #if canImport(Darwin)
      pthread_main_np() != 0
    #else
      threadNumber() == getpid()
    #endif
  }
}

#if !canImport(Darwin)
  /// The number of the running thread, which is the process's for the main one.
  ///
  /// The C library declares it for GNU sources only, which Swift's module of it is not.
  @_silgen_name("gettid") private func threadNumber() -> pid_t
#endif
