// SPDX-License-Identifier: Apache-2.0

/// Checks the argument keys of each holder against its type: none is unknown, missing or in the wrong section.
struct ArgumentCheck {
  private let graph: WiringGraph
  /// The keys of the types for which an unknown key was found. Built on first use.
  private var keys: [ObjectIdentifier: ArgumentKeys] = [:]

  /// Creates a check of a graph whose types are known.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  ///
  /// - Complexity: Linear in the arguments of all holders and in the findings. Stops when the bag is full of errors.
  mutating func run(_ bag: inout DiagnosticBag) {
    // For each argument index of a type, the number of the last holder that gave the argument, plus 1; negative if it
    // gave only an optional reference to an absent service, which does not supply the argument.
    var givers: [Int] = []
    for (holderNumber, holder) in graph.holders.enumerated() where !bag.isFull {
      guard let type = holder.argumentType else { continue }
      let missing = type.descriptor.arguments.count - givers.count
      if missing > 0 { givers.append(contentsOf: repeatElement(0, count: missing)) }
      var hasUnknown = false
      for injection in holder.injections {
        if !injection.isAutowired, !type.receives(injection.argument, asReference: true) { hasUnknown = true }
        guard let argument = injection.argument else { continue }
        givers[argument] = if case .absent = injection.reference { -holderNumber - 1 } else { holderNumber + 1 }
      }
      for value in holder.values {
        let argument = type.place(of: value.name)
        if !type.receives(argument, asReference: false) { hasUnknown = true }
        if let argument { givers[argument] = holderNumber + 1 }
      }
      let suggested = hasUnknown ? reportInvalidKeys(of: holder, type, &bag) : []
      // A template may omit arguments, because the services that extend it can supply them.
      if case .template = holder.kind { continue }
      for argument in type.required where givers[argument] != holderNumber + 1 {
        guard !bag.isFull else { return }
        let descriptor = type.descriptor.arguments[argument]
        // One mistake gives one finding: that of the unknown key for which the missing one is suggested.
        if suggested.contains(descriptor.key) { continue }
        bag.report(
          .missingArgument(holder, descriptor, type.name, isAbsent: givers[argument] == -holderNumber - 1))
      }
    }
  }

  /// Reports the keys that the type does not have, or that are in the wrong section. Returns the suggested keys.
  private mutating func reportInvalidKeys(
    of holder: Holder, _ type: RegisteredType, _ bag: inout DiagnosticBag
  ) -> Set<String> {
    // A key that the files give already must not be suggested for another one.
    let written = holder.injections.filter { !$0.isAutowired }
    let given = Set(written.map(\.key) + holder.values.map { graph.definition.names[$0.name] })
    var suggested: Set<String> = []
    for injection in written where !type.receives(injection.argument, asReference: true) {
      suggested.formUnion(
        reportInvalidKey(
          injection.key, injection.argument, isReference: true, at: injection.node, type, holder, given, &bag))
    }
    for value in holder.values {
      let argument = type.place(of: value.name)
      guard !type.receives(argument, asReference: false) else { continue }
      let key = graph.definition.names[value.name]
      suggested.formUnion(
        reportInvalidKey(key, argument, isReference: false, at: value.key, type, holder, given, &bag))
    }
    return suggested
  }

  /// Reports a key that the type does not have, or that is in the wrong section. `argument` is the index in the type.
  /// Returns the keys that it suggests.
  private mutating func reportInvalidKey(
    _ key: String, _ argument: Int?, isReference: Bool, at node: NodeRef, _ type: RegisteredType, _ holder: Holder,
    _ given: Set<String>, _ bag: inout DiagnosticBag
  ) -> [String] {
    guard let argument else {
      let known = keys[ObjectIdentifier(type)] ?? ArgumentKeys(of: type)
      keys[ObjectIdentifier(type)] = known
      let (near, help) = known.nearest(to: key, besides: given)
      let fitting = near.filter { type.receives(known.places[$0], asReference: isReference) }
      let shown = fitting.isEmpty ? near : fitting
      var finding = Finding.unknownArgument(holder, key, type, at: node)
      finding.suggest(shown, isRepairable: !fitting.isEmpty, orElse: help)
      if fitting.isEmpty, !near.isEmpty {
        finding.help = finding.help.map { "\($0.dropLast()) under \"\(isReference ? "values" : "inject")\"?" }
      }
      bag.report(finding)
      return shown
    }
    let kind = type.kinds[argument]
    switch kind {
    case .value: if isReference { bag.report(.referenceForDatum(holder, key, at: node)) }
    case .service: if !isReference { bag.report(.datumForReference(holder, key, at: node)) }
    case .runtime, .scope, .resolver: bag.report(.argumentOfLookUp(holder, key, type, kind, at: node))
    case .decorated:
      // For services and templates, `DecoratorCheck` reports the type itself.
      if case .decorator = holder.kind { bag.report(.decoratedGiven(holder, key, at: node)) }
    }
    return []
  }
}

