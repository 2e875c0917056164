// SPDX-License-Identifier: Apache-2.0

/// The way from a service that is wanted down to what has to be built before it, without recursion.
///
/// What is needed is built first, from the bottom up, so that a builder finds its arguments ready however long the chain is.
/// Nothing is claimed before all that it needs is there, so that threads which need the same things in different orders do
/// not wait in a circle.
struct BuildPath: Sendable {
  /// One service on the way.
  struct Step: Sendable {
    /// The slot.
    let slot: Slot
    /// The scope in which the slot's arguments are looked up.
    let scope: InstanceStore?
    /// The place of the next dependency to look at.
    fileprivate var next = 0
  }

  /// The services from the one that is wanted down to the one whose needs are looked at.
  private var steps: [Step]
  /// The services that keep no instance and whose needs are met.
  private var met: Set<SlotKey> = []

  /// The way to a service.
  ///
  /// - Parameter scope: the scope in which the slot's arguments are looked up.
  init(to slot: Slot, in scope: InstanceStore?) { steps = [Step(slot: slot, scope: scope)] }

  /// Whether there is nothing to build before a slot, which is the usual case.
  ///
  /// - Parameter scope: the scope in which the slot's arguments are looked up.
  /// - Throws: `ResolutionError` where a scope that keeps a service is not open.
  static func needsAreMet(
    of slot: Slot, _ scope: InstanceStore?, of core: Core, _ graph: GraphInstances?
  ) throws(ResolutionError) -> Bool {
    do throws(ResolutionError) {
      for dependency in slot.dependencies {
        guard try isMet(dependency.slot, scope, met: [], of: core, graph) else { return false }
      }
    } catch {
      throw error.under([slot.id])
    }
    return true
  }

  /// Whether nothing is left but what `next` gave last.
  var isDone: Bool { steps.isEmpty }

  /// The ids of the services that wait for what `next` gave last, the outermost first.
  var ids: [String] { steps.map(\.slot.id) }

  /// The next service to build: one that keeps an instance, and whose needs are met.
  ///
  /// - Throws: `ResolutionError` where a scope that keeps a service is not open.
  mutating func next(of core: Core, _ graph: GraphInstances?) throws(ResolutionError) -> Step {
    while true {
      let step = steps[steps.count - 1]
      if step.next < step.slot.dependencies.count {
        steps[steps.count - 1].next += 1
        let need = step.slot.dependencies[step.next].slot
        do throws(ResolutionError) {
          let isMet = try BuildPath.isMet(need, step.scope, met: met, of: core, graph)
          if !isMet { steps.append(Step(slot: need, scope: try core.scope(for: need, within: step.scope))) }
        } catch {
          throw error.under(ids)
        }
        continue
      }
      if step.slot.keeping == .nobody, steps.count > 1 {
        steps.removeLast()
        met.insert(step.slot.key)
        continue
      }
      steps.removeLast()
      return step
    }
  }

  /// Whether a need is met: whether it is built, or can be made without building anything that is kept.
  private static func isMet(
    _ need: Slot, _ scope: InstanceStore?, met: Set<SlotKey>, of core: Core, _ graph: GraphInstances?
  ) throws(ResolutionError) -> Bool {
    if let isThere = need.isThere(inScope: { scope?.store(at: $0)?.has(need.key) }) {
      return isThere || met.contains(need.key)
    }
    let resolution = Resolution(scope: scope, graph: graph)
    guard let found = core.found(need, in: try core.keeper(of: need, resolution)) else { return false }
    // Kept alive from here on until the look-up ends.
    if case .object = found { _ = try core.built(found, of: need, in: graph) }
    return true
  }
}

/// The way from a builder down to the instances that have to be made ahead of it, without recursion.
struct PreparationPath: Sendable {
  /// A service that is being made: as which type, and what was made for it so far.
  private struct Step {
    /// The cell of the type.
    let cell: Cell
    /// The builder.
    let workplace: Workplace
    /// What was made.
    var made: [AnyInstance] = []
  }

  /// An instance to make.
  struct Item: Sendable {
    /// The slot.
    let slot: Slot
    /// The place of the wanted type among those that the slot provides.
    let index: Int
    /// The builder.
    let builder: any LinkedBuilder
    /// What was made for the builder's own arguments; nil where they need nothing of the kind.
    let prepared: PreparedInstances?
    /// Whether another service stands for the slot, which is looked up as a whole.
    var isReplaced = false
  }

  /// The services from the one whose builder is to be called down to the one that is being made.
  private var steps: [Step]

  /// The way to what a builder needs.
  init(to slot: Slot, _ workplace: Workplace) { steps = [Step(cell: slot.firstCell, workplace: workplace)] }

  /// What was made for the builder. Complete once `next` gives nothing more.
  var prepared: PreparedInstances { PreparedInstances(steps[0].made) }

  /// The ids of the services between the builder and what `next` gave last.
  var ids: [String] { steps.dropFirst().dropLast().map { $0.cell.slot.id } }

  /// The next instance to make; nil where all are there.
  ///
  /// - Throws: `ResolutionError` where the container was disposed of.
  mutating func next() throws(ResolutionError) -> Item? {
    while true {
      let step = steps[steps.count - 1]
      guard step.made.count < step.workplace.preparations.count else {
        if steps.count == 1 { return nil }
        return Item(
          slot: step.cell.slot, index: step.cell.index, builder: step.workplace.builder,
          prepared: step.workplace.preparations.isEmpty ? nil : PreparedInstances(step.made))
      }
      let cell = step.workplace.preparations[step.made.count]
      guard let workplace = cell.slot.workplace else { throw .closed(cell.slot) }
      steps.append(Step(cell: cell, workplace: workplace))
      if cell.slot.successor(ofType: cell.index) != nil {
        return Item(
          slot: cell.slot, index: cell.index, builder: workplace.builder, prepared: nil, isReplaced: true)
      }
    }
  }

  /// Takes the instance that `next` asked for.
  mutating func add(_ instance: AnyInstance) {
    steps.removeLast()
    steps[steps.count - 1].made.append(instance)
  }
}
