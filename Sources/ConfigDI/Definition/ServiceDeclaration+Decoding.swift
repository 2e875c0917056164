// SPDX-License-Identifier: Apache-2.0

extension Keyword {
  /// The keys of a service.
  private static let serviceKeys: [Keyword] = [
    .type, .provides, .scope, .inject, .values, .eager, .private, .deprecated,
  ]

  /// The keys of a service under `override`.
  private static let serviceOverrideKeys = serviceKeys + [.unset]

  /// The keys of a service in either role.
  fileprivate static func serviceKeys(as role: EntryRole) -> [Keyword] {
    role == .defining ? serviceKeys : serviceOverrideKeys
  }
}

extension ShapeReader {
  /// Reads one service.
  mutating func service(at node: UInt32, as role: EntryRole) -> ServiceDeclaration {
    var service = ServiceDeclaration()
    let shape = readMap(node, allowing: Keyword.serviceKeys(as: role)) { reader, keyword, key, value in
      switch keyword {
      case .type: service.type = reader.token(at: value, .type)
      case .provides: service.provides = reader.provides(at: value, as: role)
      case .scope: service.scope = reader.token(at: value)
      case .inject: service.inject = reader.injections(in: value)
      case .values: service.values = reader.argumentValues(in: value)
      case .eager:
        service.isEager = reader.flag(at: value)
        service.eagerKey = reader.reference(key)
      case .private: service.isPrivate = reader.flag(at: value)
      case .deprecated: service.deprecated = reader.token(at: value)
      case .unset: service.unset = reader.unsetPaths(in: value)
      default: break
      }
    }
    if role == .defining, document[node].kind == .map {
      require(.type, in: shape, of: node, "service \"\(document.text(of: node - 1))\"")
    }
    tellSharedKeys(of: service)
    return service
  }

  /// Tells every argument key that stands in `inject` and in `values`, at the later of the two.
  private mutating func tellSharedKeys(of service: ServiceDeclaration) {
    guard !service.inject.isEmpty, !service.values.isEmpty else { return }
    var injected: [Name: NodeRef] = [:]
    for injection in service.inject { injected[injection.name] = injection.key }
    for value in service.values {
      guard let other = injected[value.name] else { continue }
      let (later, earlier) = value.key.node > other.node ? (value.key, other) : (other, value.key)
      report(.injectedAndGiven(names[value.name], at: later, earlier))
    }
  }

  /// The paths under `unset`.
  mutating func unsetPaths(in node: UInt32) -> [Token] {
    guard expect(.list, at: node) else { return [] }
    var paths: [Token] = []
    for element in document.elements(of: node) {
      if let path = token(at: element) { paths.append(path) }
    }
    return paths
  }

  /// The provided names: a list or, under `override`, what extends the old one.
  private mutating func provides(at node: UInt32, as role: EntryRole) -> ListChange<Token> {
    guard role == .overriding, document[node].kind == .map else {
      return ListChange(node: reference(node), replaces: true, appended: names(in: node, .type))
    }
    var change = ListChange<Token>(node: reference(node), replaces: false)
    let shape = readMap(node, allowing: [.append, .prepend]) { reader, keyword, _, value in
      if keyword == .append {
        change.appended = reader.names(in: value, .type)
      } else {
        change.prepended = reader.names(in: value, .type)
      }
    }
    requireForm(in: shape, of: node, "\"append\" or \"prepend\"", "a change of a list")
    return change
  }

  /// Tells a map that has none of the keys that would say what it is.
  mutating func requireForm(in shape: MapShape, of node: UInt32, _ forms: String, _ owner: String) {
    guard shape.present.allSatisfy({ $0 == .doc }), shape.suggested.isEmpty else { return }
    report(.missing(forms, owner, subject: "", at: placeNaming(node)))
  }

  /// The data of `values`. What stands below a key is data of any shape.
  private mutating func argumentValues(in node: UInt32) -> [ArgumentValue] {
    guard expect(.map, at: node) else { return [] }
    var values: [ArgumentValue] = []
    values.reserveCapacity(Int(document[node].payload))
    for key in document.keys(of: node) {
      checkArgumentKey(key)
      checkReadable(key + 1)
      values.append(ArgumentValue(name: name(of: key), key: reference(key), datum: .node(reference(key + 1))))
    }
    return values
  }

  /// Tells an argument key without a character.
  mutating func checkArgumentKey(_ key: UInt32) {
    if document.withText(of: key, { $0.isEmpty }) { report(.emptyArgumentKey(at: reference(key))) }
  }

  /// Notes values that could not be read, anywhere below a node, and tells dates.
  mutating func checkReadable(_ node: UInt32) {
    for index in node..<document[node].next {
      switch document[index].kind {
      case .invalid: isMisshapen = true
      case .date: report(.wrongKind(wanted: "a datum", found: "a date", at: reference(index)))
      default: break
      }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// An argument that is given twice, as a reference and as a datum.
  fileprivate static func injectedAndGiven(_ name: String, at node: NodeRef, _ other: NodeRef) -> Finding {
    var finding = Finding(.excludingKeys, "argument \"\(name)\" stands in \"inject\" and in \"values\"", at: node)
    finding.related = [Finding.Related(.node(other), "\"\(name)\" stands here as well")]
    finding.help = "an argument receives either a reference or a datum"
    return finding
  }

  /// An argument key without a character.
  fileprivate static func emptyArgumentKey(at node: NodeRef) -> Finding {
    Finding(.invalidName, "an argument's key has at least one character", at: node)
  }
}
