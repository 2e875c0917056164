// SPDX-License-Identifier: Apache-2.0

/// A measured operation of the library, or a baseline with which operations are compared.
struct Benchmark: Sendable {
  /// The name in the results.
  let name: String
  /// The maximum cost relative to a baseline, or `nil` for a baseline or an absolute limit.
  let goal: Goal?
  /// Whether the operation uses more than one thread, so that wall-clock time is measured instead of thread time.
  var isParallel = false
  /// The minimum number of repetitions in a sample. With many, the start of a thread and a wait for a processor have no
  /// visible effect on the result.
  var leastRepetitions = 1
  /// Prepares the benchmark, and returns a closure that repeats the operation `count` times.
  let prepare: @Sendable () throws -> (_ count: Int) throws -> Void

  /// The number of operations in one repetition. The result is the time of one operation.
  var operationCount = 1
  /// The maximum time of an operation in nanoseconds, or `nil` if there is no absolute limit.
  var maximumTime: Double?

  /// The maximum cost of an operation, relative to a baseline.
  struct Goal: Sendable {
    /// The name of the baseline.
    let baseline: String
    /// The maximum ratio of the cost to that of the baseline.
    let maximumRatio: Double
  }

  /// Creates a benchmark of an operation with a maximum cost relative to a baseline.
  init(
    _ name: String, atMost maximumRatio: Double, of baseline: String,
    prepare: @escaping @Sendable () throws -> (_ count: Int) throws -> Void
  ) {
    self.name = name
    goal = Goal(baseline: baseline, maximumRatio: maximumRatio)
    self.prepare = prepare
  }

  /// Creates a benchmark of an operation with a maximum time in nanoseconds.
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

  /// Creates a baseline.
  init(_ name: String, prepare: @escaping @Sendable () throws -> (_ count: Int) throws -> Void) {
    self.name = name
    goal = nil
    self.prepare = prepare
  }
}

/// A measured value, with its limit.
struct Figure {
  /// The name of the value in the results.
  let name: String
  /// The value in nanoseconds, or in bytes if `isBytes`.
  let value: Double
  /// Whether the value is a number of bytes.
  var isBytes = false
  /// The limit relative to a baseline, or `nil`.
  var goal: Benchmark.Goal? = nil
  /// The absolute limit, or `nil`.
  var greatest: Double? = nil
}
