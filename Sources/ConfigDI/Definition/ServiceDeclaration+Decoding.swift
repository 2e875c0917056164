// SPDX-License-Identifier: Apache-2.0

extension ShapeReader {
  /// Reads one template.
  mutating func template(at node: UInt32, as role: EntryRole) -> ServiceDeclaration {
    var template = ServiceDeclaration()
    readDeclaration(at: node, as: role, allowing: Keyword.templateKeys, into: &template)
    return template
  }

  /// Reads one service.
  mutating func service(at node: UInt32, as role: EntryRole) -> ServiceDeclaration {
    var service = ServiceDeclaration()
    let shape = readDeclaration(at: node, as: role, allowing: Keyword.serviceKeys, into: &service)
    // The condition repeats that of `require`, so that the message text is built only if the finding is reported.
    if role == .defining, document[node].kind == .map, !shape.mentions(.extends), !shape.mentions(.type) {
      require(.type, in: shape, of: node, "service \"\(document.text(of: node - 1))\"")
    }
    return service
  }

  /// Reads the content of a service or template.
  @discardableResult
  private mutating func readDeclaration(
    at node: UInt32, as role: EntryRole, allowing allowed: [Keyword], into service: inout ServiceDeclaration
  ) -> MapShape {
    let keys = role == .defining ? allowed : Keyword.overriding(allowed)
    let shape = readMap(node, allowing: keys) { reader, keyword, key, value in
      switch keyword {
      case .extends: service.extends = reader.token(at: value)
      case .type: service.type = reader.token(at: value, .type)
      case .provides:
        service.provides = reader.listChange(at: value, as: role) { $0.tokens(in: $1, .type) }
      case .scope: service.scope = reader.token(at: value)
      case .inject: service.arguments.inject = reader.injections(in: value)
      case .values: service.arguments.values = reader.values(in: value)
      case .tags: service.tags = reader.tags(in: value)
      case .decorate:
        service.decorators = reader.listChange(at: value, as: role) { $0.decorators(in: $1) }
      case .when: service.condition = reader.condition(at: value)
      case .eager:
        service.isEager = reader.flag(at: value)
        service.eagerKey = reader.reference(key)
      case .private: service.isPrivate = reader.flag(at: value)
      case .autowire: service.isAutowired = reader.flag(at: value)
      case .deprecated: service.deprecated = reader.token(at: value)
      case .unset: service.unset = reader.tokens(in: value)
      case .suppress: reader.readSuppressions(in: value, ofEntry: node)
      default: break
      }
    }
    reportDuplicateArguments(of: service.arguments)
    return shape
  }

  /// Reports each argument that is in both `inject` and `values`, at the later of the two keys.
  mutating func reportDuplicateArguments(of arguments: ArgumentDeclarations) {
    guard !arguments.inject.isEmpty, !arguments.values.isEmpty else { return }
    let inject = arguments.inject
    // For few keys, comparing all pairs is faster than a hash table.
    let isFew = inject.count <= 8
    let injected = isFew ? [:] : Dictionary(inject.map { ($0.name, $0.key) }) { first, _ in first }
    for value in arguments.values {
      let found = isFew ? inject.first { $0.name == value.name }?.key : injected[value.name]
      guard let other = found else { continue }
      let (later, earlier) = value.key.node > other.node ? (value.key, other) : (other, value.key)
      report(.injectedAndGiven(names[value.name], at: later, earlier))
    }
  }

  /// Reads a list or, under `override`, a map with `append` or `prepend`. `read` reads the elements of a list.
  private mutating func listChange<Element>(
    at node: UInt32, as role: EntryRole, _ read: (inout ShapeReader, UInt32) -> [Element]
  ) -> ListChange<Element> {
    guard role == .overriding, document[node].kind == .map else {
      return ListChange(node: reference(node), replaces: true, appended: read(&self, node))
    }
    var change = ListChange<Element>(node: reference(node), replaces: false)
    let shape = readMap(node, allowing: Keyword.listChangeKeys) { reader, keyword, _, value in
      if keyword == .append {
        change.appended = read(&reader, value)
      } else {
        change.prepended = read(&reader, value)
      }
    }
    requireForm(in: shape, of: node, "\"append\" or \"prepend\"", "the change of the list")
    return change
  }

  /// Reports a map without any of the keys that select its form.
  mutating func requireForm(in shape: MapShape, of node: UInt32, _ forms: String, _ owner: String) {
    guard shape.present.isSubset(of: [.doc]), shape.suggested.isEmpty else { return }
    report(.missing(forms, owner, subject: "", at: keyOrNode(node)))
  }

  /// Reads the arguments of `inject`.
  mutating func injections(in node: UInt32) -> [ArgumentDeclaration<Reference>] {
    arguments(in: node, like: #"{ "logger": "console" }"#) { $0.reference(in: $1) }
  }

  /// Reads the arguments of `values`.
  mutating func values(in node: UInt32) -> [ArgumentDeclaration<Datum>] {
    arguments(in: node, like: #"{ "port": 8080 }"#) { reader, value in
      reader.checkDatum(value)
      return reader.datum(at: value)
    }
  }

  /// Reads a map of arguments. `read` reads the value of each key.
  private mutating func arguments<Content>(
    in node: UInt32, like example: @autoclosure () -> String,
    _ read: (_ reader: inout ShapeReader, _ value: UInt32) -> Content
  ) -> [ArgumentDeclaration<Content>] {
    guard expectMap(at: node, like: example()) else { return [] }
    var arguments: [ArgumentDeclaration<Content>] = []
    arguments.reserveCapacity(Int(document[node].payload))
    for key in document.keys(of: node) {
      if document.withText(of: key, { $0.isEmpty }) { report(.emptyArgumentKey(at: reference(key))) }
      let name = name(of: key)
      arguments.append(ArgumentDeclaration(name: name, key: reference(key), content: read(&self, key + 1)))
    }
    return arguments
  }

  /// Returns the datum at a node that was checked already.
  mutating func datum(at node: UInt32) -> Datum { Datum(node, of: document, names: &names) }

  /// Checks all nodes below a node: marks the part as malformed if a value could not be read, and reports dates, which
  /// only property lists can contain.
  private mutating func checkDatum(_ node: UInt32) {
    for index in node..<document[node].next {
      switch document[index].kind {
      case .invalid: isMalformed = true
      case .date: report(.date(at: reference(index)))
      default: break
      }
    }
  }

  /// Checks all nodes below a node as `checkDatum` does, and also reports bytes, which are allowed only in `values`.
  mutating func checkLiteral(_ node: UInt32) {
    checkDatum(node)
    for index in node..<document[node].next where document[index].kind == .data {
      reportKind(of: index, wanted: "a literal")
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a date, which only property lists can contain.
  fileprivate static func date(at node: NodeRef) -> Finding {
    Finding(.wrongKind, "a date is not allowed here", at: node, help: "write it as a string")
  }

  /// Returns the finding for an argument that is in both `inject` and `values`.
  fileprivate static func injectedAndGiven(_ name: String, at node: NodeRef, _ other: NodeRef) -> Finding {
    Finding(
      .excludingKeys, "argument \"\(name)\" is in both \"inject\" and \"values\"", at: node,
      related: [Finding.Related(.node(other), "\"\(name)\" is here as well")],
      help: "keep one of the two: \"inject\" takes service references, \"values\" takes values")
  }

  /// Returns the finding for an empty argument key.
  fileprivate static func emptyArgumentKey(at node: NodeRef) -> Finding {
    Finding(.invalidName, "an argument's key must not be empty", at: node)
  }
}
