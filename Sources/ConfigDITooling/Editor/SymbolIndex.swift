// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// A named item of a module, such as a service or a tag.
package struct Symbol: Hashable, Sendable {
  /// The kind.
  package var kind: SymbolKind
  /// The name.
  package var name: String

  /// Creates a symbol.
  package init(_ kind: SymbolKind, _ name: String) {
    self.kind = kind
    self.name = name
  }
}

/// An occurrence of a symbol's name in a file.
package struct SymbolOccurrence: Sendable {
  /// The relation of an occurrence to its symbol.
  package enum Role: Hashable, Sendable {
    /// A definition in a section, a map or a list.
    case definition
    /// An override, a replacement or a removal of a definition in another file.
    case override, replacement, removal
    /// A reference.
    case reference
    /// A reference to a parameter by `${name}`, with its index among the placeholders of the string, from 0.
    case placeholder(Int)
    /// A reference to a tag in a path of `unset`.
    case unsetPath
  }

  /// The symbol.
  package var symbol: Symbol
  /// The relation of the occurrence to the symbol.
  package var role: Role
  /// The section of a definition, override or replacement, or `nil` if it is not in a section.
  package var section: Section?
  /// The key or string that contains the name.
  package var token: NodeRef

  /// Whether the occurrence defines, overrides or replaces the symbol.
  package var isDeclaration: Bool {
    switch role {
    case .definition, .override, .replacement: true
    case .removal, .reference, .placeholder, .unsetPath: false
    }
  }
}

/// The combined declarations of one entry or declared tag in all files of a module.
package struct DeclaredEntry: Sendable {
  /// The values of `type`, in the order of the files.
  package var types: [String] = []
  /// The values of `extends`, in the order of the files.
  package var templates: [String] = []
  /// The provided names of all declarations, or `nil` if no declaration lists any.
  package var provides: [String]?
  /// The last `doc`, or `nil` if there is none.
  package var doc: String?
  /// The last `deprecated`, or `nil` if there is none.
  package var deprecated: String?
  /// The target of an alias or a binding.
  package var target: String?
  /// The values of `oneOf` of a parameter.
  package var allowed: [Value] = []
  /// Whether a parameter may be secret: a declaration has a `secret` that is not `false`, or an unknown key.
  package var mayBeSecret = false
}

/// The symbols in the files of a module and their occurrences. Keys that begin with `x-` and free texts contain none.
package struct SymbolIndex: Sendable {
  /// All occurrences, by file, then by position.
  package private(set) var occurrences: [SymbolOccurrence] = []
  /// The indices in `occurrences` of each symbol, ascending.
  private var indices: [Symbol: [Int]] = [:]
  /// The combined declarations of each symbol.
  private var entries: [Symbol: DeclaredEntry] = [:]

  /// Creates the index of documents.
  ///
  /// - Complexity: linear in the size of the documents.
  package init(_ documents: some Sequence<Document>) {
    var walks: [SymbolWalk] = []
    for document in documents where !document.nodes.isEmpty && document[0].kind == .map {
      walks.append(SymbolWalk(document: document))
      walks[walks.count - 1].visit(0, as: .root)
    }
    let tags = Set(
      walks.lazy.flatMap(\.occurrences).filter { $0.symbol.kind == .tag && $0.role != .unsetPath }.map(\.symbol.name))
    for walk in walks {
      for var occurrence in walk.occurrences {
        if occurrence.role == .unsetPath {
          let path = walk.document.text(of: occurrence.token.node)
          occurrence.symbol.name = path.unsetTag(isTag: tags.contains) ?? occurrence.symbol.name
        }
        indices[occurrence.symbol, default: []].append(occurrences.count)
        occurrences.append(occurrence)
      }
      for (symbol, entry) in walk.entries { entries[symbol, default: DeclaredEntry()].add(entry) }
    }
  }

  /// Returns the occurrences of a symbol, by file, then by position.
  package func occurrences(of symbol: Symbol) -> [SymbolOccurrence] { (indices[symbol] ?? []).map { occurrences[$0] } }

  /// Returns the combined declarations of a symbol, or `nil` if there are none.
  package func entry(_ symbol: Symbol) -> DeclaredEntry? { entries[symbol] }

  /// Returns the name of a symbol's kind in messages, in which aliases differ from services.
  package func kindInWords(of symbol: Symbol) -> String {
    symbol.kind == .service && entries[symbol]?.target != nil ? "alias" : symbol.kind.inWords
  }

  /// Returns whether any file defines or replaces a symbol.
  private func isDefined(_ symbol: Symbol) -> Bool {
    (indices[symbol] ?? []).contains { occurrences[$0].role == .definition || occurrences[$0].role == .replacement }
  }

  /// Returns the defined names of a kind, ascending; for tags, all names that occur.
  package func definedNames(of kind: SymbolKind) -> [String] {
    indices.keys.filter { $0.kind == kind && (isDefined($0) || kind == .tag) }.map(\.name).sorted()
  }

  /// Returns the names that any file defines or replaces in a section, ascending.
  package func definedNames(in section: Section) -> [String] {
    Set(
      occurrences.lazy.filter { $0.section == section && $0.isDeclaration && $0.role != .override }
        .map(\.symbol.name)
    ).sorted()
  }
}

