// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What a name in a module file stands for.
package struct Symbol: Hashable, Sendable {
  /// What it is of.
  package var kind: SymbolKind
  /// The name.
  package var name: String

  /// A name of something.
  package init(_ kind: SymbolKind, _ name: String) {
    self.kind = kind
    self.name = name
  }
}

/// One place where a file says the name of a symbol.
package struct SymbolOccurrence: Sendable {
  /// What the place is to the symbol.
  package enum Role: Hashable, Sendable {
    /// It defines the symbol, in a section or a list.
    case definition
    /// It overrides, replaces or removes what another file defines.
    case override, replacement, removal
    /// It refers to the symbol.
    case reference
    /// It refers to a parameter by `${name}`; the place among those of the text, from 0.
    case placeholder(Int)
    /// It refers to a tag in a path of `unset`.
    case unsetPath
  }

  /// The symbol.
  package var symbol: Symbol
  /// What the place is to it.
  package var role: Role
  /// The section of a definition or change, where it has one.
  package var section: Section?
  /// The key or string.
  package var token: NodeRef
  /// The service, template or parameter in which the place stands.
  package var owner: Symbol?

  /// Whether the place declares or changes the symbol.
  package var isDeclaration: Bool {
    switch role {
    case .definition, .override, .replacement: true
    case .removal, .reference, .placeholder, .unsetPath: false
    }
  }
}

/// What some files say of one service, template or parameter, all declarations together.
package struct DeclaredEntry: Sendable {
  /// The values under `type`, in the order of the files.
  package var types: [String] = []
  /// The values under `extends`.
  package var templates: [String] = []
  /// The provided names, where some declaration lists them.
  package var provides: [String]?
  /// The last `doc`.
  package var doc: String?
  /// The last `deprecated`.
  package var deprecated: String?
  /// The service that an alias stands for.
  package var target: String?
  /// Of a parameter the texts and numbers of `oneOf`.
  package var allowed: [Value] = []
  /// Whether some declaration may make a parameter secret: it says so, or says what the format does not know.
  package var maybeSecret = false
}

/// The names in the files of a module, and where they stand. Keys that begin with `x-` and texts of the author's hold none.
package struct SymbolIndex: Sendable {
  /// All places, by file and then by position.
  package private(set) var occurrences: [SymbolOccurrence] = []
  /// The places of each symbol in `occurrences`, ascending.
  private var places: [Symbol: [Int]] = [:]
  /// What is said of each entry.
  private var entries: [Symbol: DeclaredEntry] = [:]

  /// The names in some documents.
  ///
  /// - Complexity: linear in the documents.
  package init(_ documents: some Sequence<Document>) {
    for document in documents where !document.nodes.isEmpty && document[0].kind == .map {
      var walk = SymbolWalk(document)
      walk.visit(0, as: .root, owner: nil)
      for occurrence in walk.occurrences {
        places[occurrence.symbol, default: []].append(occurrences.count)
        occurrences.append(occurrence)
      }
      for (symbol, entry) in walk.entries { entries[symbol, default: DeclaredEntry()].add(entry) }
    }
  }

  /// The places of a symbol, by file and then by position.
  package func occurrences(of symbol: Symbol) -> [SymbolOccurrence] { (places[symbol] ?? []).map { occurrences[$0] } }

  /// What is said of an entry.
  package func entry(_ symbol: Symbol) -> DeclaredEntry? { entries[symbol] }

  /// Whether some file defines a symbol.
  package func isDefined(_ symbol: Symbol) -> Bool {
    (places[symbol] ?? []).contains { occurrences[$0].role == .definition || occurrences[$0].role == .replacement }
  }

  /// The names of a kind that some file defines, ascending.
  package func definedNames(of kind: SymbolKind) -> [String] {
    places.keys.filter { $0.kind == kind && (isDefined($0) || kind == .tag) }.map(\.name).sorted()
  }

  /// The names of a section that some file defines, ascending.
  package func definedNames(in section: Section) -> [String] {
    Set(
      occurrences.lazy.filter { $0.section == section && $0.isDeclaration && $0.role != .override }
        .map(\.symbol.name)
    ).sorted()
  }
}

