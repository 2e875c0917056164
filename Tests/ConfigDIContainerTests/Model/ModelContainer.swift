// SPDX-License-Identifier: Apache-2.0

import ConfigDI

/// A slow and simple single-threaded model of the container: linear searches, and numbers instead of instances.
struct ModelContainer {
  /// A registration.
  struct Service {
    /// The index of its cell in `cells`.
    var cell = 0
    let type: Int
    let name: String?
    /// Whether it takes a number as its run-time argument.
    let takesNumber: Bool
    let lifetime: Lifetime
    /// The look-ups of its builder.
    let dependencies: [Dependency]
    /// Whether its builder throws.
    let fails: Bool
  }

  /// The lifetime of instances.
  enum Lifetime: Equatable {
    case shared, weak, transient, graph
    /// In an open scope of this level: 0 is the outer, 1 the inner one.
    case scope(Int)
  }

  /// A look-up by a builder.
  struct Dependency {
    let type: Int
    let name: String?
  }

  /// A cell of a container, whose registration can be replaced.
  struct Cell {
    /// The boundary of the container.
    let home: Int
    /// The index of the current registration in `services`.
    var service: Int
  }

  /// A container or an open scope.
  struct Boundary {
    /// The level of a scope, or `nil` for a container.
    let level: Int?
    /// The enclosing boundary.
    let outer: Int?
    /// The boundary of the container: itself, or that of the scope.
    let container: Int
    var isClosed = false
    /// The retained instances, in build order.
    var cached: [CachedInstance] = []
    /// The open boundaries inside.
    var inner: [Int] = []
  }

  /// An instance known to a boundary or a look-up.
  struct CachedInstance {
    let service: Int
    let number: Int?
    let instanceID: Int
  }

  /// A top-level look-up, with the instances that it shares.
  struct LookUp {
    /// The scope in which the look-up takes place, or `nil`.
    var scope: Int?
    /// The `graph` instances of the look-up.
    var graph: [CachedInstance] = []
    /// All instances that the look-up has found.
    var found: [Int] = []
  }

  /// A deferred look-up: a `Lazy` or `Provider`.
  struct Deferred {
    let cell: Int
    let type: Int
    /// The container or scope in which it was made.
    let boundary: Int
    /// Whether it is a `Lazy`, which keeps its value.
    let isLazy: Bool
    var graph: [CachedInstance] = []
    /// The value of a `Lazy`.
    var value: Int?
  }

  /// The reason why a look-up fails.
  struct Failure: Error {
    let code: ResolutionError.Code
  }

  var services: [Service] = []
  var cells: [Cell] = []
  var boundaries: [Boundary] = []
  var deferred: [Deferred] = []
  /// The dependencies of each instance.
  var parts: [[Int]] = []
  /// The instances that the driver holds.
  var held: Set<Int> = []
  /// The `weak` instances.
  var weak: [(home: Int, cached: CachedInstance)] = []
  /// The builds (+) and disposals (-), in order.
  var journal: [String] = []
}

// MARK: - Look-ups

extension ModelContainer {
  /// Returns a container and its ancestors, up to the first closed one.
  func chain(_ container: Int) -> [Int] {
    var chain: [Int] = []
    var next: Int? = container
    while let current = next {
      chain.append(current)
      next = boundaries[current].isClosed ? nil : boundaries[current].outer
    }
    return chain
  }

  /// Returns the cells of a container with a matching registration. Empty if the container is closed.
  func cells(of container: Int, where isWanted: (Service) -> Bool) -> [Int] {
    if boundaries[container].isClosed { return [] }
    return cells.indices.filter { cells[$0].home == container && isWanted(services[cells[$0].service]) }
  }

