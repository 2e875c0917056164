// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The maps, lists and scalars of a text that may be broken or half typed, and where the cursor stands among them.
///
/// A reader of `Document` refuses what is wrong; an outline never does. It takes a missing quote to end with the line, a
/// missing comma or bracket to be there, and skips what it cannot place. It is for what a user types at this moment: all
/// else works on documents.
package struct Outline: Sendable {
  /// What a node is.
  package enum Kind: Sendable {
    case map, list, scalar
  }

  /// A key or a scalar as it stands in the text.
  package struct Token: Hashable, Sendable {
    /// What it says, as far as that can be found.
    package var text: String
    /// The bytes, quotes or tags included.
    package var range: Range<Int>
    /// The bytes between quotes or tags.
    package var content: Range<Int>
    /// Whether a quotation mark, or in XML an end tag, closes it.
    package var isClosed = true
  }

  /// A map, a list or a scalar.
  package struct Node: Sendable {
    /// What it is.
    package var kind: Kind
    /// The node that holds it, or nil for the root.
    package var parent: Int?
    /// The key under which a map holds it.
    package var key: Token?
    /// Its place in a list, from 0.
    package var index = 0
    /// The scalar.
    package var token: Token?
    /// What it holds, in order: the values of a map, the elements of a list.
    package var children: [Int] = []
    /// The keys of a map, also those without a value.
    package var keys: [Token] = []
  }

  /// What the cursor stands at.
  package struct Cursor: Sendable {
    /// Whether it is in a key or a value.
    package enum Role: Sendable {
      case key, value
    }
    /// The role.
    package var role: Role
    /// The innermost map or list around the cursor; nil outside of the root.
    package var container: Int?
    /// The key whose value stands at the cursor.
    package var key: Token?
    /// The place in a list.
    package var index = 0
    /// The key or scalar that the cursor touches, or nil.
    package var token: Token?
    /// Whether a colon, or in XML the value, follows a key.
    package var isFollowed = false
  }

  /// The nodes; the root is the first.
  package internal(set) var nodes: [Node] = []
  /// What the cursor stands at; nil in a comment, or where nothing can be typed.
  package internal(set) var cursor: Cursor?

  /// The outline of a text.
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

  /// An outline without nodes.
  init() {}

  /// The value under a key of a map, or nil.
  package func value(of key: String, in map: Int) -> Int? {
    nodes[map].children.last { nodes[$0].key?.text == key }
  }

  /// The text under a key of a map, or nil.
  package func text(of key: String, in map: Int) -> String? {
    value(of: key, in: map).flatMap { nodes[$0].token?.text }
  }

  /// A node and all that hold it, the root first.
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

/// Puts an outline together in the order of the text.
struct OutlineBuilder {
  /// What is there so far.
  private(set) var outline = Outline()
  /// The open maps and lists, the innermost last.
  private var open: [Opening] = []
  /// The offset of the cursor.
  let cursor: Int
  /// Whether it is known where the cursor stands.
  private(set) var isCursorPlaced = false

  /// How many maps and lists may be open; deeper ones are not kept.
  private static let maximumDepth = 1_024

  /// A map or list that is open.
  private struct Opening {
    /// The node.
    let node: Int
    /// The key that waits for its value.
    var key: Outline.Token?
    /// Whether a colon stands behind the key.
    var hasColon = false
  }

  /// A builder of an outline.
  init(cursor: Int) { self.cursor = cursor }

  /// How many maps and lists are open.
  var depth: Int { open.count }

  /// Whether the innermost open container is a map.
  var isInMap: Bool { open.last.map { outline.nodes[$0.node].kind == .map } ?? false }

  /// Whether a key of the innermost map waits for its value.
  var hasPendingKey: Bool { open.last?.key != nil }

  /// Whether a value may stand here: behind a colon, in a list, or at the root.
  var expectsValue: Bool {
    guard let last = open.last else { return true }
    return outline.nodes[last.node].kind == .list || (last.key != nil && last.hasColon)
  }

  /// Notes that nothing stands between what was read and an offset: where the cursor is before it, it stands in the gap.
  mutating func pass(to offset: Int) {
    if !isCursorPlaced, cursor < offset { placeCursorInGap() }
  }

  /// Places the cursor between two tokens.
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

  /// Notes that nothing can be completed where the cursor stands.
  mutating func placeCursorNowhere() { isCursorPlaced = true }

  /// The cursor at a value of the innermost container.
  private func valueCursor(_ token: Outline.Token?) -> Outline.Cursor {
    var cursor = Outline.Cursor(role: .value, container: open.last?.node, key: open.last?.key, token: token)
    if let last = open.last { cursor.index = outline.nodes[last.node].children.count }
    return cursor
  }

  /// Adds a key; one that has no value yet stays without.
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

  /// Adds the colon behind a key.
  mutating func addColon() { if hasPendingKey { open[open.count - 1].hasColon = true } }

  /// Ends an entry or element.
  mutating func addComma() { if isInMap { open[open.count - 1].key = nil } }

  /// Adds a scalar where a value may stand.
  mutating func add(scalar token: Outline.Token) {
    if !isCursorPlaced, token.range.lowerBound <= cursor, cursor <= token.range.upperBound {
      isCursorPlaced = true
      // A second root is a mistake.
      if !open.isEmpty || outline.nodes.isEmpty { outline.cursor = valueCursor(token) }
    }
    append(Outline.Node(kind: .scalar, token: token))
  }

  /// Opens a map or list where a value may stand.
  mutating func open(_ kind: Outline.Kind) {
    guard depth < OutlineBuilder.maximumDepth, let node = append(Outline.Node(kind: kind)) else { return }
    open.append(Opening(node: node))
  }

  /// Closes the innermost map or list.
  mutating func close() { _ = open.popLast() }

  /// Closes the innermost map or list of a kind, and those in it; nothing where none is open.
  mutating func close(_ kind: Outline.Kind) {
    guard let place = open.lastIndex(where: { outline.nodes[$0.node].kind == kind }) else { return }
    open.removeSubrange(place...)
  }

  /// The outline; a cursor that was not met stands behind the text.
  mutating func finish() -> Outline {
    if !isCursorPlaced { placeCursorInGap() }
    return outline
  }

  /// Adds a node to the innermost container; a second root is not kept.
  @discardableResult
  private mutating func append(_ node: Outline.Node) -> Int? {
    var node = node
    let place = outline.nodes.count
    if let last = open.last {
      node.parent = last.node
      node.key = last.key
      node.index = outline.nodes[last.node].children.count
      outline.nodes[last.node].children.append(place)
      open[open.count - 1].key = nil
    } else if place > 0 {
      return nil
    }
    outline.nodes.append(node)
    return place
  }
}
