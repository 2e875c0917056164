// SPDX-License-Identifier: Apache-2.0

// The look-up, the one file with `@inlinable` code: specialized in the client for each type, a look-up of a built service
// is a probe of a table, two loads and the copy of the instance, without a lock, an allocation or a dynamic cast.

public import Synchronization

extension Container {
  /// The service that provides a type.
  ///
  /// That is the service which the module's `bindings` name for the type, else the only one that provides it and is not
  /// private. An array type gives all that provide its element, ascending by id, and an optional type nil where none does.
  ///
  /// ```swift
  /// let mailer = try container.resolve((any Mailer).self)
  /// let logger: any Logger = try container.resolve()
  /// let checks = try container.resolve([any HealthCheck].self)
  /// ```
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, and where building fails.
  @inlinable public func resolve<Service>(_ type: Service.Type = Service.self) throws(ResolutionError) -> Service {
    guard let cell = types.cell(of: ObjectIdentifier(Service.self)) else {
      return try resolveWithoutAnswer(in: nil)
    }
    if let instance = cell.instance(as: type) { return instance.pointee }
    return try instance(in: cell, Resolution())
  }

  /// The instance of a cell, which is built where it is not there yet.
  ///
  /// - Parameter cell: a cell of this container whose type is `Service`.
  @inlinable func instance<Service>(
    in cell: Cell, _ resolution: borrowing Resolution
  ) throws(ResolutionError) -> Service {
    while true {
      let word = cell.word.pointee.load(ordering: .acquiring)
      if word & Cell.makerBit != 0 { return try make(word, in: cell, resolution) }
      if let instance = UnsafePointer<Service>(bitPattern: word) { return instance.pointee }
      try build(cell, resolution)
    }
  }

  /// The instance that the maker of a cell gives.
  ///
  /// - Parameters:
  ///   - word: what stands in the cell.
  ///   - cell: a cell of this container whose type is `Service`, and in which a maker stands.
  @inlinable func make<Service>(
    _ word: UInt, in cell: Cell, _ resolution: borrowing Resolution
  ) throws(ResolutionError) -> Service {
    let isKeeper = word & Cell.keeperBit != 0
    let making = isKeeper ? Making() : try beginMaking(cell)
    defer { if !isKeeper { endMaking(making) } }
    let address = word & ~(Cell.makerBit | Cell.keeperBit)
    do {
      return try UnsafePointer<Maker<Service>>(bitPattern: address).unsafelyUnwrapped.pointee(resolution)
    } catch {
      throw failure(error, in: cell)
    }
  }
}

extension Cell {
  /// Where the kept instance lies, or nil where there is none or a maker.
  ///
  /// - Parameter type: the type of the cell.
  @inlinable @inline(__always) func instance<Service>(as type: Service.Type) -> UnsafePointer<Service>? {
    let word = word.pointee.load(ordering: .acquiring)
    return word & Cell.makerBit == 0 ? UnsafePointer(bitPattern: word) : nil
  }
}

extension TypeTable {
  /// The cell of a type, or nil where no service or no single one answers for it.
  ///
  /// - Complexity: constant.
  @inlinable @inline(__always) func cell(of type: ObjectIdentifier) -> Cell? {
    let key = UInt(bitPattern: type)
    var place = Int(truncatingIfNeeded: (key &* TypeTable.multiplier) >> UInt(truncatingIfNeeded: shift))
    while true {
      let entry = entries[place]
      if entry.type == key || entry.type == 0 { return entry.cell }
      place = (place &+ 1) & mask
    }
  }
}
