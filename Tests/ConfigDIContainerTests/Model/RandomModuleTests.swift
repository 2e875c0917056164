// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Runs random modules that are reloaded with other definitions while tasks look up their services, open scopes and
/// children, reset and shut down. Each look-up returns an instance that is not disposed of, or throws a documented error. At the end
/// nothing is alive, and each instance that a container or a scope has kept was disposed of once.
@Suite struct RandomModuleTests {
  @Test func nothingIsLeftOfAReloadedModule() async throws {
    try await withHighPriority {
      let end = ContinuousClock.now + .seconds(60)
      var count = 0
      var problems: [String]? = []
      while problems == [], count < LongTests.size(60, full: .max), ContinuousClock.now < end {
        let seed = UInt64(count)
        problems = try await withAsyncWatchdog {
          do { return try await ReloadProgram(seed: seed).run() } catch { return ["\(error)"] }
        }
        count += 1
      }
      #expect(problems == [], "seed \(count - 1)")
      print("Random modules: \(count)")
    }
  }
}

// MARK: - Records

/// The instances of one program, and what is wrong with them.
private final class ModuleRecord: Sendable {
  struct State {
    var alive = 0
    /// The time of each disposal, by the number of the instance.
    var disposals: [Int: Int] = [:]
    /// The instances that have to be disposed of.
    var kept: [Int: String] = [:]
    var problems: [String] = []
    var nextNumber = 0
    /// Increases with each disposal.
    var time = 0
  }

  private let state = Locked(State())
  /// Whether no instance is disposed of before one that holds it: nothing is reset, cancelled or closed without `await`.
  let isOrdered: Bool

  init(isOrdered: Bool) { self.isOrdered = isOrdered }

  var time: Int { state.withLock { $0.time } }

  /// What is wrong now, if the program has ended.
  var problems: [String] {
    state.withLock { state in
      let wrong = state.kept.filter { state.disposals[$0.key] == nil }.sorted { $0.key < $1.key }
      return state.problems + (state.alive == 0 ? [] : ["\(state.alive) instances are alive"])
        + wrong.map { "\($0.value) was not disposed of" }
    }
  }

  func report(_ problem: String) { state.withLock { $0.problems.append(problem) } }

  /// Records a new instance, and returns its number.
  func begin(_ name: String, isKept: Bool) -> Int {
    state.withLock { state in
      state.alive += 1
      state.nextNumber += 1
      if isKept { state.kept[state.nextNumber] = "\(name) #\(state.nextNumber)" }
      return state.nextNumber
    }
  }

  /// Records that an instance has to be disposed of.
  func setKept(_ number: Int, _ name: String) { state.withLock { $0.kept[number] = "\(name) #\(number)" } }

  func release() { state.withLock { $0.alive -= 1 } }

  func dispose(_ number: Int, _ name: String) {
    state.withLock { state in
      state.time += 1
      if state.disposals.updateValue(state.time, forKey: number) != nil {
        state.problems.append("\(name) #\(number) was disposed of twice")
      }
    }
  }

  /// Returns whether an instance was disposed of before a time, or at any time.
  func isDisposed(_ number: Int, before time: Int = .max) -> Bool {
    state.withLock { $0.disposals[number].map { $0 <= time } ?? false }
  }
}

/// An instance that the application gives.
private final class Token: Sendable {
  let number: Int
  private let record: ModuleRecord

  init(_ record: ModuleRecord) {
    self.record = record
    number = record.begin("token", isKept: false)
  }

  deinit { record.release() }

  func dispose() { record.dispose(number, "token") }
}

/// The instance that the application gives to a scope.
private final class Info: Sendable {
  let token: Token

  init(_ record: ModuleRecord) { token = Token(record) }
}

/// A shared service that opens scopes, and looks up services later.
private final class Door: Sendable {
  let request: ScopeOpener
  let services: ContainerResolver

  init(request: ScopeOpener, services: ContainerResolver) { (self.request, self.services) = (request, services) }
}

/// An instance of a module's service.
private final class Piece: AsyncDisposable {
  let name: String
  let number: Int
  let parts: [Piece]
  let later: [Lazy<Piece>]
  let others: [Provider<Piece>]
  private let isKept: Bool
  private let record: ModuleRecord

  init(
    _ name: String, _ isKept: Bool, _ parts: [Piece] = [], _ later: [Lazy<Piece>] = [],
    _ others: [Provider<Piece>] = [], in record: ModuleRecord
  ) {
    (self.name, self.isKept, self.parts, self.later, self.others) = (name, isKept, parts, later, others)
    self.record = record
    number = record.begin(name, isKept: isKept)
  }

