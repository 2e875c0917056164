// SPDX-License-Identifier: Apache-2.0

/// An instance whose type is not known here.
class AnyInstance: @unchecked Sendable {
  // Unchecked, as a subclass holds the instance and never changes it. Whether threads may share an instance is checked
  // when a module is loaded.

  /// Where the instance lies in memory, as long as this object lives.
  let address: UInt

  /// An instance at an address.
  fileprivate init(address: UInt) { self.address = address }

  /// The instance as a part of a key, or nil where it is not `Hashable`.
  var hashable: AnyHashable? { nil }

  /// The instance.
  var anyValue: Any { () }
}

/// An instance as one of the types that it can be looked up by, at an address that never changes.
final class Instance<Service>: AnyInstance, @unchecked Sendable {
  /// The instance. Allocated here, initialized once and read only.
  private let memory: UnsafeMutablePointer<Service>

  /// Holds an instance.
  init(_ value: consuming Service) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: value)
    super.init(address: UInt(bitPattern: memory))
  }

  /// Holds what lies at the address of another instance of the type, which is alive.
  convenience init(copying address: UInt) {
    // The address is that of a value, so it is never 0.
    self.init(UnsafePointer<Service>(bitPattern: address).unsafelyUnwrapped.pointee)
  }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// The instance.
  var value: Service { memory.pointee }

  override var anyValue: Any { value }

  override var hashable: AnyHashable? { (value as? any Hashable).map { AnyHashable($0) } }
}
