// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The maps, lists and scalars of a text that may have syntax errors, and the position of the cursor in them.
///
/// Unlike a `Document`, an outline can be made of every text. It ends an unclosed quote at the end of the line, assumes
/// missing commas and brackets, and skips tokens that fit nowhere. It is only for requests about the text being typed.
/// Everything else uses documents.
package struct Outline: Sendable {
  /// The kind of a node.
  package enum Kind: Sendable {
    case map, list, scalar
  }

  /// A key or a scalar in the text.
  package struct Token: Hashable, Sendable {
    /// The text without quotes and escapes.
    package var text: String
    /// The byte range, including quotes but not the tags of XML.
    package var range: Range<Int>
    /// The byte range between the quotes or tags.
    package var content: Range<Int>
    /// Whether a quotation mark or an XML end tag closes the token. Without quotes, `true` in YAML and `false` in JSON.
    package var isClosed = true
  }

  /// A map, a list or a scalar.
  package struct Node: Sendable {
    /// The kind of the node.
    package var kind: Kind
    /// The index of the map or list that contains the node, or `nil` for the root.
    package var parent: Int?
    /// The key of the node in its map, or `nil` if it is not in a map.
    package var key: Token?
    /// The token of a scalar, or `nil` for a map or list.
    package var token: Token?
    /// The indices of the values of a map or the elements of a list, in order.
    package var children: [Int] = []
    /// The keys of a map, including those without a value.
    package var keys: [Token] = []
  }

  /// The position of the cursor in an outline.
  package struct Cursor: Sendable {
    /// Whether it is in a key or a value.
    package enum Role: Sendable {
      case key, value
    }
    /// The role.
    package var role: Role
    /// The index of the innermost map or list around the cursor, or `nil` outside of the root.
    package var container: Int?
    /// The key of the value at the cursor, or `nil` if the cursor is not at a value of a map.
    package var key: Token?
    /// The index of the value at the cursor among the children of `container`, from 0.
    package var index = 0
    /// The key or scalar at the cursor, or `nil` if the cursor is between tokens.
    package var token: Token?
    /// Whether a colon follows the key at the cursor. Always `true` for a key in XML.
    package var isFollowed = false
  }

  /// The nodes, with the root first.
  package internal(set) var nodes: [Node] = []
  /// The position of the cursor, or `nil` if nothing can be completed there, as in a comment.
  package internal(set) var cursor: Cursor?

  /// Creates the outline of a text with the cursor at a byte offset.
  ///
  /// - Complexity: linear in the text.
  package init(_ text: [UInt8], _ syntax: Syntax, cursor: Int) {
    self = text.withUnsafeBufferPointer { text in
      switch syntax {
      case .json, .jsonc:
        var reader = JSONOutlineReader(text, cursor)
        return reader.read()
      case .plist:
        var reader = XMLOutlineReader(text, cursor)
        return reader.read()
      case .yaml:
        var reader = YAMLOutlineReader(text, cursor)
        return reader.read()
      }
    }
  }

  /// Creates an outline without nodes.
  init() {}

  /// Returns the index of the last value under a key of a map, or `nil` if there is none.
  package func value(of key: String, in map: Int) -> Int? {
    nodes[map].children.last { nodes[$0].key?.text == key }
  }

  /// Returns the text of the scalar under a key of a map, or `nil` if there is none.
  package func text(of key: String, in map: Int) -> String? {
    value(of: key, in: map).flatMap { nodes[$0].token?.text }
  }

  /// Returns the path from the root to a node, both included.
  package func chain(to node: Int) -> [Int] {
    var chain: [Int] = []
    var next: Int? = node
    while let node = next {
      chain.append(node)
      next = nodes[node].parent
    }
    return chain.reversed()
  }
}

/// Builds an outline from tokens in the order of the text.
struct OutlineBuilder {
  /// The outline built so far.
  private(set) var outline = Outline()
  /// The open maps and lists, the innermost last.
  private var open: [Opening] = []
  /// The byte offset of the cursor.
  let cursor: Int
  /// Whether the position of the cursor in the outline is determined.
  private(set) var isCursorPlaced = false

  /// The maximum nesting depth. Deeper maps and lists are dropped.
  private static let maximumDepth = 1_024

  /// An open map or list.
  private struct Opening {
    /// The index of its node.
    let node: Int
    /// The last key, if it has no value yet.
    var key: Outline.Token?
    /// Whether a colon follows the key.
    var hasColon = false
  }

  /// Creates a builder of an outline with the cursor at a byte offset.
  init(cursor: Int) { self.cursor = cursor }

