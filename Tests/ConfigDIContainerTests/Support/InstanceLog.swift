// SPDX-License-Identifier: Apache-2.0

import _ConfigDITestSupport

/// A record of all instances of one run.
final class InstanceLog: Sendable {
  /// The services of a run.
  enum Service: String {
    /// The dependency of the service under test: a shared service.
    case leaf
    /// The service under test.
    case tested
    /// A transient service with two dependencies on the service under test.
    case consumer
  }

  /// The record of an instance.
  struct Record {
    /// The service.
    let service: Service
    /// The registration that built the instance: 0 for the first, 1 for its replacement.
    let generation: Int
    /// Whether the instance has not been released.
    var isAlive = true
    /// The number of times that the instance was disposed of.
    var disposals = 0
    /// The time of the first disposal, or `nil` if the instance was not disposed of.
    var disposedAt: Int?
  }

  /// The state guarded by the lock.
  private struct State {
    var records: [Record] = []
    /// The number of events so far, which serves as a clock.
    var time = 0
    var problems: [String] = []
    /// The number of further builds of the service under test that fail.
    var failures = 0
  }

  /// The guarded state.
  private let state = Locked(State())

  /// The error that the builder of the service under test throws if a failure was requested.
  struct TestError: Error {}

  /// The problems found so far.
  var problems: [String] { state.withLock { $0.problems } }
  /// The current time: the number of events so far.
  var now: Int { state.withLock { $0.time } }
  /// The records so far, by instance number.
  var records: [Record] { state.withLock { $0.records } }
  /// The number of instances of the service under test that were built.
  var built: Int { state.withLock { state in state.records.count { $0.service == .tested } } }

  /// Makes the next builds of the service under test fail.
  func failNext(_ count: Int) { state.withLock { $0.failures = count } }

  /// Throws `TestError` if this build is to fail.
  func failIfRequested() throws {
    let fails = state.withLock { state in
      defer { state.failures = max(0, state.failures - 1) }
      return state.failures > 0
    }
    if fails { throw TestError() }
  }

  /// Adds a problem.
  func report(_ problem: String) { state.withLock { $0.problems.append(problem) } }

  /// Adds a new instance, and returns its number.
  fileprivate func add(_ service: Service, _ generation: Int) -> Int {
    state.withLock { state in
      state.time += 1
      state.records.append(Record(service: service, generation: generation))
      return state.records.count - 1
    }
  }

  /// Records the release of an instance.
  fileprivate func release(_ number: Int) {
    state.withLock { state in
      state.time += 1
      state.records[number].isAlive = false
    }
  }

  /// Records a disposal of an instance.
  func dispose(_ entry: Entry) {
    state.withLock { state in
      state.time += 1
      state.records[entry.number].disposals += 1
      if state.records[entry.number].disposedAt == nil { state.records[entry.number].disposedAt = state.time }
    }
  }

  /// Checks the result of a look-up.
  ///
  /// - Parameter start: The time at which the look-up began. It must not find an instance that was disposed of earlier.
  func check(_ service: TestedService, since start: Int, by caller: String) {
    let record = records[service.entry.number]
    if record.service != .tested { report("\(caller): an instance of another service") }
    if !record.isAlive { report("\(caller): an instance that was released") }
    if let end = record.disposedAt, end < start {
      report("\(caller): an instance that was disposed of before the look-up")
    }
  }

  /// Checks that at most one instance of the service under test is left, after superseded ones were disposed of.
  func checkThatOneIsCached() {
    let isOne = state.wait(seconds: 60) { state in
      state.records.count { $0.service == .tested && $0.disposals == 0 } <= 1
    }
    if !isOne { report("more than one instance is kept") }
  }

  /// Checks that all instances were released, and that each cached instance was disposed of exactly once.
  ///
  /// - Parameter isDisposable: Whether the service under test is cached and so disposed of.
  func checkEnd(isDisposable: Bool) {
    // Read when all are released: the builder of a superseded build may still be running, and build more.
    var records: [Record] = []
    let isEmpty = state.wait(seconds: 60) { state in
      records = state.records
      return !records.contains(where: \.isAlive)
    }
    if !isEmpty {
      report("instances are alive at the end: \(records.filter(\.isAlive).map { "\($0.service)\($0.generation)" })")
    }
    for (number, record) in records.enumerated() {
      let expected =
        switch record.service {
        case .leaf: 1
        case .tested: isDisposable ? 1 : 0
        case .consumer: 0
        }
      if record.disposals != expected {
        report(
          "instance \(number), \(record.service) of registration \(record.generation), was disposed of \(record.disposals) times"
        )
      }
    }
  }
}

/// The number of an instance in its log. Its `deinit` records the release.
final class Entry: Sendable {
  /// The log.
  let log: InstanceLog
  /// The number of the instance.
  let number: Int

  /// Records a new instance.
  init(_ service: InstanceLog.Service, generation: Int = 0, in log: InstanceLog) {
    self.log = log
    number = log.add(service, generation)
  }

  deinit { log.release(number) }
}

/// The dependency of the service under test.
final class Leaf: Sendable {
  /// The entry in the log.
  let entry: Entry
  /// Creates and records an instance.
  init(_ log: InstanceLog) { entry = Entry(.leaf, in: log) }
}

/// The service under test.
final class TestedService: Sendable {
  /// The entry in the log.
  let entry: Entry
  /// The dependency.
  let leaf: Leaf
  /// The registration that built the instance.
  let generation: Int

  /// Creates and records an instance.
  init(_ leaf: Leaf, generation: Int, _ log: InstanceLog) {
    entry = Entry(.tested, generation: generation, in: log)
    self.leaf = leaf
    self.generation = generation
  }
}

/// A service with two dependencies on the service under test.
final class Consumer: Sendable {
  /// The entry in the log.
  let entry: Entry
  /// The first dependency.
  let first: TestedService
  /// The second dependency.
  let second: TestedService

  /// Creates and records an instance.
  init(_ first: TestedService, _ second: TestedService, _ log: InstanceLog) {
    entry = Entry(.consumer, in: log)
    self.first = first
    self.second = second
  }
}
