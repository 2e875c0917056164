// SPDX-License-Identifier: Apache-2.0

/// Walks a document and reports every breach of the format's shape, whatever is declared where.
///
/// The readers of the declarations are extensions in files of their own.
struct ShapeReader {
  /// The document.
  let document: Document
  /// The names of the load.
  var names: NameTable
  /// The findings.
  var bag: DiagnosticBag
  /// Whether an error of shape was reported in the part that is read.
  var isMalformed = false
  /// What the file says about the warnings in its maps.
  var suppressions: [SeverityRules.Suppression] = []

  /// Reports an error of shape.
  mutating func report(_ finding: Finding) {
    isMalformed = true
    bag.report(finding)
  }

  /// What is read of a part, and whether that has an error of shape of its own.
  mutating func readPart<Part>(_ read: (inout ShapeReader) -> Part) -> (part: Part, isMalformed: Bool) {
    let outer = isMalformed
    isMalformed = false
    let part = read(&self)
    defer { isMalformed = isMalformed || outer }
    return (part, isMalformed)
  }

  /// A reference to a node of the document.
  func reference(_ node: UInt32) -> NodeRef { document.reference(node) }
}

// MARK: - Maps

extension ShapeReader {
  /// What a walk over a map found.
  struct MapShape {
    /// The keys that are there, whatever their values are.
    var present: KeywordSet = []
    /// The keys that were suggested for unknown ones; all where an entry that cannot be read may stand for any.
    var suggested: KeywordSet = []

    /// Whether a key is there, or one that may have been meant to be it.
    func mentions(_ keyword: Keyword) -> Bool { present.contains(keyword) || suggested.contains(keyword) }

    /// Whether one of some keys is there, or one that may have been meant to be it.
    func mentions(anyOf keywords: [Keyword]) -> Bool { keywords.contains { mentions($0) } }
  }

  /// Walks a map whose keys the format lists, and hands each key with a value that could be read to `body`.
  ///
  /// Unknown keys are reported; `doc` must be a string; keys that begin with `x-` are skipped. What the format does not know
  /// must still be of its data model.
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
    // Last, as a key that the map has already is no suggestion.
    for key in unknown { shape.suggested.formUnion(reportUnknown(key: key, allowed: allowed, present: shape.present)) }
    if document[node].isPartial { shape.suggested.formUnion(KeywordSet(allowed)) }
    return shape
  }

  /// Reports a required key that a map lacks, unless an unknown key was so near that it was suggested.
  mutating func require(_ keyword: Keyword, in shape: MapShape, of node: UInt32, _ owner: String) {
    guard !shape.mentions(keyword) else { return }
    report(.missing("\"\(keyword.text)\"", owner, subject: keyword.text, at: placeNaming(node)))
  }

  /// The key that names a map, or the map's own bracket in a list or at the root.
  func placeNaming(_ node: UInt32) -> NodeRef {
    node > 0 && document[node - 1].kind == .key ? reference(node - 1) : reference(node)
  }

  /// Reports an unknown key and gives the keys that were suggested for it.
  private mutating func reportUnknown(key: UInt32, allowed: [Keyword], present: KeywordSet) -> KeywordSet {
    let text = document.text(of: key)
    let near = suggestions(for: text, among: (allowed + [.doc]).filter { !present.contains($0) }.map(\.text))
    report(.unknownKey(text, allowed: Self.shown(allowed), near: near, at: reference(key)))
    return KeywordSet(allowed.lazy.filter { near.contains($0.text) })
  }

  /// The keys that help names: those of the map itself, or `doc`, which every map takes, where it has none.
  private static func shown(_ allowed: [Keyword]) -> [String] {
    (allowed.isEmpty ? [.doc] : allowed).map(\.text)
  }
}

// MARK: - Kinds

extension ShapeReader {
  /// Whether a value was read; where it was not, the reader of the text has reported it.
  mutating func isReadable(_ node: UInt32) -> Bool {
    if document[node].kind == .invalid { isMalformed = true }
    return document[node].kind != .invalid
  }

  /// Whether a value is of a kind; reports it where it is not.
  mutating func expect(_ kind: NodeKind, at node: UInt32, help: @autoclosure () -> String? = nil) -> Bool {
    guard isReadable(node) else { return false }
    if document[node].isPartial { isMalformed = true }
    if document[node].kind == kind { return true }
    var finding = Finding.wrongKind(wanted: kind.inWords, found: document[node].kind.inWords, at: reference(node))
    finding.help = help()
    report(finding)
    return false
  }

  /// Whether a value is a map; reports it where it is not, with what such a map looks like in JSON.
  mutating func expectMap(at node: UInt32, like example: @autoclosure () -> String) -> Bool {
    expect(.map, at: node, help: "write a map such as \(example())")
  }

  /// The boolean at a node, or nil where there is none, which is reported.
  mutating func flag(at node: UInt32) -> FlagToken? {
    expect(.boolean, at: node) ? FlagToken(value: document[node].payload != 0, node: reference(node)) : nil
  }

  /// The text of the string at a node, or nil where there is none, which is reported.
  mutating func string(at node: UInt32) -> String? {
    expect(.string, at: node) ? document.text(of: node) : nil
  }

  /// The string at a node as a token, or nil where there is none, which is reported.
  mutating func token(at node: UInt32) -> Token? {
    expect(.string, at: node) ? Token(name: name(of: node), node: reference(node)) : nil
  }

  /// The strings of a list; every other element is reported.
  mutating func tokens(in node: UInt32) -> [Token] {
    guard expect(.list, at: node) else { return [] }
    return document.elements(of: node).compactMap { token(at: $0) }
  }

  /// The strings of a list that obey a grammar; every other element is reported.
  mutating func names(in node: UInt32, _ grammar: NameGrammar) -> [Token] {
    guard expect(.list, at: node) else { return [] }
    return document.elements(of: node).compactMap { token(at: $0, grammar) }
  }

  /// The string at a node as a token that obeys a grammar, or nil where there is none, which is reported.
  mutating func token(at node: UInt32, _ grammar: NameGrammar) -> Token? {
    guard let token = token(at: node), checkName(at: node, grammar) else { return nil }
    return token
  }

  /// Whether the key or string at a node obeys a grammar; reports it where it does not.
  @discardableResult
  mutating func checkName(at node: UInt32, _ grammar: NameGrammar) -> Bool {
    if document.withText(of: node, { grammar.accepts($0) }) { return true }
    report(.invalidName(document.text(of: node), grammar, at: reference(node)))
    return false
  }

  /// The name of a key's or string's text.
  mutating func name(of node: UInt32) -> Name {
    document.withText(of: node) { names.name($0) }
  }
}

// MARK: - Messages

extension Finding {
  /// Two keys of which only one may be there; the later is reported.
  static func excluding(_ later: String, _ earlier: String, at node: NodeRef, _ other: NodeRef) -> Finding {
    Finding(
      .excludingKeys, "\"\(later)\" cannot be used together with \"\(earlier)\"", at: node,
      related: [Finding.Related(.node(other), "\"\(earlier)\" is here")], help: "keep one of the two")
  }

  /// A key that means nothing without another, or beside another.
  static func pointless(_ key: String, _ reason: String, at node: NodeRef) -> Finding {
    Finding(.excludingKeys, "\"\(key)\" \(reason)", at: node)
  }
}
