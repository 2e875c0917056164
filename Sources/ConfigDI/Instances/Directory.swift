// SPDX-License-Identifier: Apache-2.0

/// Which registration answers for which type and name, in one container: the published state that look-ups read.
///
/// All containers of a family, a root and its children, share one lock, so that a look-up of a parent's service by way of a
/// child takes one mutex.
@usableFromInline final class Directory: @unchecked Sendable {
  // Unchecked: what the pointers lead to is read and changed only under the lock, by the functions in `ServiceTable.swift`. The
  // directory owns its tables; those of parents and the lock live as long, as it holds its parent, and that the root.

  /// Guards the tables of the whole family. The root makes and destroys it.
  @usableFromInline let lock: StripedLock
  /// The directory of the parent container; nil for a root. Keeps the parent's tables alive.
  let parent: Directory?
  @usableFromInline let pointer: UnsafeMutablePointer<DirectoryTables>
  /// The tables of the root of the family.
  @usableFromInline let root: UnsafeMutablePointer<DirectoryTables>

  init(parent: Directory?) {
    self.parent = parent
    lock = parent?.lock ?? StripedLock()
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: DirectoryTables(parent: parent?.pointer))
    root = parent?.root ?? pointer
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
    if parent == nil { lock.destroy() }
  }
}

/// One type by which one registration is looked up, and its instance once that is built and shared by the container.
///
/// A cell keeps its number for the life of the container. A later registration of the same type takes the cell over, so that
/// whatever refers to it, an argument of a module service or a `Lazy`, finds the new service.
@usableFromInline struct Cell {
  /// What builds the service.
  @usableFromInline let registration: Registration
  /// The place of the type among those that the registration provides.
  @usableFromInline let index: Int
  /// The factory of a transient service, which a look-up calls right away; nil for others.
  @usableFromInline let factory: AnyObject?
  /// The instance; nil while there is none, and always for what the container does not share.
  @usableFromInline var instance: AnyInstance?

  /// A cell without an instance.
  init(_ registration: Registration, index: Int) {
    self.registration = registration
    self.index = index
    factory = registration.isMadeAtOnce ? registration.product.factory(ofType: index) : nil
  }

  var content: Directory.Content {
    if let instance { return .instance(instance) }
    if let factory { return .factory(factory, registration, index: index) }
    return .registration(registration, index: index)
  }
  var type: ObjectIdentifier { ObjectIdentifier(registration.product.type(index)) }
  var id: String { registration.id }
}

/// The content of a directory: a plain value.
@usableFromInline struct DirectoryTables {
  /// The tables of the parent container; nil for a root.
  @usableFromInline let parent: UnsafeMutablePointer<DirectoryTables>?
  @usableFromInline var cells: ContiguousArray<Cell> = []
  /// For each type the cell that answers a look-up of just the type; -1 where `providers` decides.
  @usableFromInline var types = IdentityTable<Int>()
  /// For each name by which code may look services up the cells of that name, one or more for each type.
  var names: [ScalarString: CellList] = [:]
  /// The cells of private services, by id.
  var privateNames: [ScalarString: CellList] = [:]
  /// A cell of a private service for each type that some private service provides.
  var privateTypes: [ObjectIdentifier: Int] = [:]
  /// The providers of each type of which the cell in `types` does not say everything.
  var providers: [ObjectIdentifier: TypeProviders] = [:]
  /// The services that decorators wrap, each behind what wraps it. Released one by one after the cells, so that a long list of
  /// decorators, each of which holds the one before, needs no recursion to go.
  var decorated: ContiguousArray<Registration> = []
  /// What only few look-ups ask for; nil where there is nothing.
  var rare: RareTables?
  /// Whether the container was disposed of. The tables are empty then.
  @usableFromInline var isClosed = false
  /// Whether some service of the family is shared within a look-up or kept only by its users, so that look-ups need a store. Only
  /// that of the root counts.
  @usableFromInline var sharesWithinLookUps = false

  init(parent: UnsafeMutablePointer<DirectoryTables>?) { self.parent = parent }

