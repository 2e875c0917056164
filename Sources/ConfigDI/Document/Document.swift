// SPDX-License-Identifier: Apache-2.0

/// What a node of a document is.
package enum NodeKind: UInt8, Sendable {
  /// A map; its entries follow as key, value, key, value.
  case map
  /// A list; its elements follow.
  case list
  /// A map's key.
  case key
  /// A text.
  case string
  /// An `Int64`.
  case integer
  /// A `Double`.
  case real
  /// A truth value.
  case boolean
  /// Bytes, of a property list's `data`.
  case data
  /// A property list's `date`, which no place of the format allows.
  case date
  /// A value that was reported as an error while it was read: `null`, a number out of range. Nothing more is said of it.
  case invalid
}

/// One key or value of a document.
///
/// Nodes stand in the order of the text: a container is followed by all that it holds, and `next` skips it.
package struct Node: Sendable {
  /// What the node is.
  package var kind: NodeKind
  /// Whether the text of a key or string is the source between the quotes, without any escape.
  package var isVerbatim = false
  /// Whether a key was reported as an error: it stands before in the same map, or is no string. `keys(of:)` passes over it and
  /// its value, so that what follows sees each key once; the node itself stays, for places and paths.
  package var isIgnored = false
  /// Whether a map has an entry that was reported as an error and may stand for others, so that what the map lacks is none.
  package var isPartial = false
  /// The offset of the token's first byte.
  package var start: UInt32
  /// The offset behind the token's last byte.
  package var end: UInt32
  /// The place behind the node and all that it holds.
  package var next: UInt32
  /// An integer's value, a real's bit pattern, a boolean as 0 or 1, a container's number of elements or of
  /// entries that are not ignored,
  /// or, for a key, string or data that is not verbatim, its place in `texts` or `data`.
  package var payload: Int64 = 0
}

/// A file as one flat tree in which every key and value keeps its place in the text.
package struct Document: Sendable {
  /// The file's number in the load.
  package let file: FileID
  /// All else. Apart, as documents are handed around for each key of a load.
  private var shared: Shared<Content>

  /// What a document holds.
  private struct Content {
    /// See `Document`.
    let source: SourceFile
    /// See `Document`.
    var nodes: [Node] = []
    /// See `Document`.
    var texts: [String] = []
    /// See `Document`.
    var data: [[UInt8]] = []
    /// See `Document`.
    var copies: [(nodes: Range<UInt32>, original: Range<UInt32>)] = []
    /// See `Document`.
    var prefixed: [UInt32] = []
    /// See `Document`.
    var origins: [NodeRef] = []
    /// See `Document`.
    var isComplete = true
    /// See `Document`.
    var hasPositions = true
    /// See `Document`.
    var bracketsAreTokens = true
  }

  /// An empty document of a file.
  package init(source: SourceFile, file: FileID) {
    self.file = file
    shared = Shared(Content(source: source))
  }
}

// MARK: - Contents

extension Document {
  /// The file.
  package var source: SourceFile { _read { yield shared.content.source } }

  /// The nodes; the root is the first. Empty where the text has no root.
  package var nodes: [Node] {
    _read { yield shared.content.nodes }
    _modify { yield &shared.content.nodes }
  }

  /// Texts of keys and strings that do not stand verbatim in the source.
  package var texts: [String] {
    _read { yield shared.content.texts }
    _modify { yield &shared.content.texts }
  }

  /// Contents of `data` nodes.
  package var data: [[UInt8]] {
    _read { yield shared.content.data }
    _modify { yield &shared.content.data }
  }

  /// What aliases stand for, ascending: nodes that have the alias' place, and the nodes that they say the same as.
  package var copies: [(nodes: Range<UInt32>, original: Range<UInt32>)] {
    _read { yield shared.content.copies }
    _modify { yield &shared.content.copies }
  }

  /// The nodes in front of which an anchor or a tag of YAML stands, ascending.
  package var prefixed: [UInt32] {
    _read { yield shared.content.prefixed }
    _modify { yield &shared.content.prefixed }
  }

