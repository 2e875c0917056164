// SPDX-License-Identifier: Apache-2.0

/// Fills a document with nodes in the order of the text, and keeps it a whole tree wherever reading ends.
package struct DocumentBuilder: Sendable {
  /// The document so far. A container that is open has no end yet.
  package private(set) var document: Document
  /// How many maps and lists may be open at once.
  package let nesting: Int
  /// The maps and lists that are open, the innermost last.
  private var open: [UInt32] = []

  /// A builder of an empty document.
  package init(_ document: Document, nesting: Int) {
    self.document = document
    self.nesting = nesting
  }

  /// How many maps and lists are open.
  package var depth: Int { open.count }

  /// The place of the node that is added next.
  package var next: UInt32 { UInt32(truncatingIfNeeded: document.nodes.count) }

  /// The kind of the innermost open container, or nil outside the root.
  package var container: NodeKind? { open.last.map { document[$0].kind } }

  /// The innermost open container, or nil outside the root.
  package var innermost: UInt32? { open.last }

  /// The node that a mistake is about: the value that was to follow a key, or the innermost container. Nil outside the root.
  var pending: UInt32? { isAfterKey ? next : open.last }

  /// Whether the last node is a key, whose value comes next.
  package var isAfterKey: Bool { document.nodes.last?.kind == .key }

}

// MARK: - Adding nodes

extension DocumentBuilder {
  /// Opens a map or list. The caller has looked at `depth`.
  package mutating func openContainer(_ kind: NodeKind, from start: Int, to end: Int) {
    add(kind, from: start, to: end)
    open.append(next - 1)
  }

  /// Closes the innermost container; `end` is the offset behind its token.
  package mutating func closeContainer(at end: Int) {
    guard let node = open.popLast().map(Int.init) else { return }
    document.nodes[node].end = UInt32(truncatingIfNeeded: end)
    document.nodes[node].next = next
  }

  /// Adds a key or string.
  package mutating func add(_ kind: NodeKind, text: String, from start: Int, to end: Int) {
    document.texts.append(text)
    add(kind, from: start, to: end, payload: Int64(document.texts.count - 1))
  }

  /// Adds bytes.
  package mutating func add(data: [UInt8], from start: Int, to end: Int) {
    document.data.append(data)
    add(.data, from: start, to: end, payload: Int64(document.data.count - 1))
  }

  /// Adds a real, or what stands for one out of range.
  ///
  /// - Returns: Whether it is in range.
  package mutating func add(real: Double, from start: Int, to end: Int) -> Bool {
    add(real.isFinite ? .real : .invalid, from: start, to: end, payload: Int64(bitPattern: real.bitPattern))
    return real.isFinite
  }

  /// Adds a key that was reported as an error; its value follows as usual, and what reads the document passes over both.
  package mutating func add(ignoredKey text: String, from start: Int, to end: Int) {
    add(.key, text: text, from: start, to: end)
    ignoreLastKey()
  }

  /// Notes that an anchor or a tag stands in front of the node added last.
  package mutating func notePrefix() { document.prefixed.append(next - 1) }

  /// Notes that the innermost map may have been meant to hold more than it does.
  package mutating func notePartialMap() {
    if let map = open.last { document.nodes[Int(map)].isPartial = true }
  }

  /// Has the key added last passed over with its value, which is reported as an error.
  package mutating func ignoreLastKey() {
    document.nodes[Int(next) - 1].isIgnored = true
    if let map = open.last { document.nodes[Int(map)].payload -= 1 }
  }

  /// Adds a value that is there already, such as what an alias stands for; its nodes have the alias' place.
  package mutating func addCopy(of nodes: Range<UInt32>, from start: Int, to end: Int) {
    let distance = next - nodes.lowerBound
    if let container = open.last { document.nodes[Int(container)].payload += 1 }
    document.copies.append((next..<next + UInt32(nodes.count), nodes))
    for node in nodes {
      var copy = document[node]
      (copy.start, copy.end) = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: end))
      copy.next += distance
      document.nodes.append(copy)
    }
  }

  /// Notes that the node added last says the same as a key.
  package mutating func noteCopy(of key: UInt32) { document.copies.append((next - 1..<next, key..<key + 1)) }

  /// Adds any node that holds nothing.
  package mutating func add(_ kind: NodeKind, from start: Int, to end: Int, payload: Int64 = 0) {
    if kind != .key, let container = open.last { document.nodes[Int(container)].payload += 1 }
    document.nodes.append(
      Node(
        kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), next: next + 1,
        payload: payload))
  }

  /// The place of the node added last.
  package var lastReference: NodeRef { document.reference(next - 1) }
}

// MARK: - The end

extension DocumentBuilder {
  /// Gives the document; closes all that is open, so that a text which breaks off is a tree as well.
  ///
  /// - Parameters:
  ///   - end: Where reading ended.
  ///   - stop: The finding that ended it, whose path is filled in; nil where the text was read to its end.
  package consuming func finish(at end: Int, stop: Finding?, bag: inout DiagnosticBag) -> Document {
    let pending = pending
    // A key has a value in every document; that of the last was reported as an error.
    if isAfterKey { add(.invalid, from: end, to: end) }
    while !open.isEmpty { closeContainer(at: end) }
    if var stop, case .bytes(let file, let start, let end, _) = stop.place {
      document.isComplete = false
      stop.place = .bytes(file, start: start, end: end, path: pending.map { document.path(of: $0) } ?? "")
      bag.report(stop)
    }
    return document
  }
}
