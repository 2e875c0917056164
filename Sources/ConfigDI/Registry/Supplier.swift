// SPDX-License-Identifier: Apache-2.0

/// Gives an argument of a builder its value, each time that the builder is called.
///
/// An object for each argument of each service, and so no larger than it must be: one with a closure would take two pieces
/// of memory.
@usableFromInline class Supplier<Input>: @unchecked Sendable {
  // Unchecked, as no subclass changes.

  /// For subclasses.
  init() {}

  /// The value for a call. Each subclass has its own; there is nothing here that it could be.
  ///
  /// - Throws: what a look-up for the argument throws.
  @usableFromInline func supply(_ resolution: Resolution) throws -> Input {
    throw WiringFailure.nothingSupplied
  }
}

/// A supplier of what a closure gives.
final class ComputedSupplier<Input>: Supplier<Input>, @unchecked Sendable {
  // Unchecked as its superclass is; the closure is `Sendable`.

  /// Gives the value.
  private let compute: Maker<Input>

  /// A supplier of what a closure gives.
  init(_ compute: @escaping Maker<Input>) { self.compute = compute }

  override func supply(_ resolution: Resolution) throws -> Input { try compute(resolution) }
}

/// A supplier of the same value at each call.
final class ConstantSupplier<Input>: Supplier<Input>, @unchecked Sendable {
  // Unchecked, as the value is copied, not changed. Whether threads may share it is settled where it is given.

  /// The value.
  private let value: Input

  /// A supplier of a value that threads may share.
  init(_ value: Input) { self.value = value }

  override func supply(_ resolution: Resolution) throws -> Input { value }
}

/// The suppliers of a builder's arguments.
///
/// In a list and not in a tuple, whose type would be looked up at each call; in memory of their own, so that a call need not
/// retain what it passes by.
@usableFromInline final class Suppliers: @unchecked Sendable {
  // Unchecked for the pointer to what never changes.

  /// The suppliers, each a `Supplier` of the argument's type.
  @usableFromInline let suppliers: UnsafeMutableBufferPointer<Unmanaged<AnyObject>>

  /// The suppliers of some arguments.
  ///
  /// - Throws: `WiringFailure` where an argument does not go with what it is given.
  init(of arguments: [AnyArgument], from source: any ArgumentSource) throws {
    let made = try arguments.map { try $0.supplier(source) }
    suppliers = .allocate(capacity: made.count)
    for (place, supplier) in made.enumerated() {
      suppliers.initializeElement(at: place, to: Unmanaged.passRetained(supplier))
    }
  }

  deinit {
    for supplier in suppliers { supplier.release() }
    suppliers.deallocate()
  }

  /// The next argument.
  ///
  /// - Parameter place: its place, which is moved on. The argument there must be of the given type.
  @inlinable func supply<Input>(
    _ type: Input.Type, at place: inout Int, _ resolution: Resolution
  ) throws -> Input {
    let supplier = suppliers[place]
    place += 1
    return try supplier._withUnsafeGuaranteedRef {
      try unsafeDowncast($0, to: Supplier<Input>.self).supply(resolution)
    }
  }
}
