// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The services of one application, each built when it is first looked up, or at the start where the module says so.
///
/// A container is made from a module file, whose services are all checked and wired before one is built. Afterwards it
/// never changes, but for the instances that it keeps.
///
/// ```swift
/// let container = try Container(module: "Configs/app.json", environment: "prod", registry: registry)
/// let mailer = try container.resolve((any Mailer).self)
/// let audit: any Logger = try container.resolve(named: "logger.audit")
/// ```
///
/// All of it may be called from every thread, by builders too. A service is built once however many threads ask for it,
/// and to build one holds up only those who need it. Kept instances are released with the container, in the reverse of the
/// order in which they were built.
public final class Container: Sendable {
  /// The cell of each type that one service answers for.
  @usableFromInline let types: TypeTable
  /// The services, each behind all that it needs.
  let slots: [Slot]
  /// The builders of the slots. Written by `init` alone, after all else: they refer to the container.
  nonisolated(unsafe) private(set) var workplaces: [Workplace] = []
  /// The cells: for each slot one for each type that it provides.
  let cells: CellArray
  /// The slot of each cell.
  let slotOfCell: [Int]
  /// The names and types by which code looks services up.
  let directory: Directory
  /// The slots that are built when the container starts, in the order of building.
  private let eagerSlots: [Int]
  /// What is being built and by whom, and what is built.
  let construction = Guarded(Construction())
  /// How many kept instances are being built.
  let activeBuilds = Atomic<Int>(0)
  /// Notices builders that call one another without end.
  let gauge = StackGauge()

  /// Wires the services of a plan. Builds none.
  ///
  /// - Parameters:
  ///   - plan: what to build, checked against the registry.
  ///   - registry: the builders.
  /// - Throws: `ResolutionError` where plan and registry do not go together, which the checks of a load exclude.
  package init(plan: CompiledPlan, registry: Registry) throws(ResolutionError) {
    let linker: Linker
    do { linker = try Linker(plan: plan, registry: registry) } catch { throw ResolutionError(error) }
    let cells = CellArray(count: linker.slotOfCell.count)
    let slots = linker.slots
    directory = Directory(slots: slots, aliases: plan.aliases, bindings: plan.bindings)
    types = TypeTable(directory.answers.mapValues { cells[slots[$0.slot].firstCell + $0.index] })
    slotOfCell = linker.slotOfCell
    eagerSlots = plan.start
    self.cells = cells
    self.slots = slots
    do { workplaces = try linker.link(in: self) } catch { throw ResolutionError(error) }
  }

  /// Builds the services that the module wants built at the start, and all that they need, in the plan's order.
  ///
  /// - Throws: `ResolutionError` of the first service that cannot be built; those before it stay built.
  package func start() throws(ResolutionError) {
    for slot in eagerSlots { try build(slot) }
  }

  deinit {
    var built = construction.withLock { $0.takeInstances() }
    while !built.isEmpty { built.removeLast() }
  }
}
