// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// A set of environments of a module, stored as runs of consecutive numbers.
///
/// A set of few environments and a set of all but a few are equally short.
struct EnvironmentSet: Hashable {
  /// The first and the last number of each run, ascending. Between two runs at least one number is missing.
  private(set) var bounds: [Int] = []

  /// Adds an environment, whose number must not be less than those in the set.
  mutating func add(_ environment: Int) {
    guard let last = bounds.last, last >= environment - 1 else { return bounds += [environment, environment] }
    bounds[bounds.count - 1] = environment
  }

  /// The set in JSON.
  var value: Value { .list(bounds.map { .integer(Int64($0)) }) }
}

/// The distinct sets of environments that occur, by number. Number 0 is the set of all environments.
struct EnvironmentSetTable {
  /// The sets.
  private(set) var all: [EnvironmentSet]
  /// The number of each set.
  private var numbers: [EnvironmentSet: Int]

  /// Creates the table with the set of all environments.
  init(whole: EnvironmentSet) {
    all = [whole]
    numbers = [whole: 0]
  }

  /// Returns the entry for the set of environments that have something, or no entry if all of them have it.
  mutating func entries(for set: EnvironmentSet) -> [Value.Entry] {
    let number = numbers[set] ?? all.count
    if number == all.count {
      all.append(set)
      numbers[set] = number
    }
    return number == 0 ? [] : [Value.Entry(key: "in", value: .integer(Int64(number)))]
  }
}