  /// Whether no service was ever registered.
  var isEmpty: Bool { cells.isEmpty && rare == nil }

  var eager: [Int] { rare?.eager ?? [] }
  var given: [GivenService] { rare?.given ?? [] }
  var tags: [ScalarString: [TagMember]] { rare?.tags ?? [:] }

  /// Adds a service of code whose instances the application gives; forgets those that others have replaced.
  ///
  /// - Returns: what is to be released without the lock.
  mutating func addGiven(_ registration: Registration) -> RareTables? {
    let old = rare
    let service = GivenService(registration: registration, outermost: registration)
    rare = RareTables(
      eager: eager, given: given.filter { !$0.outermost.isReplaced } + [service], tags: tags,
      hidden: rare?.hidden ?? [])
    return old
  }

  /// Whether a service or an alias of a parent is not found by way of this container.
  func hides(_ id: String) -> Bool { rare?.hidden.contains(ScalarString(id)) ?? false }
}

/// What only few look-ups ask for. In one object, as a look-up by name retains each part of the tables.
final class RareTables: Sendable {
  /// The cells of the services that are built when the container starts, in the order of building.
  let eager: [Int]
  /// The services whose instances the application gives, also those that others have replaced.
  let given: [GivenService]
  /// The services that bear each tag, in the tag's order.
  let tags: [ScalarString: [TagMember]]
  /// The ids of the parent's services, and its aliases, that the module of a child has changed or removed.
  let hidden: Set<ScalarString>

  /// What only few look-ups ask for.
  init(
    eager: [Int] = [], given: [GivenService] = [], tags: [ScalarString: [TagMember]] = [:],
    hidden: Set<ScalarString> = []
  ) {
    self.eager = eager
    self.given = given
    self.tags = tags
    self.hidden = hidden
  }
}

/// A service whose instances the application gives.
struct GivenService {
  /// The service itself, under which stores keep what was given.
  let registration: Registration
  /// Its outermost decorator, or the service itself.
  let outermost: Registration
}

/// A service of a module that bears a tag.
struct TagMember {
  /// The key in a map of those that bear the tag.
  let key: String
  /// Its cells, one for each of its types.
  let cells: Range<Int>
  /// Whether they are cells of the parent, whose service the module of a child leaves as it is.
  var isInherited = false
}

/// The cells of a name: nearly always one.
enum CellList {
  case one(Int)
  case several([Int])

  var all: [Int] {
    switch self {
    case .one(let cell): [cell]
    case .several(let cells): cells
    }
  }

  mutating func append(_ cell: Int) { self = .several(all + [cell]) }
}

/// The services that code may look up by one type.
struct TypeProviders {
  /// The cells, ascending by the id of the service.
  var cells: [Int] = []
  /// How many of them are of services that take no run-time arguments, so that to register does not count them.
  var plainCount = 0
  /// The cells that answer before all others: that which the module binds, and those that code has registered without a name,
  /// one for each list of run-time arguments. The last one comes first.
  var bound: [Int] = []
}

/// The services that answer a look-up by type.
enum Answer {
  case none
  case one(CellPlace, Cell)
  /// Several, ascending by id, none of which is bound.
  case several([Registration])
  /// Services that take other run-time arguments, ascending by id.
  case wrongArguments([Registration])
}

// MARK: - Looking up

extension DirectoryTables {
  /// The cell of a type under a name, for a look-up without run-time arguments; nil where there is none.
  func cell(of type: ObjectIdentifier, named name: String) -> Int? {
    switch names[ScalarString(name)] {
    case nil: return nil
    case .one(let cell): return isPlain(cell, of: type) ? cell : nil
    case .several(let cells): return cells.first { isPlain($0, of: type) }
    }
  }

  /// Whether a cell is of a type and its service takes no run-time arguments.
  private func isPlain(_ cell: Int, of type: ObjectIdentifier) -> Bool {
    cells[cell].type == type && cells[cell].registration.parameters.isEmpty
  }

