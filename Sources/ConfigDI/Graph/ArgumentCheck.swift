// SPDX-License-Identifier: Apache-2.0

/// Checks the argument keys of every service against those of its type: unknown, of the wrong kind, missing.
struct ArgumentCheck {
  private let graph: WiringGraph
  /// The keys of the types of which something unknown was asked.
  private var keys: [ObjectIdentifier: ArgumentKeys] = [:]

  /// A check of a graph whose types are known.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  ///
  /// - Complexity: linear in what holders give, and in the findings; it ends where the bag is full.
  mutating func run(_ bag: inout DiagnosticBag) {
    // For each argument of a type the holder that gave it last, from 1.
    var givers: [Int] = []
    for (holderNumber, holder) in graph.holders.enumerated() where !bag.isFull {
      guard let type = holder.argumentType else { continue }
      let missing = type.descriptor.arguments.count - givers.count
      if missing > 0 { givers.append(contentsOf: repeatElement(0, count: missing)) }
      var hasUnknown = false
      for injection in holder.injections {
        if !injection.isAutowired, !type.receives(injection.argument, asReference: true) { hasUnknown = true }
        // An absent optional reference gives nothing.
        if case .absent = injection.reference { continue }
        if let argument = injection.argument { givers[argument] = holderNumber + 1 }
      }
      for value in holder.values {
        let argument = type.place(of: value.name)
        if !type.receives(argument, asReference: false) { hasUnknown = true }
        if let argument { givers[argument] = holderNumber + 1 }
      }
      // An argument that is suggested for an unknown key is not missing as well: its key is misspelt.
      var suggested: Set<String> = []
      if hasUnknown { tellKeys(of: holder, type, suggesting: &suggested, &bag) }
      // Nothing is missing in a template: the services that extend it may give it.
      if case .template = holder.kind { continue }
      for place in type.required where givers[place] != holderNumber + 1 {
        guard !bag.isFull else { return }
        let argument = type.descriptor.arguments[place]
        if !suggested.contains(argument.key) { bag.report(.missingArgument(holder, argument, type.name)) }
      }
    }
  }

  /// Reports the keys that the type does not have, or that are in the wrong map, and notes those that are suggested instead.
  private mutating func tellKeys(
    of holder: Holder, _ type: RegisteredType, suggesting suggested: inout Set<String>, _ bag: inout DiagnosticBag
  ) {
    // A key that is given already is no suggestion for another one.
    let given = Set(holder.injections.map(\.key) + holder.values.map { graph.definition.names[$0.name] })
    for injection in holder.injections
    where !injection.isAutowired && !type.receives(injection.argument, asReference: true) {
      suggested.formUnion(
        tellKey(injection.key, injection.argument, isReference: true, at: injection.node, type, holder, given, &bag))
    }
    for value in holder.values {
      let argument = type.place(of: value.name)
      guard !type.receives(argument, asReference: false) else { continue }
      let key = graph.definition.names[value.name]
      suggested.formUnion(
        tellKey(key, argument, isReference: false, at: value.key, type, holder, given, &bag))
    }
  }

  /// Reports a key that the type does not have, or that is in the wrong map; `argument` is the place in the type. Returns
  /// the keys that are suggested instead.
  private mutating func tellKey(
    _ key: String, _ argument: Int?, isReference: Bool, at node: NodeRef, _ type: RegisteredType, _ holder: Holder,
    _ given: Set<String>, _ bag: inout DiagnosticBag
  ) -> [String] {
    guard let argument else {
      let known = keys[ObjectIdentifier(type)] ?? ArgumentKeys(of: type)
      keys[ObjectIdentifier(type)] = known
      let (near, help) = known.nearest(to: key, besides: given)
      bag.report(.unknownArgument(holder, key, type, near: near, orElse: help, at: node))
      return near
    }
    switch type.roles[argument] {
    case .value: if isReference { bag.report(.referenceForDatum(holder, key, at: node)) }
    case .service: if !isReference { bag.report(.datumForReference(holder, key, at: node)) }
    case .runtime, .container: bag.report(.argumentOfLookUp(holder, key, type, type.roles[argument], at: node))
    case .decorated:
      // That a service or template has such an argument is reported at its type.
      if case .decorator = holder.kind { bag.report(.decoratedGiven(holder, key, at: node)) }
    }
    return []
  }
}

