// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// The parts of one thing with the tokens that decided them, to be found in the files together.
struct PartList {
  /// The composed module.
  private let definition: ModuleDefinition
  /// The parts.
  private var parts: [Part] = []
  /// What placeholders stand for, for data that stood somewhere before.
  private var expansion: Expansion
  /// Whether the thing is a template, whose own tokens define it.
  var isTemplate = false
  /// The parameter whose literals are not shown, or nil.
  var secret: String?

  /// One part.
  private struct Part {
    /// Its path inside of the thing.
    let path: String
    /// The token that decided it.
    let node: NodeRef
    /// What stands there.
    let value: Value
    /// Whether it is a datum, in which placeholders are expanded.
    let isDatum: Bool
  }

  /// No parts.
  init(_ definition: ModuleDefinition) {
    self.definition = definition
    expansion = Expansion(names: definition.names, limits: Limits())
    for parameter in definition.parameters { expansion.define(parameter.name, as: parameter.value) }
  }

  /// Adds a part, if there is one.
  mutating func add(_ path: String, _ part: (node: NodeRef, value: Value)?, isDatum: Bool = false) {
    guard let part else { return }
    parts.append(Part(path: path, node: part.node, value: part.value, isDatum: isDatum))
  }

  /// Adds what a service or template says of itself, its arguments and decorators excepted.
  mutating func add(_ declaration: ServiceDeclaration) {
    let names = definition.names
    add("type", declaration.type.map { ($0.node, .string(names[$0.name])) })
    add(
      "provides",
      declaration.provides.map { change in
        (change.node, .list(Set(change.appended.map { names[$0.name] }).ascending.map(Value.string)))
      })
    add("scope", declaration.scope.map { ($0.node, .string(names[$0.name])) })
    add("eager", declaration.isEager.map { ($0.node, .boolean($0.value)) })
    add("private", declaration.isPrivate.map { ($0.node, .boolean($0.value)) })
    for tag in declaration.tags {
      let path = "tags" + PartList.step(names[tag.name.name])
      add(path + ".order", tag.order.map { ($0.node, .integer($0.value)) })
      add(path + ".key", tag.key.map { ($0.node, .string(names[$0.name])) })
      if tag.order == nil, tag.key == nil { add(path, (tag.name.node, .map([]))) }
    }
  }

  /// Adds the arguments of a service or a decorator that files name.
  mutating func add(_ holder: Holder, at prefix: String, _ module: ResolvedModule) {
    let places = Dictionary(holder.inject.map { ($0.key, $0.content.node) }) { first, _ in first }
    for injection in holder.injections where !injection.isAutowired {
      guard let value = module.printed(injection.reference), let node = places[injection.node] else { continue }
      add(prefix + "inject" + PartList.step(injection.key), (node, value))
    }
    let data = Dictionary(holder.declaredValues.map { ($0.name, $0.content) }) { first, _ in first }
    for argument in holder.values {
      guard let datum = data[argument.name] else { continue }
      add(argument.content, datum, at: prefix + "values" + PartList.step(definition.names[argument.name]))
    }
  }

  /// Adds a datum: a map key by key, everything else whole.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func add(_ value: Datum, _ datum: Datum, at path: String) {
    guard case .map(let values) = value.content, value.secrets.isEmpty, !values.isEmpty,
      case .map(let entries) = datum.content, entries.count == values.count
    else { return add(path, (datum.node, value.printed.sorted), isDatum: true) }
    for (entry, value) in zip(entries, values) {
      add(value.value, entry.value, at: path + PartList.step(entry.key))
    }
  }

  /// Adds the arguments of a template as they are written, data with their placeholders expanded.
  mutating func addWritten(_ arguments: ArgumentDeclarations) {
    for argument in arguments.inject {
      let path = "inject" + PartList.step(definition.names[argument.name])
      add(path, (argument.content.node, argument.content.written(definition.names)))
    }
    for argument in arguments.values {
      var silent = DiagnosticBag()
      let value = expansion.expand(argument.content, of: "", into: &silent)
      add(value, argument.content, at: "values" + PartList.step(definition.names[argument.name]))
    }
  }

  /// A step of a path, with the dot in front of it.
  static func step(_ key: String) -> String {
    if PathStep.isPlain(key.utf8) { return "." + key }
    var path: [UInt8] = []
    PathStep.appendQuoted(key.utf8, to: &path)
    return String(decoding: path, as: UTF8.self)
  }
}

// MARK: - Decisions

extension PartList {
  /// Who decided each part, ascending by path.
  mutating func decisions() -> [Explanation.Decision] {
    let chains = parts.map { [$0.node] + definition.history.tokens(before: $0.node) }
    let settings = definition.settings.document.file
    let all = chains.joined().filter { $0.file != settings }.map { Place.node($0) }
    let places = ResolvedPlaces(of: all, and: [], in: definition.documents.documents)
    var decisions: [Explanation.Decision] = []
    for (part, chain) in zip(parts, chains) {
      var before: [Explanation.Decision] = []
      for node in chain.dropFirst() {
        before.append(decision(part.path, older(node, isDatum: part.isDatum), node, places))
      }
      decisions.append(decision(part.path, part.value, chain[0], places, before: before))
    }
    return decisions.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// What a token says that no longer decides.
  private mutating func older(_ node: NodeRef, isDatum: Bool) -> Value {
    if let secret { return .string("<secret \(secret)>") }
    guard isDatum else { return definition.documents.value(at: node)?.sorted ?? .map([]) }
    var silent = DiagnosticBag()
    var names = definition.names
    let datum = Datum(node.node, of: definition.documents[node.file], names: &names)
    return expansion.expand(datum, of: "", into: &silent).printed.sorted
  }

  /// The decision of one token.
  private func decision(
    _ path: String, _ value: Value, _ node: NodeRef, _ places: ResolvedPlaces, before: [Explanation.Decision] = []
  ) -> Explanation.Decision {
    let isSet = node.file == definition.settings.document.file
    return Explanation.Decision(
      path: path, value: value, verb: isSet ? .set : verb(of: places.path(of: .node(node))),
      location: places.location(of: isSet ? .commandLine(path: "") : .node(node)), before: before)
  }

  /// How the token at a path of its file came to decide.
  private func verb(of path: String) -> Explanation.Verb {
    let isInTemplate = ["templates", "override.templates", "replace.templates"].contains {
      path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[")
    }
    if isInTemplate, !isTemplate { return .template }
    if path.hasPrefix("override.") { return .override }
    return path.hasPrefix("replace.") ? .replace : .define
  }
}