  /// What each node is a copy of, itself included; empty where the document holds no copies of other documents' nodes.
  package var origins: [NodeRef] {
    _read { yield shared.content.origins }
    _modify { yield &shared.content.origins }
  }

  /// Whether the text was read to its end: no syntax error, no forbidden character, no limit.
  package var isComplete: Bool {
    get { shared.content.isComplete }
    set { shared.content.isComplete = newValue }
  }

  /// Whether offsets mean something; a binary property list has none.
  package var hasPositions: Bool {
    get { shared.content.hasPositions }
    set { shared.content.hasPositions = newValue }
  }

  /// Whether a container's token is its opening bracket alone, as in JSON, or all of it, as in a property list.
  package var bracketsAreTokens: Bool {
    get { shared.content.bracketsAreTokens }
    set { shared.content.bracketsAreTokens = newValue }
  }
}

// MARK: - Reading nodes

extension Document {
  /// The node at a place.
  package subscript(node: UInt32) -> Node { nodes[Int(node)] }

  /// The text of a key or string. Empty for any other node.
  package func text(of node: UInt32) -> String {
    withText(of: node) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls a closure with the text of a key or string in UTF-8, without copying it where it stands verbatim.
  ///
  /// Always inlined: called for every name of a load, and a call on a document that lies in another structure would first
  /// copy it.
  @inline(__always)
  package func withText<Result>(of node: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let found = nodes[Int(node)]
    guard found.isVerbatim else { return withKeptText(of: found, body) }
    return source.bytes.withUnsafeBufferPointer { bytes in
      body(UnsafeBufferPointer(rebasing: bytes[Int(found.start) + 1..<Int(found.end) - 1]))
    }
  }

  /// Calls a closure with the text of a key or string that does not stand verbatim in the source; with an empty one for any
  /// other node.
  private func withKeptText<Result>(of node: Node, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard node.kind == .key || node.kind == .string else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    var text = texts[Int(node.payload)]
    return text.withUTF8(body)
  }

  /// The elements of a list, in order. Empty for any other node.
  package func elements(of node: UInt32) -> NodeChildren {
    nodes[Int(node)].kind == .list
      ? NodeChildren(nodes: nodes, at: node + 1, end: nodes[Int(node)].next)
      : NodeChildren(nodes: nodes, at: node, end: node)
  }

  /// The keys of a map that are not ignored, in order; a key's value stands right behind it. Empty for any other node.
  package func keys(of node: UInt32) -> NodeChildren {
    nodes[Int(node)].kind == .map
      ? NodeChildren(nodes: nodes, at: node + 1, end: nodes[Int(node)].next)
      : NodeChildren(nodes: nodes, at: node, end: node)
  }

  /// What of some nodes is copied from others, because aliases stand for them.
  ///
  /// - Complexity: logarithmic in the number of all copies, linear in the result.
  package func copies(in nodes: Range<UInt32>) -> ArraySlice<(nodes: Range<UInt32>, original: Range<UInt32>)> {
    let first = copies.partitioningIndex { $0.nodes.upperBound > nodes.lowerBound }
    return copies[first...].prefix { $0.nodes.lowerBound < nodes.upperBound }
  }

  /// A reference to a node of this document, or to the one that it is a copy of.
  package func reference(_ node: UInt32) -> NodeRef {
    origins.isEmpty ? NodeRef(file: file, node: node) : origins[Int(node)]
  }
}

/// The children of a map or list, one after the other: a list's elements, a map's keys.
package struct NodeChildren: Sequence, IteratorProtocol {
  /// The nodes of the document that holds them.
  private let nodes: [Node]
  /// The next child.
  private var at: UInt32
  /// The place behind the last child.
  private let end: UInt32

  /// The children between two places.
  fileprivate init(nodes: [Node], at: UInt32, end: UInt32) {
    self.nodes = nodes
    self.at = at
    self.end = end
  }

  package mutating func next() -> UInt32? {
    while at < end {
      let child = at
      let node = nodes[Int(child)]
      at = node.kind == .key ? nodes[Int(child) + 1].next : node.next
      if !node.isIgnored { return child }
    }
    return nil
  }
}
