// SPDX-License-Identifier: Apache-2.0

import _ConfigDITestSupport

/// All instances of one run, each with what became of it.
final class Ledger: Sendable {
  /// A service of the run.
  enum Service: String {
    /// What the service under test needs: a shared service.
    case leaf
    /// The service under test.
    case thing
    /// What needs the service under test twice: a transient service.
    case user
  }

  /// What became of an instance.
  struct Record {
    /// The service.
    let service: Service
    /// The registration that built it: 0 for the first, 1 for that which replaces it.
    let generation: Int
    /// Whether it has not been released.
    var isAlive = true
    /// How often it was disposed of.
    var disposals = 0
    /// The time of the first disposal; nil while there was none.
    var disposedAt: Int?
  }

  /// What the lock guards.
  private struct State {
    var records: [Record] = []
    /// Counts events.
    var time = 0
    var problems: [String] = []
    /// How many of the next builds of the service under test fail.
    var failures = 0
    var failed = 0
  }

  /// See `State`.
  private let state = Locked(State())

  /// What the builder of the service under test throws where it is to fail.
  struct Refusal: Error {}

  /// What is wrong so far.
  var problems: [String] { state.withLock { $0.problems } }
  /// The present time: the number of events so far.
  var now: Int { state.withLock { $0.time } }
  /// The instances so far, by number.
  var records: [Record] { state.withLock { $0.records } }
  /// How many instances of the service under test were built.
  var built: Int { state.withLock { state in state.records.count { $0.service == .thing } } }

  /// Has the next builds of the service under test fail.
  func failNext(_ count: Int) { state.withLock { $0.failures = count } }

  /// Throws where the build is to fail.
  func refuse() throws {
    let fails = state.withLock { state in
      defer { state.failures = max(0, state.failures - 1) }
      return state.failures > 0
    }
    if fails { throw Refusal() }
  }

  /// Notes something that is wrong.
  func report(_ problem: String) { state.withLock { $0.problems.append(problem) } }

  /// A new instance.
  fileprivate func add(_ service: Service, _ generation: Int) -> Int {
    state.withLock { state in
      state.time += 1
      state.records.append(Record(service: service, generation: generation))
      return state.records.count - 1
    }
  }

  /// Notes that an instance was released.
  fileprivate func release(_ number: Int) {
    state.withLock { state in
      state.time += 1
      state.records[number].isAlive = false
    }
  }

  /// Notes that an instance is disposed of.
  func dispose(_ entry: Entry) {
    state.withLock { state in
      state.time += 1
      state.records[entry.number].disposals += 1
      if state.records[entry.number].disposedAt == nil { state.records[entry.number].disposedAt = state.time }
    }
  }

  /// Checks a result of a look-up.
  ///
  /// - Parameter start: the time at which the look-up began. What was disposed of before must not be found.
  func check(_ thing: Thing, since start: Int, by looker: String) {
    let record = records[thing.entry.number]
    if record.service != .thing { report("\(looker): an instance of another service") }
    if !record.isAlive { report("\(looker): an instance that was released") }
    if let end = record.disposedAt, end < start {
      report("\(looker): an instance that was disposed of before the look-up")
    }
  }

  /// Waits until no instance is alive.
  ///
  /// - Returns: whether that is so.
  func waitUntilEmpty(seconds: Double) -> Bool {
    state.wait(seconds: seconds) { state in !state.records.contains { $0.isAlive } }
  }

  /// Checks that no more than one instance of the service under test is kept, once what is superseded was disposed of.
  func checkThatOneIsKept() {
    let isOne = state.wait(seconds: 5) { state in
      state.records.count { $0.service == .thing && $0.disposals == 0 } <= 1
    }
    if !isOne { report("more than one instance is kept") }
  }

  /// Checks that all is released, and that what a boundary kept was disposed of exactly once.
  ///
  /// - Parameter isDisposable: whether the service under test is kept and so disposed of.
  func checkEnd(isDisposable: Bool) {
    if !waitUntilEmpty(seconds: 10) {
      let alive = records.filter(\.isAlive).map { "\($0.service)\($0.generation)" }
      report("instances are alive at the end: \(alive)")
    }
    for (number, record) in records.enumerated() {
      let expected =
        switch record.service {
        case .leaf: 1
        case .thing: isDisposable ? 1 : 0
        case .user: 0
        }
      if record.disposals != expected {
        report(
          "instance \(number), \(record.service) of registration \(record.generation), was disposed of \(record.disposals) times"
        )
      }
    }
  }
}

/// The place of an instance in its ledger, as long as it lives.
final class Entry: Sendable {
  /// The ledger.
  let ledger: Ledger
  /// The number of the instance.
  let number: Int

  /// Enters a new instance.
  init(_ service: Ledger.Service, generation: Int = 0, in ledger: Ledger) {
    self.ledger = ledger
    number = ledger.add(service, generation)
  }

  deinit { ledger.release(number) }
}

/// What the service under test needs.
final class Leaf: Sendable {
  /// Where it is noted.
  let entry: Entry
  /// A new instance.
  init(_ ledger: Ledger) { entry = Entry(.leaf, in: ledger) }
}

/// The service under test.
final class Thing: Sendable {
  /// Where it is noted.
  let entry: Entry
  /// What it is made of.
  let leaf: Leaf
  /// Which registration has built it.
  let generation: Int

  /// A new instance.
  init(_ leaf: Leaf, generation: Int, _ ledger: Ledger) {
    entry = Entry(.thing, generation: generation, in: ledger)
    self.leaf = leaf
    self.generation = generation
  }
}

/// What needs the service under test twice.
final class User: Sendable {
  /// Where it is noted.
  let entry: Entry
  /// What it received first.
  let first: Thing
  /// What it received then.
  let second: Thing

  /// A new instance.
  init(_ first: Thing, _ second: Thing, _ ledger: Ledger) {
    entry = Entry(.user, in: ledger)
    self.first = first
    self.second = second
  }
}