  /// The cells by which code may look a type up, ascending by id.
  func providers(of type: ObjectIdentifier) -> [Int] {
    providers[type]?.cells ?? types[type].map { [$0] } ?? []
  }

  /// The cell that answers for a type before all others and takes just the given run-time arguments; nil where none does.
  func boundCell(of type: ObjectIdentifier, _ arguments: RuntimeArguments?) -> Int? {
    if let providers = providers[type] { return providers.bound.first { cells[$0].registration.takes(arguments) } }
    guard let cell = types[type], cells[cell].registration.isUnnamed, cells[cell].registration.takes(arguments)
    else { return nil }
    return cell
  }

  /// The cells that answer for a type before all others.
  func bound(of type: ObjectIdentifier) -> [Int] {
    if let providers = providers[type] { return providers.bound }
    guard let cell = types[type], cells[cell].registration.isUnnamed else { return [] }
    return [cell]
  }
}

/// What the modules of children hide of a parent's services and aliases.
private struct HiddenServices {
  private var ids: [Set<ScalarString>] = []

  /// Adds what a container hides of its parents.
  mutating func add(_ tables: RareTables?) {
    if let hidden = tables?.hidden, !hidden.isEmpty { ids.append(hidden) }
  }

  /// Whether an id is hidden. It is made only where something is.
  func contains(_ id: @autoclosure () -> String) -> Bool {
    if ids.isEmpty { return false }
    let id = ScalarString(id())
    return ids.contains { $0.contains(id) }
  }
}

extension Directory {
  /// The tables that have a name, this container's before its parents', and the cell of the type there.
  @usableFromInline func cell(
    of type: ObjectIdentifier, named name: String
  ) -> (tables: UnsafeMutablePointer<DirectoryTables>, cell: Int)? {
    var tables: UnsafeMutablePointer<DirectoryTables>? = pointer
    while let current = tables {
      if let cell = current.pointee.cell(of: type, named: name) { return (current, cell) }
      if current.pointee.names[ScalarString(name)] != nil || current.pointee.isClosed || current.pointee.hides(name) {
        return nil
      }
      tables = current.pointee.parent
    }
    return nil
  }

  /// Calls a body with the tables of this container and then of each parent, until it returns something or a container was
  /// disposed of. The body gets a pointer, since the tables themselves would be copied for it.
  private func first<Result>(_ body: (UnsafePointer<DirectoryTables>) -> Result?) -> Result? {
    first { tables, _ in body(tables) }
  }

  /// The same with what the tables before hide of these. Takes the lock itself, since a closure within that of `read` costs a
  /// look-up with run-time arguments an eighth more.
  private func first<Result>(_ body: (UnsafePointer<DirectoryTables>, HiddenServices) -> Result?) -> Result? {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    var hidden = HiddenServices()
    var next = Optional(pointer)
    while let current = next {
      if let result = body(UnsafePointer(current), hidden) { return result }
      if current.pointee.isClosed { return nil }
      next = current.pointee.parent
      if next != nil { hidden.add(current.pointee.rare) }
    }
    return nil
  }

  /// Whether this container or one of its parents was disposed of.
  var isClosed: Bool { first { $0.pointee.isClosed ? true : nil } ?? false }

  /// What a cell holds.
  enum Content {
    /// The container was disposed of.
    case closed
    /// The instance, as the type of the cell.
    case instance(AnyInstance)
    /// A transient service that is made without awaiting: the `Factory` of the cell's type.
    case factory(AnyObject, Registration, index: Int)
    /// What builds the service, and the place of the cell's type among those that it provides.
    case registration(Registration, index: Int)
  }

  /// The registration of a cell whose instance is not there, and the place of the cell's type among those that it provides.
  func unbuilt(in cell: Int) -> (Registration, index: Int)? {
    switch content(of: cell) {
    case .closed, .instance: nil
    case .factory(_, let registration, let index), .registration(let registration, let index): (registration, index)
    }
  }

