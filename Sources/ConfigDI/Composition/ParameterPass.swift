// SPDX-License-Identifier: Apache-2.0

/// The handling of a variable, file or configuration value that is missing and has no default.
package enum MissingSources: Sendable {
  /// Not an error. What depends on it is checked by its declared type.
  case tolerated
  /// An error.
  case refused
}

/// A parameter after composition.
package struct ComposedParameter: Sendable {
  /// The id.
  package var name: Name
  /// The key that defines the parameter.
  package var key: NodeRef
  /// Whether a file's part of the parameter has a shape error. A malformed parameter takes no part in further checks.
  package var isMalformed: Bool
  /// The value.
  package var value: Datum
  /// Whether output hides the value, because a file of the load declares this parameter secret, or another one that
  /// reads the same source.
  package var isSecret: Bool
  /// The declared type; without one, the type of the value.
  package var type: ParameterType
  /// The token that determines the value.
  package var origin: NodeRef
  /// The declaration of the parameter.
  package var declaration: ParameterDeclaration
}

/// Evaluates all parameters: reads variables and files, converts texts, expands placeholders, and checks bounds.
struct ParameterPass {
  /// The parameters with their values, ascending by id.
  private(set) var parameters: [ComposedParameter] = []
  /// The variables, files and configuration values that the parameters read.
  var uses = SourceUses()
  /// The finding for each parameter without a value. It is an error only if a condition depends on the parameter.
  var missing: [Name: Finding] = [:]
  /// The expansion of placeholders by the values.
  private(set) var expansion: Expansion
  /// The findings.
  var bag = DiagnosticBag()

  /// The parameters to evaluate, ascending by id.
  private let entries: [Declaration<ParameterDeclaration>]
  /// The names of the load.
  let names: NameTable
  /// The removals of parts of parameters.
  private let history: History
  /// The sources outside the module.
  let sources: ParameterInputs
  /// The parameters whose values no output shows.
  private var secrets: Set<Name>
  /// The types of the parameters evaluated so far, for literals that consist of a single placeholder.
  private var types: [Name: ParameterType] = [:]
  /// The content of each file that was read, by absolute path.
  var texts: [ScalarString: Result<[UInt8], FileFailure>] = [:]
  /// The configuration values that were looked up, by the token of the key.
  var configured: [NodeRef: Value?] = [:]

  /// Evaluates the parameters of a composition.
  init(_ module: MergedModule, sources: ParameterInputs) {
    names = module.names
    self.sources = sources
    let names = module.names
    entries = Array(module.parameters.ascending(by: names))
    history = module.history
    expansion = Expansion(names: names, limits: sources.limits)
    secrets = module.secretParameters
    addSecretsOfSharedSources()
    for entry in module.parameters.all where !entry.isMalformed { readSource(of: entry) }
    for place in evaluationOrder() { evaluate(entries[place]) }
    parameters.sort { names.isAscending($0.name, $1.name) }
  }
}

/// The sources of values from outside the module.
struct ParameterInputs: Sendable {
  /// The environment variables.
  let variables: EnvironmentVariables
  /// The look-up of configuration values, or `nil` if there are none.
  var configuration: ConfigurationSource.LookUp?
  /// Resolves the paths of files.
  var paths: PathResolver
  /// The identities of the sources that some file of the load gives to a secret parameter.
  var secretSources: Set<ScalarString>
  /// The limits of texts.
  var limits: Limits
  /// The handling of missing sources.
  var missing: MissingSources
  /// The document of the caller's settings.
  let settings: FileID
}

// MARK: - Evaluation order

extension ParameterPass {
  /// Returns the parameters, each after those that it refers to. Cycles are reported and left out.
  private mutating func evaluationOrder() -> [Int] {
    var places: [Name: Int] = [:]
    for (place, entry) in entries.enumerated() { places[entry.name] = place }
    var edges: [(from: Int, to: Int)] = []
    for (place, entry) in entries.enumerated() where !entry.isMalformed {
      entry.body.source?.literal?.forEachPlaceholder { name, _ in
        if let target = places[name] { edges.append((place, target)) }
      }
    }
    let graph = DirectedGraph(nodeCount: entries.count, edges: edges)
    var order: [Int] = []
    for group in graph.stronglyConnectedComponents() {
      guard graph.isCyclic(group) else {
        order += group
        continue
      }
      reportCycle(graph.shortestCycle(in: group))
      for member in group { define(entries[member], as: .broken) }
    }
    return order
  }

  /// Reports parameters that refer to one another in a cycle.
  private mutating func reportCycle(_ cycle: [Int]) {
    let ids = cycle.map { names[entries[$0].name] }
    let next = entries[cycle.count > 1 ? cycle[1] : cycle[0]].name
    var place: NodeRef?
    entries[cycle[0]].body.source?.literal?.forEachPlaceholder { if $0 == next, place == nil { place = $1 } }
    bag.report(.parameterCycle(ids + [ids[0]], at: place ?? entries[cycle[0]].key))
  }
}

// MARK: - Values

extension ParameterPass {
  /// Evaluates a parameter. Those that it refers to must have been evaluated.
  private mutating func evaluate(_ entry: Declaration<ParameterDeclaration>) {
    guard !entry.isMalformed, let source = entry.body.source else { return define(entry, as: .broken) }
    switch source {
    case .value(let datum): define(entry, as: literal(datum, of: entry))
    case .text, .first: define(entry, as: text(from: source.texts, of: entry))
    }
  }

