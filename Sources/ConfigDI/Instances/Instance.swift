// SPDX-License-Identifier: Apache-2.0

/// Something that a cell can point to.
@usableFromInline class Held: @unchecked Sendable {
  // Unchecked, as a subclass holds an instance or a maker and never changes it. Whether threads may share an instance is
  // checked when a module is loaded.

  /// What a cell shows: where the instance, or this object where it is a maker, lies in memory as long as this object lives.
  var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  /// For subclasses.
  @inlinable init() {}
}

/// An instance whose type is not known here.
@usableFromInline class AnyInstance: Held, @unchecked Sendable {
  // Unchecked as `Held` is: what changes is written before others see the object.

  /// What few instances have besides. Written before others see the object.
  final var rest: BuiltRest?

  /// For subclasses.
  @usableFromInline override init() {}

  /// The instance as a part of a key, or nil where it is not `Hashable`.
  var hashable: AnyHashable? { nil }

  /// The instance.
  var anyValue: Any { () }
}

/// An instance as one of the types that it can be looked up by, at an address that never changes.
@usableFromInline final class Instance<Service>: AnyInstance, @unchecked Sendable {
  /// The instance.
  @usableFromInline let value: Service

  /// Holds an instance.
  @inlinable init(_ value: consuming Service) {
    self.value = value
    super.init()
  }

  /// Where the instance lies in this object: behind what it inherits.
  ///
  /// A class lays its stored properties out in their order, those that it inherits first, each at the next multiple of its
  /// alignment; so do the atomics of Swift's own packages find theirs.
  override var address: UInt {
    let properties = UInt(bitPattern: _getUnsafePointerToStoredProperties(self))
    let alignment = UInt(MemoryLayout<Service>.alignment)
    return (properties + UInt(MemoryLayout<BuiltRest?>.size) + alignment - 1) & ~(alignment - 1)
  }

  /// Holds what lies at the address of another instance of the type, which is alive.
  @inlinable convenience init(copying address: UInt) {
    // The address is that of a value, so it is never 0.
    self.init(UnsafePointer<Service>(bitPattern: address).unsafelyUnwrapped.pointee)
  }

  override var anyValue: Any { value }

  override var hashable: AnyHashable? { (value as? any Hashable).map { AnyHashable($0) } }
}
