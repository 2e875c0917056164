// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension PartList {
  /// Returns the decision about each part, ascending by path.
  mutating func decisions() -> [Explanation.Decision] { resolved(removedFrom: []).decisions }

  /// Returns the decision about each part, and the removals from an entry still in effect, both ascending by path.
  mutating func resolved(
    removedFrom name: Name, in section: Section
  ) -> (decisions: [Explanation.Decision], removals: [Explanation.Removal]) {
    resolved(removedFrom: definition.history.removals(of: name, in: section))
  }

  /// Returns the removal of a whole entry.
  static func removal(_ removal: History.Removal, in definition: ModuleDefinition) -> Explanation.Removal {
    let list = PartList(definition)
    return list.removal(removal, list.places(of: [removal.old, removal.remover]), showing: { _ in .map([]) })
  }

  private mutating func resolved(
    removedFrom all: [History.Removal]
  ) -> (decisions: [Explanation.Decision], removals: [Explanation.Removal]) {
    parts = cut(parts, by: all)
    let links = reachableParameters()
    let removals = removals(all, missingIn: parts).filter { !$0.path.isEmpty }
    let places = places(
      of: parts.flatMap(tokens(of:)) + links.flatMap { tokens(of: valuePart(of: $0)) }
        + removals.flatMap(tokens(of:)))
    var decisions: [Explanation.Decision] = []
    for part in parts { decisions.append(decision(of: part, places)) }
    return (decisions.ascending(by: \.path), shown(removals, places))
  }

  /// Returns the removals whose part was not defined again, ascending by path. Only the last one of each path counts.
  func removals(_ all: [History.Removal], missingIn parts: [Part]) -> [History.Removal] {
    guard !all.isEmpty else { return [] }
    var present: Set<NodeRef> = []
    for part in parts { present.formUnion(tokens(of: part)) }
    var latest: [String: History.Removal] = [:]
    for removal in all where !removal.isPartial && !present.contains(removal.old) { latest[removal.path] = removal }
    return latest.values.ascending(by: \.path)
  }

  /// Returns removals in their printed form.
  mutating func shown(_ removals: [History.Removal], _ places: ResolvedPlaces) -> [Explanation.Removal] {
    var shown: [Explanation.Removal] = []
    for removal in removals {
      // The value of a removed entry is not shown: a later file may declare it as secret.
      let form = removal.path.isEmpty ? nil : removedForm(of: removal.path)
      shown.append(
        self.removal(removal, places) { token in form.flatMap { earlierValue(token, $0, nil, places) } ?? .map([]) })
    }
    return shown
  }
}

// MARK: - Tokens

extension PartList {
  /// Returns parts of an entry, those that lost something inside them as decided by the token that last removed it.
  ///
  /// - Complexity: linear in the number of parts and removals.
  func cut(_ parts: [Part], by removals: [History.Removal]) -> [Part] {
    let cutters = Dictionary(removals.lazy.filter(\.isPartial).map { ($0.old, $0.remover) }) { _, last in last }
    guard !cutters.isEmpty else { return parts }
    return parts.map { part in
      guard let cutter = cutters[part.node] else { return part }
      var part = part
      part.before = [part.node] + tokensBefore(part)
      part.node = cutter
      return part
    }
  }

  /// Returns the tokens of a part: the one that decided it, the earlier ones, and those of the source.
  func tokens(of part: Part) -> [NodeRef] {
    [part.node] + tokensBefore(part) + (part.parameter?.declaration.source?.nodes ?? [])
  }

  /// Returns the tokens of a removal.
  func tokens(of removal: History.Removal) -> [NodeRef] {
    [removal.remover, removal.old] + definition.history.tokens(before: removal.old)
  }

  /// Returns the earlier tokens of a part, the latest first. If a default is used in place of a source, the earlier
  /// tokens of the source are included.
  private func tokensBefore(_ part: Part) -> [NodeRef] {
    if let before = part.before { return before }
    let before = definition.history.tokens(before: part.node)
    guard let source = part.parameter?.declaration.source, source.node != part.node else { return before }
    return before + definition.history.tokens(before: source.node)
  }

  /// Returns the parameters that the parts name, directly or through other parameters.
  private func reachableParameters() -> [ComposedParameter] {
    var seen: Set<Name> = []
    var pending = parts.flatMap(\.placeholders)
    var found: [ComposedParameter] = []
    while let name = pending.popLast() {
      guard seen.insert(name).inserted, let parameter = parameters[name] else { continue }
      found.append(parameter)
      pending += valuePart(of: parameter).placeholders
    }
    return found
  }

