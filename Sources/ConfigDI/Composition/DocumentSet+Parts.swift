// SPDX-License-Identifier: Apache-2.0

extension DocumentSet {
  /// The part of a datum at a path, or nil where there is none. The empty path leads to the datum itself.
  func part(of datum: Datum, at steps: ArraySlice<DottedPath.Step>) -> Datum? {
    var datum = datum
    var steps = steps
    while let step = steps.first {
      if case .index(let index) = step {
        guard let elements = elements(of: datum)?.elements, elements.indices.contains(index) else { return nil }
        datum = elements[index]
        steps = steps.dropFirst()
      } else {
        guard let entries = entries(of: datum),
          let found = SpelledKeys(entries.lazy.map(\.text)).longestMatch(of: steps)
        else { return nil }
        datum = entries[found.place].datum
        steps = found.rest
      }
    }
    return datum
  }

  /// A datum with another one in the place of the part at a path; nil where the datum has no such part. The empty path
  /// leads to the datum itself.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  func changing(_ datum: Datum, at steps: ArraySlice<DottedPath.Step>, to part: Datum) -> Datum? {
    guard let step = steps.first else { return part }
    if case .index(let index) = step {
      guard var list = elements(of: datum), list.elements.indices.contains(index),
        let changed = changing(list.elements[index], at: steps.dropFirst(), to: part)
      else { return nil }
      list.elements[index] = changed
      return .list(list.elements, list.node)
    }
    guard var entries = entries(of: datum),
      let found = SpelledKeys(entries.lazy.map(\.text)).longestMatch(of: steps),
      let changed = changing(entries[found.place].datum, at: found.rest, to: part)
    else { return nil }
    entries[found.place].datum = changed
    return .map(entries, datum.place)
  }
}
