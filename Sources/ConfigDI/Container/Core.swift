// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The registrations of a container, and what was built of them.
///
/// `Container` is the handle that users hold. Builders, `Lazy`, `Provider` and open scopes hold the core: when the handle is
/// gone the core is emptied, so that what they hold keeps nothing alive.
@usableFromInline final class Core: @unchecked Sendable {
  // Unchecked for the slots, whose types are metadata: what changes is behind a lock, or atomic.

  /// The cell of each type that one service answers for.
  @usableFromInline let types = TypeTable()
  /// The cells that look-ups by name have found.
  @usableFromInline let namedCells = NamedCells()
  /// The look-ups that are under way, here and in all parents and children.
  @usableFromInline let readers: Readers
  /// What is being built, here and in all parents and children.
  @usableFromInline let builds: Builds
  /// The container whose services are looked up where this one has none; nil for an outermost one.
  let parent: Core?
  /// The named scopes, outermost first.
  let scopeNames: [String]
  /// The instances that the container keeps.
  let store = InstanceStore(level: -1, in: nil)
  /// What changes under a lock.
  private let state = Guarded(State())
  /// Whether the container was disposed of. Written under the lock.
  private let closed = Atomic(false)

  /// What changes under a lock.
  struct State {
    /// Who answers for what.
    var directory = Directory()
    /// The services of a module and what they decorate, each behind all that it needs.
    var fileSlots: [Slot] = []
    /// The services of a module that are built when the container starts, in the order of building.
    var eagerSlots: [Slot] = []
    /// The services that were registered in code, by slot.
    var codeSlots: [SlotKey: Slot] = [:]
    /// The memory of the cells.
    var blocks: [CellBlock] = []
    /// What the cells of replaced services point to.
    var forwarders: [Held] = []
    /// The stores of the open scopes.
    var scopes = ScopeList()
  }

  /// A core without services.
  init(scopeNames: [String], parent: Core?) {
    self.parent = parent
    self.scopeNames = parent?.scopeNames ?? scopeNames
    readers = parent?.readers ?? Readers()
    builds = parent?.builds ?? Builds()
  }

  /// The place of a scope in the list of scopes; nil where there is none of the name.
  func level(ofScope name: String) -> Int? { scopeNames.firstIndex { ScalarString($0) == ScalarString(name) } }

  /// Whether the container was disposed of.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Whether the container or one of its parents was disposed of.
  var isEnded: Bool {
    var core: Core? = self
    while let current = core {
      if current.isClosed { return true }
      core = current.parent
    }
    return false
  }

  /// Reads or changes the state; nil where the container was disposed of. The body must not call user code.
  func withState<Result>(_ body: (inout State) -> sending Result) -> sending Result? {
    state.withLock { closed.load(ordering: .relaxed) ? nil : body(&$0) }
  }

  /// Says in the table of types who answers for a type, when nothing but the type is given.
  ///
  /// A child's own services stand there only where no service of a parent could answer as well.
  func answer(for type: ObjectIdentifier, in state: State) {
    if let cell = state.directory.bound(type, arguments: []) { return types.set(type, cell) }
    guard parent == nil else { return types.set(type, nil) }
    types.set(type, state.directory.soleProvider(of: type))
  }
}

extension Core {
  /// Lets all instances go, the last built first, each after it has given back what it holds.
  ///
  /// - Parameter isLast: whether all registrations go, too, so that each further look-up throws.
  func empty(closing isLast: Bool) {
    var (scopes, slots, own, rest) = state.withLock {
      state -> ([InstanceStore], [Slot], Hold<[KeptInstance]>, Hold<[Any]>) in
      guard !closed.load(ordering: .relaxed) else { return ([], [], Hold([]), Hold([])) }
      let scopes = state.scopes.all
      let slots = state.fileSlots + state.codeSlots.values
      // In one step, so that no instance is shown in a cell that is not kept any more.
      let own = builds.construction.withLock { _ in
        for slot in slots where slot.isInCells {
          for index in slot.provided.indices { slot.cell(index).clearInstance() }
        }
        // Under this lock, too, so that nothing is kept any more by what is still being built.
        if isLast { closed.store(true, ordering: .releasing) }
        var instances = store.empty(closing: isLast)
        return Hold(instances.removeAll())
      }
      var rest: [Any] = []
      if isLast {
        types.clear()
        rest = [state.forwarders, slots, slots.compactMap { $0.retireWorkplace() }, namedCells.clear()]
        let blocks = state.blocks
        state = State()
        // Cells are read by address; they go with the core.
        state.blocks = blocks
      }
      return (scopes, slots, own, Hold(rest))
    }
    for slot in slots { slot.place?.forget() }
    slots = []
    // The container's own first, as they were built before those of scopes that need them.
    var instances = own.value
    own.value = []
    for scope in scopes.reversed() {
      var chain = scope.empty(closing: isLast)
      instances.append(contentsOf: chain.removeAll())
    }
    scopes = []
    if readers.areQuiet() {
      while let kept = instances.popLast() { kept.end() }
    } else {
      for kept in instances.reversed() { kept.dispose() }
      readers.retire(instances.map { $0.takeObject() })
    }
    readers.retire(rest.value)
    rest.value = []
  }

  /// Notes that a scope is open.
  ///
  /// - Returns: false where the container was disposed of.
  func open(_ store: InstanceStore) -> Bool { withState { $0.scopes.add(store) } != nil }

  /// Closes a scope: lets its instances go, the last built first.
  func close(_ store: InstanceStore) {
    if store.wasClosed { return }
    withState { $0.scopes.remove(store) }
    store.close()
  }
}

extension Core {
  /// Adds the services of a plan. Builds none.
  ///
  /// - Throws: `WiringFailure` where plan and registry do not go together.
  func install(_ plan: CompiledPlan, _ registry: Registry) throws {
    let linker = try Linker(plan: plan, registry: registry, core: self)
    try linker.link()
    let numbers = linker.numbers
    let slots = linker.slots
    let block = linker.block
    if linker.hasSharing { builds.noteSharing() }
    _ = withState { state in
      state.fileSlots = slots
      state.eagerSlots = plan.start.map { slots[numbers[$0]] }
      state.blocks.append(block)
      state.directory.add(numbers.count == slots.count ? slots : numbers.map { slots[$0] })
      for alias in plan.aliases { state.directory.add(alias: alias.id, of: slots[numbers[alias.slot]]) }
      for binding in plan.bindings {
        let slot = slots[numbers[binding.slot]]
        for (index, provided) in slot.provided.enumerated() where provided.name == binding.provided {
          state.directory.bind(provided.id, to: slot.cell(index))
        }
      }
      let answered = state.directory.types
      types.reserve(answered.count)
      for type in answered { answer(for: type, in: state) }
    }
  }

  /// Builds the services that the module wants built at the start, and all that they need, in the plan's order.
  ///
  /// - Throws: `ResolutionError` of the first service that cannot be built; those before it stay built.
  func start() throws(ResolutionError) {
    let slots = withState { $0.eagerSlots } ?? []
    for slot in slots { try look { resolution throws(ResolutionError) in try build(slot.firstCell, resolution) } }
  }

  /// The way to the main actor.
  var mainActor: MainActorRunner { { [builds] body in builds.onMainActor(body) } }
}
