// SPDX-License-Identifier: Apache-2.0

import CMeasuring

/// Measures the library and prints a table, or one JSON object: `bench [--json] [PREFIX ...]`.
///
/// With prefixes, only benchmarks whose names begin with one of them are measured, together with their baselines.
///
/// `bench --repeat NAME COUNT [NAME COUNT ...]` repeats benchmarks without measuring them, for an instruction counter.
@main
struct Bench {
  /// All benchmarks, in output order.
  private static let benchmarks =
    Benchmark.lookUps + Benchmark.building + Benchmark.inCode + Benchmark.threads + Benchmark.awaiting
    + Benchmark.loading + Benchmark.layers

  /// Runs the program.
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    #if canImport(Glibc)
      if arguments == [Memory.option] { return try Memory.printFigures() }
      if arguments == [CodeMemory.option] { return CodeMemory.printFigures() }
      if arguments == [TenantMemory.option] { return try TenantMemory.printFigures() }
    #endif
    // Otherwise each repetition of a large load would request its memory from the system again; a small load reuses it.
    keep_free_memory()
    if arguments.first == "--repeat" { return try repeatEach(Array(arguments.dropFirst())) }
    let isJSON = arguments.contains("--json")
    arguments.removeAll { $0 == "--json" }
    var runner = try Runner(chosen(by: arguments))
    var figures = try runner.measure()
    #if canImport(Glibc)
      for (name, measure) in [
        ("load.memory", Memory.measure), ("register.memory", CodeMemory.measure),
        ("tenants.memory", TenantMemory.measure),
      ]
      where arguments.isEmpty || arguments.contains(where: name.hasPrefix) { figures += try measure() }
    #endif
    let results = Results(figures: figures)
    print(isJSON ? results.json : results.markdown)
  }

  /// Warms up and repeats benchmarks one after the other. Calls `mark_repetitions` before and after each.
  ///
  /// - Parameter arguments: Pairs of a name and a number of repetitions.
  private static func repeatEach(_ arguments: [String]) throws {
    for place in stride(from: 0, to: arguments.count - 1, by: 2) {
      guard let benchmark = (benchmarks + Benchmark.counting).first(where: { $0.name == arguments[place] }),
        let count = Int(arguments[place + 1])
      else { return print("usage: bench --repeat NAME COUNT [NAME COUNT ...]") }
      let body = try benchmark.prepare()
      try body(max(count / 10, 1))
      mark_repetitions()
      try body(count)
      mark_repetitions()
    }
  }

  /// Returns the benchmarks whose names begin with one of the prefixes, and their baselines; without prefixes, all.
  private static func chosen(by prefixes: [String]) -> [Benchmark] {
    guard !prefixes.isEmpty else { return benchmarks }
    var names = Set(benchmarks.map(\.name).filter { name in prefixes.contains { name.hasPrefix($0) } })
    names.formUnion(benchmarks.filter { names.contains($0.name) }.compactMap { $0.goal?.baseline })
    return benchmarks.filter { names.contains($0.name) }
  }
}
