// SPDX-License-Identifier: Apache-2.0

/// The look-up tables of one container: which registration provides which type and name.
///
/// All containers of a family, a root and its children, share one lock: a look-up in a child and its parents locks one
/// mutex.
@usableFromInline final class Directory: @unchecked Sendable {
  // Unchecked: the memory behind the pointers is read and changed only under the lock. The directory owns its tables.
  // The tables of the parents and the lock outlive it, since each directory retains that of its parent, up to the root.

  /// Guards the tables of the whole family. The root creates and destroys it.
  @usableFromInline let lock: StripedLock
  /// The directory of the parent container, which keeps the parent's tables alive; `nil` for a root.
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

/// A type by which a registration is looked up, and the instance once it is built and shared by the container.
///
/// A cell keeps its number for the lifetime of the container. A later registration of the same type takes the cell
/// over, so that references to it, such as an argument of a module service or a `Lazy`, lead to the new service.
@usableFromInline struct Cell {
  @usableFromInline let registration: Registration
  /// The index of the type among those that the registration provides.
  @usableFromInline let index: Int
  /// The instance; `nil` if it is not built, or not shared by the container.
  @usableFromInline var instance: AnyInstance?

  init(_ registration: Registration, index: Int) {
    self.registration = registration
    self.index = index
  }

  var content: Directory.Content {
    if let instance { return .instance(instance) }
    return .registration(registration, index: index)
  }
  var type: ObjectIdentifier { ObjectIdentifier(registration.factory.type(index)) }
  var id: String { registration.id }
}

/// The content of a directory, as a value.
@usableFromInline struct DirectoryTables {
  /// The tables of the parent container; `nil` for a root.
  @usableFromInline let parent: UnsafeMutablePointer<DirectoryTables>?
  @usableFromInline var cells: ContiguousArray<Cell> = []
  /// For each type, the cell that answers a look-up by the type alone; -1 if `providers` decides.
  @usableFromInline var types = IdentityTable<Int>()
  /// For each name that code may look up, the cells of the name: one or more for each type.
  var names: [ScalarString: CellList] = [:]
  /// The cells of private services, by id.
  var privateNames: [ScalarString: CellList] = [:]
  /// For each type that a private service provides, a cell of one such service.
  var privateTypes: [ObjectIdentifier: Int] = [:]
  /// The providers of each type for which the one cell in `types` is not sufficient.
  var providers = IdentityTable<TypeProviders>()
  /// The services that decorators wrap, each after the one that wraps it. They are released one by one after the cells,
  /// so that releasing a long list of decorators, each of which retains the one before, does not recurse.
  var decorated: ContiguousArray<Registration> = []
  /// Data that few look-ups need; `nil` if there is none. In a box, since a look-up by name retains each part of the
  /// tables.
  var rare: Shared<RareTables>?
  /// Whether the container was disposed of. The tables are empty then.
  @usableFromInline var isClosed = false
  /// Whether some service of the family is `graph` or `weak`, so that look-ups need a store. Only the root's value is
  /// used.
  @usableFromInline var sharesWithinLookUps = false

  init(parent: UnsafeMutablePointer<DirectoryTables>?) { self.parent = parent }

  /// Whether no service was ever registered.
  var isEmpty: Bool { cells.isEmpty && rare == nil }

  var eager: [Int] { rare?.content.eager ?? [] }
  var given: [GivenService] { rare?.content.given ?? [] }
  var tags: [ScalarString: [TagMember]] { rare?.content.tags ?? [:] }
  var hidden: Set<ScalarString> { rare?.content.hidden ?? [] }

  /// Whether a tag is not looked up in parents, since the module of this container has it, or has removed it.
  func decides(tag: ScalarString) -> Bool {
    tags[tag] != nil || rare?.content.hiddenTags.contains(tag) == true
  }

