// SPDX-License-Identifier: Apache-2.0

/// The keys of a map, for look-ups by the steps of a path. A trie of the dot-separated parts of keys.
///
/// Steps without brackets may spell a key with dots: `a.b` is the key `a.b` if there is one, else `b` under `a`. A step
/// in brackets is a whole key.
struct KeyTrie {
  /// The index of the key that the first steps of a path spell, and the remaining steps.
  typealias Match = (place: Int, rest: ArraySlice<DottedPath.Step>)

  /// An edge of the trie.
  private struct Edge: Hashable {
    /// The node that the edge starts at; 0 is the root.
    let node: Int
    /// The part of a key that the edge stands for.
    let part: Name
  }

  /// The index of each key.
  private var places: [Name: Int] = [:]
  /// The node that each edge leads to.
  private var edges: [Edge: Int] = [:]
  /// The index of the key that ends at each node, or `nil` if none does.
  private var ends: [Int?] = [nil]
  /// The names of the keys and their parts.
  private var names = NameTable()

  /// Creates the trie of some keys.
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

  /// Returns the longest key that the first steps of a path spell, or `nil` if there is none.
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
