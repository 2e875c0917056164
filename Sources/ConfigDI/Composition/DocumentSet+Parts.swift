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
          let found = DottedPath.longestMatch(of: steps, among: entries.lazy.map(\.text))
        else { return nil }
        datum = entries[found.place].datum
        steps = found.rest
      }
    }
    return datum
  }

  /// A datum with another one in the place of the part at a path, or without that part where there is no other; nil where
  /// the datum has no such part, and for the empty path.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  func changing(_ datum: Datum, at steps: ArraySlice<DottedPath.Step>, to part: Datum?) -> Datum? {
    if case .index(let index)? = steps.first {
      guard let list = elements(of: datum), list.elements.indices.contains(index) else { return nil }
      var elements = list.elements
      let rest = steps.dropFirst()
      if rest.isEmpty {
        elements.replaceSubrange(index...index, with: part.map { [$0] } ?? [])
      } else {
        guard let changed = changing(elements[index], at: rest, to: part) else { return nil }
        elements[index] = changed
      }
      return .list(elements, list.node)
    }
    guard var entries = entries(of: datum),
      let found = DottedPath.longestMatch(of: steps, among: entries.lazy.map(\.text))
    else { return nil }
    if !found.rest.isEmpty {
      guard let changed = changing(entries[found.place].datum, at: found.rest, to: part) else { return nil }
      entries[found.place].datum = changed
    } else if let part {
      entries[found.place].datum = part
    } else {
      entries.remove(at: found.place)
    }
    return .map(entries, datum.place)
  }
}
