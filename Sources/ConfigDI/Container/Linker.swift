// SPDX-License-Identifier: Apache-2.0

/// Brings a plan and a registry together: numbers slots and cells, and links the builders.
///
/// A decorated service becomes several slots: the service itself, then each decorator around the one before it. The last
/// one has the service's lifetime, and stands for it.
final class Linker {
  /// One slot's part of the plan.
  private struct Order {
    /// The registered type.
    let type: LinkedType
    /// What the arguments receive. Slots are the plan's.
    let arguments: [CompiledPlan.Argument]
    /// The slot that is decorated; nil where there is none.
    let decorated: Int?
    /// How many run-time arguments the decorated slots take before this one.
    let firstParameter: Int
  }

  /// What those ask of a slot that need it. Together, as they need slots in any order, and slots lie far apart.
  private struct Outline {
    /// The slot's shape.
    let shape: SlotShape
    /// The slot's first cell.
    let firstCell: Cell
    /// How many instances that are not kept stand on one another there.
    let depth: UInt32
    /// Whether a kept instance is needed there, directly or not.
    let needsKept: Bool
    /// See `Slot`.
    let isAwaitedUnkept: Bool
    /// See `Slot`.
    let isPrepared: Bool
  }

  /// What the slots are made of.
  private var orders: [Order] = []
  /// The slots that the one needs which is being added.
  private var needs: [Int] = []
  /// Whether some service is shared within a look-up, or kept by its users.
  private(set) var hasSharing = false
  /// The services.
  private(set) var slots: [Slot] = []
  /// The memory of the cells.
  let block: CellBlock
  /// How many cells are taken.
  private var cellCount = 0
  /// The cells that slots need.
  private let dependencies = CellList()
  /// For each slot of the plan the one that stands for it.
  private(set) var numbers: [Int] = []
  /// The outline of each slot.
  private var outlines: [Outline] = []
  /// The core whose builders are linked.
  let core: Core
  /// The way to the main actor.
  let mainActor: MainActorRunner
  /// What has to be made before the builder that is being linked is called.
  private var preparations: [Cell] = []
  /// The slot that is being linked.
  private var current = 0
  /// The place of its next run-time argument.
  private var nextParameter = 0

  /// How many instances that are not kept may stand on one another before they are made without recursion.
  ///
  /// A level takes up to about a kilobyte of stack, and a thread may have no more than 512.
  private static let greatestDepth = 64

  /// Numbers slots and cells.
  ///
  /// - Throws: `WiringFailure` where a type of the plan is not registered, or slots stand in the wrong order.
  init(plan: CompiledPlan, registry: Registry, core: Core) throws(WiringFailure) {
    self.core = core
    mainActor = core.mainActor
    let types = try LinkedTypes(of: plan, in: registry)
    block = CellBlock(count: types.cellCount)
    orders.reserveCapacity(types.inOrder.count)
    slots.reserveCapacity(types.inOrder.count)
    outlines.reserveCapacity(types.inOrder.count)
    numbers.reserveCapacity(plan.slots.count)
    for planned in plan.slots {
      let type = types.inOrder[slots.count]
      try addSlot(planned, type, planned.arguments, base: type, isOutermost: planned.decorators.isEmpty)
      for (index, decorator) in planned.decorators.enumerated() {
        let isOutermost = index == planned.decorators.count - 1
        try addSlot(
          planned, types.inOrder[slots.count], decorator.arguments, base: type, isOutermost: isOutermost,
          decorating: slots.count - 1)
      }
      numbers.append(slots.count - 1)
    }
    markGraphs()
  }

  /// Adds a slot.
  ///
  /// - Parameters:
  ///   - base: the registered type of the service itself.
  ///   - decorated: the slot that it decorates; nil where it is the service itself.
  private func addSlot(
    _ planned: CompiledPlan.Slot, _ type: LinkedType, _ given: [CompiledPlan.Argument], base: LinkedType,
    isOutermost: Bool, decorating decorated: Int? = nil
  ) throws(WiringFailure) {
    needs.removeAll(keepingCapacity: true)
    for (isPutOff, argument) in zip(type.isPutOff, given) where !isPutOff {
      if case .decorated = argument, let decorated { needs.append(decorated) }
      try argument.forEachSlot { slot throws(WiringFailure) in
        guard slot < numbers.count else { throw .wrongOrder(planned.id) }
        needs.append(numbers[slot])
      }
    }
    let parameters = decorated.map { slots[$0].parameters } ?? []
    let shape = type.shape(providing: planned.provides, of: base, isDecorator: decorated != nil, behind: parameters)
    let keeping = isOutermost ? Keeping(planned.lifetime, hasArguments: !shape.parameters.isEmpty) : .nobody
    let firstNeed = dependencies.count
    var depth: UInt32 = keeping == .nobody ? 1 : 0
    var isAwaited = shape.calling != .anywhere
    var needsKept = false
    for need in needs {
      let outline = outlines[need]
      dependencies.append(outline.firstCell)
      if keeping == .nobody { depth = max(depth, outline.depth + 1) }
      if outline.isAwaitedUnkept { isAwaited = true }
      if outline.needsKept { needsKept = true }
    }
    let slot = Slot(
      core: core, id: planned.id, shape: shape, origin: planned.origin, keeping: keeping, source: .file,
      isPrivate: planned.isPrivate, isDecorated: !isOutermost, firstCell: block[cellCount],
      dependencies: CellRange(dependencies, from: firstNeed), needsKept: needsKept,
      isPrepared: keeping == .nobody && (depth > Linker.greatestDepth || isAwaited), isAwaited: isAwaited)
    for index in shape.provided.indices { slot.cell(index).belong(to: slot) }
    cellCount += shape.provided.count
    orders.append(Order(type: type, arguments: given, decorated: decorated, firstParameter: parameters.count))
    slots.append(slot)
    outlines.append(
      Outline(
        shape: shape, firstCell: slot.firstCell, depth: depth, needsKept: keeping != .nobody || needsKept,
        isAwaitedUnkept: slot.isAwaitedUnkept, isPrepared: slot.isPrepared))
    hasSharing = hasSharing || keeping == .lookUp || keeping == .users
  }