/// The keys that files may give for a type's arguments.
private struct ArgumentKeys {
  /// The keys in the order that makes near ones quick to find.
  private let index: SuggestionIndex
  /// What to say where none comes near.
  private let help: String

  /// The keys of a type.
  init(of type: RegisteredType) {
    let keys = type.descriptor.arguments.filter(\.isGivenByFile).map(\.key)
    index = SuggestionIndex(keys)
    help = keys.isEmpty ? "a file cannot set any argument of this type" : "its arguments: \(keys.quotedList)"
  }

  /// The keys that come near to one that the type does not have, without those that are given, and what to say where
  /// there are none.
  func nearest(to key: String, besides given: Set<String>) -> (near: [String], help: String) {
    (index.suggestions(for: key).filter { !given.contains($0) }, help)
  }
}

extension ArgumentDescriptor {
  /// Whether a file may give something for the argument.
  fileprivate var isGivenByFile: Bool {
    switch kind {
    case .value, .service: true
    case .decorated, .runtime, .scope, .resolver: false
    }
  }
}

extension DiagnosticBag {
  /// Whether further findings would only be counted.
  fileprivate var isFull: Bool { findings.count >= DiagnosticBag.greatestCount }
}

// MARK: - Messages

extension Finding {
  /// An argument that the type does not have.
  fileprivate static func unknownArgument(
    _ holder: Holder, _ key: String, _ type: RegisteredType, near: [String], orElse help: String, at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .unknownArgument, "\(holder.inWords): type \"\(type.name)\" has no argument \"\(key)\"", at: node,
      owner: holder.id)
    finding.suggest(near, orElse: help)
    return finding
  }

  /// An argument that only a look-up or the container gives.
  fileprivate static func argumentOfLookUp(
    _ holder: Holder, _ key: String, _ type: RegisteredType, _ role: ArgumentRole, at node: NodeRef
  ) -> Finding {
    let note =
      if case .runtime = role {
        "\"\(key)\" is a run-time argument, which the look-up passes"
      } else {
        "the container passes \"\(key)\" by itself"
      }
    return Finding(
      .unknownArgument, "\(holder.inWords): argument \"\(key)\" of type \"\(type.name)\" cannot be set in a file",
      at: node, notes: [note], owner: holder.id)
  }

  /// A required argument that a service does not give.
  fileprivate static func missingArgument(
    _ holder: Holder, _ argument: ArgumentDescriptor, _ type: String
  ) -> Finding {
    let section = if case .value = argument.kind { "values" } else { "inject" }
    return Finding(
      .missingArgument, "\(holder.inWords) is missing argument \"\(argument.key)\", which type \"\(type)\" requires",
      at: holder.place, help: "add \"\(argument.key)\" to \"\(section)\"", subject: argument.key)
  }

  /// A reference where the argument wants a datum.
  fileprivate static func referenceForDatum(_ holder: Holder, _ key: String, at node: NodeRef) -> Finding {
    Finding(
      .wrongArgumentKind, "argument \"\(key)\" of \(holder.inWords) expects a value, found a service reference",
      at: node, help: "move it to \"values\"", owner: holder.id)
  }

  /// A datum where the argument wants a reference.
  fileprivate static func datumForReference(_ holder: Holder, _ key: String, at node: NodeRef) -> Finding {
    Finding(
      .wrongArgumentKind, "argument \"\(key)\" of \(holder.inWords) expects a service reference, found a value",
      at: node, help: "move it to \"inject\"", owner: holder.id)
  }

  /// Something for the argument that receives what a decorator wraps.
  fileprivate static func decoratedGiven(_ holder: Holder, _ key: String, at node: NodeRef) -> Finding {
    Finding(
      .wrongArgumentKind, "argument \"\(key)\" of \(holder.inWords) is the decorated argument, which cannot be set",
      at: node, help: "remove it; the decorator receives the service that it wraps")
  }
}
