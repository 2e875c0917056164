// SPDX-License-Identifier: Apache-2.0

extension ShapeReader {
  /// Reads a part. Returns it, and whether the part itself has a structural error.
  mutating func readPart<Part>(_ read: (inout ShapeReader) -> Part) -> (part: Part, isMalformed: Bool) {
    let outer = isMalformed
    isMalformed = false
    let part = read(&self)
    defer { isMalformed = isMalformed || outer }
    return (part, isMalformed)
  }

  /// Returns a reference to a node of the document.
  func reference(_ node: UInt32) -> NodeRef { document.reference(node) }
}

// MARK: - Maps

extension ShapeReader {
  /// The keys that a walk over a map found.
  struct MapShape {
    /// The known keys in the map, whatever their values are.
    var present: KeywordSet = []
    /// The keys that were suggested for unknown ones. Contains all allowed keys if an unreadable entry may stand for
    /// any of them.
    var suggested: KeywordSet = []

    /// Returns whether a key is present or was suggested for an unknown one.
    func mentions(_ keyword: Keyword) -> Bool { present.contains(keyword) || suggested.contains(keyword) }

    /// Returns whether any of the given keys is present or was suggested for an unknown one.
    func mentions(anyOf keywords: [Keyword]) -> Bool { keywords.contains { mentions($0) } }
  }

  /// Walks a map that may have the given keys, and calls `body` for each of them whose value could be read.
  ///
  /// Reports unknown keys, except those that begin with `x-`, and a `doc` that is not a string. The values of unknown
  /// keys are checked as literals.
  @discardableResult
  mutating func readMap(
    _ node: UInt32, allowing allowed: [Keyword],
    _ body: (_ reader: inout ShapeReader, _ keyword: Keyword, _ key: UInt32, _ value: UInt32) -> Void
  ) -> MapShape {
    var shape = MapShape()
    guard expect(.map, at: node, help: Finding.help(allowing: Self.shown(allowed))) else { return shape }
    var unknown: [UInt32] = []
    for key in document.keys(of: node) {
      let name = name(of: key)
      let value = key + 1
      if let keyword = Keyword(name), allowed.contains(keyword) || keyword == .doc {
        shape.present.insert(keyword)
        if keyword == .doc {
          _ = expect(.string, at: value)
        } else if isReadable(value) {
          body(&self, keyword, key, value)
        }
      } else {
        checkLiteral(value)
        if !names[name].utf8.starts(with: "x-".utf8) { unknown.append(key) }
      }
    }
    // Done last, because keys that the map already has must not be suggested.
    for key in unknown { shape.suggested.formUnion(reportUnknown(key: key, allowed: allowed, present: shape.present)) }
    if document[node].isPartial { shape.suggested.formUnion(KeywordSet(allowed)) }
    return shape
  }

  /// Reports that a map lacks a required key, unless that key was suggested for an unknown one.
  mutating func require(_ keyword: Keyword, in shape: MapShape, of node: UInt32, _ owner: String) {
    guard !shape.mentions(keyword) else { return }
    report(.missing("\"\(keyword.text)\"", owner, subject: keyword.text, at: keyOrNode(node)))
  }

  /// Records the key that selects the form of a map. Reports a second such key, and returns `false` for it.
  @discardableResult
  mutating func choose(
    _ keyword: Keyword, at key: UInt32, as form: inout (keyword: Keyword, key: UInt32)?
  ) -> Bool {
    guard let earlier = form else {
      form = (keyword, key)
      return true
    }
    report(.excluding(keyword.text, earlier.keyword.text, at: reference(key), reference(earlier.key)))
    return false
  }

  /// Reports an unknown key and returns the keys that were suggested for it.
  private mutating func reportUnknown(key: UInt32, allowed: [Keyword], present: KeywordSet) -> KeywordSet {
    let text = document.text(of: key)
    let near = suggestions(for: text, among: (allowed + [.doc]).filter { !present.contains($0) }.map(\.text))
    report(.unknownKey(text, allowed: Self.shown(allowed), near: near, at: reference(key)))
    return KeywordSet(allowed.lazy.filter { near.contains($0.text) })
  }

  /// Returns the key names for a help text: those allowed in the map or, if there are none, `doc`.
  private static func shown(_ allowed: [Keyword]) -> [String] {
    (allowed.isEmpty ? [.doc] : allowed).map(\.text)
  }
}

// MARK: - Kinds

extension ShapeReader {
  /// Returns whether a value is a map; reports it if not, with an example of such a map in JSON.
  mutating func expectMap(at node: UInt32, like example: @autoclosure () -> String) -> Bool {
    expect(.map, at: node, help: "write a map such as \(example())")
  }

  /// Reads the boolean at a node. Reports any other value and returns `nil`.
  mutating func flag(at node: UInt32) -> FlagToken? {
    expect(.boolean, at: node) ? FlagToken(value: document[node].payload != 0, node: reference(node)) : nil
  }

  /// Reads the string at a node as a token that matches a grammar, if one is given. Reports any other value and returns
  /// `nil`.
  mutating func token(at node: UInt32, _ grammar: NameGrammar? = nil) -> Token? {
    guard expect(.string, at: node), grammar.map({ checkName(at: node, $0) }) ?? true else { return nil }
    return Token(name: name(of: node), node: reference(node))
  }

  /// Reads a list of strings that match a grammar, if one is given. Reports and skips all other elements.
  mutating func tokens(in node: UInt32, _ grammar: NameGrammar? = nil) -> [Token] {
    guard expect(.list, at: node) else { return [] }
    return document.elements(of: node).compactMap { token(at: $0, grammar) }
  }

  /// Returns the name for the text of a key or string.
  mutating func name(of node: UInt32) -> Name {
    document.withText(of: node) { names.name($0) }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for two keys that exclude each other. It is reported at the later one.
  static func excluding(_ later: String, _ earlier: String, at node: NodeRef, _ other: NodeRef) -> Finding {
    Finding(
      .excludingKeys, "\"\(later)\" cannot be used together with \"\(earlier)\"", at: node,
      related: [Finding.Related(.node(other), "\"\(earlier)\" is here")], help: "keep one of the two")
  }

  /// Returns the finding for a key that has no effect without another key, or together with one.
  static func hasNoEffect(_ key: String, _ reason: String, at node: NodeRef) -> Finding {
    Finding(.excludingKeys, "\"\(key)\" \(reason)", at: node)
  }
}