  deinit { record.release() }

  func disposeAsync() async {
    if record.isDisposed(number) { record.report("\(name) #\(number) was closed after its disposal") }
    await Task.yield()
  }

  func dispose() {
    record.dispose(number, name)
    for part in parts where isKept && part.isKept && record.isOrdered && record.isDisposed(part.number) {
      record.report("\(name) #\(number) was disposed of after \(part.name) #\(part.number), which it holds")
    }
  }

  /// Records what is wrong with the result of a look-up that began at a time.
  func check(_ name: String, since time: Int) {
    if self.name != name { record.report("\(self.name) was found by the name \(name)") }
    if isKept, record.isDisposed(number, before: time) { record.report("\(name) #\(number) was disposed of before") }
  }
}

// MARK: - Modules

/// A random service of a module.
private struct ModuleService {
  private static let types = ["Now", "Now", "Later", "Main"]
  private static let scopes = ["shared", "shared", "shared", "weak", "transient", "graph", "request"]

  let name: String
  private var type = "Now"
  private(set) var scope = "shared"
  private var parts: [String] = []
  private var later: [String] = []
  private var others: [String] = []
  private var isEager = false
  private var isDecorated = false
  private var hasTag = false
  private var version = 0
  /// Whether an instance belongs to a scope, so that nothing of a longer lifetime may need it.
  private(set) var isScoped = false

  /// Creates a service whose dependencies are some of the given ones.
  init(_ name: String, dependingOn services: ArraySlice<ModuleService>, _ random: inout SeededRandom) {
    self.name = name
    type = Self.types[random.below(Self.types.count)]
    scope = Self.scopes[random.below(Self.scopes.count)]
    version = random.below(3)
    isEager = scope == "shared" && random.below(4) == 0
    isDecorated = random.below(4) == 0
    hasTag = random.below(3) == 0
    let canBeScoped = ["transient", "graph", "request"].contains(scope)
    for service in services where canBeScoped || !service.isScoped {
      switch random.below(8) {
      case 0, 1, 2: parts.append(service.name)
      case 3: later.append(service.name)
      case 4 where !service.isScoped: others.append(service.name)
      default: continue
      }
      if service.isScoped { isScoped = true }
    }
    if scope == "request" { isScoped = true }
  }

  /// The declaration in the file.
  var text: String {
    let isKept = scope == "shared" || scope == "request"
    let list = { (names: [String]) in "[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]" }
    let decorator = #"{ "type": "Around", "values": { "name": "\#(name)", "isKept": \#(isKept) } }"#
    return """
      "\(name)": { "type": "\(type)", "scope": "\(scope)",
        "values": { "name": "\(isDecorated ? "inner of " : "")\(name)", "isKept": \(isKept), "version": \(version) },
        "inject": { "parts": \(list(parts)), "later": \(list(later)), "others": \(list(others)) }
        \(isDecorated ? #", "decorate": [\#(decorator)]"# : "") \(isEager ? #", "eager": true"# : "")
        \(hasTag && !isScoped ? #", "tags": ["tag"]"# : "") }
      """
  }
}

/// The file of a module, which changes.
private final class ChangingModule: FileAccess {
  let workingFolder = "/"
  private let content: Locked<(services: [ModuleService], random: SeededRandom)>

  init(_ random: consuming SeededRandom) {
    var services: [ModuleService] = []
    for number in 0..<3 + random.below(5) {
      services.append(ModuleService("s\(number)", dependingOn: services[...], &random))
    }
    content = Locked((services, random))
  }

  var names: [String] { content.withLock { $0.services.map(\.name) } }

  /// Changes one of the services. Those after it, which may need it, are changed if it is in a scope now.
  func change() {
    content.withLock { content in
      let place = content.random.below(content.services.count)
      let wasScoped = content.services[place].isScoped
      for next in place..<content.services.count {
        content.services[next] = ModuleService(
          content.services[next].name, dependingOn: content.services[..<next], &content.random)
        if wasScoped || !content.services[place].isScoped { break }
      }
    }
  }

  private var text: String {
    let services = content.withLock { $0.services.map(\.text).joined(separator: ", ") }
    return """
      { "configdi": 1, "module": "m", "scopes": ["request"], "tags": { "tag": {} }, "services": {
        "token": { "type": "Token" }, "door": { "type": "Door" }, "info": { "type": "Info", "scope": "request" },
        "numbered": { "type": "Numbered", "values": { "isKept": true } }, \(services) } }
      """
  }

