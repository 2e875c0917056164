// SPDX-License-Identifier: Apache-2.0

/// Measures the library and prints a table, or one JSON object: `bench [--json] [PREFIX ...]`.
///
/// With prefixes only the benchmarks whose names begin with one of them are measured, and the baselines that they are
/// compared with.
@main
struct Bench {
  /// All benchmarks, in the order in which they are printed.
  private static let benchmarks =
    Benchmark.lookUps + Benchmark.building + Benchmark.threads + Benchmark.awaiting + Benchmark.loading

  /// Runs the program.
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    #if canImport(Glibc)
      if arguments == [Memory.option] { return try Memory.printFigures() }
    #endif
    let isJSON = arguments.contains("--json")
    arguments.removeAll { $0 == "--json" }
    var runner = try Runner(chosen(by: arguments))
    var figures = try runner.measure()
    #if canImport(Glibc)
      if arguments.isEmpty || arguments.contains(where: "load.memory".hasPrefix) { figures += try Memory.measure() }
    #endif
    let results = Results(figures: figures)
    print(isJSON ? results.json : results.markdown)
  }

  /// The benchmarks whose names begin with one of some prefixes, and their baselines; all where there is no prefix.
  private static func chosen(by prefixes: [String]) -> [Benchmark] {
    guard !prefixes.isEmpty else { return benchmarks }
    var names = Set(benchmarks.map(\.name).filter { name in prefixes.contains { name.hasPrefix($0) } })
    names.formUnion(benchmarks.filter { names.contains($0.name) }.compactMap { $0.goal?.baseline })
    return benchmarks.filter { names.contains($0.name) }
  }
}
