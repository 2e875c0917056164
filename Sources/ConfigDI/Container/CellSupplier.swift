// SPDX-License-Identifier: Apache-2.0

/// A supplier of the instances of a cell.
final class CellSupplier<Service>: Supplier<Service>, @unchecked Sendable {
  // Unchecked for the core, which is shared by threads as it is; nothing changes.

  /// The core, which owns this object; whoever calls it holds the core.
  private let core: Unmanaged<Core>
  /// The cell, whose type is `Service`.
  private let cell: Cell

  /// A supplier of the instances of a cell of a core, whose type is `Service`.
  init(_ cell: Cell, of core: Core) {
    self.core = Unmanaged.passUnretained(core)
    self.cell = cell
  }

  override func supply(_ resolution: Resolution) throws -> Service {
    try core._withUnsafeGuaranteedRef { try $0.argument(in: cell, resolution) }
  }
}

/// A supplier of the instances of a cell for an argument that could do without.
final class OptionalCellSupplier<Service>: Supplier<Service?>, @unchecked Sendable {
  // Unchecked as `CellSupplier` is.

  /// The core, which owns this object; whoever calls it holds the core.
  private let core: Unmanaged<Core>
  /// The cell, whose type is `Service`.
  private let cell: Cell

  /// A supplier of the instances of a cell of a core, whose type is `Service`.
  init(_ cell: Cell, of core: Core) {
    self.core = Unmanaged.passUnretained(core)
    self.cell = cell
  }

  override func supply(_ resolution: Resolution) throws -> Service? {
    try core._withUnsafeGuaranteedRef { try $0.argument(in: cell, resolution) as Service }
  }
}

extension Core {
  /// The instance of a cell for an argument of another service.
  ///
  /// What was prepared is for the arguments at hand, not for those of the services that they receive.
  @inline(__always)
  fileprivate func argument<Service>(in cell: Cell, _ resolution: Resolution) throws -> Service {
    guard resolution.prepared == nil else {
      return try instance(in: cell, resolution.with { $0.prepared = nil })
    }
    return try instance(in: cell, resolution)
  }
}
