// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// Builds the instance that a cell is to hold, and all that it needs.
  @usableFromInline func build(_ cell: Cell, _ resolution: borrowing Resolution) throws(ResolutionError) {
    let slot = slotOfCell[cells.index(of: cell)]
    guard slots[slot].opensGraph, resolution.graph == nil else {
      _ = try build(slot, resolution)
      return
    }
    let graph = GraphInstances()
    defer { graph.end() }
    _ = try build(slot, resolution.preparing(nil, graph: graph))
  }

  /// One service on the way down from the one that is wanted.
  private struct Step {
    /// The slot.
    let slot: Int
    /// The scope in which the slot's arguments are looked up.
    let scope: InstanceStore?
    /// The place of the next dependency to look at.
    var next = 0
  }

  /// Builds a kept instance and all that it needs, unless they are built.
  ///
  /// What is needed is built first, from the bottom up and without recursion, so that a builder finds its arguments ready
  /// however long the chain is. Nothing is claimed before all that it needs is there, so that threads which need the same
  /// things in different orders do not wait in a circle.
  ///
  /// - Throws: `ResolutionError` where a builder fails. What was built before stays.
  func build(_ wanted: Int, _ resolution: borrowing Resolution) throws(ResolutionError) -> Found {
    /// The services from the one that is wanted down to the one whose needs are looked at.
    var path = [Step(slot: wanted, scope: try scope(for: wanted, within: resolution.scope))]
    /// The services that keep no instance and whose needs are met.
    var met: Set<Int> = []
    while true {
      let step = path[path.count - 1]
      if step.next < slots[step.slot].dependencies.count {
        path[path.count - 1].next += 1
        let need = slots[step.slot].dependencies[step.next]
        do throws(ResolutionError) {
          let isMet = try isMet(need, step.scope, resolution.graph, met)
          if !isMet { path.append(Step(slot: need, scope: try scope(for: need, within: step.scope))) }
        } catch {
          throw error.under(path.map { slots[$0.slot].id })
        }
        continue
      }
      path.removeLast()
      if slots[step.slot].keeping == .nobody {
        met.insert(step.slot)
        continue
      }
      do throws(ResolutionError) {
        let arguments = path.isEmpty ? resolution.arguments : nil
        let found = try construct(
          step.slot, Resolution(scope: step.scope, graph: resolution.graph, arguments: arguments))
        if path.isEmpty { return found }
      } catch {
        throw error.under(path.map { slots[$0.slot].id })
      }
    }
  }

  /// The scope in which the arguments of a slot are looked up: that which keeps the slot, where one does.
  ///
  /// - Throws: `ResolutionError` where the scope that keeps the slot is not open.
  private func scope(for slot: Int, within scope: InstanceStore?) throws(ResolutionError) -> InstanceStore? {
    switch slots[slot].keeping {
    case .container: nil
    case .scope(let level): try openStore(at: level, of: slot, scope)
    case .nobody, .users, .lookUp: scope
    }
  }

  /// Whether a need is met: whether it is built, or can be made without building anything that is kept.
  private func isMet(
    _ need: Int, _ scope: InstanceStore?, _ graph: GraphInstances?, _ met: Set<Int>
  ) throws(ResolutionError) -> Bool {
    if slots[need].isInCells { return cells[slots[need].firstCell].isReady }
    if slots[need].keeping == .nobody { return !slots[need].needsKept || met.contains(need) }
    let resolution = Resolution(scope: scope, graph: graph)
    guard let found = found(need, in: try keeper(of: need, resolution)) else { return false }
    // Kept alive from here on until the look-up ends.
    if case .object = found { _ = instances(found, of: need, in: graph) }
    return true
  }

  /// Builds a kept instance whose needs are met, or waits until another thread has built it.
  private func construct(_ slot: Int, _ resolution: borrowing Resolution) throws(ResolutionError) -> Found {
    let keeper = try self.keeper(of: slot, resolution)
    // Copied, as a closure cannot capture what is borrowed.
    let inner = resolution.preparing(nil, graph: resolution.graph)
    return try builds.once(
      Site(keeper: keeper.identity, slot: slot),
      find: { found(slot, in: keeper) },
      build: { () throws(ResolutionError) in
        do {
          let isKnown = slots[slot].keeping == .users
          let built = try workplaces[slot].builder.build(
            asObject: isKnown || slots[slot].keeping == .lookUp, preparing(inner, for: slot))
          if isKnown, built.object == nil { throw ResolutionError.isNoObject(slots[slot]) }
          return .built(built)
        } catch {
          throw failure(error, of: slot)
        }
      },
      keep: { found in if case .built(let built) = found { keep(built, of: slot, in: keeper) } else { true } },
      cycle: { .cycle($0.map { slots[$0] }) },
      closed: { .closed(slots[slot]) })
  }

  /// The look-up for the arguments of a slot, with what they find prepared.
  private func preparing(_ resolution: borrowing Resolution, for slot: Int) throws -> Resolution {
    resolution.preparing(
      workplaces[slot].preparations.isEmpty ? nil : try prepare(slot, resolution), graph: resolution.graph)
  }

  /// Makes the instances that the builder of a slot finds prepared, without recursion.
  ///
  /// - Throws: what a builder or a look-up for its arguments throws, as a `ResolutionError` from the slot on.
  func prepare(_ slot: Int, _ resolution: borrowing Resolution) throws -> PreparedInstances {
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
        let inner = resolution.preparing(prepared, graph: resolution.graph)
        let instance = try workplaces[type.slot].builder.instance(ofType: type.index, inner)
        path.removeLast()
        path[path.count - 1].made.append(instance)
      } catch {
        throw failure(error, of: type.slot).under(path.dropFirst().dropLast().map { slots[$0.type.slot].id })
      }
    }
  }
}