  /// Adds a service of code whose instances the application gives. Removes those that it replaces.
  ///
  /// - Returns: the old data, to be released without the lock.
  mutating func addGiven(_ registration: Registration) -> Shared<RareTables>? {
    let old = rare
    var new = rare?.content ?? RareTables()
    new.given.removeAll { $0.outermost.isReplaced && $0.registration.identity == registration.identity }
    new.given.append(GivenService(registration: registration, outermost: registration))
    rare = Shared(new)
    return old
  }
}

/// Data that few look-ups need.
struct RareTables: Sendable {
  /// The cells of the services that are built when the container starts, in the order of building.
  var eager: [Int] = []
  /// The services whose instances the application gives, including replaced ones.
  var given: [GivenService] = []
  /// The services of each tag, in the order of the tag.
  var tags: [ScalarString: [TagMember]] = [:]
  /// The ids of the parent's services and aliases that the module of a child has changed or removed.
  var hidden: Set<ScalarString> = []
  /// The tags of the parent's module that the module of a child has removed.
  var hiddenTags: Set<ScalarString> = []
}

/// A service whose instances the application gives.
struct GivenService {
  /// The service itself. It is the key of the given instance in a store.
  let registration: Registration
  /// The outermost decorator of the service, or the service itself.
  let outermost: Registration
}

/// A service of a module that has a tag.
struct TagMember {
  /// The key of the service in a map of the tag's services.
  let key: String
  /// The cells of the service, one for each of its types.
  let cells: Range<Int>
  /// Whether the cells are those of the parent, since the module of the child does not change the service.
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
  /// The number of cells whose service takes no run-time arguments, so that a registration need not count them.
  var plainCount = 0
  /// The cells that take precedence over all others: the one that the module binds, and those that code registered
  /// without a name. There is one for each list of run-time argument types; the last one registered is first.
  var bound: [Int] = []
}

/// The number of a cell, and the tables that contain it.
@usableFromInline typealias PlacedCell = (tables: UnsafeMutablePointer<DirectoryTables>, cell: Int)

/// A cell of a directory, with its content.
typealias CellEntry = (place: CellReference, cell: Cell)

/// The result of a search for the service of a type.
enum Answer {
  case one(CellEntry)
  /// Several services, none of which is bound; ascending by id.
  case several([Registration])
  /// Only services that take other run-time arguments, ascending by id; or none.
  case wrongArguments([CellEntry])
}

// MARK: - Look-up

extension DirectoryTables {
  /// Returns the cell of a type under a name, for a look-up without run-time arguments; `nil` if there is none.
  func cell(of type: ObjectIdentifier, named name: String) -> Int? {
    switch names[ScalarString(name)] {
    case nil: return nil
    case .one(let cell): return isPlain(cell, of: type) ? cell : nil
    case .several(let cells): return cells.first { isPlain($0, of: type) }
    }
  }

  /// Returns whether a cell has a type and its service takes no run-time arguments.
  private func isPlain(_ cell: Int, of type: ObjectIdentifier) -> Bool {
    cells[cell].type == type && cells[cell].registration.parameters.isEmpty
  }

  /// Returns a cell with its place.
  func entry(_ cell: Int) -> CellEntry { (CellReference(cells[cell].registration.home, cell), cells[cell]) }

  /// Returns the cells by which code may look up a type, ascending by id.
  func providers(of type: ObjectIdentifier) -> [Int] {
    providers[type]?.cells ?? types[type].map { [$0] } ?? []
  }

  /// Returns the bound cell of a type whose service takes exactly the given run-time arguments; `nil` if there is none.
  func boundCell(of type: ObjectIdentifier, _ arguments: RuntimeArguments?) -> Int? {
    if let providers = providers[type] { return providers.bound.first { cells[$0].registration.takes(arguments) } }
    guard let cell = types[type], cells[cell].registration.isUnnamed, cells[cell].registration.takes(arguments)
    else { return nil }
    return cell
  }

  /// Returns the bound cells of a type, which take precedence over all others.
  func bound(of type: ObjectIdentifier) -> [Int] {
    if let providers = providers[type] { return providers.bound }
    guard let cell = types[type], cells[cell].registration.isUnnamed else { return [] }
    return [cell]
  }
}

/// The services and aliases of parents that the modules of children hide.
private struct HiddenServices {
  private var ids: [Set<ScalarString>] = []

  /// Adds the services that a container hides.
  mutating func add(_ hidden: Set<ScalarString>) {
    if !hidden.isEmpty { ids.append(hidden) }
  }

  /// Returns whether a name is hidden; a service without a name is not. Evaluates the name only if anything is hidden.
  func contains(_ name: @autoclosure () -> String?) -> Bool {
    guard !ids.isEmpty, let name = name().map({ ScalarString($0) }) else { return false }
    return ids.contains { $0.contains(name) }
  }
}

/// The services that code may look up by one type, of a container and its parents.
private struct FoundProviders {
  private var entries: [CellEntry] = []
  private var isSorted = true

