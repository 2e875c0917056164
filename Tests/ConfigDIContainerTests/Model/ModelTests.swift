// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Applies the same random operations to the container and to a model. Both must agree on every result, on the builds,
/// and on the order of disposals.
@Suite struct ModelTests {
  /// Random sequences of operations. The message of a failure includes the seed.
  @Test func randomSequencesMatchTheModel() async throws {
    try await withHighPriority {
      let end = ContinuousClock.now + .seconds(60)
      var count = 0
      var steps = 0
      var disagreement: String?
      while disagreement == nil, count < LongTests.size(100, full: .max), ContinuousClock.now < end {
        let first = UInt64(count)
        let result = try await withWatchdog { () -> (Int, String?) in
          var steps = 0
          for seed in first..<first + 50 {
            var driver = ModelDriver(seed: seed)
            for _ in 0..<40 {
              steps += 1
              if let text = driver.step() {
                return (steps, "seed \(seed): \(text)\n\(driver.log.joined(separator: "\n"))")
              }
            }
            if let text = driver.finish() {
              return (steps, "seed \(seed): \(text)\n\(driver.log.joined(separator: "\n"))")
            }
          }
          return (steps, nil)
        }
        count += 50
        steps += result?.0 ?? 0
        disagreement = result.map(\.1) ?? "a sequence did not end"
      }
      #expect(disagreement == nil, "\(disagreement ?? "")")
      print("Model: \(count) sequences, \(steps) operations")
    }
  }
}

/// An instance of one of several types, identified by a number.
private protocol Part: AnyObject, Sendable {
  /// The number of the instance, in build order.
  var instanceID: Int { get }
  /// Creates an instance with its number and dependencies.
  init(_ instanceID: Int, _ parts: [any Part])
}

private enum A {}
private enum B {}
private enum C {}
private enum D {}

/// An instance of the type for `Mark`.
private final class PartOf<Mark>: Part {
  let instanceID: Int
  /// The dependencies.
  let parts: [any Part]

  init(_ instanceID: Int, _ parts: [any Part]) {
    self.instanceID = instanceID
    self.parts = parts
  }
}

/// Applies random operations to a container and its model.
private struct ModelDriver {
  /// The types of services. Each depends only on types before it.
  private static let types: [any Part.Type] = [PartOf<A>.self, PartOf<B>.self, PartOf<C>.self, PartOf<D>.self]
  /// The names of services.
  private static let names: [String?] = [nil, nil, "x", "y"]

  /// The builds and disposals in the container.
  private final class History: Sendable {
    private let state = Locked<(next: Int, journal: [String])>((0, []))

    var journal: [String] { state.withLock { $0.journal } }

    /// Records a build, and returns the number of the instance.
    func build() -> Int {
      state.withLock { state in
        state.journal.append("+\(state.next)")
        state.next += 1
        return state.next - 1
      }
    }

    func dispose(_ instanceID: Int) { state.withLock { $0.journal.append("-\(instanceID)") } }
  }

  /// The container or scope for a boundary of the model.
  private enum Real {
    case container(Container)
    case scope(Scope)
    /// A container or scope that could not be opened.
    case none
  }

  struct TestError: Error {}

