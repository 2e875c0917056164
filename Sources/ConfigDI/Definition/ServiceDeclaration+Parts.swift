// SPDX-License-Identifier: Apache-2.0

// MARK: - Tags

extension ShapeReader {
  /// Reads the tags of a service, each name once. The value is a list of names, or a map from names to tag options.
  mutating func tags(in node: UInt32) -> [TagDeclaration] {
    switch document[node].kind {
    case .list:
      var tags: [TagDeclaration] = []
      var seen: Set<Name> = []
      for name in tokens(in: node, .id) where seen.insert(name.name).inserted {
        tags.append(TagDeclaration(name: name, node: name.node))
      }
      return tags
    case .map:
      return document.keys(of: node).map { key in
        checkName(at: key, .id)
        return tag(at: key)
      }
    default:
      reportKind(of: node, wanted: "a list of tags or a map")
      return []
    }
  }

  /// Reads one tag of a map, given its key.
  private mutating func tag(at key: UInt32) -> TagDeclaration {
    var tag = TagDeclaration(name: Token(name: name(of: key), node: reference(key)), node: reference(key + 1))
    readMap(key + 1, allowing: Keyword.tagKeys) { reader, keyword, _, value in
      if keyword == .key {
        tag.key = reader.token(at: value)
      } else if reader.expect(.integer, at: value) {
        tag.order = ScalarToken(value: reader.document[value].payload, node: reader.reference(value))
      }
    }
    return tag
  }
}

extension ShapeReader {
  /// Reads the tag declarations of the top level. A malformed declaration still declares its tag.
  mutating func tagDeclarations(in node: UInt32) -> [Token] {
    guard expectMap(at: node, like: #"{ "health": {} }"#) else { return [] }
    return document.keys(of: node).map { key in
      checkName(at: key, .id)
      readMap(key + 1, allowing: Keyword.tagDeclarationKeys) { _, _, _, _ in }
      return Token(name: name(of: key), node: reference(key))
    }
  }
}

// MARK: - Decorators

extension ShapeReader {
  /// Reads the decorators of a service, innermost first.
  mutating func decorators(in node: UInt32) -> [DecoratorDeclaration] {
    guard expect(.list, at: node) else { return [] }
    return document.elements(of: node).compactMap { decorator(at: $0) }
  }

  /// Reads one decorator. Reports one without a valid type, and gives it an empty type's name, so that its arguments
  /// still count as use. Returns `nil` for a value that is not a map.
  private mutating func decorator(at node: UInt32) -> DecoratorDeclaration? {
    var type: Token?
    var arguments = ArgumentDeclarations()
    let shape = readMap(node, allowing: Keyword.decoratorKeys) { reader, keyword, _, value in
      switch keyword {
      case .type: type = reader.token(at: value, .type)
      case .inject: arguments.inject = reader.injections(in: value)
      default: arguments.values = reader.values(in: value)
      }
    }
    guard document[node].kind == .map else { return nil }
    require(.type, in: shape, of: node, "the decorator")
    reportDuplicateArguments(of: arguments)
    let place = reference(node)
    let typeOrNone = type ?? Token(name: names.name(""), node: place)
    return DecoratorDeclaration(node: place, type: typeOrNone, arguments: arguments)
  }
}
