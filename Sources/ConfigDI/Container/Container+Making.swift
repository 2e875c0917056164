// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// Goes on to make an instance that is not kept.
  ///
  /// While a kept instance is being built the service is noted, so that a cycle through both shows its whole path. A cycle
  /// of services that keep nothing shows by its use of the stack alone; from there on it is noted, too.
  ///
  /// - Returns: what `endMaking` has to undo.
  /// - Throws: `ResolutionError` where the service is needed to make itself.
  @usableFromInline func beginMaking(_ cell: Cell) throws(ResolutionError) -> Making {
    let address = withUnsafeBytes(of: cell) { UInt(bitPattern: $0.baseAddress) }
    let finding = gauge.enter(at: address)
    var making = Making(address: finding == .first ? address : 0, isNoted: false)
    if finding == .suspicious || builds.areRunning {
      try note(cell, isSuspicious: finding == .suspicious)
      making.isNoted = true
    }
    return making
  }

  /// Notes that the thread makes an instance that is not kept.
  ///
  /// - Throws: `ResolutionError` where the service is needed to make itself.
  @inline(never) private func note(_ cell: Cell, isSuspicious: Bool) throws(ResolutionError) {
    let site = Site(keeper: ObjectIdentifier(self), slot: slotOfCell[cells.index(of: cell)])
    let thread = ThreadID.current
    let cycle = builds.construction.withLock { construction -> [Int]? in
      if isSuspicious, let cycle = construction.cycle(of: site, on: thread) { return cycle }
      construction.enter(site, by: thread)
      return nil
    }
    if let cycle { throw ResolutionError.cycle(cycle.map { slots[$0] }) }
  }

  /// Is done with making an instance that is not kept.
  @usableFromInline func endMaking(_ making: Making) {
    if making.address != 0 { gauge.leave(at: making.address) }
    if making.isNoted { forget() }
  }

  /// Notes that the thread is done with the instance that it noted last.
  @inline(never) private func forget() { builds.construction.withLock { $0.leave(.current) } }

  /// The error of a look-up whose maker has thrown.
  @usableFromInline func failure(_ error: any Error, in cell: Cell) -> ResolutionError {
    let slot = slotOfCell[cells.index(of: cell)]
    // What is kept was built under its own name already.
    if slots[slot].keeping != .nobody, let error = error as? ResolutionError { return error }
    return failure(error, of: slot)
  }

  /// The error of a slot whose builder, or a look-up for its arguments, has thrown.
  func failure(_ error: any Error, of slot: Int) -> ResolutionError {
    (error as? ResolutionError)?.under([slots[slot].id]) ?? .builderFailed(slots[slot], error)
  }
}

/// What is to be undone once an instance that is not kept is made.
@usableFromInline struct Making {
  /// Where on the stack the gauge has seen it, or 0 where it need not forget it.
  @usableFromInline let address: UInt
  /// Whether it was noted what the thread makes.
  @usableFromInline var isNoted: Bool

  /// What is to be undone.
  init(address: UInt, isNoted: Bool) {
    self.address = address
    self.isNoted = isNoted
  }

  /// Nothing.
  @inlinable init() {
    address = 0
    isNoted = false
  }
}
