// SPDX-License-Identifier: Apache-2.0

/// The kind of a node of a document.
package enum NodeKind: UInt8, Sendable {
  /// A map. Its entries follow in the order key, value, key, value.
  case map
  /// A list. Its elements follow.
  case list
  /// The key of a map entry.
  case key
  /// A string.
  case string
  /// An `Int64`.
  case integer
  /// A `Double`.
  case real
  /// A Boolean.
  case boolean
  /// Bytes: the `data` of a property list.
  case data
  /// The `date` of a property list. The module format accepts it nowhere.
  case date
  /// A value that was already reported as an error while reading, such as `null` or a number out of range.
  case invalid
}

/// One key or value of a document.
///
/// Nodes are in document order: a container is followed by its contents, and `next` skips them.
package struct Node: Sendable {
  /// The kind of the node.
  package var kind: NodeKind
  /// Whether the text of a key or string is the source text between the quotes, without any escape.
  package var isVerbatim = false
  /// Whether a key was reported as an error, such as a key that repeats another or is not a string. `keys(of:)` skips
  /// it and its value. The node itself stays, for positions and paths.
  package var isIgnored = false
  /// Whether a map has an entry that was reported as an error and may stand for other entries. Entries that are missing
  /// in the map are then not reported.
  package var isPartial = false
  /// The byte offset of the start of the token.
  package var start: UInt32
  /// The byte offset after the end of the token.
  package var end: UInt32
  /// The index of the first node after this node and its contents.
  package var next: UInt32
  /// The value of an integer; the bit pattern of a real; 0 or 1 for a Boolean; the number of elements of a list, or of
  /// entries of a map that are not ignored; for data, and for a key or string that is not verbatim, the index in `data`
  /// or `texts`.
  package var payload: Int64 = 0
}

/// The contents of a file as a flat tree, in which every key and value has its position in the source text.
package struct Document: Sendable {
  /// The number of the file in the load.
  package let file: FileID
  /// All other contents, in a copy-on-write box, as documents are passed around for each key of a load.
  private var shared: Shared<Content>

  /// The contents of a document, as the properties of the document describe them.
  package struct Content: Sendable {
    let source: SourceFile
    package var nodes: [Node] = []
    package var texts: [String] = []
    package var data: [[UInt8]] = []
    package var copies: [(nodes: Range<UInt32>, original: Range<UInt32>)] = []
    package var prefixed: [UInt32] = []
    package var origins: [NodeRef] = []
    package var isComplete = true
    package var hasPositions = true
    package var bracketsAreTokens = true
  }

  /// Creates an empty document for a file.
  package init(source: SourceFile, file: FileID) {
    self.file = file
    shared = Shared(Content(source: source))
  }
}

// MARK: - Contents

extension Document {
  /// The contents, for changes.
  package var content: Content {
    _read { yield shared.content }
    _modify { yield &shared.content }
  }

  /// The source file.
  package var source: SourceFile { _read { yield shared.content.source } }
  /// The nodes in document order, the root first. Empty if the file has no root value.
  package var nodes: [Node] { _read { yield shared.content.nodes } }
  /// The texts of keys and strings that are not verbatim in the source text.
  package var texts: [String] { _read { yield shared.content.texts } }
  /// The bytes of `data` nodes.
  package var data: [[UInt8]] { _read { yield shared.content.data } }
  /// The copies made for YAML aliases, ascending: nodes with the position of the alias, and the original nodes.
  package var copies: [(nodes: Range<UInt32>, original: Range<UInt32>)] { _read { yield shared.content.copies } }
  /// The nodes that have an anchor or a tag of YAML, in ascending order.
  package var prefixed: [UInt32] { _read { yield shared.content.prefixed } }
  /// For each node its original, or the node itself if it is no copy. Empty if no node is copied from another document.
  package var origins: [NodeRef] { _read { yield shared.content.origins } }
  /// Whether the file was read to its end, without a syntax error, a forbidden character or an exceeded limit.
  package var isComplete: Bool { shared.content.isComplete }
  /// Whether nodes have byte offsets. Those of a binary property list have none.
  package var hasPositions: Bool { shared.content.hasPositions }
  /// Whether the token of a container is its opening bracket, as in JSON, or all of its text, as in a property list.
  package var bracketsAreTokens: Bool { shared.content.bracketsAreTokens }
}

