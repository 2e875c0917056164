// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

/// Runs programs of increasing seeds until one has a problem, which is recorded: some of them, or for a minute in a long
/// run.
///
/// - Parameters:
///   - name: The name of the programs in the output.
///   - count: The number of programs in a short run.
///   - run: Runs the program of a seed. Returns what is wrong at its end; an error that it throws is wrong, too.
func runRandomPrograms(
  _ name: String, count: Int, sourceLocation: SourceLocation = #_sourceLocation,
  _ run: @escaping @Sendable (_ seed: UInt64) async throws -> [String]
) async throws {
  try await withHighPriority {
    let end = ContinuousClock.now + .seconds(60)
    var seed: UInt64 = 0
    var problems: [String]? = []
    while problems == [], seed < LongTests.size(count, full: .max), ContinuousClock.now < end {
      let next = seed
      problems = try await withAsyncWatchdog { do { return try await run(next) } catch { return ["\(error)"] } }
      seed += 1
    }
    #expect(problems == [], "seed \(seed - 1)", sourceLocation: sourceLocation)
    print("\(name): \(seed)")
  }
}

/// Suspends the task some times.
func pause(_ count: Int) async {
  for _ in 0..<count { await Task.yield() }
}

extension SeededRandom {
  /// Returns a number from 0 up to a limit.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
