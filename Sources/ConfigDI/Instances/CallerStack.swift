// SPDX-License-Identifier: Apache-2.0

#if canImport(CDispatch)
  // On Linux this module declares the type of the thread attributes.
  import CDispatch
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

#if !canImport(Darwin)
  // The headers of glibc, musl and Bionic declare this function only with an extension of POSIX.
  @_silgen_name("pthread_getattr_np")
  private func threadAttributes(of thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt
#endif

/// The stack of the running thread.
///
/// Builders call each other on the caller's stack. Before each builder the container checks that enough of the stack is
/// left, so that endless recursion becomes an error before it reaches the guard page.
enum CallerStack {
  /// The least reserve for the builders themselves, in bytes. The reserve is one eighth of the stack if that is more, and
  /// half of a smaller stack: with musl a thread has 128 kB by default.
  private static let leastReserve: UInt = 128 << 10

  /// The stack that builders of a thread may use below its first look-up before the system is asked for the extent of
  /// the stack, in bytes. Less than the reserve, so that it does not matter how deep the first look-up begins.
  private static let unmeasuredDepth: UInt = 32 << 10

  /// Returns whether there is enough stack left to call another builder.
  ///
  /// Asks the system for the extent of the stack only when builders nest deeply: for the main thread glibc parses the
  /// memory map of the process, which takes a tenth of a millisecond.
  ///
  /// Never inlined: inside an async function the local variable would be in the memory of the task.
  ///
  /// - Complexity: constant; some 2 ns.
  @inline(never) static func hasRoom() -> Bool {
    var local: UInt8 = 0
    let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    let known = UInt(bitPattern: pthread_getspecific(key))
    if known != 0, known & fakeFrames == 0, here > known { return true }
    return hasRoom(here, known)
  }

  /// Returns whether there is enough stack left for declared builders that nest to a depth.
  ///
  /// Asks the system for the extent of the stack at the first call on a thread.
  @inline(never) static func hasRoom(forBuilders depth: Int) -> Bool {
    var local: UInt8 = 0
    let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    return isFree(UInt(depth) * builderSize, below: here, UInt(bitPattern: pthread_getspecific(key)))
  }

  /// The slow path of `hasRoom()`: the first call on a thread, a call below the known floor, or one under the address
  /// sanitizer.
  @inline(never) private static func hasRoom(_ here: UInt, _ known: UInt) -> Bool {
    if known == 0, !FakeStack.isPossible {
      setFloor((here - unmeasuredDepth) & ~marks | isUnmeasured)
      return true
    }
    return isFree(0, below: here, known)
  }

  /// Returns whether a part of the stack lies between a local and the floor, which is measured if it is not yet known.
  private static func isFree(_ size: UInt, below here: UInt, _ known: UInt) -> Bool {
    let floor = known == 0 || known & isUnmeasured != 0 ? measuredFloor() : known
    return (floor & fakeFrames == 0 ? here : FakeStack.address(of: here)) > floor + size
  }

  /// The stack that a declared builder takes with the look-up of its arguments, in bytes: some 10 kB in a debug build, much
  /// less in a release build.
  private static let builderSize: UInt = 16 << 10

  /// The bit of a floor that is set if the address sanitizer may keep locals outside of the stack.
  private static let fakeFrames: UInt = 1
  /// The bit of a floor that is set until the system is asked for the extent of the stack.
  private static let isUnmeasured: UInt = 2
  private static let marks = fakeFrames | isUnmeasured

  /// The thread-specific value: the lowest address at which a builder may be called, combined with `marks`; 0 before
  /// the first call on the thread.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static func setFloor(_ floor: UInt) { pthread_setspecific(key, UnsafeRawPointer(bitPattern: floor)) }

  /// Computes the floor of the running thread's stack, and stores it for the thread.
  private static func measuredFloor() -> UInt {
    let (lowest, size) = extent()
    // 4 if the extent is unknown: below every address, and without marks, so that the system is asked only once.
    let reserve = min(max(leastReserve, size / 8), size / 2)
    let lowestAllowed = size == 0 ? 4 : (lowest + reserve) & ~marks
    let floor = FakeStack.isPossible && size != 0 ? lowestAllowed | fakeFrames : lowestAllowed
    setFloor(floor)
    return floor
  }

  /// Returns the lowest address of the running thread's stack and its size in bytes; a size of 0 if it is unknown.
  private static func extent() -> (lowest: UInt, size: UInt) {
    #if canImport(Darwin)
      let size = UInt(pthread_get_stacksize_np(pthread_self()))
      return (UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())) - size, size)
    #else
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      guard threadAttributes(of: pthread_self(), &attributes) == 0 else { return (0, 0) }
      defer { pthread_attr_destroy(&attributes) }
      var address: UnsafeMutableRawPointer?
      var size = 0
      guard pthread_attr_getstack(&attributes, &address, &size) == 0 else { return (0, 0) }
      return (UInt(bitPattern: address), UInt(size))
    #endif
  }
}

/// The frames that the address sanitizer moves from the stack to the heap, to find locals that outlive their function.
///
/// Without the translation of their addresses, every builder would seem to have no stack left in a program with the
/// sanitizer. The functions are declared in LLVM's `sanitizer/asan_interface.h`; a program that is not linked with the
/// sanitizer has none of them.
private enum FakeStack {
  private typealias CurrentFakeStack = @convention(c) () -> UnsafeMutableRawPointer?
  private typealias AddressOnStack =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> UnsafeMutableRawPointer?

  private static let current = symbol("__asan_get_current_fake_stack", as: CurrentFakeStack.self)
  private static let addressOnStack = symbol("__asan_addr_is_in_fake_stack", as: AddressOnStack.self)

  /// Whether the program is linked with the address sanitizer.
  static var isPossible: Bool { current != nil && addressOnStack != nil }

  /// Returns the address on the thread's stack for a local, which the sanitizer may have moved to the heap.
  static func address(of local: UInt) -> UInt {
    let pointer = UnsafeMutableRawPointer(bitPattern: local)
    guard let stack = current?(), let real = addressOnStack?(stack, pointer, nil, nil) else { return local }
    return UInt(bitPattern: real)
  }

  /// Returns a function of the program by its C name; `nil` if the program has no such function.
  ///
  /// - Parameter type: the C type of the function as its header declares it; the cast does not check it.
  private static func symbol<Function>(_ name: String, as type: Function.Type) -> Function? {
    #if canImport(Darwin)
      let program = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let program: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(program, name).map { unsafeBitCast($0, to: Function.self) }
  }
}