  /// Marks the slots that need, directly or not, something that a look-up shares within itself.
  ///
  /// What is put off with a `Lazy` counts, as it belongs to the same look-up.
  private func markGraphs() {
    guard hasSharing else { return }
    var users: [[Int]] = Array(repeating: [], count: slots.count)
    for (slot, order) in orders.enumerated() {
      if let decorated = order.decorated { users[decorated].append(slot) }
      for given in order.arguments {
        given.forEachSlot { need in
          if numbers.indices.contains(need) { users[numbers[need]].append(slot) }
        }
      }
    }
    var rest = slots.indices.filter { slots[$0].keeping == .lookUp || slots[$0].keeping == .users }
    while let slot = rest.popLast() {
      if slots[slot].opensGraph { continue }
      slots[slot].opensGraph = true
      rest.append(contentsOf: users[slot])
    }
  }
}

extension Linker {
  /// Links the builders of all slots.
  ///
  /// - Throws: `WiringFailure` where an argument does not go with what the plan gives it.
  func link() throws {
    for (number, order) in orders.enumerated() {
      preparations = []
      current = number
      nextParameter = order.firstParameter
      let builder = try order.type.registration.link(order.arguments, self)
      slots[number].furnish(builder, preparations: preparations)
    }
  }

  /// The cell of a type of the slot that stands for a slot of the plan.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  func cell<Service>(of type: Service.Type, in slot: Int) throws(WiringFailure) -> Cell {
    try cell(of: type, at: number(of: slot))
  }

  /// The number of the slot that stands for a slot of the plan.
  private func number(of slot: Int) throws(WiringFailure) -> Int {
    guard numbers.indices.contains(slot) else { throw .wrongOrder("\(slot)") }
    return numbers[slot]
  }

  /// The cell of a type of a slot.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  private func cell<Service>(of type: Service.Type, at number: Int) throws(WiringFailure) -> Cell {
    let outline = outlines[number]
    guard let index = outline.shape.provided.firstIndex(where: { $0.id == ObjectIdentifier(type) }) else {
      throw .serviceMismatch(slots[number].id, type: TypeName.name(of: type))
    }
    return outline.firstCell.advanced(by: index)
  }
}

extension Linker: ServiceLinker {
  func supplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service> {
    let number = try number(of: slot)
    let cell = try cell(of: type, at: number)
    guard outlines[number].shape.parameters.isEmpty else { throw .argumentsMissing(slots[number].id) }
    return supplier(of: cell, at: number)
  }

  func optionalSupplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service?> {
    let number = try number(of: slot)
    guard !outlines[number].isPrepared else {
      let supplier = try supplier(of: slot, as: type)
      return ComputedSupplier { resolution in try supplier.supply(resolution) }
    }
    let cell = try cell(of: type, at: number)
    guard outlines[number].shape.parameters.isEmpty else { throw .argumentsMissing(slots[number].id) }
    return OptionalCellSupplier(cell, of: core)
  }

  func decorated<Service>(as type: Service.Type) throws(WiringFailure) -> Supplier<Service> {
    guard let decorated = orders[current].decorated else { throw .nothingDecorated }
    return supplier(of: try cell(of: type, at: decorated), at: decorated)
  }

  func runtime<Argument>(as type: Argument.Type) -> Supplier<Argument> {
    let place = nextParameter
    nextParameter += 1
    return ComputedSupplier { resolution in
      guard let value = resolution.arguments?.value(at: place, as: type) else {
        throw WiringFailure.runtimeArgumentMissing
      }
      return value
    }
  }

  /// A supplier of the instances of a cell of a slot.
  private func supplier<Service>(of cell: Cell, at number: Int) -> Supplier<Service> {
    if outlines[number].isPrepared {
      preparations.append(cell)
      return ComputedSupplier { resolution in
        guard let prepared = resolution.prepared?.next(as: Service.self) else {
          throw WiringFailure.preparedInstanceMissing
        }
        return prepared
      }
    }
    return CellSupplier(cell, of: core)
  }
}

extension CompiledPlan.Argument {
  /// Calls a closure with each slot whose instance the argument needs, in order.
  fileprivate func forEachSlot<Failure>(_ body: (Int) throws(Failure) -> Void) throws(Failure) {
    switch self {
    case .absent, .value, .decorated, .runtime: break
    case .service(let slot): try body(slot)
    case .services(let slots): for slot in slots { try body(slot) }
    case .keyedServices(let slots): for keyed in slots { try body(keyed.slot) }
    }
  }
}
