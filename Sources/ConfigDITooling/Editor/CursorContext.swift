// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The position of a cursor in a module file: the outline of the text, and the slot of the format at the cursor.
package struct CursorContext: Sendable {
  /// The outline.
  package let outline: Outline
  /// The position of the cursor in the outline.
  package let cursor: Outline.Cursor
  /// The byte offset of the cursor.
  package let offset: Int
  /// The syntax of the text.
  package let syntax: Syntax
  /// The slot at the cursor: in a key, the slot of the map that contains it; in a value, the slot of the value.
  package private(set) var slot = FormatSlot.root
  /// The innermost service, template or decorator around the cursor: its map in the outline, and its slot.
  package private(set) var holder: (node: Int, slot: FormatSlot)?
  /// The slot of the map or list that contains the key or value at the cursor.
  package private(set) var mapSlot = FormatSlot.root
  /// The entry of a section around the cursor, or `nil` if there is none.
  package private(set) var entry: Symbol?
  /// The argument key of `inject` or `values` whose value contains the cursor, or `nil` if there is none.
  package private(set) var argument: String?

  /// Creates the context at a byte offset, or `nil` if nothing can be completed there, as in a comment.
  ///
  /// - Complexity: linear in the text.
  package init?(_ text: [UInt8], _ syntax: Syntax, at offset: Int) {
    let outline = Outline(text, syntax, cursor: offset)
    guard let cursor = outline.cursor else { return nil }
    self.outline = outline
    self.cursor = cursor
    self.offset = offset
    self.syntax = syntax
    guard let container = cursor.container else { return }
    for node in outline.chain(to: container) {
      if let parent = outline.nodes[node].parent { step(from: parent, under: outline.nodes[node].key, to: node) }
    }
    mapSlot = slot
    if cursor.role == .value { step(from: container, under: cursor.key, to: nil) }
  }

  /// Moves from a map or list to the child under a key, or to an element.
  private mutating func step(from parent: Int, under key: Outline.Token?, to node: Int?) {
    guard outline.nodes[parent].kind == .map, let key else {
      slot = slot.element
      if case .decorator = slot, let node { holder = (node, slot) }
      return
    }
    switch slot {
    case .entries(let section, _):
      entry = Symbol(section.symbolKind, key.text)
      argument = nil
    case .inject, .values: argument = key.text
    default: break
    }
    slot = slot.child(key.text)
    switch slot {
    case .service, .template: if let node { holder = (node, slot) }
    default: break
    }
  }

  /// Whether the cursor is in a key.
  package var isInKey: Bool { cursor.role == .key }

  /// The keys of the map around the cursor, without the key at the cursor.
  package var siblings: Set<String> {
    guard let container = cursor.container else { return [] }
    return Set(outline.nodes[container].keys.filter { $0.range != cursor.token?.range }.map(\.text))
  }

  /// Returns the byte range of the parameter name in the placeholder `${name}` around the cursor, and whether a brace
  /// closes it. Returns `nil` outside of a placeholder.
  package func placeholder(in text: [UInt8]) -> (range: Range<Int>, isClosed: Bool)? {
    guard cursor.role == .value, slot.expandsPlaceholders, let token = cursor.token else { return nil }
    let content = token.content
    guard content.contains(offset) || content.upperBound == offset else { return nil }
    var start = offset
    while start > content.lowerBound, text[start - 1].isAllowedInID { start -= 1 }
    guard start - 2 >= content.lowerBound, text[start - 1] == UInt8(ascii: "{"), text[start - 2] == UInt8(ascii: "$")
    else { return nil }
    // `$${` is an escaped `${`.
    if start - 3 >= content.lowerBound, text[start - 3] == UInt8(ascii: "$") { return nil }
    var end = offset
    while end < content.upperBound, text[end].isAllowedInID { end += 1 }
    let isClosed = end < content.upperBound && text[end] == UInt8(ascii: "}")
    return (start..<(isClosed ? end : offset), isClosed)
  }
}

extension UInt8 {
  /// Whether an id may contain the byte.
  var isAllowedInID: Bool { isLetter || isDigit || "_-.".utf8.contains(self) }
}

// MARK: - Item at the cursor

extension CursorContext {
  /// An item of a module file that the cursor can be on.
  package enum Target: Hashable, Sendable {
    /// The name of a symbol.
    case symbol(Symbol)
    /// A key of the format, and the slot of its map.
    case keyword(Keyword, in: FormatSlot)
    /// The name of a registered type.
    case type(String)
    /// A provided name.
    case provided(String)
    /// An argument key of the service, template or decorator around the cursor.
    case argument(String)
    /// The path of a module file.
    case path(String)
    /// The code of a warning.
    case code(DiagnosticCode)
  }

  /// Returns the item at the cursor and the byte range of its name, or `nil` if there is none.
  ///
  /// - Parameter isTag: Returns whether the module has a tag of a name.
  package func target(in text: [UInt8], isTag: (String) -> Bool) -> (target: Target, range: Range<Int>)? {
    guard let token = cursor.token else { return nil }
    if cursor.role == .key {
      switch slot.keyRole {
      case .ids(let section, _)?: return (.symbol(Symbol(section.symbolKind, token.text)), token.content)
      case .names(let kind)?: return (.symbol(Symbol(kind, token.text)), token.content)
      case .arguments?: return (.argument(token.text), token.content)
      case .codes?: return DiagnosticCode(text: token.text).map { (.code($0), token.content) }
      case .keywords(let allowed)?:
        let keyword = (allowed + [.doc]).first { $0.text == token.text }
        return keyword.map { (.keyword($0, in: slot), token.content) }
      case .free?, nil: return nil
      }
    }
    if slot.expandsPlaceholders {
      let bytes = Array(text[token.content])
      let place = offset - token.content.lowerBound
      // The `${` and `}` around the name count as part of it.
      let found = PlaceholderRange.all(in: bytes).first {
        $0.range.lowerBound - 2 <= place && place <= $0.range.upperBound + 1
      }
      guard let found else { return nil }
      let range = found.range.lowerBound + token.content.lowerBound..<found.range.upperBound + token.content.lowerBound
      return (.symbol(Symbol(.parameter, found.name)), range)
    }
    switch slot {
    case .type: return (.type(token.text), token.content)
    case .providedName: return (.provided(token.text), token.content)
    case .path, .importEntry: return (.path(token.text), token.content)
    case .scope where Lifetime.words.contains(token.text): return nil
    case .unset:
      return token.text.unsetTag(isTag: isTag).map { (.symbol(Symbol(.tag, $0)), token.content) }
    default:
      guard let kind = slot.namedKind else { return nil }
      return (.symbol(Symbol(kind, token.text)), token.content)
    }
  }
}
