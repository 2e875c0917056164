// SPDX-License-Identifier: Apache-2.0

/// A service as code registers it.
struct CodeService<Product>: Sendable {
  /// The name; nil where it answers for its type.
  let name: String?
  /// How long an instance lives.
  let lifetime: ServiceLifetime
  /// Where it is registered.
  let origin: Origin
  /// The types by which instances are looked up.
  let types: [ProvidedType<Product>]
  /// The types of the run-time arguments, in order.
  let parameters: [Any.Type]
  /// Gives back what an instance holds; nil where it holds nothing of the kind.
  let onDispose: (@Sendable (Product) -> Void)?
  /// Whether the builder looks up what it needs.
  let looksUp: Bool
  /// Makes products, in a container.
  let make: @Sendable (Core) -> Make<Product>

  /// A service.
  init<each Argument>(
    _ name: String?, _ lifetime: ServiceLifetime, _ fileID: String, _ line: Int,
    onDispose: (@Sendable (Product) -> Void)?, looksUp: Bool = true, arguments: repeat (each Argument).Type,
    make: @escaping @Sendable (Core) -> Make<Product>
  ) {
    var parameters: [Any.Type] = []
    for argument in repeat each arguments { parameters.append(argument) }
    self.init(
      name, lifetime, fileID, line, parameters: parameters, onDispose: onDispose, looksUp: looksUp, make: make)
  }

  /// A service.
  init(
    _ name: String?, _ lifetime: ServiceLifetime, _ fileID: String, _ line: Int, parameters: [Any.Type],
    onDispose: (@Sendable (Product) -> Void)?, looksUp: Bool, make: @escaping @Sendable (Core) -> Make<Product>
  ) {
    self.name = name
    self.lifetime = lifetime
    origin = Origin(file: fileID, line: line)
    types = [.itself]
    self.parameters = parameters
    self.onDispose = onDispose
    self.looksUp = looksUp
    self.make = make
  }
}

extension Core {
  /// Registers a service. Does nothing once the container was disposed of.
  func register<Product>(_ service: CodeService<Product>) {
    let make = service.make(self)
    let builder = TypedBuilder(
      make: make, handling: ProductHandling(provided: service.types, onDispose: service.onDispose),
      mainActor: mainActor)
    let provided = service.types.map { Registration.Provided(type: $0.type, name: TypeName.name(of: $0.type)) }
    let keeping = keeping(service.lifetime, hasArguments: !service.parameters.isEmpty)
    let released = withState { state -> Hold<[Any]> in
      let old = state.directory.predecessor(named: service.name, provided[0].id, service.parameters)
      let inherits = old.map { $0.source != .file && $0.provided.map(\.id) == provided.map(\.id) } ?? false
      let firstCell: Cell
      if inherits, let old {
        firstCell = old.firstCell
      } else {
        let block = CellBlock(count: provided.count)
        state.blocks.append(block)
        firstCell = block[0]
      }
      let slot = Slot(
        core: self, id: service.name ?? provided[0].name,
        shape: SlotShape(provided: provided, parameters: service.parameters, calling: make.calling),
        origin: service.origin, keeping: keeping, source: service.name == nil ? .unnamed : .named,
        firstCell: firstCell, looksUp: service.looksUp)
      var released: [Any] = []
      if inherits, let old {
        released = succeed(old, by: slot, builder, in: &state)
      } else {
        for index in provided.indices { slot.cell(index).belong(to: slot) }
        slot.furnish(builder)
        if let old { hide(old, behind: slot, in: &state) }
        state.directory.add(slot)
        for type in provided { answer(for: type.id, in: state) }
      }
      state.codeSlots[slot.key] = slot
      return Hold(released + namedCells.clear())
    }
    if keeping == .lookUp || keeping == .users { builds.noteSharing() }
    readers.retire(released?.value ?? [])
  }

  /// Puts a service in the place of another one, whose cells it takes over.
  ///
  /// - Returns: what is to be retired.
  private func succeed(
    _ old: Slot, by slot: Slot, _ builder: any LinkedBuilder, in state: inout State
  ) -> [Any] {
    builds.construction.withLock { _ in
      for index in slot.provided.indices {
        slot.cell(index).clear()
        slot.cell(index).belong(to: slot)
      }
      slot.furnish(builder)
    }
    store.forget(slot.key)
    for scope in state.scopes.values { scope.forget(slot.key) }
    state.directory.replace(old, by: slot)
    return [old]
  }

  /// Has a service stand for another one, to whose cells others may be linked.
  private func hide(_ old: Slot, behind slot: Slot, in state: inout State) {
    guard let workplace = old.workplace else { return }
    state.directory.hide(old, behind: slot)
    var forwarders: [(Cell, AnyInstance)] = []
    for (index, provided) in old.provided.enumerated() {
      guard let cell = slot.cell(of: provided.id) else { continue }
      let forwarder = workplace.builder.keeper(ofType: index) { [unowned(unsafe) self] resolution in
        try held(in: cell, resolution)
      }
      forwarders.append((old.cell(index), forwarder))
    }
    builds.construction.withLock { _ in
      old.markReplaced(by: slot)
      for (cell, forwarder) in forwarders { cell.publish(maker: forwarder, isKeeper: true) }
    }
    state.forwarders.append(contentsOf: forwarders.map(\.1))
    for provided in old.provided { answer(for: provided.id, in: state) }
  }

  /// Who keeps the instances of a service with a lifetime.
  private func keeping(_ lifetime: ServiceLifetime, hasArguments: Bool) -> Keeping {
    switch lifetime.kind {
    case .plain(let lifetime): return Keeping(lifetime, hasArguments: hasArguments)
    case .scope(let name):
      let level = scopeNames.firstIndex { $0.utf8.elementsEqual(name.utf8) }
      return level.map { .scope($0) } ?? .missingScope(name)
    }
  }
}

extension Directory {
  /// The service whose place one takes that is registered under a name or, without one, under its type.
  fileprivate func predecessor(named name: String?, _ type: ObjectIdentifier, _ parameters: [Any.Type]) -> Slot? {
    let signature = parameters.map { ObjectIdentifier($0) }
    guard let name else {
      let slot = bound(type, arguments: signature)?.slot
      return slot.flatMap { $0.source == .unnamed && $0.provided[0].id == type ? $0 : nil }
    }
    return entries(named: name).first {
      $0.slot.signature == signature && $0.slot.cell(of: type) != nil
    }?.slot
  }
}

extension Resolution {
  /// The run-time arguments, to be taken one by one.
  var remainingArguments: RemainingArguments { RemainingArguments(arguments: arguments) }
}

/// Run-time arguments that are taken one by one.
struct RemainingArguments {
  /// The arguments; nil where there are none.
  let arguments: RuntimeArguments?
  /// The place of the next one.
  private var place = 0

  /// All of some arguments.
  init(arguments: RuntimeArguments?) { self.arguments = arguments }

  /// The next one.
  ///
  /// - Throws: `WiringFailure` where there is none of the type, which look-ups exclude.
  mutating func next<Argument>(as type: Argument.Type) throws(WiringFailure) -> Argument {
    defer { place += 1 }
    guard let argument = arguments?.value(at: place, as: type) else { throw .runtimeArgumentMissing }
    return argument
  }
}
