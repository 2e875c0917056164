// SPDX-License-Identifier: Apache-2.0

/// A reference under `inject`, the source of one argument.
package enum Reference: Sendable {
  /// The id of a service or alias, written as a string.
  case id(Token)
  /// The id of a service or alias in map form, the value of `optional`, and the token of the map.
  indirect case service(Token, isOptional: FlagToken?, NodeRef)
  /// All services with a tag: the tag, the value of `as`, and the token of the map.
  indirect case tagged(Token, form: Token?, NodeRef)
  /// A list of references and the token of the list.
  case list([Reference], NodeRef)
  /// A map of references, the token of that map, and the token of the whole reference.
  indirect case map([Entry], NodeRef, whole: NodeRef)

  /// One entry of a map of references.
  package struct Entry: Sendable {
    /// The key.
    package var key: String
    /// The reference under the key.
    package var reference: Reference
  }

  /// The token of the whole reference.
  package var node: NodeRef {
    switch self {
    case .id(let token): token.node
    case .service(_, _, let node), .tagged(_, _, let node), .list(_, let node), .map(_, _, whole: let node): node
    }
  }

  /// Calls a closure with the token of each id and tag.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package func forEachToken(_ body: (Token) -> Void) {
    switch self {
    case .id(let token), .service(let token, _, _), .tagged(let token, _, _): body(token)
    case .list(let elements, _): for element in elements { element.forEachToken(body) }
    case .map(let entries, _, _): for entry in entries { entry.reference.forEachToken(body) }
    }
  }

  /// Returns the reference in the form that files use, with a token for each part.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  func datum(_ names: NameTable) -> Datum {
    func map(_ parts: KeyValuePairs<Keyword, Datum?>) -> Datum { Datum(parts, at: node) }
    switch self {
    case .id(let token): return Datum(token, names)
    case .service(let token, let isOptional, _):
      return map([.service: Datum(token, names), .optional: isOptional.map { Datum($0) }])
    case .tagged(let token, let form, _):
      return map([.tagged: Datum(token, names), .as: form.map { Datum($0, names) }])
    case .list(let elements, _):
      return Datum(.list(elements.map { $0.datum(names) }), at: node)
    case .map(let entries, let node, _):
      return map([
        .map: Datum(.map(entries.map { Datum.Entry(key: $0.key, value: $0.reference.datum(names)) }), at: node)
      ])
    }
  }

  /// Returns the reference in the form that files use, without tokens.
  package func written(_ names: NameTable) -> Value { datum(names).written ?? .map([]) }
}

extension ShapeReader {
  /// Reads the reference at a node and reports every structural error in it. A malformed reference map is read as a
  /// list of all its strings, so that what it may name still counts as used.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  mutating func reference(in node: UInt32) -> Reference {
    switch document[node].kind {
    case .string:
      return .id(Token(name: name(of: node), node: reference(node)))
    case .list:
      var elements: [Reference] = []
      elements.reserveCapacity(Int(document[node].payload))
      for element in document.elements(of: node) { elements.append(reference(in: element)) }
      return .list(elements, reference(node))
    case .map:
      let (reference, isMalformed) = readPart { $0.referenceMap(at: node) }
      return isMalformed ? texts(below: node) : reference ?? texts(below: node)
    default:
      reportKind(of: node, wanted: "a service's id, a list of references or a reference map")
      return .list([], reference(node))
    }
  }

  /// Returns a list with each string below a node as an id.
  private mutating func texts(below node: UInt32) -> Reference {
    var ids: [Reference] = []
    for index in node..<document[node].next where document[index].kind == .string {
      ids.append(.id(Token(name: name(of: index), node: reference(index))))
    }
    return .list(ids, reference(node))
  }

  /// Reads a reference in map form. Reports a map that has none of the forms and returns `nil`.
  private mutating func referenceMap(at node: UInt32) -> Reference? {
    let whole = reference(node)
    var found: Reference?
    var form: (keyword: Keyword, key: UInt32)?
    var details: [(keyword: Keyword, key: UInt32)] = []
    var isOptional: FlagToken?
    var tagForm: Token?
    let shape = readMap(node, allowing: Keyword.referenceForms.flatMap { $0 }) { reader, keyword, key, value in
      if keyword == .optional || keyword == .as {
        details.append((keyword, key))
        if keyword == .as { tagForm = reader.tagForm(at: value) } else { isOptional = reader.flag(at: value) }
        return
      }
      reader.choose(keyword, at: key, as: &form)
      if keyword != .map {
        found = reader.token(at: value).map {
          keyword == .service ? .service($0, isOptional: nil, whole) : .tagged($0, form: nil, whole)
        }
      } else if reader.expectMap(at: value, like: #"{ "short": "console", "long": "file" }"#) {
        var entries: [Reference.Entry] = []
        for key in reader.document.keys(of: value) {
          entries.append(Reference.Entry(key: reader.document.text(of: key), reference: reader.reference(in: key + 1)))
        }
        found = .map(entries, reader.reference(value), whole: whole)
      }
    }
    if !shape.mentions(anyOf: [.service, .tagged, .map]) {
      report(
        .missing("\"service\", \"tagged\" or \"map\"", "the reference", subject: "form", at: keyOrNode(node)))
    }
    for (keyword, key) in details where form != nil {
      let owner: Keyword = keyword == .optional ? .service : .tagged
      if shape.mentions(owner) { continue }
      report(.hasNoEffect(keyword.text, "is allowed only with \"\(owner.text)\"", at: reference(key)))
    }
    switch found {
    case .service(let token, _, let node)?: return .service(token, isOptional: isOptional, node)
    case .tagged(let token, _, let node)?: return .tagged(token, form: tagForm, node)
    default: return found
    }
  }

  /// Reads the value of `as` in a tagged reference. Reports an unknown word.
  private mutating func tagForm(at node: UInt32) -> Token? {
    guard let token = token(at: node) else { return nil }
    let word = names[token.name]
    if word != "list", word != "map" { report(.unknownWord(word, allowed: ["list", "map"], at: token.node)) }
    return token
  }
}