  /// Adds the services of one container after those of its children. They hide those of parents that have their identity.
  mutating func add(
    from tables: UnsafePointer<DirectoryTables>, of type: ObjectIdentifier, without hidden: HiddenServices
  ) {
    let own = tables.pointee.providers(of: type)
    guard !own.isEmpty else { return }
    let nearer = Set(entries.map(\.cell.registration.identity))
    if !entries.isEmpty { isSorted = false }
    for cell in own
    where (nearer.isEmpty || !nearer.contains(tables.pointee.cells[cell].registration.identity))
      && !hidden.contains(tables.pointee.cells[cell].registration.name)
    {
      entries.append(tables.pointee.entry(cell))
    }
  }

  /// The services, ascending by id.
  var ascending: [CellEntry] { isSorted ? entries : entries.sorted { $0.cell.id < $1.cell.id } }
}

extension Directory {
  /// Returns the cell of a type under a name and the tables that contain it; `nil` if there is none. Searches this
  /// container first. Ends at a container that has or hides the name, or was disposed of. Called under the lock.
  @usableFromInline func cell(
    of type: ObjectIdentifier, named name: String
  ) -> PlacedCell? {
    var tables: UnsafeMutablePointer<DirectoryTables>? = pointer
    while let current = tables {
      if let cell = current.pointee.cell(of: type, named: name) {
        if current == pointer { return (current, cell) }
        // An alias stands for the nearest service of its name.
        return successor(of: current.pointee.cells[cell], foundAs: name) ?? (current, cell)
      }
      if current.pointee.names[ScalarString(name)] != nil || current.pointee.isClosed
        || current.pointee.hidden.contains(ScalarString(name))
      {
        return nil
      }
      tables = current.pointee.parent
    }
    return nil
  }

  /// Returns the cell that look-ups in this container use in place of one that they have found in a parent by its type or
  /// an alias: that of a nearer service with the same name, type and run-time arguments. `nil` if there is none. Called
  /// under the lock.
  private func successor(of cell: Cell, foundAs name: String?) -> PlacedCell? {
    let home = cell.registration.home.directory.pointer
    guard home != pointer, let id = cell.registration.name.map({ ScalarString($0) }),
      name.map({ ScalarString($0) }) != id
    else { return nil }
    var tables = Optional(pointer)
    while let current = tables, current != home {
      let place = current.pointee.names[id]?.all.first {
        let other = current.pointee.cells[$0]
        return other.type == cell.type && other.registration.signature == cell.registration.signature
      }
      if let place { return (current, place) }
      tables = current.pointee.parent
    }
    return nil
  }

  /// Returns the cell that look-ups use for one that they have found, with its place. Called under the lock.
  private func entry(
    _ cell: Int, in tables: UnsafePointer<DirectoryTables>, foundAs name: String? = nil
  ) -> CellEntry {
    let successor = successor(of: tables.pointee.cells[cell], foundAs: name)
    return successor.map { $0.tables.pointee.entry($0.cell) } ?? tables.pointee.entry(cell)
  }

  /// Calls a closure with the tables of this container and then of each parent, until it returns a value or a container
  /// was disposed of. The closure gets a pointer, since passing the tables would copy them, and the services that the
  /// containers searched before hide. Takes the lock itself: a closure nested in that of `read` makes a look-up with
  /// run-time arguments an eighth slower.
  private func first<Result>(_ body: (UnsafePointer<DirectoryTables>, HiddenServices) -> Result?) -> Result? {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    var hidden = HiddenServices()
    var next = Optional(pointer)
    while let current = next {
      if let result = body(UnsafePointer(current), hidden) { return result }
      if current.pointee.isClosed { return nil }
      next = current.pointee.parent
      if next != nil { hidden.add(current.pointee.hidden) }
    }
    return nil
  }

  /// Calls a closure with all tables that `first` searches.
  private func forEach(_ body: (UnsafePointer<DirectoryTables>, HiddenServices) -> Void) {
    _ = first { tables, hidden -> Void? in
      body(tables, hidden)
      return nil
    }
  }

  /// Whether this container or one of its parents was disposed of.
  var isClosed: Bool { first { tables, _ in tables.pointee.isClosed ? true : nil } ?? false }

  /// The content of a cell.
  enum Content {
    case closed
    /// The instance, as the type of the cell.
    case instance(AnyInstance)
    /// The registration that builds the service, and the index of the cell's type among those that it provides.
    case registration(Registration, index: Int)
  }

  /// Returns the registration of a cell, and the index of its type; `nil` if it has an instance or the container is
  /// closed.
  func unbuilt(in cell: Int) -> (Registration, index: Int)? {
    if case .registration(let registration, let index) = content(of: cell) { (registration, index) } else { nil }
  }

