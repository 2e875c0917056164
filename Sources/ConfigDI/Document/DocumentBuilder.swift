// SPDX-License-Identifier: Apache-2.0

/// Appends nodes to a document in document order, and makes it a well-formed tree wherever reading ends.
package struct DocumentBuilder: Sendable {
  /// The document so far. An open container has no end yet.
  package private(set) var document: Document
  /// The maximum number of maps and lists that are open at once.
  package let nesting: Int
  /// The open maps and lists, the innermost last.
  private var open: [UInt32] = []

  /// Creates a builder that appends to an empty document.
  package init(_ document: Document, nesting: Int) {
    self.document = document
    self.nesting = nesting
  }

  /// The number of open maps and lists.
  package var depth: Int { open.count }

  /// The index of the node that is added next.
  package var next: UInt32 { UInt32(truncatingIfNeeded: document.nodes.count) }

  /// The kind of the innermost open container; `nil` outside the root.
  package var container: NodeKind? { open.last.map { document[$0].kind } }

  /// The innermost open container; `nil` outside the root.
  package var innermost: UInt32? { open.last }

  /// The node that an error is about: the missing value of a key, or the innermost container; `nil` outside the root.
  var pending: UInt32? { isAfterKey ? next : open.last }

  /// Whether the last node is a key whose value comes next.
  package var isAfterKey: Bool { document.nodes.last?.kind == .key }

}

// MARK: - Adding nodes

extension DocumentBuilder {
  /// Opens a map or list. The caller must check `depth` before.
  package mutating func openContainer(_ kind: NodeKind, from start: Int, to end: Int) {
    add(kind, from: start, to: end)
    open.append(next - 1)
  }

  /// Closes the innermost container. `end` is the offset after its closing token.
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

  /// Adds a `data` node.
  package mutating func add(data: [UInt8], from start: Int, to end: Int) {
    document.data.append(data)
    add(.data, from: start, to: end, payload: Int64(document.data.count - 1))
  }

  /// Adds a real, or an invalid node if it is not finite.
  ///
  /// - Returns: Whether the value is finite.
  package mutating func add(real: Double, from start: Int, to end: Int) -> Bool {
    add(real.isFinite ? .real : .invalid, from: start, to: end, payload: Int64(bitPattern: real.bitPattern))
    return real.isFinite
  }

  /// Adds a key that was reported as an error. Its value is added as usual, but consumers skip both.
  package mutating func add(ignoredKey text: String, from start: Int, to end: Int) {
    add(.key, text: text, from: start, to: end)
    ignoreLastKey()
  }

  /// Records that the node added last has an anchor or a tag.
  package mutating func notePrefix() { document.prefixed.append(next - 1) }

  /// Records that the innermost map may have been meant to contain more entries.
  package mutating func notePartialMap() {
    if let map = open.last { document.nodes[Int(map)].isPartial = true }
  }

  /// Marks the key added last as ignored, and deducts its value, which is counted when it is added, from the map's
  /// count.
  package mutating func ignoreLastKey() {
    document.nodes[Int(next) - 1].isIgnored = true
    if let map = open.last { document.nodes[Int(map)].payload -= 1 }
  }

  /// Adds a copy of existing nodes, such as those of an anchor. All copied nodes get the position of the alias.
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

  /// Records that the node added last is a copy of a key.
  package mutating func noteCopy(of key: UInt32) { document.copies.append((next - 1..<next, key..<key + 1)) }

  /// Adds a node without contents.
  package mutating func add(_ kind: NodeKind, from start: Int, to end: Int, payload: Int64 = 0) {
    if kind != .key, let container = open.last { document.nodes[Int(container)].payload += 1 }
    document.nodes.append(
      Node(
        kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), next: next + 1,
        payload: payload))
  }

  /// A reference to the node added last.
  package var lastReference: NodeRef { document.reference(next - 1) }
}

// MARK: - Finishing

extension DocumentBuilder {
  /// Returns the document. Closes all open containers, so that a file which ends too early is a well-formed tree.
  ///
  /// - Parameters:
  ///   - end: The offset at which reading ended.
  ///   - stop: The finding that ended reading, whose path is filled in; `nil` if the file was read to its end.
  package consuming func finish(at end: Int, stop: Finding?, bag: inout DiagnosticBag) -> Document {
    let pending = pending
    // Every key needs a value. The missing value of the last key was reported as an error.
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
