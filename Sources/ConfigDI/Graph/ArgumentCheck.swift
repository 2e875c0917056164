// SPDX-License-Identifier: Apache-2.0

/// Checks the argument keys of every service against those of its type: unknown, of the wrong kind, missing.
struct ArgumentCheck {
  /// The graph.
  let graph: WiringGraph

  /// A check of a graph whose types are known.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    for holder in graph.holders {
      guard let type = holder.argumentType else { continue }
      for injection in holder.injections where !injection.isAutowired {
        checkKey(injection.key, isReference: true, at: injection.node, type, holder, &bag)
      }
      for value in holder.values {
        checkKey(graph.definition.names[value.name], isReference: false, at: value.key, type, holder, &bag)
      }
      if case .template = holder.kind { continue }
      guard type.arguments.contains(where: \.isRequired) else { continue }
      let given = given(by: holder)
      for argument in type.arguments where argument.isRequired && !given.contains(Array(argument.key.utf8)) {
        bag.report(.missingArgument(holder, argument, type.name))
      }
    }
  }

  /// The argument keys for which a holder gives something, in UTF-8; an absent optional reference gives nothing.
  private func given(by holder: Holder) -> Set<[UInt8]> {
    var keys = Set(holder.values.map { Array(graph.definition.names[$0.name].utf8) })
    for injection in holder.injections {
      if case .absent = injection.reference { continue }
      keys.insert(Array(injection.key.utf8))
    }
    return keys
  }

  /// Tells a key that the type does not have, or that stands in the wrong map.
  private func checkKey(
    _ key: String, isReference: Bool, at node: NodeRef, _ type: TypeDescriptor, _ holder: Holder,
    _ bag: inout DiagnosticBag
  ) {
    guard let argument = type.argument(key) else {
      return bag.report(.unknownArgument(holder, key, type, at: node))
    }
    switch argument.kind {
    case .value where isReference: bag.report(.referenceForDatum(holder, key, at: node))
    case .service where !isReference: bag.report(.datumForReference(holder, key, at: node))
    case .runtime: bag.report(.unknownArgument(holder, key, type, at: node))
    case .decorated:
      // That a service or template has such an argument is told at its type.
      if case .decorator = holder.kind { bag.report(.decoratedGiven(holder, key, at: node)) }
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
    _ holder: Holder, _ key: String, _ type: TypeDescriptor, at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .unknownArgument,
      "\(holder.inWords) gives the argument \"\(key)\", which type \"\(type.name)\" does not have",
      at: node)
    finding.owner = holder.id
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
    _ holder: Holder, _ argument: ArgumentDescriptor, _ type: String
  ) -> Finding {
    var finding = Finding(
      .missingArgument, "\(holder.inWords) lacks the argument \"\(argument.key)\", which type \"\(type)\" requires",
      at: holder.place)
    if case .value = argument.kind {
      finding.help = "add \"\(argument.key)\" to \"values\""
    } else {
      finding.help = "add \"\(argument.key)\" to \"inject\""
    }
    finding.subject = argument.key
    return finding
  }

  /// A reference where the argument wants a datum.
  fileprivate static func referenceForDatum(_ holder: Holder, _ key: String, at node: NodeRef) -> Finding {
    var finding = Finding(
      .wrongArgumentKind, "the argument \"\(key)\" of \(holder.inWords) wants a datum, not a reference", at: node)
    finding.owner = holder.id
    finding.help = "move it to \"values\""
    return finding
  }

  /// A datum where the argument wants a reference.
  fileprivate static func datumForReference(_ holder: Holder, _ key: String, at node: NodeRef) -> Finding {
    var finding = Finding(
      .wrongArgumentKind, "the argument \"\(key)\" of \(holder.inWords) wants a service, not a datum", at: node)
    finding.owner = holder.id
    finding.help = "move it to \"inject\""
    return finding
  }

  /// Something for the argument that receives what a decorator wraps.
  fileprivate static func decoratedGiven(_ holder: Holder, _ key: String, at node: NodeRef) -> Finding {
    var finding = Finding(
      .wrongArgumentKind, "the argument \"\(key)\" of \(holder.inWords) receives what it wraps", at: node)
    finding.help = "remove it: the file does not give it"
    return finding
  }
}
