// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// A range of the text whose deletion takes entries of a map, or elements of a list, out.
  struct Removal: Hashable {
    /// The first of the tokens that asked for it.
    var token: UInt32
    /// The offset of its first byte.
    var start: Int
    /// The offset behind its last byte.
    var end: Int
  }

  /// The ranges to delete so that the entries go whose keys or values some tokens are, and the elements that they are.
  ///
  /// Neighbours that go are one range, with the commas that go with them, and a container of which all goes, goes as a
  /// whole. So no two ranges overlap, and whichever of them are deleted, what is left is as sound as before. Nothing that
  /// holds a spared token goes, nor an anchor, which an alias may name, or a tag. A file whose text cannot be changed has
  /// none; neither have containers without brackets, as YAML writes them.
  ///
  /// - Returns: The ranges, those of an outer container before those of an inner one.
  /// - Complexity: linear in the document, logarithmic in the spared tokens.
  func removals(of tokens: Set<UInt32>, sparing spared: Set<UInt32> = []) -> [Removal] {
    guard hasPositions, isComplete, !tokens.isEmpty else { return [] }
    let spared = (prefixed + spared).sorted()
    let tokens = emptied(by: tokens, sparing: spared)
    var removals: [Removal] = []
    var isGone = [Bool](repeating: false, count: nodes.count)
    // A container stands in front of what it holds. What stands in something that goes, goes with it.
    for container in nodes.indices where nodes[container].isContainer && !isGone[container] {
      let children = children(of: container)
      let isGoing = children.map { child in
        child.tokens.contains { tokens[$0] != nil } && !spared.hasNumber(in: child.nodes)
      }
      var place = 0
      while let first = isGoing[place...].firstIndex(of: true) {
        place = isGoing[first...].firstIndex(of: false) ?? children.count
        guard let (start, end) = range(deleting: first..<place, of: children, in: container) else { continue }
        guard let token = children[first].tokens.lazy.compactMap({ tokens[$0] }).first else { break }
        removals.append(Removal(token: token, start: start, end: end))
        for child in children[first..<place] { for node in child.nodes { isGone[Int(node)] = true } }
      }
    }
    return removals
  }

  /// Some tokens, and the containers below the root of which nothing is left without them; each with the first of the tokens
  /// that it goes with.
  private func emptied(by tokens: Set<UInt32>, sparing spared: [UInt32]) -> [UInt32: UInt32] {
    var going = Dictionary(uniqueKeysWithValues: tokens.map { ($0, $0) })
    for container in nodes.indices.dropFirst().reversed() where nodes[container].isContainer {
      let children = children(of: container)
      let found = children.compactMap { child in
        spared.hasNumber(in: child.nodes) ? nil : child.tokens.lazy.compactMap { going[$0] }.first
      }
      guard let first = found.first, found.count == children.count, going[UInt32(container)] == nil else { continue }
      going[UInt32(container)] = first
    }
    return going
  }

  /// The range that removes neighbours from a container, or nil where it has no brackets or more would go with them.
  ///
  /// It reaches to what follows them; where nothing does, it begins behind what precedes them.
  private func range(deleting going: Range<Int>, of children: [Child], in container: Int) -> (start: Int, end: Int)? {
    let (opening, closing) = (Int(nodes[container].start), Int(nodes[container].end))
    if bracketsAreTokens {
      guard source.bytes[opening] == UInt8(ascii: "{") || source.bytes[opening] == UInt8(ascii: "[") else { return nil }
    }
    func start(of child: Int) -> Int { Int(self[children[child].nodes.lowerBound].start) }
    func end(of child: Int) -> Int { Int(self[children[child].value].end) }
    if going.upperBound < children.count {
      // An anchor or a tag stands in front of its node.
      guard !prefixed.hasNumber(in: children[going.upperBound].first) else { return nil }
      return (start(of: going.lowerBound), start(of: going.upperBound))
    }
    let last = end(of: going.upperBound - 1)
    if going.lowerBound > 0 { return (end(of: going.lowerBound - 1), last) }
    // A comma may stand behind the last one in JSON with comments.
    return bracketsAreTokens ? (opening + 1, closing - 1) : (start(of: 0), last)
  }
}

// MARK: - Children

/// An entry of a map, or an element of a list.
private struct Child {
  /// The key, where it has one, the value, and all that that holds.
  let nodes: Range<UInt32>
  /// The value.
  let value: UInt32

  /// Its first node.
  var first: Range<UInt32> { nodes.lowerBound..<nodes.lowerBound + 1 }

  /// The tokens by which it is named: those of the key and the value.
  var tokens: ClosedRange<UInt32> { nodes.lowerBound...value }
}

extension Document {
  /// The children of a container, repeated keys included.
  private func children(of container: Int) -> [Child] {
    var children: [Child] = []
    var next = UInt32(container) + 1
    while next < nodes[container].next {
      let value = self[next].kind == .key ? next + 1 : next
      children.append(Child(nodes: next..<self[value].next, value: value))
      next = self[value].next
    }
    return children
  }
}

extension Node {
  /// Whether the node is a map or a list.
  fileprivate var isContainer: Bool { kind == .map || kind == .list }
}

extension [UInt32] {
  /// Whether an ascending list has a number in a range.
  fileprivate func hasNumber(in range: Range<UInt32>) -> Bool {
    let first = partitioningIndex { $0 >= range.lowerBound }
    return first < count && self[first] < range.upperBound
  }
}
