// SPDX-License-Identifier: Apache-2.0

/// The keys of a map, for look-ups by the steps of a path. A trie of the dot-separated parts of keys.
///
/// A step in brackets is a whole key. Steps without brackets may spell a key with dots: in data, `a.b` is `b` in the map
/// or list `a` if there is one, as in diagnostics, else the key `a.b`; elsewhere the longest key is taken.
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
  /// For keys of data, whether the value of each is a map or a list; `nil` for other keys.
  private let hasParts: [Bool]?

  /// Creates the trie of some keys.
  ///
  /// - Parameter hasParts: for keys of data, whether the value of each is a map or a list; `nil` for other keys.
  /// - Complexity: linear in the length of all keys.
  init(_ keys: [String], hasParts: [Bool]? = nil) {
    self.hasParts = hasParts
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

  /// Returns the keys that the first steps of a path spell, the longest last.
  ///
  /// - Complexity: linear in the length of the steps.
  func matches(_ steps: ArraySlice<DottedPath.Step>) -> [Match] {
    if case .quoted(let key)? = steps.first {
      return names.existingName(key).flatMap { places[$0] }.map { [($0, steps.dropFirst())] } ?? []
    }
    var matches: [Match] = []
    var node = 0
    for (index, step) in zip(steps.indices, steps) {
      guard case .key(let text) = step, let part = names.existingName(text),
        let next = edges[Edge(node: node, part: part)]
      else { break }
      node = next
      if let place = ends[node] { matches.append((place, steps[(index + 1)...])) }
    }
    return matches
  }

  /// Returns the key that the first steps of a path spell; `nil` if there is none. See the type for the choice.
  func match(_ steps: ArraySlice<DottedPath.Step>) -> Match? {
    let all = matches(steps)
    let alone = hasParts.flatMap { hasParts in
      all.first { $0.rest.count == steps.count - 1 && ($0.rest.isEmpty || hasParts[$0.place]) }
    }
    return alone ?? all.last
  }
}
