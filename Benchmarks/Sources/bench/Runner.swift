// SPDX-License-Identifier: Apache-2.0

import CMeasuring

/// Measures benchmarks: warms each up, finds how often it has to be repeated, then takes samples of all of them in turn, and
/// keeps the best of each.
///
/// The best is what the operation costs where nothing disturbs it; a machine that is busy only adds. Samples in turn let a
/// slow moment of the machine fall on all alike. What works on one thread is told the time for which a processor worked for
/// that thread, which others that want the processor do not lengthen.
struct Runner {
  /// How long a sample should take at least.
  private static let sampleTime = Duration.milliseconds(1)
  /// How many samples are taken of what is repeated within one.
  private static let maximumSampleCount = 150
  /// How long all samples of what takes longer may take.
  private static let longTime = Duration.seconds(4)

  /// The benchmarks, ready to run.
  private var runs: [Run] = []

  /// One benchmark while it is measured.
  private struct Run {
    /// The benchmark.
    let benchmark: Benchmark
    /// Repeats the operation.
    let body: (_ count: Int) throws -> Void
    /// How often a sample repeats it.
    let repetitions: Int
    /// How many samples are taken.
    let sampleCount: Int
    /// The shortest time of a repetition so far.
    var best: Duration
  }

  /// Gets benchmarks ready.
  init(_ benchmarks: [Benchmark]) throws {
    for benchmark in benchmarks {
      let body = try benchmark.prepare()
      var repetitions = benchmark.leastRepetitions
      // The first call also builds what is built once.
      try body(1)
      var time = try Runner.bestTime(of: body, repetitions, benchmark)
      while time < Runner.sampleTime {
        repetitions = time < Runner.sampleTime / 16 ? repetitions * 8 : repetitions * 2
        time = try Runner.bestTime(of: body, repetitions, benchmark)
      }
      let fitting = Int(Runner.longTime / time)
      runs.append(
        Run(
          benchmark: benchmark, body: body, repetitions: repetitions,
          sampleCount: min(max(fitting, 10), Runner.maximumSampleCount), best: time / repetitions))
    }
  }

  /// Takes the samples.
  ///
  /// - Returns: Nanoseconds for one repetition of each benchmark.
  mutating func measure() throws -> [Figure] {
    let rounds = runs.map(\.sampleCount).max() ?? 0
    for round in 0..<rounds {
      for place in runs.indices {
        // Those with fewer samples take theirs evenly over the whole time.
        let run = runs[place]
        guard (round + 1) * run.sampleCount / rounds > round * run.sampleCount / rounds else { continue }
        let time = try Runner.time(of: run.body, run.repetitions, run.benchmark)
        runs[place].best = min(run.best, time / run.repetitions)
      }
    }
    return runs.map {
      Figure(
        name: $0.benchmark.name, value: $0.best / .nanoseconds(1) / Double($0.benchmark.operationCount),
        goal: $0.benchmark.goal, greatest: $0.benchmark.maximumTime)
    }
  }

  /// How long it takes to repeat an operation, where nothing disturbs it; else a slow moment would pass for a long operation.
  private static func bestTime(
    of body: (_ count: Int) throws -> Void, _ count: Int, _ benchmark: Benchmark
  ) throws -> Duration {
    var best = try time(of: body, count, benchmark)
    for _ in 0..<4 where best < sampleTime * 4 { best = min(best, try time(of: body, count, benchmark)) }
    return best
  }

  /// How long it takes to repeat an operation.
  private static func time(
    of body: (_ count: Int) throws -> Void, _ count: Int, _ benchmark: Benchmark
  ) throws -> Duration {
    if benchmark.isParallel { return try ContinuousClock().measure { try body(count) } }
    let start = thread_nanoseconds()
    try body(count)
    return .nanoseconds(Int64(thread_nanoseconds() - start))
  }
}