  /// The registration of a cell, and the place of the cell's type among those that it provides; nil where the container was
  /// disposed of.
  func registration(in cell: Int) -> (Registration, index: Int)? {
    read { tables in tables.isClosed ? nil : (tables.cells[cell].registration, tables.cells[cell].index) }
  }

  /// The cells of a name, of this container or else of the nearest parent that has the name.
  func cells(named name: String) -> [(place: CellPlace, cell: Cell)] {
    first { tables, hidden in
      if hidden.contains(name) { return [] }
      return tables.pointee.names[ScalarString(name)].map { list in
        list.all.map { (CellPlace(tables.pointee.cells[$0].registration.home, $0), tables.pointee.cells[$0]) }
      }
    } ?? []
  }

  /// The cell of a registration for a type that it provides; nil where it has none any more.
  func cell(of type: ObjectIdentifier, _ registration: Registration) -> (place: CellPlace, cell: Cell)? {
    registration.home.directory.read { tables in
      let cells = tables.providers(of: type) + tables.bound(of: type)
      return cells.first { tables.cells[$0].registration === registration }.map {
        (CellPlace(registration.home, $0), tables.cells[$0])
      }
    }
  }

  /// The service of a name that no type answers for; nil where there is none.
  func serviceWithoutTypes(named name: String) -> Registration? {
    first { tables, hidden in
      guard !hidden.contains(name), let list = tables.pointee.names[ScalarString(name)], list.all.isEmpty else {
        return nil
      }
      return tables.pointee.cells.first { $0.registration.name.map { ScalarString($0) } == ScalarString(name) }?
        .registration
    }
  }

  /// The private service of a name; nil where there is none.
  func privateService(named name: String) -> Registration? {
    first { tables, hidden in
      hidden.contains(name)
        ? nil : tables.pointee.privateNames[ScalarString(name)]?.all.first.map { tables.pointee.cells[$0].registration }
    }
  }

  /// A private service that provides a type; nil where there is none.
  func privateService(of type: ObjectIdentifier) -> Registration? {
    first { tables, hidden in
      tables.pointee.privateTypes[type].map { tables.pointee.cells[$0].registration }.flatMap {
        hidden.contains($0.id) ? nil : $0
      }
    }
  }

  /// The cells by which code may look a type up, ascending by id. A service of a parent is hidden by one of the same id.
  func providers(of type: ObjectIdentifier) -> [(place: CellPlace, cell: Cell)] {
    var found: [(place: CellPlace, cell: Cell)] = []
    var isSorted = true
    _ = first { tables, hidden -> Void? in
      let own = tables.pointee.providers(of: type)
      guard !own.isEmpty else { return nil }
      let nearer = Set(found.map { ScalarString($0.cell.id) })
      if !found.isEmpty { isSorted = false }
      for cell in own
      where (nearer.isEmpty || !nearer.contains(ScalarString(tables.pointee.cells[cell].id)))
        && !hidden.contains(tables.pointee.cells[cell].id)
      {
        found.append((CellPlace(tables.pointee.cells[cell].registration.home, cell), tables.pointee.cells[cell]))
      }
      return nil
    }
    return isSorted ? found : found.sorted { $0.cell.id < $1.cell.id }
  }

  /// The service that answers for a type: what code has registered for just this type or a module binds to it, else the only
  /// one that provides it; among those that take just the given run-time arguments.
  func answer(for type: ObjectIdentifier, _ arguments: RuntimeArguments?) -> Answer {
    let answer = first { tables, hidden -> Answer? in
      guard let cell = tables.pointee.boundCell(of: type, arguments), !hidden.contains(tables.pointee.cells[cell].id)
      else {
        return nil
      }
      let found = tables.pointee.cells[cell]
      return .one(CellPlace(found.registration.home, cell), found)
    }
    if let answer { return answer }
    let providers = providers(of: type)
    let matching = providers.filter { $0.cell.registration.takes(arguments) }
    switch matching.count {
    case 0:
      var bound: [Registration] = []
      _ = first { tables, hidden -> Void? in
        bound += tables.pointee.bound(of: type).map { tables.pointee.cells[$0].registration }.filter {
          !hidden.contains($0.id)
        }
        return nil
      }
      let others = bound.isEmpty ? providers.map(\.cell.registration) : bound
      return others.isEmpty ? .none : .wrongArguments(others)
    case 1: return .one(matching[0].place, matching[0].cell)
    default: return .several(matching.map(\.cell.registration))
    }
  }

