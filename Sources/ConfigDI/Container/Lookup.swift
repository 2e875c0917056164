// SPDX-License-Identifier: Apache-2.0

// The look-up, the main file with `@inlinable` code: specialized in the client for each type, a look-up of a built service
// is a probe of a table, two loads and the copy of the instance, between the two steps by which `Readers` knows of it; without
// a lock, an allocation or a dynamic cast.

public import Synchronization

extension Container {
  /// The service that provides a type.
  ///
  /// That is the service which code has registered for just this type, else the one which the module's `bindings` name for it,
  /// else the only one that provides it and is not private. An array type gives all that provide its element, ascending by
  /// id, and an optional type nil where none does.
  ///
  /// ```swift
  /// let mailer = try container.resolve((any Mailer).self)
  /// let logger: any Logger = try container.resolve()
  /// let checks = try container.resolve([any HealthCheck].self)
  /// ```
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, and where building fails.
  @inlinable public func resolve<Service>(_ type: Service.Type = Service.self) throws(ResolutionError) -> Service {
    try core.resolve(type)
  }

  /// The service of a name, by its id or an alias.
  ///
  /// A private service is found by its aliases alone.
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type, or building fails.
  @inlinable public func resolve<Service>(
    _ type: Service.Type = Service.self, named name: String
  ) throws(ResolutionError) -> Service {
    try core.resolve(type, named: name)
  }

  /// The service that provides a type, with builders awaited. See `Resolving`.
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, where building fails, and where the task
  ///   is cancelled.
  @inlinable public func resolve<Service>(
    _ type: Service.Type = Service.self, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    if let service = core.built(type) { return service }
    return try await resolveAwaiting(type)
  }
}

extension Core {
  /// The service that provides a type.
  ///
  /// - Parameter scope: the store of the scope in which to look up; nil: none but the container.
  /// - Throws: as `Container.resolve` does.
  @inlinable @inline(__always) func resolve<Service>(
    _ type: Service.Type, in scope: InstanceStore? = nil
  ) throws(ResolutionError) -> Service {
    var here: UInt8 = 0
    let visit = readers.enter(at: withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) })
    defer { readers.leave(visit) }
    guard let cell = types.finding(of: ObjectIdentifier(Service.self)).cell else {
      return try resolveWithoutAnswer(Resolution(scope: scope, isDeep: visit.isDeep))
    }
    if let instance = cell.instance(as: type) { return instance.pointee }
    return try instance(in: cell, Resolution(scope: scope, isDeep: visit.isDeep))
  }

  /// The service of a name, in no scope.
  ///
  /// - Throws: as `Container.resolve` does.
  @inlinable @inline(__always) func resolve<Service>(
    _ type: Service.Type, named name: String
  ) throws(ResolutionError) -> Service {
    var here: UInt8 = 0
    let visit = readers.enter(at: withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) })
    defer { readers.leave(visit) }
    guard let cell = namedCells.cell(named: name, ObjectIdentifier(Service.self)) else {
      return try resolveUnknown(type, named: name, Resolution(isDeep: visit.isDeep))
    }
    if let instance = cell.instance(as: type) { return instance.pointee }
    return try instance(in: cell, Resolution(isDeep: visit.isDeep))
  }

  /// The instance of a type, where it is kept by the container and built.
  @inlinable @inline(__always) func built<Service>(_ type: Service.Type) -> Service? {
    var here: UInt8 = 0
    let visit = readers.enter(at: withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) })
    defer { readers.leave(visit) }
    return types.finding(of: ObjectIdentifier(type)).cell?.instance(as: type)?.pointee
  }

  /// The instance of a cell, which is built where it is not there yet.
  ///
  /// - Parameter cell: a cell of this container whose type is `Service`.
  @inlinable func instance<Service>(
    in cell: Cell, _ resolution: Resolution
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
    _ word: UInt, in cell: Cell, _ resolution: Resolution
  ) throws(ResolutionError) -> Service {
    let address = word & ~(Cell.makerBit | Cell.keeperBit)
    let held = Unmanaged<HeldMaker<Service>>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    if word & Cell.keeperBit == 0, isNoted(resolution) {
      return try makeNoted(cell, resolution, held.takeUnretainedValue().make)
    }
    do {
      return try held._withUnsafeGuaranteedRef { try $0.make(resolution) }
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
  /// What the table says of a type.
  ///
  /// - Complexity: constant.
  @inlinable @inline(__always) func finding(of type: ObjectIdentifier) -> Finding {
    let key = UInt(bitPattern: type)
    // There is a table from the start.
    let header = UnsafePointer<Header>(bitPattern: current.load(ordering: .acquiring)).unsafelyUnwrapped
    let (entries, mask) = (header.pointee.entries, header.pointee.mask)
    var place = Int(truncatingIfNeeded: (key &* TypeTable.multiplier) >> header.pointee.shift)
    while true {
      let found = (entries + place).pointee.type.load(ordering: .acquiring)
      if found == key {
        let address = (entries + place).pointee.cell.load(ordering: .acquiring)
        return Finding(cell: UnsafeMutablePointer(bitPattern: address).map { Cell(word: $0) }, isKnown: true)
      }
      if found == 0 { return Finding(cell: nil, isKnown: false) }
      place = (place &+ 1) & mask
    }
  }
}
