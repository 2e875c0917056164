// SPDX-License-Identifier: Apache-2.0

/// Whether an entry is a definition or changes an earlier one.
enum EntryRole {
  /// An entry of a plain section or under `replace`.
  case defining
  /// An entry under `override`.
  case overriding
}

extension ShapeReader {
  /// Reads the entries of one section.
  mutating func readSection(
    _ section: Keyword, in node: UInt32, as role: EntryRole, into sections: inout Sections
  ) {
    switch section {
    case .parameters:
      sections.parameters = entries(in: node, .id, like: #"{ "port": 8080 }"#) { $0.parameter(at: $1, as: role) }
    case .templates:
      sections.templates = entries(in: node, .id, like: #"{ "base": { "type": "ConsoleLogger" } }"#) {
        $0.template(at: $1, as: role)
      }
    case .services:
      var isExtending = false
      sections.services = entries(in: node, .id, like: #"{ "logger": { "type": "ConsoleLogger" } }"#) { reader, node in
        let service = reader.service(at: node, as: role)
        if service.extends != nil { isExtending = true }
        return service
      }
      sections.hasExtendingService = isExtending
    case .aliases:
      sections.aliases = entries(in: node, .id, like: #"{ "log": "logger" }"#) { $0.target(at: $1) }
    case .bindings:
      sections.bindings = entries(in: node, .type, like: #"{ "Logger": "logger" }"#) { $0.target(at: $1) }
    default:
      break
    }
  }

  /// Reads a map from ids to entries. An entry with an invalid id is reported, but still read.
  private mutating func entries<Body>(
    in node: UInt32, _ grammar: NameGrammar, like example: @autoclosure () -> String,
    _ read: (inout ShapeReader, UInt32) -> Body
  ) -> [Declaration<Body>] {
    guard expectMap(at: node, like: example()) else { return [] }
    var entries: [Declaration<Body>] = []
    entries.reserveCapacity(Int(document[node].payload))
    for key in document.keys(of: node) {
      let name = name(of: key)
      var (declaration, isMalformed) = readPart { reader in
        reader.checkName(at: key, grammar)
        return Declaration(
          name: name, key: reader.reference(key), isMalformed: false, body: read(&reader, key + 1))
      }
      declaration.isMalformed = isMalformed
      entries.append(declaration)
    }
    return entries
  }

  /// Reads the id that an alias or binding refers to. Reports a value that is not a string.
  private mutating func target(at node: UInt32) -> Token {
    token(at: node) ?? Token(name: names.name(""), node: reference(node))
  }

  /// Reads the sections under `override` or `replace`. Returns whether each key is known and each section is a map.
  mutating func readVerb(in node: UInt32, as role: EntryRole, into sections: inout Sections) -> Bool {
    var isWhole = isWholeMap(node)
    let shape = readMap(node, allowing: Keyword.sections) { reader, keyword, _, value in
      isWhole = isWhole && reader.isWholeMap(value)
      reader.readSection(keyword, in: value, as: role, into: &sections)
    }
    return isWhole && shape.suggested.isEmpty
  }

  /// Reads the ids under `remove`. Returns whether each key is known.
  mutating func readRemovals(in node: UInt32, into removals: inout [Removal]) -> Bool {
    let shape = readMap(node, allowing: Keyword.sections) { reader, keyword, _, value in
      guard let section = Section(rawValue: keyword.text) else { return }
      removals += reader.tokens(in: value).map { Removal(section: section, id: $0) }
    }
    return isWholeMap(node) && shape.suggested.isEmpty
  }

  /// Returns whether a node is a map whose entries could all be read.
  func isWholeMap(_ node: UInt32) -> Bool { document[node].kind == .map && !document[node].isPartial }
}
