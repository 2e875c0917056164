// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Runs random programs: services with random lifetimes, builders and dependencies, and tasks that look them up, reset,
/// replace, close a scope and are cancelled. At the end of a program no instance is alive, and each one that a container
/// or a scope has kept was disposed of once.
@Suite struct RandomProgramTests {
  @Test func nothingIsLeftOfAProgram() async throws {
    try await runRandomPrograms("Random programs", count: 50) { await Program(seed: $0).run() }
  }
}

// MARK: - Records

/// The instances of one program.
private final class ProgramRecord: Sendable {
  private struct State {
    var alive = 0
    /// The numbers of builds and of disposals, by registration.
    var built: [String: Int] = [:]
    var disposed: [String: Int] = [:]
    /// The registrations whose instances a container or a scope keeps.
    var kept: Set<String> = []
  }

  private let state = Locked(State())

  /// What is wrong at the end of the program.
  var problems: [String] {
    state.withLock { state in
      let wrong = state.kept.sorted().filter { state.built[$0] != state.disposed[$0] }
      return (state.alive == 0 ? [] : ["\(state.alive) instances are alive"])
        + wrong.map { "\($0): \(state.built[$0] ?? 0) built, \(state.disposed[$0] ?? 0) disposed of" }
    }
  }

  /// Records that instances of a registration are kept.
  func keep(_ registration: String) { state.withLock { _ = $0.kept.insert(registration) } }

  fileprivate func build(_ registration: String) {
    state.withLock { state in
      state.alive += 1
      state.built[registration, default: 0] += 1
    }
  }

  fileprivate func release() { state.withLock { $0.alive -= 1 } }

  fileprivate func dispose(_ registration: String) { state.withLock { $0.disposed[registration, default: 0] += 1 } }
}

/// An instance of a program's service.
private final class Piece: Sendable {
  let registration: String
  /// What its builder has looked up, and it retains.
  let parts: [any Sendable]
  private let record: ProgramRecord

  init(_ registration: String, _ parts: [any Sendable], _ record: ProgramRecord) {
    (self.registration, self.parts, self.record) = (registration, parts, record)
    record.build(registration)
  }

  deinit { record.release() }

  /// Records the disposal.
  func dispose() { record.dispose(registration) }
}

/// An instance that is not `Sendable`, with a deferred look-up of its own type.
private final class Confined {
  private let other: Lazy<Confined>
  private let record: ProgramRecord

  init(_ other: Lazy<Confined>, _ record: ProgramRecord) {
    (self.other, self.record) = (other, record)
    record.build("confined")
  }

  deinit { record.release() }
}

// MARK: - Services

/// A random registration.
private struct RandomService: Sendable {
  /// Where the builder is called, and whether it takes a number.
  enum Form: CaseIterable {
    case anywhere, onMainActor, awaited, awaitedWithNumber
  }

  /// How the builder uses a dependency.
  enum Use: CaseIterable {
    /// It retains the service.
    case service
    /// It retains a `Lazy`, of which it may take the value.
    case lazy, readLazy
    /// It retains the service, and looks up an instance that is not `Sendable`.
    case besideConfined
    /// It uses the service, and does not retain it.
    case passing
  }

  /// The name, which other registrations may have as well.
  let name: String
  /// Identifies the registration.
  let id: String
  let scope: ServiceScope
  let form: Form
  let dependencies: [(name: String, use: Use)]
  /// The number of times that an awaited builder suspends at each dependency.
  let pauses: Int

  /// Creates a registration whose dependencies have some of the given names.
  init(_ name: String, dependingOn names: ArraySlice<String>, _ random: inout SeededRandom) {
    let scopes: [ServiceScope] = [.shared, .shared, .weak, .transient, .graph, .scope("request"), .scope("session")]
    self.name = name
    id = "\(name)!\(random.next() >> 40)"
    scope = scopes[random.below(scopes.count)]
    form = Form.allCases[random.below(Form.allCases.count)]
    pauses = random.below(4)
    var dependencies: [(name: String, use: Use)] = []
    for _ in 0..<(names.isEmpty ? 0 : 2) {
      let dependency = names[names.startIndex + random.below(names.count)]
      dependencies.append((dependency, Use.allCases[random.below(Use.allCases.count)]))
    }
    self.dependencies = dependencies
  }

  /// Registers the service.
  func register(in container: Container, _ record: ProgramRecord) {
    if [.shared, .scope("request"), .scope("session")].contains(scope) { record.keep(id) }
    let dispose: @Sendable (Piece) -> Void = { $0.dispose() }
    switch form {
    case .anywhere:
      container.register(named: name, scope: scope, onDispose: dispose) { resolver in
        Piece(id, try parts(resolver), record)
      }
    case .onMainActor:
      container.register(on: MainActor.shared, named: name, scope: scope, onDispose: dispose) { resolver in
        Piece(id, try parts(resolver), record)
      }
    case .awaited:
      container.register(named: name, scope: scope, onDispose: dispose) { (resolver) async throws in
        Piece(id, try await awaitedParts(resolver), record)
      }
    case .awaitedWithNumber:
      container.register(named: name, scope: scope, onDispose: dispose) { (resolver, _: Int) async throws in
        Piece(id, try await awaitedParts(resolver), record)
      }
    }
  }

