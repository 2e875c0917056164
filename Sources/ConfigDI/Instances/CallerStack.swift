// SPDX-License-Identifier: Apache-2.0

#if canImport(CDispatch)
  // Where the type of thread attributes is declared on Linux.
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
  // A function of glibc, musl and Bionic that their headers declare only with an extension of POSIX.
  @_silgen_name("pthread_getattr_np")
  private func threadAttributes(of thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt
#endif

/// The stack of the running thread.
///
/// Builders call each other on the caller's stack. Before each builder the container asks whether enough of it is left, so
/// that a chain without end becomes an error long before the guard page.
enum CallerStack {
  /// The part of a stack that is left to the builders themselves, in bytes: one eighth, at least this much.
  private static let leastReserve: UInt = 128 << 10

  /// Whether another builder may be called.
  ///
  /// - Complexity: constant; some 2 ns, but for the first call on a thread, which asks the system for the extent of the stack.
  ///
  /// Never inlined: a local of an asynchronous function lies in the memory of its task.
  @inline(never) static func hasRoom() -> Bool {
    var local: UInt8 = 0
    let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    let known = UInt(bitPattern: pthread_getspecific(key))
    let floor = known != 0 ? known : measuredFloor()
    return (floor & fakeFrames == 0 ? here : FakeStack.address(of: here)) > floor
  }

  /// The bit of a floor that is set where the address sanitizer may put locals elsewhere than on the stack.
  private static let fakeFrames: UInt = 1

  /// The thread-specific value: the lowest address at which a builder may still be called, and `fakeFrames`.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Works out the floor of the running thread's stack, and keeps it for the thread.
  @inline(never) private static func measuredFloor() -> UInt {
    let (lowest, size) = extent()
    // 2 where the extent is not known, so that it is asked for once: every address lies above.
    let lowestAllowed = size == 0 ? 2 : (lowest + max(leastReserve, size / 8)) & ~fakeFrames
    let floor = FakeStack.isPossible && size != 0 ? lowestAllowed | fakeFrames : lowestAllowed
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: floor))
    return floor
  }

  /// The lowest address of the running thread's stack and its size in bytes; a size of 0 where the system does not tell.
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
/// Without their translation every builder of a program under the sanitizer would seem to have no stack left. The functions
/// are those of LLVM's `sanitizer/asan_interface.h`; a program that is not linked with the sanitizer has none of them.
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

  /// The place on the thread's stack of the frame that holds a local at an address.
  static func address(of local: UInt) -> UInt {
    let pointer = UnsafeMutableRawPointer(bitPattern: local)
    guard let stack = current?(), let real = addressOnStack?(stack, pointer, nil, nil) else { return local }
    return UInt(bitPattern: real)
  }

  /// A function of the program, by its name in C; nil where it has none.
  ///
  /// - Parameter type: the type of the function in C, as its header declares it: the cast does not check it.
  private static func symbol<Function>(_ name: String, as type: Function.Type) -> Function? {
    #if canImport(Darwin)
      let program = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let program: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(program, name).map { unsafeBitCast($0, to: Function.self) }
  }
}
