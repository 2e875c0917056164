// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension Core {
  /// Whether a making has to be noted: where something is being built, so that a cycle through both shows its whole path,
  /// and where so many look-ups are under way that there may be a cycle of services that keep nothing.
  @inlinable func isNoted(_ resolution: Resolution) -> Bool { resolution.isDeep || builds.areRunning }

  /// Makes an instance that is not kept, and notes so while it is made.
  ///
  /// - Throws: `ResolutionError` where the service is needed to make itself, or its builder or a look-up for its arguments
  ///   fails.
  @usableFromInline func makeNoted<Service>(
    _ cell: Cell, _ resolution: Resolution, _ maker: Maker<Service>
  ) throws(ResolutionError) -> Service {
    let work = try builds.enter(cell.slot, resolution)
    // Whatever is made within is noted, too, though its look-up may not know that it is deep.
    builds.begin()
    defer {
      builds.end(work)
      builds.end()
    }
    let inner = resolution.with { $0.work = work }
    return try builds.onRoomyStack(work) { () throws(ResolutionError) in
      do { return try maker(inner) } catch { throw failure(error, in: cell) }
    }
  }

  /// The error of a look-up whose maker has thrown.
  @usableFromInline func failure(_ error: any Error, in cell: Cell) -> ResolutionError {
    let slot = cell.slot
    // What is kept was built under its own name already, and so was what stands for another service.
    if slot.keeping != .nobody || slot.successor(ofType: cell.index) != nil, let error = error as? ResolutionError {
      return error
    }
    return failure(error, of: slot)
  }

  /// The error of a slot whose builder, or a look-up for its arguments, has thrown.
  func failure(_ error: any Error, of slot: Slot) -> ResolutionError {
    switch error {
    case let error as ResolutionError: error.under([slot.id])
    case CallingFailure.needsAwait: .needsAwait(slot)
    case CallingFailure.needsMainActor: .needsMainActor(slot)
    default: .builderFailed(slot, error)
    }
  }

  /// The instance of a cell, held as the cell's type.
  ///
  /// - Throws: `ResolutionError` where it cannot be built.
  func held(in cell: Cell, _ resolution: Resolution) throws(ResolutionError) -> AnyInstance {
    while true {
      let slot = cell.slot
      guard let workplace = slot.workplace else { throw .closed(slot) }
      if let successor = slot.successor(ofType: cell.index) { return try held(in: successor, resolution) }
      let word = cell.word.pointee.load(ordering: .acquiring)
      if word & Cell.makerBit == 0 {
        if word != 0 { return workplace.builder.copy(ofType: cell.index, at: word) }
        try build(cell, resolution)
      } else if slot.keeping != .nobody {
        return try kept(slot, cell.index, resolution)
      } else {
        do {
          let prepared = try prepared(for: slot, workplace, resolution)
          let inner = resolution.with { $0.prepared = prepared }
          return try workplace.builder.instance(ofType: cell.index, inner)
        } catch {
          throw failure(error, of: slot)
        }
      }
    }
  }
}