extension DeclaredEntry {
  /// Adds the declarations of a later file.
  fileprivate mutating func add(_ later: DeclaredEntry) {
    types += later.types
    templates += later.templates
    if let names = later.provides { provides = (provides ?? []) + names }
    doc = later.doc ?? doc
    deprecated = later.deprecated ?? deprecated
    target = later.target ?? target
    allowed += later.allowed
    mayBeSecret = mayBeSecret || later.mayBeSecret
  }
}

extension Document {
  /// Returns the first YAML alias whose content names a symbol where the original at the anchor does not, or the other
  /// way round. Returns `nil` if there is none.
  ///
  /// - Complexity: linear in the size of the document.
  func alias(dividing symbol: Symbol) -> String? {
    guard !copies.isEmpty, nodes[0].kind == .map else { return nil }
    var walk = SymbolWalk(document: self, followsAliases: true)
    walk.visit(0, as: .root)
    let naming = Set(walk.occurrences.lazy.filter { $0.symbol == symbol }.map(\.token.node))
    for copy in copies {
      let divided = zip(copy.nodes, copy.original).first { naming.contains($0) != naming.contains($1) }
      guard let node = divided.map({ self[$0.0] }) else { continue }
      return String(decoding: source.bytes[Int(node.start)..<Int(node.end)], as: UTF8.self)
    }
    return nil
  }
}

/// Walks a document and records its symbols.
private struct SymbolWalk {
  /// The document.
  let document: Document
  /// Whether the content of an alias is recorded at the alias, too.
  var followsAliases = false
  /// The occurrences found so far.
  private(set) var occurrences: [SymbolOccurrence] = []
  /// The declarations found so far.
  private(set) var entries: [(Symbol, DeclaredEntry)] = []