  /// Returns the locations of tokens.
  func places(of tokens: [NodeRef]) -> ResolvedPlaces {
    let settings = definition.settings.document.file
    return ResolvedPlaces(
      of: tokens.filter { $0.file != settings }.map { Place.node($0) }, and: [],
      in: definition.documents.documents)
  }

  /// Returns the location of a token. A setting of the caller has no location in a file.
  private func location(of node: NodeRef, _ places: ResolvedPlaces) -> Diagnostic.Location {
    let isSet = node.file == definition.settings.document.file
    return places.location(of: isSet ? .commandLine(path: "") : .node(node))
  }
}

// MARK: - Decisions

extension PartList {
  /// Returns the decision about a part, with its earlier values and the parameters that give its value.
  mutating func decision(of part: Part, _ places: ResolvedPlaces) -> Explanation.Decision {
    var seen: Set<Name> = []
    return decision(of: part, places, &seen, depth: 0)
  }

  /// The greatest number of parameters that are shown below one another.
  private static var depthOfOrigins: Int { 32 }

  /// Returns the decision about a part. The origins of a parameter in `seen` are not repeated.
  ///
  /// Recursive: the depth is that of the parameters that use one another, at most `depthOfOrigins`.
  private mutating func decision(
    of part: Part, _ places: ResolvedPlaces, _ seen: inout Set<Name>, depth: Int
  ) -> Explanation.Decision {
    var before: [Explanation.Decision] = []
    for node in tokensBefore(part) {
      guard let value = earlierValue(node, part.form, part.owner, places) else { continue }
      before.append(decision(part.path, value, node, places))
    }
    var decision = decision(part.path, part.value, part.node, places, before: before)
    decision.source = part.parameter.flatMap { source(of: $0, places) }
    for name in part.placeholders {
      guard let parameter = parameters[name] else { continue }
      var link = valuePart(of: parameter)
      if depth + 1 == Self.depthOfOrigins || !seen.insert(name).inserted { link.placeholders = [] }
      var origin = self.decision(of: link, places, &seen, depth: depth + 1)
      origin.parameter = definition.names[name]
      decision.from.append(origin)
    }
    return decision
  }

  /// Returns the source that a parameter reads outside the module, or `nil` if it has none.
  private func source(of parameter: ComposedParameter, _ places: ResolvedPlaces) -> Explanation.Source? {
    let texts = parameter.declaration.source?.texts ?? []
    // Of several sources, the one that gave the value; if none did, the first.
    guard let source = texts.first(where: { $0.node == parameter.origin }) ?? texts.first else { return nil }
    let isDefault = parameter.origin != source.node
    let isUnset = if case .unset = parameter.value.content { true } else { false }
    let isSet = !isDefault && !isUnset
    let others = isSet ? [] : texts.dropFirst().map { "\($0.kind.inWords) \($0.name)" }
    return Explanation.Source(
      kind: source.kind, name: source.name, others: others, isSet: isSet,
      hasDefault: parameter.declaration.fallback != nil, location: location(of: source.node, places))
  }

  /// Returns the printed value of an earlier token, or `nil` if it does not belong to the part.
  private mutating func earlierValue(_ node: NodeRef, _ form: Form, _ parameter: Name?, _ places: ResolvedPlaces)
    -> Value?
  {
    let written = definition.documents.value(at: node)?.sorted
    if let parameter, let kind = sourceKind(of: node, parameter, places) {
      if case .source(let own) = form, own == kind { return written }
      return .map([Value.Entry(key: kind.rawValue, value: written ?? .map([]))])
    }
    switch form {
    case .written: return written ?? .map([])
    case .masked(let secret): return .string("<secret \(secret)>")
    case .fixed(let value): return value
    case .source: return nil
    case .decorators: return written?.decoratorTypes ?? .map([])
    case .condition: return written.map(masked) ?? .map([])
    case .datum:
      var silent = DiagnosticBag()
      var names = definition.names
      let datum = Datum(node.node, of: definition.documents[node.file], names: &names)
      return expansion.expand(datum, of: "", into: &silent).printed.sorted
    }
  }

