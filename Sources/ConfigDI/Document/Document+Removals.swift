// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// A range of the source text whose deletion removes entries of a map or elements of a list.
  struct Removal: Hashable {
    /// The first of the tokens that the range removes.
    var token: UInt32
    /// The offset of the first byte.
    var start: Int
    /// The offset after the last byte.
    var end: Int
  }

  /// Returns the ranges to delete to remove the map entries with the given keys or values, and the given list elements.
  ///
  /// Adjacent children are one range, which includes their commas. A container that would become empty is deleted as a
  /// whole. So no two ranges overlap, and the file stays well-formed whichever of them are deleted. Nothing is deleted
  /// that contains a spared token, a tag, or an anchor, which an alias may refer to. There are no ranges in a container
  /// without brackets, as in YAML block style, nor in a file that is incomplete or has no positions.
  ///
  /// - Returns: The ranges, those of an outer container before those of an inner one.
  /// - Complexity: linear in the size of the document, logarithmic in the number of spared tokens.
  func removals(of tokens: Set<UInt32>, sparing spared: Set<UInt32> = []) -> [Removal] {
    guard hasPositions, isComplete, !tokens.isEmpty else { return [] }
    let spared = (prefixed + spared).sorted()
    let tokens = emptied(by: tokens, sparing: spared)
    var removals: [Removal] = []
    var isGone = [Bool](repeating: false, count: nodes.count)
    // A container comes before its contents, and a deleted node deletes its contents.
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

  /// Returns the given tokens and all containers below the root that become empty without them, each with the first of
  /// the given tokens that it contains.
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

  /// Returns the range whose deletion removes adjacent children.
  ///
  /// It ends where the next child starts, or a comment that belongs to that. If there is none, it starts where the previous
  /// child ends; a comment in the line of that, after its comma, stays with the comma.
  ///
  /// - Returns: `nil` if the container has no brackets, or if the range would include an anchor or a tag.
  private func range(deleting going: Range<Int>, of children: [Child], in container: Int) -> (start: Int, end: Int)? {
    let (opening, closing) = (Int(nodes[container].start), Int(nodes[container].end))
    if bracketsAreTokens {
      guard source.bytes[opening] == UInt8(ascii: "{") || source.bytes[opening] == UInt8(ascii: "[") else { return nil }
    }
    func start(of child: Int) -> Int { Int(self[children[child].nodes.lowerBound].start) }
    func end(of child: Int) -> Int { Int(self[children[child].value].end) }
    if going.upperBound < children.count {
      // An anchor or a tag comes before the node that it belongs to.
      guard !prefixed.hasNumber(in: children[going.upperBound].first) else { return nil }
      let (first, next) = (start(of: going.lowerBound), start(of: going.upperBound))
      guard let gap = gap(from: end(of: going.upperBound - 1), to: next) else { return (first, next) }
      return (first, afterSpace(from: gap.nextLine ?? gap.afterComma, to: next))
    }
    let last = end(of: going.upperBound - 1)
    if going.lowerBound > 0 {
      let previous = end(of: going.lowerBound - 1)
      guard let gap = gap(from: previous, to: start(of: going.lowerBound)), let nextLine = gap.nextLine,
        afterSpace(from: gap.afterComma, to: nextLine) < nextLine
      else { return (previous, last) }
      return (nextLine, self.gap(from: last, to: closing)?.afterComma ?? last)
    }
    // JSON with comments allows a comma after the last child.
    return bracketsAreTokens ? (opening + 1, closing - 1) : (start(of: 0), last)
  }
}

// MARK: - Commas and comments

extension Document {
  /// The text after a child, up to the next child or the end of the container.
  private struct Gap {
    /// The offset after the comma.
    let afterComma: Int
    /// The offset of the next line; `nil` if the text has no line break.
    let nextLine: Int?
  }

  /// Returns the text between two offsets, which consists of a comma if the syntax has any, spaces and comments; `nil` if it
  /// does not begin with the comma, or a comment continues in the next line.
  private func gap(from start: Int, to end: Int) -> Gap? {
    var afterComma = start
    if bracketsAreTokens {
      afterComma = afterSpace(from: start, to: end)
      guard afterComma < end, source.bytes[afterComma] == UInt8(ascii: ",") else { return nil }
      afterComma += 1
    }
    guard let lineBreak = source.bytes[afterComma..<end].firstIndex(of: UInt8(ascii: "\n")) else {
      return Gap(afterComma: afterComma, nextLine: nil)
    }
    let line = String(decoding: source.bytes[afterComma..<lineBreak], as: UTF8.self)
    for (opening, closing) in [("/*", "*/"), ("<!--", "-->")] {
      if let comment = line.split(separator: opening, omittingEmptySubsequences: false).dropFirst().last,
        !comment.contains(closing)
      {
        return nil
      }
    }
    return Gap(afterComma: afterComma, nextLine: lineBreak + 1)
  }

  /// Returns the offset of the first byte that is no space, tab or line break; `end` if there is none.
  private func afterSpace(from start: Int, to end: Int) -> Int {
    source.bytes[start..<end].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? end
  }
}

// MARK: - Children

/// An entry of a map, or an element of a list.
private struct Child {
  /// The key, if the child has one, and the value with all its contents.
  let nodes: Range<UInt32>
  let value: UInt32

  /// The first node, as a range.
  var first: Range<UInt32> { nodes.lowerBound..<nodes.lowerBound + 1 }

  /// The nodes of the key and the value, either of which identifies the child.
  var tokens: ClosedRange<UInt32> { nodes.lowerBound...value }
}

extension Document {
  /// Returns the children of a container, including those with repeated keys.
  private func children(of container: Int) -> [Child] {
    children(of: UInt32(container), ifKind: nodes[container].kind, includesIgnored: true).map { first in
      let value = self[first].kind == .key ? first + 1 : first
      return Child(nodes: first..<self[value].next, value: value)
    }
  }
}

extension Node {
  /// Whether the node is a map or a list.
  fileprivate var isContainer: Bool { kind == .map || kind == .list }
}

extension [UInt32] {
  /// Whether an ascending array contains a number in a range.
  fileprivate func hasNumber(in range: Range<UInt32>) -> Bool {
    let first = partitioningIndex { $0 >= range.lowerBound }
    return first < count && self[first] < range.upperBound
  }
}
