// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import _ConfigDITestSupport

/// The instances of one program, and what is wrong with them.
final class ModuleRecord: Sendable {
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

  /// What is wrong at the end of the program. What tasks have retained is released a moment after their end.
  var finalProblems: [String] {
    get async {
      for _ in 0..<1_000 where !problems.isEmpty { try? await Task.sleep(for: .milliseconds(2)) }
      return problems
    }
  }

  /// What is wrong now, if the program has ended.
  private var problems: [String] {
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
final class Token: Sendable {
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
final class Info: Sendable {
  let token: Token

  init(_ record: ModuleRecord) { token = Token(record) }
}

/// A shared service that opens scopes, and looks up services later.
final class Door: Sendable {
  let request: ScopeOpener
  let services: ContainerResolver

  init(request: ScopeOpener, services: ContainerResolver) { (self.request, self.services) = (request, services) }
}

/// An instance of a module's service.
final class ModulePart: AsyncDisposable {
  let name: String
  let number: Int
  let parts: [ModulePart]
  let later: [Lazy<ModulePart>]
  let others: [Provider<ModulePart>]
  private let isKept: Bool
  private let record: ModuleRecord

  init(
    _ name: String, _ isKept: Bool, _ parts: [ModulePart] = [], _ later: [Lazy<ModulePart>] = [],
    _ others: [Provider<ModulePart>] = [], in record: ModuleRecord
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

extension ModuleRecord {
  /// The types that the modules name.
  var registry: Registry {
    var registry = Registry()
    let dispose: @Sendable (ModulePart) -> Void = { $0.dispose() }
    registry.given("Token", Token.self, onDispose: { $0.dispose() })
    registry.given("Info", Info.self, onDispose: { $0.token.dispose() })
    registry.add("Door", Door.init, .scope("request"), .resolver())
    let make: @Sendable (String, Bool, Int, [ModulePart], [Lazy<ModulePart>], [Provider<ModulePart>]) -> ModulePart = {
      [self] name, isKept, _, parts, later, others in ModulePart(name, isKept, parts, later, others, in: self)
    }
    let makeLater = { @Sendable (name, isKept, version, parts, later, others) async in
      await pause(2)
      return make(name, isKept, version, parts, later, others)
    }
    registry.add(
      "Now", make, .value("name"), .value("isKept"), .value("version"), .service("parts"), .service("later"),
      .service("others"), onDispose: dispose)
    registry.add(
      "Later", makeLater, .value("name"), .value("isKept"), .value("version"), .service("parts"), .service("later"),
      .service("others"), onDispose: dispose)
    registry.add(
      "Main", on: MainActor.shared, make, .value("name"), .value("isKept"), .value("version"), .service("parts"),
      .service("later"), .service("others"), onDispose: dispose)
    registry.add(
      "Around",
      { [self] (inner: ModulePart, name: String, isKept: Bool) in ModulePart(name, isKept, [inner], in: self) },
      .decorated("inner"), .value("name"), .value("isKept"), onDispose: dispose)
    registry.add(
      "Numbered", { [self] (isKept: Bool, number: Int) in ModulePart("numbered \(number)", isKept, in: self) },
      .value("isKept"), .runtime("number"), onDispose: dispose)
    return registry
  }
}