  func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> { .success(Array(text.utf8)) }

  func canonicalPath(of path: String) -> String { path }
}

// MARK: - Programs

/// A program that is determined by its seed, except for the order in which its tasks run.
private struct ReloadProgram {
  private enum Ending: CaseIterable {
    case shutDown, currentShutDown, currentDisposed, released
  }

  private enum Action: CaseIterable {
    case lookUp, lookUpWithoutAwait, lookUpByTag, lookUpWithNumber, lookUpToken, readDeferred, useScope, keepScope
    case useDoor, useChild, reload, reloadUnchanged, reset
  }

  private let record: ModuleRecord
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    record = ModuleRecord(isOrdered: random.below(2) == 0)
  }

  /// Runs the program. Returns what is wrong at its end.
  consuming func run() async throws -> [String] {
    try await runTasks()
    // What tasks have retained is released a moment after their end.
    for _ in 0..<1_000 where !record.problems.isEmpty { try? await Task.sleep(for: .milliseconds(2)) }
    return record.problems
  }

  private var registry: Registry {
    var registry = Registry()
    let dispose: @Sendable (Piece) -> Void = { $0.dispose() }
    registry.given("Token", Token.self, onDispose: { $0.dispose() })
    registry.given("Info", Info.self, onDispose: { $0.token.dispose() })
    registry.add("Door", Door.init, .scope("request"), .resolver())
    registry.add(
      "Now",
      {
        [record] (name: String, isKept: Bool, _: Int, parts: [Piece], later: [Lazy<Piece>], others: [Provider<Piece>])
        in
        Piece(name, isKept, parts, later, others, in: record)
      }, .value("name"), .value("isKept"), .value("version"), .service("parts"), .service("later"), .service("others"),
      onDispose: dispose)
    registry.add(
      "Later",
      {
        [record] (name: String, isKept: Bool, _: Int, parts: [Piece], later: [Lazy<Piece>], others: [Provider<Piece>])
        in
        await pause(2)
        return Piece(name, isKept, parts, later, others, in: record)
      }, .value("name"), .value("isKept"), .value("version"), .service("parts"), .service("later"), .service("others"),
      onDispose: dispose)
    registry.add(
      "Main", on: MainActor.shared,
      {
        [record] (name: String, isKept: Bool, _: Int, parts: [Piece], later: [Lazy<Piece>], others: [Provider<Piece>])
        in
        Piece(name, isKept, parts, later, others, in: record)
      }, .value("name"), .value("isKept"), .value("version"), .service("parts"), .service("later"), .service("others"),
      onDispose: dispose)
    registry.add(
      "Around", { [record] (inner: Piece, name: String, isKept: Bool) in Piece(name, isKept, [inner], in: record) },
      .decorated("inner"), .value("name"), .value("isKept"), onDispose: dispose)
    registry.add(
      "Numbered", { [record] (isKept: Bool, number: Int) in Piece("numbered \(number)", isKept, in: record) },
      .value("isKept"), .runtime("number"), onDispose: dispose)
    return registry
  }

  private mutating func runTasks() async throws {
    let module = ChangingModule(SeededRandom(seed: random.next()))
    let token = Token(record)
    let source = ModuleSource(ModuleRequest(entry: .file("/m.json"), missing: .refused), files: module)
    let services = try await ReloadingContainer(source, registry: registry, given: [token])
    record.setKept(token.number, "token")
    var ending = Ending.allCases[random.below(Ending.allCases.count)]
    if record.isOrdered, ending == .currentDisposed { ending = .currentShutDown }
    let user = ServiceUser(services: services, module: module, record: record)
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<4 {
      var random = SeededRandom(seed: random.next())
      tasks.append(
        Task.detached(priority: .high) {
          var scopes: [Scope] = []
          for _ in 0..<6 {
            await pause(random.below(5))
            await user.perform(Action.allCases[random.below(Action.allCases.count)], &random, &scopes)
          }
        })
    }
    for task in tasks where !record.isOrdered && random.below(8) == 0 {
      await pause(random.below(10))
      task.cancel()
    }
    await pause(random.below(40))
    switch ending {
    case .currentShutDown: try? await services.current.shutdown()
    case .currentDisposed: services.current.dispose()
    // Cancels reloads, which do not wait for their builders then.
    case .shutDown where !record.isOrdered && random.below(2) == 0: try await services.shutdown()
    case .shutDown, .released: break
    }
    for task in tasks { await task.value }
    if ending != .released { try await services.shutdown() }
  }

  /// The part of a program that its tasks share.
  private struct ServiceUser: Sendable {
    let services: ReloadingContainer
    let module: ChangingModule
    let record: ModuleRecord

    /// Performs an action, and records an error that is not documented for it.
    func perform(_ action: Action, _ random: inout SeededRandom, _ scopes: inout [Scope]) async {
      let names = module.names
      let name = names[random.below(names.count)]
      let time = record.time
      do {
        switch action {
        case .lookUp:
          try await services.resolveAsync(Piece.self, named: name).check(name, since: time)
        case .lookUpWithoutAwait: try lookUpWithoutAwait(name, time)
        case .lookUpByTag:
          for piece in try await services.resolveAsync([Piece].self, tagged: "tag") {
            piece.check(piece.name, since: time)
          }
        case .lookUpWithNumber:
          let number = random.below(3)
          let piece = try await services.resolveAsync(Piece.self, named: "numbered", arguments: number)
          piece.check("numbered \(number)", since: time)
        case .lookUpToken:
          let token = try services.resolve(Token.self)
          if record.isDisposed(token.number, before: time) { record.report("the token was disposed of before") }
        case .readDeferred:
          let piece = try await services.resolveAsync(Piece.self, named: name)
          for lazy in piece.later { _ = try await lazy.getAsync() }
          for provider in piece.others {
            let time = record.time
            let piece = try await provider.getAsync()
            piece.check(piece.name, since: time)
          }
        case .useScope, .keepScope:
          let info = Info(record)
          let scope = try services.current.openScope("request", given: info)
          record.setKept(info.token.number, "info")
          if action == .keepScope { scopes.append(scope) }
          defer { if action == .useScope { scope.close() } }
          try await scope.resolveAsync(Piece.self, named: name).check(name, since: time)
          if try scope.resolve(Info.self) !== info { record.report("another info") }
        case .useDoor:
          let door = try services.resolve(Door.self)
          let info = Info(record)
          try await door.request.scope(given: info) { request in
            record.setKept(info.token.number, "info")
            try await request.resolveAsync(Piece.self, named: name).check(name, since: time)
          }
          try await door.services.resolver.resolveAsync(Piece.self, named: name).check(name, since: time)
        case .useChild: try await useChild(name, &random, time)
        case .reload:
          module.change()
          try await services.reload()
        case .reloadUnchanged: try await services.reload()
        case .reset: if !record.isOrdered { services.current.reset() }
        }
      } catch let error as ResolutionError {
        var documented: [ResolutionError.Code] = [.closed, .cancelled, .notOpen]
        if action == .lookUpWithoutAwait { documented += [.needsAwait, .needsMainActor] }
        if !documented.contains(error.code) { record.report("\(action): \(error)") }
      } catch is CancellationError {
        // The task was cancelled.
      } catch { record.report("\(action): \(error)") }
    }

    /// Opens a child with a service that holds one of the parent's, and closes it.
    private func useChild(_ name: String, _ random: inout SeededRandom, _ time: Int) async throws {
      let child = Container(parent: services.current)
      child.register(Piece.self, named: "own", onDispose: { $0.dispose() }) { [record] resolver async throws in
        Piece("own", true, [try await resolver.resolveAsync(Piece.self, named: name)], in: record)
      }
      let later = try await child.resolveAsync(Lazy<Piece>.self, named: name)
      let own = try await child.resolveAsync(Piece.self, named: "own")
      own.check("own", since: time)
      own.parts[0].check(name, since: time)
      switch random.below(4) {
      case 0: return
      case 1 where !record.isOrdered: child.dispose()
      case 2 where !record.isOrdered:
        child.reset()
        return try await child.resolveAsync(Piece.self, named: "own").check("own", since: time)
      default: try await child.shutdown()
      }
      do {
        _ = try await later.getAsync()
        record.report("a lazy value of a closed child was built")
      } catch { if error.code != .closed { throw error } }
    }

    private func lookUpWithoutAwait(_ name: String, _ time: Int) throws {
      try services.resolve(Piece.self, named: name).check(name, since: time)
    }
  }
}

/// Suspends the task some times.
private func pause(_ count: Int) async {
  for _ in 0..<count { await Task.yield() }
}

extension SeededRandom {
  /// Returns a number from 0 up to a limit.
  fileprivate mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
