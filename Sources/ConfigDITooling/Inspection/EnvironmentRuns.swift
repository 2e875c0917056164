// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Some of the environments of a module, by number, as runs of numbers that follow one another.
///
/// Runs keep what only a few of many environments have, and what all but a few have, equally short.
struct EnvironmentRuns: Hashable {
  /// The first and the last number of each run, ascending; runs do not touch.
  private(set) var bounds: [Int] = []

  /// Adds an environment whose number is not less than all others.
  mutating func add(_ environment: Int) {
    guard let last = bounds.last, last >= environment - 1 else { return bounds += [environment, environment] }
    bounds[bounds.count - 1] = environment
  }

  /// The form in JSON.
  var value: Value { .list(bounds.map { .integer(Int64($0)) }) }
}

/// The different sets of environments that occur, by number. The first holds all environments.
struct EnvironmentSets {
  /// The sets.
  private(set) var all: [EnvironmentRuns]
  /// The number of each set.
  private var numbers: [EnvironmentRuns: Int]

  /// The set of all environments alone.
  init(whole: EnvironmentRuns) {
    all = [whole]
    numbers = [whole: 0]
  }

  /// The member that says in which environments something is; none for what is in all of them.
  mutating func entries(_ runs: EnvironmentRuns) -> [Value.Entry] {
    let number = numbers[runs] ?? all.count
    if number == all.count {
      all.append(runs)
      numbers[runs] = number
    }
    return number == 0 ? [] : [Value.Entry(key: "in", value: .integer(Int64(number)))]
  }
}