  /// Returns how a removed part is shown.
  private func removedForm(of path: String) -> Form {
    if let maskingName, ["value", "default", "oneOf", "min", "max"].contains(path) { return .masked(maskingName) }
    // The path of a decorator's part is that of a service's part behind `decorate[0].`.
    let part = path.hasPrefix("decorate[") ? path.drop { $0 != "]" }.dropFirst(2) : path[...]
    switch part.prefix(while: { $0 != "." && $0 != "[" }) {
    case "", "decorate": return .decorators
    case "when": return .condition
    case "value", "values": return .datum
    default: return .written
    }
  }

  /// Returns the kind of source that a token of a parameter names, or `nil` if it names none.
  private func sourceKind(
    of node: NodeRef, _ parameter: Name, _ places: ResolvedPlaces
  ) -> TextSource.Kind? {
    guard node.file != definition.settings.document.file else { return nil }
    let path = places.path(of: .node(node))
    let entry = PathStep.path("parameters", appending: definition.names[parameter])
    for verb in ["", "override.", "replace."] {
      let beginning = verb + entry + "."
      guard path.utf8.starts(with: beginning.utf8) else { continue }
      // One of several sources has a path such as `sources[0].env`.
      let steps = path.utf8.dropFirst(beginning.utf8.count).split(separator: UInt8(ascii: "."))
      guard steps.count == 1 || (steps.count == 2 && steps[0].starts(with: "sources[".utf8)) else { continue }
      return steps.last.flatMap { TextSource.Kind(rawValue: String(Substring($0))) }
    }
    return nil
  }

  /// Returns a condition as a file writes it, with the values that it compares with secrets masked.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func masked(_ condition: Value) -> Value {
    switch condition {
    case .list(let elements): return .list(elements.map(masked))
    case .map(let entries):
      let id = condition.member("parameter")?.text
      let parameter = id.flatMap { definition.names.existingName($0) }.flatMap { parameters[$0] }
      return .map(
        entries.map { entry in
          guard entry.key == "equals", id != nil else { return Value.Entry(key: entry.key, value: masked(entry.value)) }
          let isShown = parameter.map { $0.value.allSecrets.isEmpty && !$0.isSecret } ?? false
          return Value.Entry(key: entry.key, value: isShown ? entry.value : .string("<secret \(id ?? "")>"))
        })
    default: return condition
    }
  }

  /// Returns the decision of one token.
  private func decision(
    _ path: String, _ value: Value, _ node: NodeRef, _ places: ResolvedPlaces, before: [Explanation.Decision] = []
  ) -> Explanation.Decision {
    Explanation.Decision(
      path: path, value: value, verb: verb(of: node, places),
      location: location(of: node, places), before: before)
  }

  /// Returns a removal in its printed form. `value` returns the printed value of an earlier token.
  private func removal(
    _ removal: History.Removal, _ places: ResolvedPlaces, showing value: (NodeRef) -> Value
  ) -> Explanation.Removal {
    let before = [removal.old] + definition.history.tokens(before: removal.old)
    return Explanation.Removal(
      path: removal.path, verb: verb(of: removal.remover, places),
      location: location(of: removal.remover, places),
      before: before.map { decision(removal.path, value($0), $0, places) })
  }

  /// Returns the verb for a token with a path in its file.
  private func verb(of node: NodeRef, _ places: ResolvedPlaces) -> Explanation.Verb {
    if node.file == definition.settings.document.file { return .set }
    let path = places.path(of: .node(node))
    let isInTemplate = ["templates", "override.templates", "replace.templates"].contains {
      path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[")
    }
    if isInTemplate, !isTemplate { return .template }
    if path.hasPrefix("override.") { return .override }
    if path.hasPrefix("remove.") { return .remove }
    return path.hasPrefix("replace.") ? .replace : .define
  }
}

extension ParameterDeclaration.Source {
  /// The token of the source, and the tokens of everything that it reads outside the module.
  fileprivate var nodes: [NodeRef] { [node] + texts.map(\.node) }
}

extension Value {
  /// The types of decorators: of one, of a list, or of a map that extends a list.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate var decoratorTypes: Value {
    if let type = member("type") { return type }
    switch self {
    case .list(let elements): return .list(elements.map(\.decoratorTypes))
    case .map(let entries): return .map(entries.map { Entry(key: $0.key, value: $0.value.decoratorTypes) })
    default: return self
    }
  }
}