/// The keys of a type's arguments that files can set, for suggestions.
private struct ArgumentKeys {
  /// The index of each argument, by its key.
  let places: [String: Int]
  /// The search index over the keys.
  private let index: SuggestionIndex
  /// The help text to show if no key is similar.
  private let help: String

  /// Collects the keys of a type.
  init(of type: RegisteredType) {
    let arguments = type.descriptor.arguments
    places = Dictionary(zip(arguments.map(\.key), arguments.indices)) { first, _ in first }
    let keys = arguments.filter(\.isGivenByFile).map(\.key)
    index = SuggestionIndex(keys)
    help = keys.isEmpty ? "a file cannot set any argument of this type" : "its arguments: \(keys.quotedList)"
  }

  /// Returns the keys similar to an unknown one, except those already given, and the help text for no result.
  func nearest(to key: String, besides given: Set<String>) -> (near: [String], help: String) {
    (index.suggestions(for: key).filter { !given.contains($0) }, help)
  }
}

extension ArgumentDescriptor {
  /// Whether a file can set the argument.
  fileprivate var isGivenByFile: Bool {
    switch kind {
    case .value, .service: true
    case .decorated, .runtime, .scope, .resolver: false
    }
  }
}

extension DiagnosticBag {
  /// Whether the bag counts further errors without storing them.
  fileprivate var isFull: Bool { truncated.errors > 0 }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for an argument that the type does not have.
  fileprivate static func unknownArgument(
    _ holder: Holder, _ key: String, _ type: RegisteredType, at node: NodeRef
  ) -> Finding {
    Finding(
      .unknownArgument, "\(holder.inWords): type \"\(type.name)\" has no argument \"\(key)\"", at: node,
      owner: holder.id)
  }

  /// Returns the finding for an argument that only a look-up or the container supplies.
  fileprivate static func argumentOfLookUp(
    _ holder: Holder, _ key: String, _ type: RegisteredType, _ kind: ArgumentDescriptor.Kind, at node: NodeRef
  ) -> Finding {
    let note =
      if case .runtime = kind {
        "\"\(key)\" is a run-time argument, which the look-up passes"
      } else {
        "the container passes \"\(key)\" by itself"
      }
    return Finding(
      .unknownArgument, "\(holder.inWords): argument \"\(key)\" of type \"\(type.name)\" cannot be set in a file",
      at: node, notes: [note], owner: holder.id)
  }

  /// Returns the finding for a required argument that a service does not supply.
  ///
  /// - Parameter isAbsent: Whether it has an optional reference to a service that does not exist.
  fileprivate static func missingArgument(
    _ holder: Holder, _ argument: ArgumentDescriptor, _ type: String, isAbsent: Bool
  ) -> Finding {
    let section = if case .value = argument.kind { "values" } else { "inject" }
    return Finding(
      .missingArgument, "\(holder.inWords) is missing argument \"\(argument.key)\", which type \"\(type)\" requires",
      at: holder.place,
      help: isAbsent
        ? "the service of its optional reference does not exist; define it, or reference another one"
        : "add \"\(argument.key)\" to \"\(section)\"",
      subject: argument.key)
  }

  /// Returns the finding for a service reference in an argument that takes a value.
  fileprivate static func referenceForDatum(_ holder: Holder, _ key: String, at node: NodeRef) -> Finding {
    Finding(
      .wrongArgumentKind, "argument \"\(key)\" of \(holder.inWords) expects a value, found a service reference",
      at: node, help: "move it to \"values\"", owner: holder.id)
  }

  /// Returns the finding for a value in an argument that takes a service reference.
  fileprivate static func datumForReference(_ holder: Holder, _ key: String, at node: NodeRef) -> Finding {
    Finding(
      .wrongArgumentKind, "argument \"\(key)\" of \(holder.inWords) expects a service reference, found a value",
      at: node, help: "move it to \"inject\"", owner: holder.id)
  }

  /// Returns the finding for a value or reference in the decorated argument of a decorator.
  fileprivate static func decoratedGiven(_ holder: Holder, _ key: String, at node: NodeRef) -> Finding {
    Finding(
      .wrongArgumentKind, "argument \"\(key)\" of \(holder.inWords) is the decorated argument, which cannot be set",
      at: node, help: "remove it; the decorator receives the service that it wraps")
  }
}