  /// Returns the registration of a cell and the index of the cell's type; `nil` if the container was disposed of.
  func registration(in cell: Int) -> (Registration, index: Int)? {
    read { tables in tables.isClosed ? nil : (tables.cells[cell].registration, tables.cells[cell].index) }
  }

  /// Returns the cells of a name in this container or the nearest parent that has the name; empty if none has it.
  func cells(named name: String) -> [CellEntry] {
    first { tables, hidden in
      if hidden.contains(name) { return [] }
      return tables.pointee.names[ScalarString(name)]?.all.map { entry($0, in: tables, foundAs: name) }
    } ?? []
  }

  /// Returns the service of a name that cannot be looked up by any type; `nil` if there is none.
  func serviceWithoutTypes(named name: String) -> Registration? {
    first { tables, hidden in
      guard !hidden.contains(name), let list = tables.pointee.names[ScalarString(name)], list.all.isEmpty else {
        return nil
      }
      return tables.pointee.cells.first { $0.registration.name.map { ScalarString($0) } == ScalarString(name) }?
        .registration
    }
  }

  func privateService(named name: String) -> Registration? {
    first { tables, hidden in
      hidden.contains(name)
        ? nil : tables.pointee.privateNames[ScalarString(name)]?.all.first.map { tables.pointee.cells[$0].registration }
    }
  }

  /// Returns a private service that provides a type; `nil` if there is none.
  func privateService(of type: ObjectIdentifier) -> Registration? {
    first { tables, hidden in
      guard let first = tables.pointee.privateTypes[type] else { return nil }
      return tables.pointee.cells[first...].first {
        $0.type == type && $0.registration.traits.contains(.isPrivate) && !hidden.contains($0.registration.name)
      }?.registration
    }
  }

  /// Returns the cells by which code may look up a type, ascending by id. A service hides those of parents that
  /// have its identity.
  func providers(of type: ObjectIdentifier) -> [CellEntry] {
    var found = FoundProviders()
    forEach { tables, hidden in found.add(from: tables, of: type, without: hidden) }
    return found.ascending
  }

  /// Returns the service that answers for a type: the one that is bound, by code without a name or by a module, else
  /// the only provider. Only services that take exactly the given run-time arguments count. None answers if the
  /// container was disposed of.
  func answer(for type: ObjectIdentifier, _ arguments: RuntimeArguments?) -> Answer {
    var providers = FoundProviders()
    // One pass under the lock: a service that is registered meanwhile is either bound and listed, or neither.
    let answer = first { tables, hidden -> Answer? in
      // If a parent was disposed of, its services are missing, one of which may have been bound.
      if tables.pointee.isClosed { return .wrongArguments([]) }
      if let cell = tables.pointee.boundCell(of: type, arguments),
        !hidden.contains(tables.pointee.cells[cell].registration.name)
      {
        return .one(entry(cell, in: tables))
      }
      providers.add(from: tables, of: type, without: hidden)
      return nil
    }
    if let answer { return answer }
    let all = providers.ascending
    let matching = all.filter { $0.cell.registration.takes(arguments) }
    switch matching.count {
    case 0:
      var bound: [CellEntry] = []
      forEach { tables, hidden in
        bound += tables.pointee.bound(of: type).map { tables.pointee.entry($0) }.filter {
          !hidden.contains($0.cell.registration.name)
        }
      }
      return .wrongArguments(bound.isEmpty ? all : bound)
    case 1: return .one(matching[0])
    default: return .several(matching.map(\.cell.registration))
    }
  }

  /// The names by which code may look up services, in no order.
  var visibleNames: [String] {
    var found: [String] = []
    forEach { tables, hidden in found += tables.pointee.names.keys.map(\.text).filter { !hidden.contains($0) } }
    return found
  }

  /// The types by which code may look up services, in no order.
  var visibleTypes: [Any.Type] {
    var found: [ObjectIdentifier: Any.Type] = [:]
    forEach { tables, hidden in
      for cell in tables.pointee.cells
      where !cell.registration.traits.contains(.isPrivate) && cell.registration.answers(ofType: cell.index)
        && !hidden.contains(cell.id)
      {
        found[cell.type] = cell.registration.factory.type(cell.index)
      }
    }
    return Array<Any.Type>(found.values)
  }
}

// MARK: - Registration

extension DirectoryTables {
  /// Adds a service of code. It takes over the cells of the services that it replaces.
  ///
  /// - Returns: the registrations that have lost all their cells. The caller disposes of their instances.
  mutating func add(_ registration: Registration) -> [Registration] {
    var displaced: [Registration] = []
    for index in 0..<registration.factory.typeCount {
      let cell = Cell(registration, index: index)
      if let place = predecessor(of: cell) {
        let old = cells[place].registration
        if old.loseCell() { displaced.append(old) }
        // It takes the same arguments, so it answers every look-up that the old service answered.
        cells[place] = cell
        if let name = registration.name { reveal(place, as: name) }
        if registration.identity != old.identity { sortProviders(of: cell.type) }
      } else {
        cells.append(cell)
        let place = cells.count - 1
        if let name = registration.name { addName(name, place) }
        addProvider(place, of: cell.type)
        if registration.isUnnamed { bind(cell.type, to: place) }
      }
    }
    return displaced
  }

