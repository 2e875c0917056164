// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension Container {
  /// Builds the kept instance of a cell, and all that it needs.
  @usableFromInline func build(_ cell: Cell) throws(ResolutionError) { try build(slotOfCell[cells.index(of: cell)]) }

  /// Builds a kept instance and all that it needs, unless they are built.
  ///
  /// What is needed is built first, from the bottom up and without recursion, so that a builder finds its arguments ready
  /// however long the chain is. Nothing is claimed before all that it needs is there, so that threads which need the same
  /// things in different orders do not wait in a circle.
  ///
  /// - Throws: `ResolutionError` where a builder fails. What was built before stays.
  func build(_ slot: Int) throws(ResolutionError) {
    guard !isReady(slot) else { return }
    /// The services from the one that is wanted down to the one whose needs are looked at, each with its next need.
    var path: [(slot: Int, next: Int)] = [(slot, 0)]
    /// The services that keep no instance and whose needs are met.
    var met: Set<Int> = []
    while let (slot, next) = path.last {
      let needs = slots[slot].dependencies
      if next < needs.count {
        path[path.count - 1].next += 1
        let need = needs[next]
        let isMet = slots[need].isShared ? isReady(need) : !slots[need].needsShared || met.contains(need)
        if !isMet { path.append((need, 0)) }
      } else {
        path.removeLast()
        guard slots[slot].isShared else {
          met.insert(slot)
          continue
        }
        do throws(ResolutionError) {
          try construct(slot)
        } catch {
          throw error.under(path.map { slots[$0.slot].id })
        }
      }
    }
  }

  /// Whether a kept instance is built.
  private func isReady(_ slot: Int) -> Bool { cells[slots[slot].firstCell].isReady }

  /// Builds a kept instance whose needs are met, or waits until another thread has built it.
  ///
  /// Who waits shares the fate of the attempt, so that a failing service is not tried once for each of them; the next
  /// look-up tries anew.
  private func construct(_ slot: Int) throws(ResolutionError) {
    let thread = ThreadID.current
    switch construction.withLock({ $0.claim(slot, by: thread, isBuilt: isReady(slot)) }) {
    case .none: return
    case .wait(let latch): try latch.wait()
    case .cycle(let path): throw ResolutionError.cycle(path.map { slots[$0] })
    case .build:
      activeBuilds.add(1, ordering: .relaxed)
      defer { activeBuilds.subtract(1, ordering: .relaxed) }
      let instances: [AnyInstance]
      do {
        instances = try workplaces[slot].builder.instances(resolution(for: slot))
      } catch {
        let error = failure(error, of: slot)
        construction.withLock { $0.finish(slot, by: thread, instances: nil) }?.open(error)
        throw error
      }
      construction.withLock { construction in
        // The first cell last: it stands for all.
        for (index, instance) in instances.enumerated().reversed() {
          cells[slots[slot].firstCell + index].publish(instance: instance)
        }
        return construction.finish(slot, by: thread, instances: instances)
      }?.open(nil)
    }
  }

  /// What the builder of a slot is called with.
  private func resolution(for slot: Int) throws -> Resolution {
    workplaces[slot].preparations.isEmpty ? Resolution() : Resolution(prepared: try prepare(slot))
  }

  /// Makes the instances that the builder of a slot finds prepared, without recursion.
  ///
  /// - Throws: what a builder or a look-up for its arguments throws, as a `ResolutionError` from the slot on.
  func prepare(_ slot: Int) throws -> PreparedInstances {
    /// A service that is being made: as which type, and what was made for it so far.
    var path: [(type: SlotType, made: [AnyInstance])] = [(SlotType(slot: slot, index: 0), [])]
    while true {
      let (type, made) = path[path.count - 1]
      let preparations = workplaces[type.slot].preparations
      if made.count < preparations.count {
        path.append((preparations[made.count], []))
        continue
      }
      let prepared = PreparedInstances(made)
      if path.count == 1 { return prepared }
      do {
        let resolution = Resolution(prepared: prepared)
        let instance = try workplaces[type.slot].builder.instance(ofType: type.index, resolution)
        path.removeLast()
        path[path.count - 1].made.append(instance)
      } catch {
        throw failure(error, of: type.slot).under(path.dropFirst().dropLast().map { slots[$0.type.slot].id })
      }
    }
  }
}

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
    if finding == .suspicious || activeBuilds.load(ordering: .relaxed) > 0 {
      try note(cell, isSuspicious: finding == .suspicious)
      making.isNoted = true
    }
    return making
  }

  /// Notes that the thread makes an instance that is not kept.
  ///
  /// - Throws: `ResolutionError` where the service is needed to make itself.
  @inline(never) private func note(_ cell: Cell, isSuspicious: Bool) throws(ResolutionError) {
    let slot = slotOfCell[cells.index(of: cell)]
    let thread = ThreadID.current
    let cycle = construction.withLock { construction -> [Int]? in
      if isSuspicious, let cycle = construction.cycle(of: slot, on: thread) { return cycle }
      construction.enter(slot, by: thread)
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
  @inline(never) private func forget() { construction.withLock { $0.leave(.current) } }

  /// The error of a look-up whose builder, or a look-up for its arguments, has thrown.
  @usableFromInline func failure(_ error: any Error, in cell: Cell) -> ResolutionError {
    failure(error, of: slotOfCell[cells.index(of: cell)])
  }

  /// The error of a slot whose builder, or a look-up for its arguments, has thrown.
  private func failure(_ error: any Error, of slot: Int) -> ResolutionError {
    (error as? ResolutionError)?.under([slots[slot].id]) ?? .builderFailed(slots[slot], error)
  }
}

/// What is to be undone once an instance that is not kept is made.
@usableFromInline struct Making {
  /// Where on the stack the gauge has seen it, or 0 where it need not forget it.
  let address: UInt
  /// Whether it was noted what the thread makes.
  var isNoted: Bool
}