  /// The number of open maps and lists.
  var depth: Int { open.count }

  /// Whether the innermost open map or list is a map.
  var isInMap: Bool { open.last.map { outline.nodes[$0.node].kind == .map } ?? false }

  /// Whether the last key of the innermost map has no value yet.
  var hasPendingKey: Bool { open.last?.key != nil }

  /// Whether a value is allowed here: behind a colon, in a list, or at the root.
  var expectsValue: Bool {
    guard let last = open.last else { return true }
    return outline.nodes[last.node].kind == .list || (last.key != nil && last.hasColon)
  }

  /// Advances to an offset up to which there is no further token. Places the cursor between tokens if it is before it.
  mutating func pass(to offset: Int) {
    if !isCursorPlaced, cursor < offset { placeCursorInGap() }
  }

  /// Places the cursor between tokens, at the current position of the outline.
  mutating func placeCursorInGap() {
    isCursorPlaced = true
    guard let last = open.last else {
      if outline.nodes.isEmpty { outline.cursor = Outline.Cursor(role: .value) }
      return
    }
    if outline.nodes[last.node].kind == .map, last.key == nil {
      outline.cursor = Outline.Cursor(role: .key, container: last.node)
    } else if expectsValue {
      outline.cursor = valueCursor(nil)
    }
  }

  /// Disables completion if the cursor is in a range of offsets and was not placed before.
  mutating func disableCompletion(in range: some RangeExpression<Int>) {
    if range.contains(cursor) { isCursorPlaced = true }
  }

  /// Returns a cursor at the next value of the innermost map or list.
  private func valueCursor(_ token: Outline.Token?) -> Outline.Cursor {
    var cursor = Outline.Cursor(role: .value, container: open.last?.node, key: open.last?.key, token: token)
    if let last = open.last { cursor.index = outline.nodes[last.node].children.count }
    return cursor
  }

  /// Adds a key to the innermost map. A previous key without a value remains without one.
  mutating func add(key: Outline.Token, isFollowed: Bool) {
    guard isInMap else { return }
    let last = open.count - 1
    outline.nodes[open[last].node].keys.append(key)
    if !isCursorPlaced, key.range.lowerBound <= cursor, cursor <= key.range.upperBound {
      isCursorPlaced = true
      outline.cursor = Outline.Cursor(
        role: .key, container: open[last].node, token: key, isFollowed: isFollowed)
    }
    open[last].key = key
    open[last].hasColon = false
  }

  /// Adds the colon behind the last key.
  mutating func addColon() { if hasPendingKey { open[open.count - 1].hasColon = true } }

  /// Ends an entry of a map.
  mutating func addComma() { if isInMap { open[open.count - 1].key = nil } }

  /// Adds a scalar as the next value.
  mutating func add(scalar token: Outline.Token) {
    if !isCursorPlaced, token.range.lowerBound <= cursor, cursor <= token.range.upperBound {
      isCursorPlaced = true
      // A second root is an error, so nothing is completed there.
      if !open.isEmpty || outline.nodes.isEmpty { outline.cursor = valueCursor(token) }
    }
    append(Outline.Node(kind: .scalar, token: token))
  }

  /// Opens a map or list as the next value.
  mutating func open(_ kind: Outline.Kind) {
    guard depth < OutlineBuilder.maximumDepth, let node = append(Outline.Node(kind: kind)) else { return }
    open.append(Opening(node: node))
  }

  /// Closes the innermost map or list.
  mutating func close() { _ = open.popLast() }

  /// Closes the innermost map or list of a kind and everything inside it. Does nothing if none of the kind is open.
  mutating func close(_ kind: Outline.Kind) {
    guard let place = open.lastIndex(where: { outline.nodes[$0.node].kind == kind }) else { return }
    open.removeSubrange(place...)
  }

  /// Returns the outline. A cursor that was not placed yet is at the end of the text.
  mutating func finish() -> Outline {
    if !isCursorPlaced { placeCursorInGap() }
    return outline
  }

  /// Adds a node to the innermost map or list, and returns its index. Drops a second root and returns `nil`.
  @discardableResult
  private mutating func append(_ node: Outline.Node) -> Int? {
    var node = node
    let place = outline.nodes.count
    if let last = open.last {
      node.parent = last.node
      node.key = last.key
      outline.nodes[last.node].children.append(place)
      open[open.count - 1].key = nil
    } else if place > 0 {
      return nil
    }
    outline.nodes.append(node)
    return place
  }
}
