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
    guard let cell = types.cell(of: ObjectIdentifier(Service.self)) else { return try resolveWithoutAnswer() }
    return try instance(in: cell)
  }

  /// The instance of a cell, which is built where it is not there yet.
  ///
  /// - Parameter cell: a cell of this container whose type is `Service`.
  @inlinable func instance<Service>(in cell: Cell) throws(ResolutionError) -> Service {
    while true {
      let word = cell.word.pointee.load(ordering: .acquiring)
      if word & 1 == 1 { return try make(word, in: cell) }
      if let instance = UnsafePointer<Service>(bitPattern: word) { return instance.pointee }
      try build(cell)
    }
  }

  /// A new instance of a cell.
  ///
  /// - Parameters:
  ///   - word: what stands in the cell.
  ///   - cell: a cell of this container whose type is `Service`, and whose service is transient.
  @inlinable func make<Service>(_ word: UInt, in cell: Cell) throws(ResolutionError) -> Service {
    let making = try beginMaking(cell)
    defer { endMaking(making) }
    do {
      return try UnsafePointer<Maker<Service>>(bitPattern: word & ~1).unsafelyUnwrapped.pointee(Resolution())
    } catch {
      throw failure(error, in: cell)
    }
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

extension Resolution {
  /// A look-up whose builders make what they need.
  @inlinable init() { self.init(prepared: nil) }
}
