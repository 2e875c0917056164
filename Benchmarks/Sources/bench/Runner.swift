// SPDX-License-Identifier: Apache-2.0

import CMeasuring
import Foundation

/// Measures benchmarks: warms each up, determines its number of repetitions, then takes samples of all of them in turn
/// and keeps the shortest time of each.
///
/// The shortest time is the cost of the operation without disturbance, since a busy machine can only add to it.
/// Sampling in turn spreads slow periods of the machine over all benchmarks. Single-threaded operations are measured in
/// thread time, which does not include the time in which other threads use the processor.
struct Runner {
  /// The minimum duration of a sample.
  private static let sampleTime = Duration.milliseconds(1)
  /// The maximum number of samples of a benchmark.
  private static let maximumSampleCount = 150
  /// The time in which the samples of a slow benchmark should fit. At least ten are taken.
  private static let longTime = Duration.seconds(4)

  /// The prepared benchmarks.
  private var runs: [Run] = []

  /// A benchmark with the state of its measurement.
  private struct Run {
    /// The benchmark.
    let benchmark: Benchmark
    /// Repeats the operation.
    let body: (_ count: Int) throws -> Void
    /// The number of repetitions in a sample.
    let repetitions: Int
    /// The number of samples.
    let sampleCount: Int
    /// The shortest time of a repetition so far.
    var best: Duration
  }

  /// Prepares benchmarks.
  init(_ benchmarks: [Benchmark]) throws {
    // As long as a process has one thread, the mutexes of glibc take a third of the time. Applications have several.
    Thread.detachNewThread {}
    for benchmark in benchmarks {
      let body = try benchmark.prepare()
      var repetitions = benchmark.leastRepetitions
      // The first call also builds cached instances.
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
  /// - Returns: The nanoseconds of one operation of each benchmark.
  mutating func measure() throws -> [Figure] {
    let rounds = runs.map(\.sampleCount).max() ?? 0
    for round in 0..<rounds {
      for place in runs.indices {
        // A benchmark with fewer samples takes them evenly over all rounds.
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

  /// Returns the shortest time of several repetitions of a sample, so that a slow period of the machine does not count.
  private static func bestTime(
    of body: (_ count: Int) throws -> Void, _ count: Int, _ benchmark: Benchmark
  ) throws -> Duration {
    var best = try time(of: body, count, benchmark)
    for _ in 0..<4 where best < sampleTime * 4 { best = min(best, try time(of: body, count, benchmark)) }
    return best
  }

  /// Returns the time of one sample.
  private static func time(
    of body: (_ count: Int) throws -> Void, _ count: Int, _ benchmark: Benchmark
  ) throws -> Duration {
    if benchmark.isParallel { return try ContinuousClock().measure { try body(count) } }
    let start = thread_nanoseconds()
    try body(count)
    return .nanoseconds(Int64(thread_nanoseconds() - start))
  }
}