// MARK: - Reading nodes

extension Document {
  /// The node at an index.
  package subscript(node: UInt32) -> Node { nodes[Int(node)] }

  /// Returns the text of a key or string, or an empty string for any other node.
  package func text(of node: UInt32) -> String {
    withText(of: node) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls a closure with the UTF-8 text of a key or string, without a copy if the text is verbatim in the source.
  ///
  /// Always inlined, because it is called for every name of a load, and an outlined call on a document stored in
  /// another structure would copy the document first.
  @inline(__always)
  package func withText<Result>(of node: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let found = nodes[Int(node)]
    guard found.isVerbatim else { return withKeptText(of: found, body) }
    return source.bytes.withUnsafeBufferPointer { bytes in
      body(UnsafeBufferPointer(rebasing: bytes[Int(found.start) + 1..<Int(found.end) - 1]))
    }
  }

  /// Calls a closure with the text of a key or string that is not verbatim in the source, or with an empty text for any
  /// other node.
  private func withKeptText<Result>(of node: Node, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard node.kind == .key || node.kind == .string else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    var text = texts[Int(node.payload)]
    return text.withUTF8(body)
  }

  /// Returns the elements of a list, in order. Empty for any other node.
  package func elements(of node: UInt32) -> NodeChildren { children(of: node, ifKind: .list) }

  /// Returns the keys of a map in order, without ignored keys. Each is followed by its value. Empty for any other node.
  package func keys(of node: UInt32) -> NodeChildren { children(of: node, ifKind: .map) }

  /// Returns the keys of a map in order, with ignored keys. Empty for any other node.
  func allKeys(of node: UInt32) -> NodeChildren { children(of: node, ifKind: .map, includesIgnored: true) }

  /// Returns the keys of a map or the elements of a list. Empty for a node of another kind.
  func children(of node: UInt32, ifKind kind: NodeKind, includesIgnored: Bool = false) -> NodeChildren {
    let isOfKind = nodes[Int(node)].kind == kind
    return NodeChildren(
      nodes: nodes, includesIgnored: includesIgnored, at: isOfKind ? node + 1 : node,
      end: isOfKind ? nodes[Int(node)].next : node)
  }

  /// Returns the copies made for aliases that overlap a range of nodes.
  ///
  /// - Complexity: logarithmic in the number of copies of the document, linear in the size of the result.
  package func copies(in nodes: Range<UInt32>) -> ArraySlice<(nodes: Range<UInt32>, original: Range<UInt32>)> {
    let first = copies.partitioningIndex { $0.nodes.upperBound > nodes.lowerBound }
    return copies[first...].prefix { $0.nodes.lowerBound < nodes.upperBound }
  }

  /// Returns a reference to a node of this document, or to the original if the node is a copy from another document.
  package func reference(_ node: UInt32) -> NodeRef {
    origins.isEmpty ? NodeRef(file: file, node: node) : origins[Int(node)]
  }
}

/// A sequence of the children of a map or list: the keys of a map, or the elements of a list.
package struct NodeChildren: Sequence, IteratorProtocol {
  /// The nodes of the document.
  private let nodes: [Node]
  /// Whether ignored keys are included.
  private let includesIgnored: Bool
  /// The next child.
  private var at: UInt32
  /// The index after the last child and its contents.
  private let end: UInt32

  /// Creates a sequence of the children between two indices.
  fileprivate init(nodes: [Node], includesIgnored: Bool, at: UInt32, end: UInt32) {
    self.nodes = nodes
    self.includesIgnored = includesIgnored
    self.at = at
    self.end = end
  }

  package mutating func next() -> UInt32? {
    while at < end {
      let child = at
      let node = nodes[Int(child)]
      at = node.kind == .key ? nodes[Int(child) + 1].next : node.next
      if !node.isIgnored || includesIgnored { return child }
    }
    return nil
  }
}