  /// Returns the cell that a look-up finds, or throws the expected error.
  func cell(_ type: Int, _ name: String?, takesNumber: Bool, in container: Int) throws -> Int {
    let chain = chain(container)
    let isClosed = chain.contains { boundaries[$0].isClosed }
    if let name {
      for home in chain {
        let named = cells(of: home) { $0.name == name }
        if named.isEmpty { continue }
        let ofType = named.filter { services[cells[$0].service].type == type }
        if let cell = ofType.first(where: { services[cells[$0].service].takesNumber == takesNumber }) { return cell }
        throw Failure(code: ofType.isEmpty ? .notProvided : .wrongArguments)
      }
      throw Failure(code: isClosed ? .closed : .notRegistered)
    }
    var all: [Int] = []
    for home in chain {
      let unnamed = cells(of: home) { $0.type == type && $0.name == nil && $0.takesNumber == takesNumber }
      if let cell = unnamed.first { return cell }
    }
    for home in chain {
      let ids = Set(all.map { services[cells[$0].service].name })
      all += cells(of: home) { $0.type == type && !ids.contains($0.name) }
    }
    let matching = all.filter { services[cells[$0].service].takesNumber == takesNumber }
    if matching.count == 1 { return matching[0] }
    if matching.count > 1 { throw Failure(code: .ambiguous) }
    if !all.isEmpty { throw Failure(code: .wrongArguments) }
    throw Failure(code: isClosed ? .closed : .notRegistered)
  }

  /// Looks up a service in a container or scope.
  mutating func resolve(_ type: Int, _ name: String?, _ number: Int?, in boundary: Int) throws -> Int {
    if boundaries[boundary].level != nil, !isOpen(boundary) { throw Failure(code: .closed) }
    let cell = try cell(type, name, takesNumber: number != nil, in: boundaries[boundary].container)
    var lookUp = LookUp(scope: boundaries[boundary].level == nil ? nil : boundary)
    return try instance(cell, number, &lookUp)
  }

  /// Makes a deferred look-up. Returns `nil` if the boundary is closed or has no such service without run-time
  /// arguments.
  mutating func makeDeferred(_ type: Int, _ name: String?, isLazy: Bool, in boundary: Int) -> Deferred? {
    guard isOpen(boundary), let cell = try? cell(type, name, takesNumber: false, in: boundaries[boundary].container)
    else { return nil }
    return Deferred(cell: cell, type: type, boundary: boundary, isLazy: isLazy)
  }

  /// Returns the value of a deferred look-up.
  mutating func value(of index: Int) throws -> Int {
    if let value = deferred[index].value { return value }
    let boundary = deferred[index].boundary
    // It ends with a child also if the service is the parent's. A parent does not end before its children.
    guard isOpen(boundary) else { throw Failure(code: .closed) }
    var lookUp = LookUp(scope: boundaries[boundary].level == nil ? nil : boundary, graph: deferred[index].graph)
    defer { if deferred[index].isLazy { deferred[index].graph = lookUp.graph } }
    // The look-up does not find instances that are no longer held.
    let reachable = reachable([])
    lookUp.graph = lookUp.graph.filter { reachable.contains($0.instanceID) }
    let instanceID = try instance(deferred[index].cell, nil, &lookUp)
    if deferred[index].isLazy { deferred[index].value = instanceID }
    return instanceID
  }

  /// Whether a boundary and all its enclosing ones are open.
  func isOpen(_ boundary: Int) -> Bool {
    var next: Int? = boundary
    while let current = next {
      if boundaries[current].isClosed { return false }
      next = boundaries[current].outer
    }
    return true
  }

  /// Returns the boundary that caches the instances of a service, or `nil` if none does.
  func store(of service: Service, _ lookUp: LookUp) throws -> Int? {
    switch service.lifetime {
    case .transient, .graph, .weak: return nil
    case .shared: return cells[service.cell].home
    case .scope(let level):
      guard let store = scope(level, from: lookUp.scope) else { throw Failure(code: .notOpen) }
      return store
    }
  }

  /// Returns the innermost scope of a level, from a scope outwards.
  func scope(_ level: Int, from scope: Int?) -> Int? {
    var next = scope
    while let current = next {
      if boundaries[current].level == level { return current }
      next = boundaries[current].outer
    }
    return nil
  }

