// SPDX-License-Identifier: Apache-2.0

/// Links a plan to a registry: allocates the cells of each service, links the arguments of its builder, and enters the
/// service in the directory.
///
/// A decorated service becomes several registrations: the service itself, then each decorator around the previous one.
/// The last one has the service's scope and cells; the others are transient and are reached only from it.
final class Linker {
  private let state: ContainerState
  private let registry: Registry
  private(set) var tables: DirectoryTables
  /// The id, the type of the products, and the first cell of each slot of the plan. Known before any service is linked,
  /// since a deferred look-up may refer to a later slot.
  private var places: ContiguousArray<(id: String, type: BuildableType, firstCell: Int, home: ContainerState)> = []
  /// The registration and the first cell of each slot of the plan that is linked.
  private var services: ContiguousArray<(registration: Registration, firstCell: Int)> = []
  /// The services that a child shares with its parent; `nil` if there is no such parent.
  private let inherited: InheritedServices?
  /// The registration that the decorator being linked wraps; `nil` if the service itself is being linked.
  private var decorated: Registration?
  /// The index of the next run-time argument of the builder being linked.
  private var nextParameter = 0
  /// The greatest depth of the services that the arguments linked so far need.
  private var depth = 0
  /// The services whose instances the application passes in.
  private var given: [GivenService] = []
  private var id = ""
  /// The container, which is set when the services are linked, for arguments that open its scopes.
  let container = WeakReference<Container>()

  /// Links the services of a plan.
  ///
  /// - Throws: `WiringFailure` if plan and registry do not match.
  init(
    _ plan: CompiledPlan, _ registry: Registry, in state: ContainerState, inheriting inherited: InheritedServices? = nil
  ) throws {
    self.state = state
    self.registry = registry
    self.inherited = inherited
    tables = DirectoryTables(parent: state.parent?.directory.pointer)
    if inherited == nil {
      tables.cells.reserveCapacity(plan.slots.count)
      tables.names.reserveCapacity(plan.slots.count + plan.aliases.count)
    }
    places.reserveCapacity(plan.slots.count)
    services.reserveCapacity(plan.slots.count)
    var cellCount = 0
    for slot in plan.slots {
      let type = try registeredType(slot.decorators.last?.typeName ?? slot.typeName)
      if let inherited, let cells = inherited.cells(of: slot.id) {
        places.append((slot.id, type, cells.lowerBound, inherited.parent))
      } else {
        places.append((slot.id, type, cellCount, state))
        cellCount += type.factory.typeCount
      }
    }
    for (slot, place) in zip(plan.slots, places) {
      if place.home === state {
        try add(slot)
      } else {
        guard let (registration, _) = place.home.directory.registration(in: place.firstCell) else {
          throw ResolutionError.disposed
        }
        services.append((registration, place.firstCell))
      }
    }
    enterTypes()
    for alias in plan.aliases where isOwn(alias.slot) {
      let service = services[alias.slot]
      tables.names[ScalarString(alias.key)] = nil
      for cell in cells(of: service) { tables.addName(alias.key, cell) }
    }
    for binding in plan.bindings where isOwn(binding.slot) {
      let place = places[binding.slot]
      for (index, provided) in place.type.provided.enumerated() where provided.name == binding.key {
        tables.bind(ObjectIdentifier(provided.type), to: place.firstCell + index)
      }
    }
    var tags: [ScalarString: [TagMember]] = [:]
    for tag in plan.tags {
      tags[ScalarString(tag.name)] = tag.members.map { member in
        let first = places[member.slot].firstCell
        return TagMember(
          key: member.key, cells: first..<first + places[member.slot].type.factory.typeCount,
          isInherited: !isOwn(member.slot))
      }
    }
    // An instance that the container does not keep is built for its consumer.
    let eager = plan.start.filter { isOwn($0) && services[$0].registration.keeping == .shared }
      .map { services[$0].firstCell }
    tables.rare = Shared(
      RareTables(
        eager: eager, given: given, tags: tags, hidden: inherited?.hidden ?? [],
        hiddenTags: inherited?.hiddenTags ?? []))
  }

  /// Returns whether the service of a slot belongs to this container, not to its parent.
  private func isOwn(_ slot: Int) -> Bool { places[slot].home === state }

