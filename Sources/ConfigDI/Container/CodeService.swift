// SPDX-License-Identifier: Apache-2.0

/// A service as code registers it: what a form of `register` hands to what it registers in. See `Registering`.
public struct CodeService<Product>: Sendable {
  /// The name; nil where it answers for its type.
  public let name: String?
  /// How long an instance lives.
  public let lifetime: ServiceLifetime
  /// Where it is registered.
  public let origin: Origin
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
    as types: [ProvidedType<Product>] = [], onDispose: (@Sendable (Product) -> Void)?, looksUp: Bool = true,
    arguments: repeat (each Argument).Type, make: @escaping @Sendable (Core) -> Make<Product>
  ) {
    var parameters: [Any.Type] = []
    for argument in repeat each arguments { parameters.append(argument) }
    self.init(
      name, lifetime, fileID, line, as: types, parameters: parameters, onDispose: onDispose, looksUp: looksUp,
      make: make)
  }

  /// A service. One without types is looked up by its own; a type that comes twice counts once.
  init(
    _ name: String?, _ lifetime: ServiceLifetime, _ fileID: String, _ line: Int, as types: [ProvidedType<Product>],
    parameters: [Any.Type], onDispose: (@Sendable (Product) -> Void)?, looksUp: Bool,
    make: @escaping @Sendable (Core) -> Make<Product>
  ) {
    var seen: Set<ObjectIdentifier> = []
    self.name = name
    self.lifetime = lifetime
    origin = Origin(file: fileID, line: line)
    self.types = types.isEmpty ? [.itself] : types.filter { seen.insert(ObjectIdentifier($0.type)).inserted }
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
    let id = service.name ?? TypeName.name(of: Product.self)
    let keeping = keeping(service.lifetime, hasArguments: !service.parameters.isEmpty)
    let released = withState { state -> Hold<[Any]> in
      let olds = state.directory.predecessors(named: service.name, provided.map(\.id), service.parameters)
      let sole = olds.count == 1 ? olds[0] : nil
      let heir = sole.flatMap { old in
        old.source != .file && old.id == id && old.provided.map(\.id) == provided.map(\.id) ? old : nil
      }
      let firstCell: Cell
      if let heir {
        firstCell = heir.firstCell
      } else {
        let block = CellBlock(count: provided.count)
        state.blocks.append(block)
        firstCell = block[0]
      }
      let slot = Slot(
        core: self, id: id,
        shape: SlotShape(provided: provided, parameters: service.parameters, calling: make.calling),
        origin: service.origin, keeping: keeping, source: service.name == nil ? .unnamed : .named,
        firstCell: firstCell, looksUp: service.looksUp)
      var released: [Any] = []
      if let heir {
        released = succeed(heir, by: slot, builder, in: &state)
      } else {
        for index in provided.indices { slot.cell(index).belong(to: slot) }
        slot.furnish(builder)
        for old in olds { hide(old, behind: slot, in: &state) }
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
    for scope in state.scopes.all { scope.forget(slot.key) }
    state.directory.replace(old, by: slot)
    return [old]
  }

  /// Has a service stand for another one, to whose cells others may be linked, as the types that both provide.
  private func hide(_ old: Slot, behind slot: Slot, in state: inout State) {
    guard let workplace = old.workplace else { return }
    var successors = old.provided.indices.map { old.successor(ofType: $0) }
    var forwarders: [(Cell, Held)] = []
    for (index, provided) in old.provided.enumerated() where successors[index] == nil {
      guard let cell = slot.cell(of: provided.id) else { continue }
      successors[index] = cell
      let forwarder = workplace.builder.keeper(ofType: index) { [unowned(unsafe) self] resolution, receive in
        let instance = try held(in: cell, resolution)
        withExtendedLifetime(instance) { receive(KeptInstance(unretained: $0)) }
      }
      forwarders.append((old.cell(index), forwarder))
    }
    let standIns = Instance(successors)
    builds.construction.withLock { _ in
      old.markReplaced(by: standIns)
      for (cell, forwarder) in forwarders { cell.publish(maker: forwarder, isKeeper: true) }
    }
    state.forwarders.append(standIns)
    state.forwarders.append(contentsOf: forwarders.map(\.1))
    state.directory.hide(old, behind: slot)
    for provided in old.provided { answer(for: provided.id, in: state) }
  }

  /// Who keeps the instances of a service with a lifetime.
  private func keeping(_ lifetime: ServiceLifetime, hasArguments: Bool) -> Keeping {
    switch lifetime.kind {
    case .plain(let lifetime): return Keeping(lifetime, hasArguments: hasArguments)
    case .scope(let name):
      return level(ofScope: name).map { .scope($0) } ?? .missingScope(name)
    }
  }
}

extension Directory {
  /// The services whose place one takes, for one of its types each at least, that is registered under a name or, without
  /// one, under its types.
  fileprivate func predecessors(
    named name: String?, _ types: [ObjectIdentifier], _ parameters: [Any.Type]
  ) -> [Slot] {
    let signature = parameters.map { ObjectIdentifier($0) }
    var predecessors: [Slot] = []
    for type in types {
      let slot = name.map { predecessor(named: $0, type, signature) } ?? predecessor(type, signature)
      if let slot, !predecessors.contains(where: { $0 === slot }) { predecessors.append(slot) }
    }
    return predecessors
  }

  /// The service of a name that still provides a type.
  private func predecessor(
    named name: String, _ type: ObjectIdentifier, _ signature: [ObjectIdentifier]
  ) -> Slot? {
    entries(named: name).first { $0.slot.signature == signature && $0.slot.presentCell(of: type) != nil }?.slot
  }

  /// The service that code has registered for a type alone.
  private func predecessor(_ type: ObjectIdentifier, _ signature: [ObjectIdentifier]) -> Slot? {
    bound(type, arguments: signature).flatMap { $0.slot.source == .unnamed ? $0.slot : nil }
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