  /// Returns the cell that a service takes over: the one with its type, its run-time arguments and its name, or for a
  /// service without a name that of another unnamed one; `nil` if there is none.
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

  /// Makes a cell of a private service public after code has taken it over.
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

  /// Adds a cell to those by which code may look up a type.
  mutating func addProvider(_ place: Int, of type: ObjectIdentifier) {
    guard let known = types[type] else {
      types.set(type, place)
      // A child's service answers by its type alone only if it is bound.
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

  /// Sorts the providers of a type by id, after the id of one has changed.
  private mutating func sortProviders(of type: ObjectIdentifier) {
    guard let sorted = providers[type]?.cells.sorted(by: { cells[$0].id < cells[$1].id }) else { return }
    providers[type]?.cells = sorted
  }

  /// Binds a type to a cell: it takes precedence over all others that take the same run-time arguments.
  mutating func bind(_ type: ObjectIdentifier, to place: Int) {
    if let known = types[type], providers[type] == nil {
      // The only provider is bound already if code registered it without a name.
      if known == place, cells[place].registration.isUnnamed { return }
      list(type, from: known)
    }
    let signature = cells[place].registration.signature
    if providers[type] == nil { providers[type] = TypeProviders() }
    providers[type]?.bound.removeAll { cells[$0].registration.signature == signature }
    providers[type]?.bound.insert(place, at: 0)
    refresh(type)
  }

  /// Starts the list of a type's providers with the only one so far.
  private mutating func list(_ type: ObjectIdentifier, from known: Int? = nil) {
    guard let place = known ?? types[type], providers[type] == nil else { return }
    providers[type] = TypeProviders(
      cells: [place], plainCount: cells[place].registration.parameters.isEmpty ? 1 : 0,
      bound: cells[place].registration.isUnnamed ? [place] : [])
    refresh(type)
  }

  /// Recomputes which cell answers a look-up by the type alone.
  private mutating func refresh(_ type: ObjectIdentifier) {
    guard let providers = providers[type] else { return }
    let plain = providers.bound.first { cells[$0].registration.parameters.isEmpty }
    let sole = parent == nil && providers.plainCount == 1
    types.set(type, plain ?? (sole ? providers.cells.first { cells[$0].registration.parameters.isEmpty } : nil) ?? -1)
  }

  /// Makes look-ups of a type search all providers, including those of parents.
  mutating func askProviders(of type: ObjectIdentifier) {
    guard types[type] == nil else { return }
    types.set(type, -1)
    providers[type] = TypeProviders()
  }

  /// Enters the services of a plan under their types, faster than one by one. The tables must have no types before.
  ///
  /// - Parameter cellsByType: for each type, the cells of its services with the ids of the services.
  mutating func enter(_ cellsByType: [ObjectIdentifier: [(type: ObjectIdentifier, id: String, cell: Int)]]) {
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

  /// Publishes the instance of a registration in one of its cells and in the adjacent ones of its other types, where
  /// look-ups find it directly. A cell that it has taken over from another service is elsewhere: it is not written.
  mutating func publish(_ product: AnyInstance, of registration: Registration, around cell: Int) {
    guard cells.indices.contains(cell), cells[cell].registration === registration else { return }
    let first = cell - cells[cell].index
    for place in max(first, 0)..<min(first + registration.factory.typeCount, cells.count)
    where cells[place].registration === registration {
      cells[place].instance = product.ofType(cells[place].index)
    }
  }

  /// Removes everything and marks the container as closed.
  ///
  /// - Returns: the old tables, to be released by the caller.
  mutating func close() -> DirectoryTables {
    var old = DirectoryTables(parent: parent)
    old.isClosed = true
    // In-flight look-ups in children still need the flag.
    old.sharesWithinLookUps = sharesWithinLookUps
    swap(&self, &old)
    return old
  }

  /// Removes all shared instances from the cells.
  ///
  /// - Returns: the instances, to be released by the caller.
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