  private func add(_ slot: CompiledPlan.Slot) throws {
    id = slot.id
    let base = try registeredType(slot.typeName)
    var registration = try linked(
      slot, base, slot.arguments, takesSecrets: slot.takesSecrets, base: base, decorating: nil,
      isOutermost: slot.decorators.isEmpty)
    let given = registration
    let firstDecorated = tables.decorated.count
    for (index, decorator) in slot.decorators.enumerated() {
      tables.decorated.append(registration)
      registration = try linked(
        slot, try registeredType(decorator.typeName), decorator.arguments, takesSecrets: decorator.takesSecrets,
        base: base, decorating: registration, isOutermost: index == slot.decorators.count - 1)
    }
    tables.decorated[firstDecorated...].reverse()
    if base.descriptor.isGiven {
      self.given.append(GivenService(registration: given, outermost: registration))
      if case .scope = given.keeping { state.noteGivenScopes() }
    }
    services.append((registration, tables.cells.count))
    for index in 0..<registration.factory.typeCount { tables.cells.append(Cell(registration, index: index)) }
    if registration.keeping == .graph || registration.keeping == .weak { tables.sharesWithinLookUps = true }
  }

  /// Links the builder of a service or a decorator.
  private func linked(
    _ slot: CompiledPlan.Slot, _ type: BuildableType, _ given: [CompiledPlan.Argument], takesSecrets: Bool,
    base: BuildableType, decorating decorated: Registration?, isOutermost: Bool
  ) throws -> Registration {
    guard given.count == type.arguments.count else { throw WiringFailure.wrongArgumentCount }
    self.decorated = decorated
    let outerParameters = decorated?.parameters ?? []
    nextParameter = outerParameters.count
    depth = decorated?.depth ?? 0
    var suppliers: [any AnySupplier] = []
    suppliers.reserveCapacity(given.count)
    for (argument, value) in zip(type.arguments, given) { suppliers.append(try argument.linked(value, self)) }
    let lifetime = Keeping(slot.lifetime)
    var traits = traits(slot, type, isOutermost)
    if takesSecrets { traits.insert(.takesSecrets) }
    return Registration(
      home: state, name: slot.id, factory: type.factory, suppliers: suppliers.isEmpty ? nil : suppliers,
      keeping: isOutermost || type.descriptor.isGiven ? lifetime : .transient, ofService: lifetime,
      parameters: outerParameters + type.arguments.compactMap { $0.isRuntime ? $0.namedType : nil },
      origin: slot.origin,
      traits: traits, answering: answering(slot, type, base, isDecorator: decorated != nil),
      decorator: decorated == nil ? nil : type.descriptor.name, wrapping: decorated, depth: depth + 1)
  }

  private func traits(_ slot: CompiledPlan.Slot, _ type: BuildableType, _ isOutermost: Bool) -> Registration.Traits {
    var traits: Registration.Traits = .isFromModule
    if slot.isPrivate { traits.insert(.isPrivate) }
    if type.descriptor.isSendable { traits.insert(.isSendable) }
    if !isOutermost { traits.insert(.isDecorated) }
    if type.descriptor.isGiven { traits.insert(.isGiven) }
    return traits
  }

  /// Returns for each type of a product whether code may look up the service by it: for the types that the file names,
  /// or else those that the undecorated service provides; `nil` if code may use all types.
  private func answering(
    _ slot: CompiledPlan.Slot, _ type: BuildableType, _ base: BuildableType, isDecorator: Bool
  ) -> [Bool]? {
    if !isDecorator, slot.provides == nil { return nil }
    let promised = slot.provides ?? base.provided.map(\.name)
    return type.provided.map { promised.contains($0.name) }
  }

  private func registeredType(_ name: String) throws(WiringFailure) -> BuildableType {
    guard let type = registry.type(named: name) else { throw .typeMissing(name) }
    return type
  }

  /// Returns the cells by which code may look up a service.
  private func cells(of service: (registration: Registration, firstCell: Int)) -> some Collection<Int> {
    (0..<service.registration.factory.typeCount).lazy.filter { service.registration.answers(ofType: $0) }
      .map { service.firstCell + $0 }
  }