  /// The tables of this container and its parents as they are now. They are copied when they change, so that an error can hold
  /// them.
  var snapshot: [DirectoryTables] {
    var found: [DirectoryTables] = []
    _ = first { tables -> Void? in
      found.append(tables.pointee)
      return nil
    }
    return found
  }
}

// MARK: - Registering

extension DirectoryTables {
  /// Adds a service of code. Where it takes the place of others, it takes their cells over.
  ///
  /// - Returns: the registrations that have no cell any more, which are to be forgotten.
  mutating func add(_ registration: Registration) -> [Registration] {
    var displaced: [Registration] = []
    for index in 0..<registration.product.typeCount {
      let cell = Cell(registration, index: index)
      if let place = predecessor(of: cell) {
        let old = cells[place].registration
        displaced.append(old)
        // It takes the same arguments, and so answers wherever the one before it did.
        cells[place] = cell
        if let name = registration.name { reveal(place, as: name) }
        if !registration.hasIDOf(old) { sortProviders(of: cell.type) }
      } else {
        cells.append(cell)
        let place = cells.count - 1
        if let name = registration.name { addName(name, place) }
        addProvider(place, of: cell.type)
        if registration.isUnnamed { bind(cell.type, to: place) }
      }
    }
    var seen: Set<ObjectIdentifier> = []
    return displaced.filter { old in
      guard seen.insert(ObjectIdentifier(old)).inserted else { return false }
      return old.product.typeCount == 1 || !cells.contains { $0.registration === old }
    }
  }

  /// The cell that a service takes over: that of the same name, type and arguments, or where it has no name, that of another
  /// unnamed one.
  private func predecessor(of cell: Cell) -> Int? {
    let registration = cell.registration
    if let name = registration.name {
      let named = (names[ScalarString(name)]?.all ?? []) + (privateNames[ScalarString(name)]?.all ?? [])
      return named.first { cells[$0].type == cell.type && cells[$0].registration.signature == registration.signature }
    }
    return bound(of: cell.type).first {
      cells[$0].registration.isUnnamed && cells[$0].registration.signature == registration.signature
    }
  }

  /// Makes a cell that code has taken over from a private service one that code may look up.
  private mutating func reveal(_ place: Int, as name: String) {
    guard let hidden = privateNames[ScalarString(name)]?.all, hidden.contains(place) else { return }
    let others = hidden.filter { $0 != place }
    privateNames[ScalarString(name)] = others.isEmpty ? nil : .several(others)
    addName(name, place)
    addProvider(place, of: self.cells[place].type)
  }

  mutating func addName(_ name: String, _ place: Int) {
    if names[ScalarString(name)]?.append(place) == nil { names[ScalarString(name)] = .one(place) }
  }

  /// Adds a cell to those by which code may look a type up.
  mutating func addProvider(_ place: Int, of type: ObjectIdentifier) {
    guard let known = types[type] else {
      types.set(type, place)
      // A child's service answers by its type alone only where it is bound.
      if parent != nil || !cells[place].registration.parameters.isEmpty { list(type) }
      return
    }
    if known >= 0, providers[type] == nil { list(type, from: known) }
    let id = cells[place].id
    let position = providers[type]?.cells.partitioningIndex { cells[$0].id > id } ?? 0
    providers[type]?.cells.insert(place, at: position)
    if cells[place].registration.parameters.isEmpty { providers[type]?.plainCount += 1 }
    refresh(type)
  }

  /// Puts the providers of a type, one of which has another id, in the order of the ids.
  private mutating func sortProviders(of type: ObjectIdentifier) {
    guard let sorted = providers[type]?.cells.sorted(by: { cells[$0].id < cells[$1].id }) else { return }
    providers[type]?.cells = sorted
  }