  /// Returns an instance of the service of a cell, found or built.
  mutating func instance(_ cell: Int, _ number: Int?, _ lookUp: inout LookUp) throws -> Int {
    let id = cells[cell].service
    let service = services[id]
    let store = try store(of: service, lookUp)
    if let store, let cached = boundaries[store].cached.first(where: { $0.service == id && $0.number == number }) {
      return found(cached.instanceID, &lookUp)
    }
    if service.lifetime == .graph, !service.takesNumber, let cached = lookUp.graph.first(where: { $0.service == id }) {
      return found(cached.instanceID, &lookUp)
    }
    if service.lifetime == .weak {
      let alive = reachable(lookUp.found)
      weak.removeAll { !alive.contains($0.cached.instanceID) }
      if let cached = weak.first(where: { $0.cached.service == id && $0.cached.number == number }) {
        return found(cached.cached.instanceID, &lookUp)
      }
    }
    // A builder does not see scopes that end before its instance.
    let scope = lookUp.scope
    switch service.lifetime {
    case .shared: lookUp.scope = nil
    case .scope(let level): lookUp.scope = self.scope(level, from: scope)
    case .weak, .transient, .graph: break
    }
    defer { lookUp.scope = scope }
    var made: [Int] = []
    for dependency in service.dependencies {
      let needed = try self.cell(dependency.type, dependency.name, takesNumber: false, in: cells[cell].home)
      made.append(try instance(needed, nil, &lookUp))
    }
    if service.fails { throw Failure(code: .builderFailed) }
    parts.append(made)
    let instanceID = parts.count - 1
    journal.append("+\(instanceID)")
    let cached = CachedInstance(service: id, number: number, instanceID: instanceID)
    if let store { boundaries[store].cached.append(cached) }
    if service.lifetime == .graph, !service.takesNumber { lookUp.graph.append(cached) }
    if service.lifetime == .weak { weak.append((cells[cell].home, cached)) }
    return found(instanceID, &lookUp)
  }

  /// Adds an instance to those that a look-up has found.
  private func found(_ instanceID: Int, _ lookUp: inout LookUp) -> Int {
    lookUp.found.append(instanceID)
    return instanceID
  }

  /// Returns all live instances, including those that a look-up holds.
  func reachable(_ found: [Int]) -> Set<Int> {
    var reachable: Set<Int> = []
    var open = found + held + deferred.compactMap(\.value) + boundaries.flatMap { $0.cached.map(\.instanceID) }
    while let instanceID = open.popLast() {
      if reachable.insert(instanceID).inserted { open += parts[instanceID] }
    }
    return reachable
  }
}

// MARK: - Changes

extension ModelContainer {
  /// Opens a container or scope inside a boundary.
  mutating func open(level: Int?, in outer: Int?) {
    let number = boundaries.count
    let container = level == nil ? number : outer.map { boundaries[$0].container } ?? number
    boundaries.append(Boundary(level: level, outer: outer, container: container))
    if let outer {
      if boundaries[outer].isClosed {
        boundaries[number].isClosed = true
      } else {
        boundaries[outer].inner.append(number)
      }
    }
  }

  /// Registers a service in a container, and disposes of the instances of the registration that it replaces.
  mutating func register(_ service: Service, in container: Int) {
    var service = service
    let number = services.count
    let same = cells(of: container) {
      $0.type == service.type && $0.name == service.name && $0.takesNumber == service.takesNumber
    }
    guard let cell = same.first else {
      service.cell = cells.count
      services.append(service)
      cells.append(Cell(home: container, service: number))
      return
    }
    let old = cells[cell].service
    service.cell = cell
    services.append(service)
    cells[cell].service = number
    weak.removeAll { $0.cached.service == old }
    for boundary in withInner(container).reversed() {
      let gone = boundaries[boundary].cached.filter { $0.service == old }
      boundaries[boundary].cached.removeAll { $0.service == old }
      for cached in gone.reversed() { journal.append("-\(cached.instanceID)") }
    }
  }

  /// Returns a boundary and all inside it, each before its inner ones.
  func withInner(_ boundary: Int) -> [Int] { [boundary] + boundaries[boundary].inner.flatMap { withInner($0) } }

  /// Disposes of all instances of a boundary and of those inside it.
  mutating func empty(_ boundary: Int, closes: Bool) {
    if boundaries[boundary].isClosed { return }
    for inner in withInner(boundary).reversed() {
      for cached in boundaries[inner].cached.reversed() { journal.append("-\(cached.instanceID)") }
      boundaries[inner].cached = []
      weak.removeAll { $0.home == inner }
      if closes {
        boundaries[inner].isClosed = true
        boundaries[inner].inner = []
      }
    }
    if closes, let outer = boundaries[boundary].outer { boundaries[outer].inner.removeAll { $0 == boundary } }
  }
}
