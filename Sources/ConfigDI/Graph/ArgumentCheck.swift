// SPDX-License-Identifier: Apache-2.0

/// Checks the argument keys of every service against those of its type: unknown, of the wrong kind, missing.
struct ArgumentCheck {
  /// The graph.
  let graph: WiringGraph

  /// A check of a graph whose types are known.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    for (place, service) in graph.definition.services.enumerated() where !service.isMisshapen {
      guard let type = graph.type(of: place) else { continue }
      for injection in graph.injections[place] {
        let key = graph.definition.names[injection.name]
        checkKey(key, isReference: true, at: injection.key, type, graph.id(of: place), &bag)
      }
      for value in service.values {
        let key = graph.definition.names[value.name]
        checkKey(key, isReference: false, at: value.key, type, graph.id(of: place), &bag)
      }
      guard type.arguments.contains(where: \.isRequired) else { continue }
      let given = given(by: place)
      for argument in type.arguments where argument.isRequired {
        if let name = graph.definition.names.existingName(argument.key), given.contains(name) { continue }
        bag.report(.missingArgument(graph.id(of: place), argument, type.name, at: service.key))
      }
    }
  }

  /// The argument keys for which a service gives something; an absent optional reference gives nothing.
  private func given(by place: Int) -> Set<Name> {
    var names = Set(graph.definition.services[place].values.map(\.name))
    for injection in graph.injections[place] {
      if case .absent = injection.reference { continue }
      names.insert(injection.name)
    }
    return names
  }

  /// Tells a key that the type does not have, or that stands in the wrong map.
  private func checkKey(
    _ key: String, isReference: Bool, at node: NodeRef, _ type: TypeDescriptor, _ service: String,
    _ bag: inout DiagnosticBag
  ) {
    guard let argument = type.argument(key) else {
      bag.report(.unknownArgument(service, key, type, at: node))
      return
    }
    switch argument.kind {
    case .value where isReference: bag.report(.referenceForDatum(service, key, at: node))
    case .service where !isReference: bag.report(.datumForReference(service, key, at: node))
    case .decorated, .runtime: bag.report(.unknownArgument(service, key, type, at: node))
    case .value, .service: break
    }
  }
}

extension TypeDescriptor {
  /// The argument of a key, or nil. Keys are compared by Unicode scalars.
  func argument(_ key: String) -> ArgumentDescriptor? {
    arguments.first { $0.key.utf8.elementsEqual(key.utf8) }
  }
}

extension ArgumentDescriptor {
  /// Whether a file must give something for the argument.
  fileprivate var isRequired: Bool {
    switch kind {
    case .value(.optional): false
    case .value, .service: !isOptional && !hasDefault
    case .decorated, .runtime: false
    }
  }
}

// MARK: - Messages

extension Finding {
  /// An argument that the type does not have.
  fileprivate static func unknownArgument(
    _ service: String, _ key: String, _ type: TypeDescriptor, at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .unknownArgument,
      "service \"\(service)\" gives the argument \"\(key)\", which type \"\(type.name)\" does not have",
      at: node)
    if case .runtime? = type.argument(key)?.kind {
      finding.notes = ["\"\(key)\" is a run-time argument, which the look-up brings along"]
      return finding
    }
    let keys = type.arguments.map(\.key)
    finding.suggest(
      suggestions(for: key, among: keys),
      orElse: keys.isEmpty ? "\"\(type.name)\" has no arguments" : "its arguments are \(keys.quotedList)")
    return finding
  }

  /// A required argument that a service does not give.
  fileprivate static func missingArgument(
    _ service: String, _ argument: ArgumentDescriptor, _ type: String, at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .missingArgument, "service \"\(service)\" lacks the argument \"\(argument.key)\" of type \"\(type)\"", at: node)
    if case .value = argument.kind {
      finding.help = "add \"\(argument.key)\" to \"values\""
    } else {
      finding.help = "add \"\(argument.key)\" to \"inject\""
    }
    finding.subject = argument.key
    return finding
  }

  /// A reference where the argument wants a datum.
  fileprivate static func referenceForDatum(_ service: String, _ key: String, at node: NodeRef) -> Finding {
    var finding = Finding(
      .wrongArgumentKind, "the argument \"\(key)\" of service \"\(service)\" wants a datum, not a reference", at: node)
    finding.help = "move it to \"values\""
    return finding
  }

  /// A datum where the argument wants a reference.
  fileprivate static func datumForReference(_ service: String, _ key: String, at node: NodeRef) -> Finding {
    var finding = Finding(
      .wrongArgumentKind, "the argument \"\(key)\" of service \"\(service)\" wants a service, not a datum", at: node)
    finding.help = "move it to \"inject\""
    return finding
  }
}