  /// Has a cell answer for a type before all others that take the same run-time arguments.
  mutating func bind(_ type: ObjectIdentifier, to place: Int) {
    if let known = types[type], providers[type] == nil {
      // The only provider, of code and without a name: bound by what it is.
      if known == place, cells[place].registration.isUnnamed { return }
      list(type, from: known)
    }
    let signature = cells[place].registration.signature
    providers[type, default: TypeProviders()].bound.removeAll { cells[$0].registration.signature == signature }
    providers[type, default: TypeProviders()].bound.insert(place, at: 0)
    refresh(type)
  }

  /// Begins the list of a type's providers with the only one that is there.
  private mutating func list(_ type: ObjectIdentifier, from known: Int? = nil) {
    guard let place = known ?? types[type], providers[type] == nil else { return }
    providers[type] = TypeProviders(
      cells: [place], plainCount: cells[place].registration.parameters.isEmpty ? 1 : 0,
      bound: cells[place].registration.isUnnamed ? [place] : [])
    refresh(type)
  }

  /// Works out anew which cell answers a look-up of just the type.
  private mutating func refresh(_ type: ObjectIdentifier) {
    guard let providers = providers[type] else { return }
    let plain = providers.bound.first { cells[$0].registration.parameters.isEmpty }
    let sole = parent == nil && providers.plainCount == 1
    types.set(type, plain ?? (sole ? providers.cells.first { cells[$0].registration.parameters.isEmpty } : nil) ?? -1)
  }

  /// Has look-ups of a type ask all providers, those of parents too.
  mutating func askProviders(of type: ObjectIdentifier) {
    guard types[type] == nil else { return }
    types.set(type, -1)
    providers[type] = TypeProviders()
  }

  /// Enters the services of a plan under their types, which must be empty before.
  ///
  /// - Parameter cellsByType: for each type the cells of its services, with the services' ids.
  mutating func enter(_ cellsByType: [ObjectIdentifier: [(id: String, cell: Int)]]) {
    types.reserve(cellsByType.count)
    for (type, found) in cellsByType {
      if parent == nil, found.count == 1, cells[found[0].cell].registration.parameters.isEmpty {
        types.set(type, found[0].cell)
        continue
      }
      types.set(type, -1)
      let sorted = found.sorted { $0.id < $1.id }.map(\.cell)
      providers[type] = TypeProviders(
        cells: sorted, plainCount: sorted.count { cells[$0].registration.parameters.isEmpty })
      refresh(type)
    }
  }

  /// Shows the instance of a registration in a cell of it and in those next to that, which are of its other types, unless it
  /// has taken over cells of others. Look-ups find it there right away.
  mutating func publish(_ product: AnyInstance, of registration: Registration, around cell: Int) {
    guard cells.indices.contains(cell), cells[cell].registration === registration else { return }
    let first = cell - cells[cell].index
    for place in max(first, 0)..<min(first + registration.product.typeCount, cells.count)
    where cells[place].registration === registration {
      cells[place].instance = product.ofType(cells[place].index)
    }
  }

  /// Removes everything. Each further look-up finds a closed container.
  ///
  /// - Returns: what is to be released.
  mutating func close() -> DirectoryTables {
    var old = DirectoryTables(parent: parent)
    old.isClosed = true
    // Look-ups in children that are under way go on to need it.
    old.sharesWithinLookUps = sharesWithinLookUps
    swap(&self, &old)
    return old
  }

  /// Takes all shared instances out of the cells.
  ///
  /// - Returns: what is to be released.
  mutating func removeInstances() -> [AnyInstance] {
    var removed: [AnyInstance] = []
    for place in cells.indices {
      if let instance = cells[place].instance {
        removed.append(instance)
        cells[place].instance = nil
      }
    }
    return removed
  }
}

extension Array {
  /// The first index whose element fulfils a condition that all later ones fulfil, too.
  ///
  /// - Complexity: O(log n).
  fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