  private var random: SeededRandom
  private var model = ModelContainer()
  private var real: [Real] = []
  private var deferred: [() throws -> any Part] = []
  private var held: [any Part] = []
  private let history = History()
  /// The operations so far, for the message of a failure.
  private(set) var log: [String] = []

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    real.append(.container(Container(scopes: ["outer", "inner"])))
    model.open(level: nil, in: nil)
  }

  /// Performs a random operation.
  ///
  /// - Returns: The difference between container and model, or `nil` if they agree.
  mutating func step() -> String? {
    switch Int.random(in: 0..<32, using: &random) {
    case 0..<9: register()
    case 9..<21: if let difference = resolve() { return difference }
    case 21..<23: open()
    case 23..<25: if let difference = makeDeferred() { return difference }
    case 25..<28: if let difference = useDeferred() { return difference }
    case 28..<30: drop()
    case 30: reset()
    default: if Int.random(in: 0..<2, using: &random) == 0 { close() }
    }
    return differenceOfJournals()
  }

  /// Disposes of the root container.
  mutating func finish() -> String? {
    log.append("dispose 0")
    model.empty(0, closes: true)
    if case .container(let container) = real[0] { container.dispose() }
    return differenceOfJournals()
  }

  /// Returns the difference between the builds and disposals, or `nil` if they agree.
  private func differenceOfJournals() -> String? {
    let journal = history.journal
    return journal == model.journal ? nil : "container \(journal.suffix(12)), model \(model.journal.suffix(12))"
  }

  /// Returns the boundary of a random open container.
  private mutating func openContainer() -> Int? {
    model.boundaries.indices.filter { model.boundaries[$0].level == nil && model.isOpen($0) }.randomElement(
      using: &random)
  }

  // MARK: - Operations

  private mutating func register() {
    guard let home = openContainer(), case .container(let container) = real[home] else { return }
    let type = Int.random(in: 0..<ModelDriver.types.count, using: &random)
    let lifetimes: [ModelContainer.Lifetime] = [.shared, .shared, .weak, .transient, .graph, .scope(0), .scope(1)]
    let dependencies =
      type == 0
      ? []
      : (0..<Int.random(in: 0...2, using: &random)).map { _ in
        ModelContainer.Dependency(
          type: Int.random(in: 0..<type, using: &random), name: ModelDriver.names.randomElement(using: &random) ?? nil)
      }
    let service = ModelContainer.Service(
      type: type, name: ModelDriver.names.randomElement(using: &random) ?? nil,
      takesNumber: Int.random(in: 0..<4, using: &random) == 0,
      lifetime: lifetimes.randomElement(using: &random) ?? .shared,
      dependencies: dependencies, fails: Int.random(in: 0..<12, using: &random) == 0)
    log.append("register \(service) in \(home)")
    model.register(service, in: home)
    ModelDriver.register(ModelDriver.types[type], service, in: container, history)
  }

  /// Registers a service of the model in the container.
  private static func register<Product: Part>(
    _ type: Product.Type, _ service: ModelContainer.Service, in container: Container, _ history: History
  ) {
    let scope: ServiceScope =
      switch service.lifetime {
      case .shared: .shared
      case .weak: .weak
      case .transient: .transient
      case .graph: .graph
      case .scope(let level): .scope(level == 0 ? "outer" : "inner")
      }
    let dependencies = service.dependencies.map { (types[$0.type], $0.name) }
    let fails = service.fails
    let build: @Sendable (Resolver) throws -> Product = { resolver in
      var parts: [any Part] = []
      for (type, name) in dependencies { parts.append(try find(type, name, nil, in: resolver)) }
      if fails { throw TestError() }
      return Product(history.build(), parts)
    }
    let onDispose: @Sendable (Product) -> Void = { history.dispose($0.instanceID) }
    if service.takesNumber {
      container.register(named: service.name, scope: scope, onDispose: onDispose) { (resolver: Resolver, _: Int) in
        try build(resolver)
      }
    } else {
      container.register(named: service.name, scope: scope, onDispose: onDispose) { (resolver: Resolver) in
        try build(resolver)
      }
    }
  }

  /// Looks up a service by type, name and number.
  private static func find<Product: Part>(
    _ type: Product.Type, _ name: String?, _ number: Int?, in services: some Resolving
  ) throws -> any Part {
    if let number { return try services.resolve(type, named: name, arguments: number) }
    if let name { return try services.resolve(type, named: name) }
    return try services.resolve(type)
  }

  private mutating func resolve() -> String? {
    let boundary = Int.random(in: 0..<real.count, using: &random)
    let type = Int.random(in: 0..<ModelDriver.types.count, using: &random)
    let name = ModelDriver.names.randomElement(using: &random) ?? nil
    let number = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0..<2, using: &random) : nil
    log.append("resolve \(type) \(name ?? "-") \(number.map { "\($0)" } ?? "") in \(boundary)")
    let expected = Result { try model.resolve(type, name, number, in: boundary) }
    let found: Result<any Part, any Error>
    switch real[boundary] {
    case .container(let container):
      found = Result { try ModelDriver.find(ModelDriver.types[type], name, number, in: container) }
    case .scope(let scope): found = Result { try ModelDriver.find(ModelDriver.types[type], name, number, in: scope) }
    case .none: return nil
    }
    return compare(found, expected)
  }

  /// Returns the difference between two results, or `nil` if they agree. Sometimes keeps a reference to the instance.
  private mutating func compare(_ found: Result<any Part, any Error>, _ expected: Result<Int, any Error>) -> String? {
    switch (found, expected) {
    case (.success(let part), .success(let instanceID)):
      if part.instanceID != instanceID { return "container finds \(part.instanceID), model \(instanceID)" }
      if Bool.random(using: &random), !model.held.contains(instanceID) {
        held.append(part)
        model.held.insert(instanceID)
      }
      return nil
    case (.failure(let error as ResolutionError), .failure(let failure as ModelContainer.Failure)):
      return error.code == failure.code ? nil : "container \(error.code), model \(failure.code)"
    case (.success(let part), .failure(let failure)): return "container finds \(part.instanceID), model \(failure)"
    case (.failure(let error), .success(let instanceID)): return "container \(error), model finds \(instanceID)"
    case (.failure(let error), .failure): return "container \(error)"
    }
  }

  private mutating func open() {
    guard real.count < 8 else { return }
    let outer = Int.random(in: 0..<real.count, using: &random)
    let level = [nil, 0, 1].randomElement(using: &random) ?? nil
    guard model.isOpen(outer) else { return }
    if let level {
      if let outerLevel = model.boundaries[outer].level, outerLevel >= level { return }
      let name = level == 0 ? "outer" : "inner"
      log.append("open \(name) in \(outer)")
      switch real[outer] {
      case .container(let container): real.append((try? container.openScope(name)).map { .scope($0) } ?? .none)
      case .scope(let scope): real.append((try? scope.openScope(name)).map { .scope($0) } ?? .none)
      case .none: real.append(.none)
      }
    } else {
      guard case .container(let container) = real[outer] else { return }
      log.append("child of \(outer)")
      real.append(.container(Container(parent: container)))
    }
    model.open(level: level, in: outer)
  }

  private mutating func makeDeferred() -> String? {
    let boundary = Int.random(in: 0..<real.count, using: &random)
    let type = Int.random(in: 0..<ModelDriver.types.count, using: &random)
    let name = ModelDriver.names.randomElement(using: &random) ?? nil
    let isLazy = Bool.random(using: &random)
    guard let made = model.makeDeferred(type, name, isLazy: isLazy, in: boundary) else { return nil }
    log.append("\(isLazy ? "lazy" : "provider") \(model.deferred.count) of \(type) \(name ?? "-") in \(boundary)")
    do {
      switch real[boundary] {
      case .container(let container):
        deferred.append(try ModelDriver.deferredLookUp(ModelDriver.types[type], name, isLazy: isLazy, in: container))
      case .scope(let scope):
        deferred.append(try ModelDriver.deferredLookUp(ModelDriver.types[type], name, isLazy: isLazy, in: scope))
      case .none: return nil
      }
    } catch { return "container \(error), model defers" }
    model.deferred.append(made)
    return nil
  }

  /// Returns a closure that uses a `Lazy` or a `Provider`.
  private static func deferredLookUp<Product: Part>(
    _ type: Product.Type, _ name: String?, isLazy: Bool, in services: some Resolving
  ) throws -> () throws -> any Part {
    if isLazy {
      let lazy = try services.resolve(Lazy<Product>.self, named: name)
      return { try lazy.get() }
    }
    let provider = try services.resolve(Provider<Product>.self, named: name)
    return { try provider.get() }
  }

  private mutating func useDeferred() -> String? {
    guard let index = deferred.indices.randomElement(using: &random) else { return nil }
    log.append("use \(index) for \(model.cells[model.deferred[index].cell])")
    let expected = Result { try model.value(of: index) }
    return compare(Result { try deferred[index]() }, expected)
  }

  private mutating func drop() {
    guard let index = held.indices.randomElement(using: &random) else { return }
    log.append("drop \(held[index].instanceID)")
    model.held.remove(held[index].instanceID)
    held.remove(at: index)
  }

  private mutating func reset() {
    guard let home = openContainer(), case .container(let container) = real[home] else { return }
    log.append("reset \(home)")
    model.empty(home, closes: false)
    container.reset()
  }

  private mutating func close() {
    let boundary = Int.random(in: 0..<real.count, using: &random)
    if boundary == 0 { return }
    log.append("close \(boundary)")
    model.empty(boundary, closes: true)
    switch real[boundary] {
    case .container(let container): container.dispose()
    case .scope(let scope): scope.close()
    case .none: break
    }
  }
}
