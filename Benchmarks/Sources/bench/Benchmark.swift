// SPDX-License-Identifier: Apache-2.0

/// Something that is measured: an operation of the library, or a baseline that it is compared with.
struct Benchmark: Sendable {
  /// The name, as the results have it.
  let name: String
  /// What the operation may cost, or nil for a baseline.
  let goal: Goal?
  /// Whether the operation takes more than one thread, so that the clock tells its time and not the thread's own.
  var isParallel = false
  /// How often a sample repeats the operation at least: with many, the start of a thread does not show, nor is a wait for a
  /// processor taken for a long operation.
  var leastRepetitions = 1
  /// Gets ready, and gives a closure that repeats the operation some number of times.
  let prepare: @Sendable () throws -> (_ count: Int) throws -> Void

  /// How many operations one repetition has; the figure is that of one.
  var operationCount = 1
  /// How many nanoseconds an operation may take at most, where it is compared with no baseline.
  var maximumTime: Double?

  /// How much an operation may cost.
  struct Goal: Sendable {
    /// The baseline.
    let baseline: String
    /// How many times the cost of the baseline it may be.
    let maximumRatio: Double
  }

  /// An operation that may cost at most some multiple of a baseline.
  init(
    _ name: String, atMost maximumRatio: Double, of baseline: String,
    prepare: @escaping @Sendable () throws -> (_ count: Int) throws -> Void
  ) {
    self.name = name
    goal = Goal(baseline: baseline, maximumRatio: maximumRatio)
    self.prepare = prepare
  }

  /// An operation that may take at most some number of nanoseconds.
  init(
    _ name: String, atMostNanoseconds maximumTime: Double, operationCount: Int = 1,
    prepare: @escaping @Sendable () throws -> (_ count: Int) throws -> Void
  ) {
    self.name = name
    goal = nil
    self.maximumTime = maximumTime
    self.operationCount = operationCount
    self.prepare = prepare
  }

  /// A baseline.
  init(_ name: String, prepare: @escaping @Sendable () throws -> (_ count: Int) throws -> Void) {
    self.name = name
    goal = nil
    self.prepare = prepare
  }
}

/// A figure, and what it should be.
struct Figure {
  /// What the figure tells.
  let name: String
  /// Nanoseconds, or bytes where `isBytes`.
  let value: Double
  /// Whether the figure is a number of bytes.
  var isBytes = false
  /// What it is compared with, or nil.
  var goal: Benchmark.Goal? = nil
  /// What it must not exceed by itself, or nil.
  var greatest: Double? = nil
}