extension DeclaredEntry {
  /// Adds what a later file says.
  fileprivate mutating func add(_ later: DeclaredEntry) {
    types += later.types
    templates += later.templates
    if let names = later.provides { provides = (provides ?? []) + names }
    doc = later.doc ?? doc
    deprecated = later.deprecated ?? deprecated
    target = later.target ?? target
    allowed += later.allowed
    maybeSecret = maybeSecret || later.maybeSecret
  }
}

extension Document {
  /// The first alias that names a symbol where the text it stands for does not, or the other way round; nil where none does.
  ///
  /// - Complexity: linear in the document.
  func alias(dividing symbol: Symbol) -> String? {
    guard !copies.isEmpty, nodes[0].kind == .map else { return nil }
    var walk = SymbolWalk(self, followsAliases: true)
    walk.visit(0, as: .root, owner: nil)
    let naming = Set(walk.occurrences.lazy.filter { $0.symbol == symbol }.map(\.token.node))
    for copy in copies {
      let divided = zip(copy.nodes, copy.original).first { naming.contains($0) != naming.contains($1) }
      guard let node = divided.map({ self[$0.0] }) else { continue }
      return String(decoding: source.bytes[Int(node.start)..<Int(node.end)], as: UTF8.self)
    }
    return nil
  }
}

/// Walks a document and notes the names in it.
private struct SymbolWalk {
  /// The document.
  let document: Document
  /// Whether what an alias stands for is noted at the alias as well.
  let followsAliases: Bool
  /// The places so far.
  private(set) var occurrences: [SymbolOccurrence] = []
  /// What is said of entries.
  private(set) var entries: [(Symbol, DeclaredEntry)] = []

  /// A walk that has not begun.
  init(_ document: Document, followsAliases: Bool = false) {
    self.document = document
    self.followsAliases = followsAliases
  }

