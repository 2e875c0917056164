// SPDX-License-Identifier: Apache-2.0

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
///
/// How long an instance lives, the lifetime of its service says:
///
/// - `shared`: as long as the container.
/// - `weak`: as long as somebody holds it, and as the look-up runs that built it.
/// - `transient`: each use makes a new one.
/// - `graph`: as long as the outermost look-up, within which all uses receive the same one. What a builder looks up by code
///   of its own is a look-up of its own. What is put off with a `Lazy` belongs to the look-up in which the `Lazy` was made:
///   it receives the instances of that look-up which somebody still holds.
/// - the name of a scope: as long as the scope is open. See `Scope`.
public final class Container: Resolving {
  /// The cell of each type that one service answers for.
  @usableFromInline let types: TypeTable
  /// The services and what they decorate, each behind all that it needs.
  let slots: [Slot]
  /// The builders of the slots. Written by `init` alone, after all else: they refer to the container.
  nonisolated(unsafe) private(set) var workplaces: [Workplace] = []
  /// The cells: for each slot one for each type that it provides.
  let cells: CellArray
  /// The slot of each cell.
  let slotOfCell: [Int]
  /// The names and types by which code looks services up.
  let directory: Directory
  /// The named scopes of the module, outermost first.
  let scopeNames: [String]
  /// The slots that are built when the container starts, in the order of building.
  private let eagerSlots: [Int]
  /// The instances that the container keeps.
  let store = InstanceStore(level: -1, in: nil)
  /// What is being built and by whom.
  let builds = Builds()
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
    let numbers = linker.numbers
    directory = Directory(slots: slots, numbers: numbers, aliases: plan.aliases, bindings: plan.bindings)
    types = TypeTable(directory.answers.mapValues { cells[slots[$0.slot].firstCell + $0.index] })
    slotOfCell = linker.slotOfCell
    eagerSlots = plan.start.map { numbers[$0] }
    scopeNames = plan.scopes
    self.cells = cells
    self.slots = slots
    do { workplaces = try linker.link(in: self) } catch { throw ResolutionError(error) }
  }

  /// Builds the services that the module wants built at the start, and all that they need, in the plan's order.
  ///
  /// - Throws: `ResolutionError` of the first service that cannot be built; those before it stay built.
  package func start() throws(ResolutionError) {
    for slot in eagerSlots { try build(cells[slots[slot].firstCell], Resolution()) }
  }

  deinit { store.close() }

  /// The cell of a type of a slot.
  func cell(of type: SlotType) -> Cell { cells[slots[type.slot].firstCell + type.index] }
}