  /// Visits a value.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  mutating func visit(_ node: UInt32, as slot: FormatSlot) {
    guard slot != .unknown, isRecorded(node) else { return }
    switch document[node].kind {
    case .map: visitMap(node, as: slot)
    case .list: for element in document.elements(of: node) { visit(element, as: slot.element) }
    case .string: visitText(node, as: slot)
    default: break
    }
  }

  /// Returns whether the symbols of a node are recorded. Those of an alias are recorded only if `followsAliases` is
  /// set.
  private func isRecorded(_ node: UInt32) -> Bool { followsAliases || document.copies(in: node..<node + 1).isEmpty }

  /// Visits the keys and values of a map.
  private mutating func visitMap(_ node: UInt32, as slot: FormatSlot) {
    let role = slot.keyRole
    for key in document.keys(of: node) where isRecorded(key) {
      let text = document.text(of: key)
      switch role {
      case .ids(let section, let verb)?:
        let symbol = Symbol(section.symbolKind, text)
        record(symbol, FormatSlot.role(of: verb), key, section: section)
        entries.append((symbol, entry(key + 1, section)))
      case .names(let kind)?:
        if slot == .tagDeclarations {
          entries.append((Symbol(kind, text), DeclaredEntry(doc: document.text(under: .doc, of: key + 1))))
        }
        record(Symbol(kind, text), kind == .tag && slot == .tags ? .reference : .definition, key)
      default: break
      }
      visit(key + 1, as: slot.child(text))
    }
  }

  /// Visits a string.
  private mutating func visitText(_ node: UInt32, as slot: FormatSlot) {
    if slot.expandsPlaceholders {
      guard document.withText(of: node, { $0.contains(UInt8(ascii: "$")) }) else { return }
      for (place, placeholder) in PlaceholderRange.all(in: Array(document.text(of: node).utf8)).enumerated() {
        record(Symbol(.parameter, placeholder.name), .placeholder(place), node)
      }
    } else if slot == .unset, let tag = document.text(of: node).unsetTag() {
      record(Symbol(.tag, tag), .unsetPath, node)
    } else if let kind = slot.namedKind {
      let text = document.text(of: node)
      if slot == .scope, Lifetime.words.contains(text) { return }
      record(Symbol(kind, text), slot.textRole, node)
    }
  }

  /// Records an occurrence.
  private mutating func record(
    _ symbol: Symbol, _ role: SymbolOccurrence.Role, _ node: UInt32, section: Section? = nil
  ) {
    occurrences.append(
      SymbolOccurrence(symbol: symbol, role: role, section: section, token: document.reference(node)))
  }

  /// Returns the content of one declaration.
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
        let names = (value..<document[value].next).filter { document[$0].kind == .string }
        entry.provides = names.map { document.text(of: $0) }
      case "oneOf":
        for element in document.elements(of: value) {
          if let literal = Value(element, of: document) { entry.allowed.append(literal) }
        }
      case "secret" where document[value].kind == .boolean && document[value].payload == 0: break
      default:
        guard section == .parameters else { continue }
        let keyword = Keyword(text: word)
        let isKnown = keyword.map { $0 != .secret && ($0 == .unset || Keyword.parameterKeys.contains($0)) } ?? false
        if !isKnown { entry.mayBeSecret = true }
      }
    }
    return entry
  }
}

extension FormatSlot {
  /// The relation of a string in the slot to the symbol that it names.
  fileprivate var textRole: SymbolOccurrence.Role {
    switch self {
    case .scopeName: .definition
    case .removedID: .removal
    default: .reference
    }
  }

  /// Returns the relation of an id in a section with a verb to its symbol.
  fileprivate static func role(of verb: Verb) -> SymbolOccurrence.Role {
    switch verb {
    case .define: .definition
    case .override: .override
    case .replace: .replacement
    }
  }
}

extension String {
  /// Returns the tag in a path of `unset` such as `tags.web`, `tags["web.main"]` or `tags.web.order`; `nil` for other
  /// paths. The last one is the tag `web.order` if the module has one: the longest name is taken.
  func unsetTag(isTag: (String) -> Bool = { _ in false }) -> String? {
    if hasPrefix("tags[\"") {
      let name = dropFirst(6).prefix { $0 != "\"" }
      return name.isEmpty ? nil : String(name)
    }
    guard hasPrefix("tags.") else { return nil }
    var name = dropFirst(5)
    for part in Keyword.tagKeys where name.hasSuffix(".\(part.text)") && !isTag(String(name)) {
      name = name.dropLast(part.text.utf8.count + 1)
    }
    return name.isEmpty || name.contains("[") ? nil : String(name)
  }

  /// The offset of the tag in such a path, in UTF-8 bytes.
  var startOfUnsetTag: Int { hasPrefix("tags[\"") ? 6 : 5 }
}