  /// Visits a value.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  mutating func visit(_ node: UInt32, as slot: FormatSlot, owner: Symbol?) {
    guard slot != .unknown, isNoted(node) else { return }
    switch document[node].kind {
    case .map: visitMap(node, as: slot, owner)
    case .list: for element in document.elements(of: node) { visit(element, as: slot.element, owner: owner) }
    case .string: visitText(node, as: slot, owner)
    default: break
    }
  }

  /// Whether the names of a node are noted; what an alias stands for is noted where it is written.
  private func isNoted(_ node: UInt32) -> Bool { followsAliases || document.copies(in: node..<node + 1).isEmpty }

  /// Visits the entries of a map.
  private mutating func visitMap(_ node: UInt32, as slot: FormatSlot, _ owner: Symbol?) {
    let role = slot.keyRole
    for key in document.keys(of: node) where isNoted(key) {
      let text = document.text(of: key)
      var owner = owner
      switch role {
      case .ids(let section, let verb)?:
        let symbol = Symbol(section.symbolKind, text)
        note(symbol, FormatSlot.role(of: verb), key, section: section, owner: nil)
        entries.append((symbol, entry(key + 1, section)))
        owner = symbol
      case .names(let kind)?:
        if slot == .tagDeclarations { entries.append((Symbol(kind, text), DeclaredEntry(doc: doc(in: key + 1)))) }
        note(Symbol(kind, text), kind == .tag && slot == .tags ? .reference : .definition, key, owner: owner)
      default: break
      }
      visit(key + 1, as: slot.child(text), owner: owner)
    }
  }

  /// Visits a text.
  private mutating func visitText(_ node: UInt32, as slot: FormatSlot, _ owner: Symbol?) {
    if slot.expandsPlaceholders {
      guard document.withText(of: node, { $0.contains(UInt8(ascii: "$")) }) else { return }
      for (place, placeholder) in PlaceholderRange.all(in: Array(document.text(of: node).utf8)).enumerated() {
        note(Symbol(.parameter, placeholder.name), .placeholder(place), node, owner: owner)
      }
    } else if slot == .unset, let tag = document.text(of: node).unsetTag {
      note(Symbol(.tag, tag), .unsetPath, node, owner: owner)
    } else if let kind = slot.namedKind {
      let text = document.text(of: node)
      if slot == .scope, Lifetime.words.contains(text) { return }
      note(Symbol(kind, text), slot.textRole, node, owner: owner)
    }
  }

  /// Notes a place.
  private mutating func note(
    _ symbol: Symbol, _ role: SymbolOccurrence.Role, _ node: UInt32, section: Section? = nil, owner: Symbol?
  ) {
    occurrences.append(
      SymbolOccurrence(
        symbol: symbol, role: role, section: section, token: document.reference(node), owner: owner))
  }

  /// The text under `doc` in a map, or nil.
  private func doc(in node: UInt32) -> String? {
    document.keys(of: node).first { document.text(of: $0) == Keyword.doc.text && document[$0 + 1].kind == .string }
      .map { document.text(of: $0 + 1) }
  }

  /// What one declaration says.
  private func entry(_ node: UInt32, _ section: Section) -> DeclaredEntry {
    var entry = DeclaredEntry()
    if section == .aliases || section == .bindings {
      entry.target = document[node].kind == .string ? document.text(of: node) : nil
    }
    for key in document.keys(of: node) {
      let value = key + 1
      let text = document[value].kind == .string ? document.text(of: value) : nil
      let word = document.text(of: key)
      switch word {
      case "type": entry.types += [text].compactMap(\.self)
      case "extends": entry.templates += [text].compactMap(\.self)
      case "doc": entry.doc = text
      case "deprecated": entry.deprecated = text
      case "provides":
        var names: [String] = []
        for node in value..<document[value].next where document[node].kind == .string {
          names.append(document.text(of: node))
        }
        entry.provides = names
      case "oneOf":
        for element in document.elements(of: value) {
          if let literal = Value(element, of: document) { entry.allowed.append(literal) }
        }
      case "secret" where document[value].kind == .boolean && document[value].payload == 0: break
      default:
        guard section == .parameters else { continue }
        let keyword = Keyword(text: word)
        let isKnown = keyword.map { $0 != .secret && ($0 == .unset || Keyword.parameterKeys.contains($0)) } ?? false
        if !isKnown { entry.maybeSecret = true }
      }
    }
    return entry
  }
}

extension FormatSlot {
  /// What a text that names something is to it.
  fileprivate var textRole: SymbolOccurrence.Role {
    switch self {
    case .scopeName: .definition
    case .removedID: .removal
    default: .reference
    }
  }

  /// What a key in a section with a verb is to the symbol that it names.
  fileprivate static func role(of verb: Verb) -> SymbolOccurrence.Role {
    switch verb {
    case .define: .definition
    case .override: .override
    case .replace: .replacement
    }
  }
}

extension String {
  /// The tag that a path of `unset` names, where it is one such as `tags.web`, `tags["web.main"]` or `tags.web.order`.
  var unsetTag: String? {
    if hasPrefix("tags[\"") {
      let name = dropFirst(6).prefix { $0 != "\"" }
      return name.isEmpty ? nil : String(name)
    }
    guard hasPrefix("tags.") else { return nil }
    var name = dropFirst(5)
    for part in Keyword.tagKeys where name.hasSuffix(".\(part.text)") { name = name.dropLast(part.text.utf8.count + 1) }
    return name.isEmpty || name.contains("[") ? nil : String(name)
  }

  /// The offset in UTF-8 of the tag in such a path.
  var startOfUnsetTag: Int { hasPrefix("tags[\"") ? 6 : 5 }
}
