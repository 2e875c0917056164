// SPDX-License-Identifier: Apache-2.0

/// The keys of a map, to be found by the steps of paths.
///
/// Steps behind dots may spell a key with dots: `a.b` is the key `a.b` where there is one, else `b` under `a`. A step in
/// brackets is exact.
struct SpelledKeys {
  /// A key that the first steps of a path spell, and the steps behind it.
  typealias Match = (place: Int, rest: ArraySlice<DottedPath.Step>)

  /// A part of a key between dots, behind the parts before it.
  private struct Edge: Hashable {
    /// What the parts before it have led to; 0 for none.
    let node: Int
    /// The part.
    let part: Name
  }

  /// The place of each key.
  private var places: [Name: Int] = [:]
  /// What each part of a key leads to.
  private var edges: [Edge: Int] = [:]
  /// The place of the key that ends at each node, or nil.
  private var ends: [Int?] = [nil]
  /// The keys, and their parts.
  private var names = NameTable()

  /// The keys at their places.
  ///
  /// - Complexity: linear in the length of all keys.
  init(_ keys: [String]) {
    for (place, key) in keys.enumerated() {
      places[names.name(key)] = place
      var node = 0
      for part in key.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
        let edge = Edge(node: node, part: names.name(String(decoding: part, as: UTF8.self)))
        if let next = edges[edge] {
          node = next
        } else {
          node = ends.count
          edges[edge] = node
          ends.append(nil)
        }
      }
      ends[node] = place
    }
  }

  /// The longest key that the first steps of a path spell, or nil.
  ///
  /// - Complexity: linear in the length of the steps.
  func longestMatch(of steps: ArraySlice<DottedPath.Step>) -> Match? {
    if case .quoted(let key)? = steps.first {
      return names.existingName(key).flatMap { places[$0] }.map { ($0, steps.dropFirst()) }
    }
    var longest: Match?
    var node = 0
    for (index, step) in zip(steps.indices, steps) {
      guard case .key(let text) = step, let part = names.existingName(text),
        let next = edges[Edge(node: node, part: part)]
      else { break }
      node = next
      if let place = ends[node] { longest = (place, steps[(index + 1)...]) }
    }
    return longest
  }
}