  private func parts(_ resolver: Resolver) throws -> [any Sendable] {
    var parts: [any Sendable] = []
    for (name, use) in dependencies {
      switch use {
      case .service: parts.append(try resolver.resolve(Piece.self, named: name))
      case .lazy: parts.append(try resolver.resolve(Lazy<Piece>.self, named: name))
      case .readLazy:
        let lazy = try resolver.resolve(Lazy<Piece>.self, named: name)
        _ = try lazy.get()
        parts.append(lazy)
      case .besideConfined:
        _ = try resolver.resolve(Confined.self)
        parts.append(try resolver.resolve(Piece.self, named: name))
      case .passing: try resolver.resolve(Isolated<Piece>.self, named: name).use { _ in }
      }
    }
    return parts
  }

  private func awaitedParts(_ resolver: Resolver) async throws -> [any Sendable] {
    var parts: [any Sendable] = []
    for (name, use) in dependencies {
      await pause(pauses)
      switch use {
      case .service: parts.append(try await resolver.resolveAsync(Piece.self, named: name))
      case .lazy: parts.append(try resolver.resolve(Lazy<Piece>.self, named: name))
      case .readLazy:
        let lazy = try resolver.resolve(Lazy<Piece>.self, named: name)
        _ = try await lazy.getAsync()
        parts.append(lazy)
      case .besideConfined:
        _ = try resolver.resolve(Confined.self)
        parts.append(try await resolver.resolveAsync(Piece.self, named: name))
      case .passing: _ = try await resolver.resolve(Provider<Piece>.self, named: name).getAsync()
      }
    }
    return parts
  }
}

// MARK: - Programs

/// A program that is determined by its seed, except for the order in which its tasks run.
private struct Program {
  private enum Ending: CaseIterable {
    case released, disposed, shutDown, shutDownBesideTasks
  }

  private enum Action: CaseIterable {
    case lookUp, lookUpAgain, lookUpWithNumber, lookUpOnMainActor, readLazy, reset, closeScope, replace
  }

  private let record = ProgramRecord()
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Runs the program. Returns what is wrong at its end.
  consuming func run() async -> [String] {
    await runTasks()
    // What tasks have retained is released a moment after their end.
    for _ in 0..<1_000 where !record.problems.isEmpty { try? await Task.sleep(for: .milliseconds(2)) }
    return record.problems
  }

  private mutating func runTasks() async {
    let root = Container(scopes: ["session", "request"])
    root.register(scope: .graph) { [record] resolver in Confined(try resolver.resolve(), record) }
    let names = (0..<3 + random.below(4)).map { "s\($0)" }
    for place in names.indices {
      RandomService(names[place], dependingOn: names[..<place], &random).register(in: root, record)
    }
    let container = random.below(2) == 0 ? root : Container(parent: root)
    if container !== root { replaceOne(of: names, in: container) }
    guard let session = try? container.openScope("session"), let request = try? session.openScope("request") else {
      return
    }
    let ending = Ending.allCases[random.below(Ending.allCases.count)]
    var tasks: [Task<Void, any Error>] = []
    for action in Action.allCases {
      // Nobody may register in a container that is closed meanwhile.
      if action == .replace, ending == .shutDownBesideTasks { continue }
      let name = names[random.below(names.count)]
      let place = random.below(names.count)
      let service = RandomService(names[place], dependingOn: names[..<place], &random)
      let (pauses, isForRoot) = (random.below(5), random.below(2) == 0)
      tasks.append(
        Task.detached { [record] in
          await pause(pauses)
          switch action {
          case .lookUp, .lookUpAgain:
            let piece = try await request.resolveAsync(Piece.self, named: name)
            for case let lazy as Lazy<Piece> in piece.parts { _ = try await lazy.getAsync() }
          case .lookUpWithNumber: _ = try await request.resolveAsync(Piece.self, named: name, arguments: 3)
          case .lookUpOnMainActor: _ = try await MainActor.run { try request.resolve(Piece.self, named: name) }
          case .readLazy: _ = try await request.resolve(Lazy<Piece>.self, named: name).getAsync()
          case .reset: (isForRoot ? root : container).reset()
          case .closeScope: request.close()
          case .replace: service.register(in: isForRoot ? root : container, record)
          }
        })
    }
    for task in tasks where random.below(4) == 0 {
      await pause(random.below(3))
      task.cancel()
    }
    if ending == .shutDownBesideTasks { try? await root.shutdown() }
    for task in tasks { _ = await task.result }
    switch ending {
    case .disposed: root.dispose()
    case .shutDown: try? await root.shutdown()
    case .released, .shutDownBesideTasks: break
    }
  }

  private mutating func replaceOne(of names: [String], in container: Container) {
    let place = random.below(names.count)
    RandomService(names[place], dependingOn: names[..<place], &random).register(in: container, record)
  }
}