  /// Enters all services under their names and types; the services of a type in ascending order of their ids.
  private func enterTypes() {
    var provided: [(type: ObjectIdentifier, id: String, cell: Int)] = []
    provided.reserveCapacity(services.count)
    for service in services where service.registration.home === state {
      let registration = service.registration
      let cells = cells(of: service)
      // A name without cells, so that the error of a look-up can say that the service exists.
      if cells.isEmpty, !registration.traits.contains(.isPrivate) {
        tables.names[ScalarString(registration.id)] = .several([])
      }
      for cell in cells {
        let type = tables.cells[cell].type
        if registration.traits.contains(.isPrivate) {
          if tables.privateNames[ScalarString(registration.id)]?.append(cell) == nil {
            tables.privateNames[ScalarString(registration.id)] = .one(cell)
          }
          if tables.privateTypes[type] == nil { tables.privateTypes[type] = cell }
        } else {
          tables.addName(registration.id, cell)
          provided.append((type, registration.id, cell))
        }
      }
    }
    let providers = Dictionary(grouping: provided, by: \.type)
    tables.enter(providers)
    guard let inherited else { return }
    // The only provider keeps answering, whatever code registers in the parent later.
    for (type, cells) in providers where cells.count == 1 && !inherited.hasProvider(of: type) {
      tables.bind(type, to: cells[0].cell)
    }
    // The answer in the parent's tables for such a type may be a service that is hidden here.
    for type in inherited.hiddenTypes { tables.askProviders(of: type) }
  }
}

extension Linker: ServiceLinker {
  func cell(of slot: Int, as type: Any.Type) throws(WiringFailure) -> CellReference {
    guard places.indices.contains(slot) else { throw .wrongOrder(id) }
    let place = places[slot]
    for index in 0..<place.type.factory.typeCount where place.type.factory.type(index) == type {
      return CellReference(place.home, place.firstCell + index)
    }
    throw .serviceMismatch(place.id, type: TypeName.name(of: type))
  }

  func needed(_ slot: Int, as type: Any.Type) throws(WiringFailure) -> (CellReference, Registration) {
    guard services.indices.contains(slot) else { throw .wrongOrder(id) }
    let cell = try cell(of: slot, as: type)
    // Code may have taken over single cells of a parent's service.
    let inherited = cell.home === state ? nil : cell.home.directory.registration(in: cell.number)?.0
    let registration = inherited ?? services[slot].registration
    guard registration.parameters.isEmpty else { throw .argumentsMissing(registration.id) }
    depth = max(depth, registration.depth)
    return (cell, registration)
  }

  func id(of slot: Int) -> String { places[slot].id }

  func decorated(as type: Any.Type) throws(WiringFailure) -> Int {
    guard let decorated else { throw .nothingDecorated }
    for index in 0..<decorated.factory.typeCount where decorated.factory.type(index) == type {
      return index
    }
    throw .serviceMismatch(decorated.id, type: TypeName.name(of: type))
  }

  func nextRuntimeArgument() -> Int {
    defer { nextParameter += 1 }
    return nextParameter
  }
}

extension Keeping {
  init(_ lifetime: Lifetime) {
    self =
      switch lifetime {
      case .shared: .shared
      case .weak: .weak
      case .transient: .transient
      case .graph: .graph
      case .scope(let level): .scope(level)
      }
  }
}

extension ContainerState {
  /// The cells of each service, by its id, before code registers further ones.
  var cellsByID: [ScalarString: Range<Int>] {
    directory.read { tables in
      var found: [ScalarString: Range<Int>] = [:]
      for (place, cell) in tables.cells.enumerated() where cell.index == 0 {
        found[ScalarString(cell.id)] = place..<place + cell.registration.factory.typeCount
      }
      return found
    }
  }

  /// Adds the services of a plan. Builds nothing.
  ///
  /// - Returns: the linker of the plan.
  /// - Throws: `ResolutionError` if plan and registry do not match, or the container was disposed of.
  func install(
    _ plan: CompiledPlan, _ registry: Registry, inheriting inherited: InheritedServices? = nil
  ) throws(ResolutionError) -> Linker {
    let linker: Linker
    do {
      linker = try Linker(plan, registry, in: self, inheriting: inherited)
    } catch let error as ResolutionError {
      throw error
    } catch { throw .wiringBroken(error) }
    // The flag counts only in the tables of the root of the family.
    if parent != nil, linker.tables.sharesWithinLookUps { directory.noteSharing() }
    // A parent that was disposed of meanwhile has closed this container, too.
    let isOpen = directory.write { tables in
      if tables.isClosed { return false }
      tables = linker.tables
      return true
    }
    guard isOpen else { throw .disposed }
    return linker
  }
}