  /// Returns whether output hides the value of a parameter.
  func isSecret(_ entry: Declaration<ParameterDeclaration>) -> Bool { secrets.contains(entry.name) }

  /// Returns the token that removed the default of a parameter, or `nil` if no default was removed.
  func remover(ofDefaultIn entry: Declaration<ParameterDeclaration>) -> NodeRef? {
    guard entry.body.fallback == nil else { return nil }
    return history.removals(of: entry.name, in: .parameters).last { $0.path == "default" }?.remover
  }

  /// Marks as secret the parameters that share a source with a secret one, because they have the same value. The secret
  /// one may have another source in this environment.
  private mutating func addSecretsOfSharedSources() {
    let texts = sources.secretSources.union(entries.filter(isSecret).flatMap { identities(of: $0.body) })
    guard !texts.isEmpty else { return }
    for entry in entries where identities(of: entry.body).contains(where: texts.contains) {
      secrets.insert(entry.name)
    }
  }

  /// Returns the identities of the sources of a parameter.
  private func identities(of parameter: ParameterDeclaration) -> [ScalarString] {
    (parameter.source?.texts ?? []).compactMap(sources.paths.identity)
  }

  /// Stores the value of a parameter.
  private mutating func define(_ entry: Declaration<ParameterDeclaration>, as content: Datum.Content) {
    define(entry, as: Datum(content, at: entry.key))
  }

  /// Stores the value of a parameter.
  private mutating func define(_ entry: Declaration<ParameterDeclaration>, as value: Datum) {
    var value = value
    if isSecret(entry) {
      let inner = value.allSecrets
      value = value.mapped { $0.secrets = inner.isEmpty ? [names[entry.name]] : inner }
    }
    expansion.define(entry.name, as: value)
    let type = type(of: entry.body, value)
    types[entry.name] = type
    parameters.append(
      ComposedParameter(
        name: entry.name, key: entry.key, isMalformed: entry.isMalformed, value: value,
        isSecret: isSecret(entry), type: type,
        origin: entry.body.source.map { $0.isText ? value.node : $0.node } ?? entry.key, declaration: entry.body))
  }

  /// Returns the type of a parameter, as printed by `resolve`.
  private func type(of parameter: ParameterDeclaration, _ value: Datum) -> ParameterType {
    if let type = parameter.type ?? typeOfOnlyPlaceholder(in: parameter) { return type }
    return parameter.source?.isText == true ? .string : value.parameterType ?? .string
  }

  /// Returns the type of the parameter whose placeholder is the whole literal of `parameter`. Returns `nil` if there is
  /// none, or if `parameter` has a declared type.
  private func typeOfOnlyPlaceholder(in parameter: ParameterDeclaration) -> ParameterType? {
    guard parameter.type == nil else { return nil }
    return parameter.source?.literal?.onlyPlaceholder.flatMap { types[$0] }
  }

  /// Returns the value of a literal: expanded, converted and checked against the bounds.
  private mutating func literal(_ datum: Datum, of entry: Declaration<ParameterDeclaration>) -> Datum {
    let (id, node) = (names[entry.name], datum.node)
    var ownBag = DiagnosticBag()
    var value = expansion.expand(datum, of: "parameter \"\(id)\"", into: &ownBag)
    for var finding in ownBag.findings {
      finding.excludedSuggestion = id
      bag.report(finding)
    }
    let declared = entry.body.type ?? typeOfOnlyPlaceholder(in: entry.body)
    guard !value.isBroken, let type = declared ?? value.parameterType else { return value }
    guard checkBoundsFit(type, of: entry.body) else {
      value.content = .broken
      return value
    }
    if case .scalar(let plain) = value.content {
      guard let converted = type.value(ofLiteral: plain) else {
        return typeMismatch(value, type, at: node)
      }
      value.content = .scalar(converted)
      checkBounds(converted, of: entry, type, at: node, into: &value)
    } else {
      guard let found = value.parameterType, type.accepts(found) else {
        return typeMismatch(value, type, at: node)
      }
      guard entry.body.hasBounds, let plain = value.value else { return value }
      checkBounds(plain, of: entry, type, at: node, into: &value)
    }
    return value
  }

  /// Reports a value that is not of the declared type, and marks it as broken.
  private mutating func typeMismatch(_ value: Datum, _ type: ParameterType, at node: NodeRef) -> Datum {
    bag.report(.typeMismatch(node, type))
    var value = value
    value.content = .broken
    return value
  }

  /// Returns whether the bounds of a parameter fit the type that it takes from another one. Reports those that do not.
  private mutating func checkBoundsFit(_ type: ParameterType, of parameter: ParameterDeclaration) -> Bool {
    guard parameter.type == nil, parameter.hasBounds else { return true }
    var typed = parameter
    typed.type = type
    let findings = typed.shapeFindings
    for finding in findings { bag.report(finding) }
    return findings.isEmpty
  }
}

extension ParameterType {
  /// Returns whether a value of which only the type is known can be a value of this type.
  func accepts(_ other: ParameterType) -> Bool {
    switch (self, other) {
    case (.json, _), (_, .json), (.double, .int), (.string, .duration), (.string, .size), (.duration, .string),
      (.size, .string):
      true
    default: self == other
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Parameters that refer to one another in a cycle.
  fileprivate static func parameterCycle(_ ids: [String], at node: NodeRef) -> Finding {
    Finding(
      .parameterCycle, "parameter cycle: \(ids.chain)", at: node, help: "make one of them refer to none of the others")
  }
}
