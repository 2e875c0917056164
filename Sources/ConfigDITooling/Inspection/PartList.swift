// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// The parts of one entry with the tokens that decided them, whose locations are looked up together.
struct PartList {
  /// The composed module.
  let definition: ModuleDefinition
  /// The parts.
  var parts: [Part] = []
  /// The parameters by name.
  let parameters: [Name: ComposedParameter]
  /// The values of placeholders, for earlier data of a part.
  var expansion: Expansion
  /// Whether the entry is a template, whose own tokens define it.
  var isTemplate = false
  /// The name that masks the literals of a parameter. `nil` if they are shown, and for other entries.
  var maskingName: String?

  /// A part of an entry.
  struct Part {
    /// The path within the entry.
    let path: String
    /// The token that decided the part.
    var node: NodeRef
    /// The value of the part.
    let value: Value
    /// How the earlier tokens are shown.
    let form: Form
    /// The parameters that the token names in placeholders or conditions.
    var placeholders: [Name] = []
    /// The parameter whose value the part is, or `nil`.
    var parameter: ComposedParameter?
    /// The parameter whose source the part is, or `nil`.
    var owner: Name?
    /// The value for comparisons, with secrets; never shown. `nil` if it is the same as `value`.
    var compared: ComparedValue?
    /// The earlier tokens, the latest first. `nil` if they are those of the history.
    var before: [NodeRef]?
  }

  /// How an earlier token of a part is shown.
  enum Form {
    /// As written in the file.
    case written
    /// As a datum, with placeholders expanded.
    case datum
    /// As a mask, because it is a secret of a parameter.
    case masked(String)
    /// As a fixed value.
    case fixed(Value)
    /// As the list of the decorators' types.
    case decorators
    /// As a condition, with the values that it compares with secrets masked.
    case condition
    /// As the name of a source. A token that does not name a source is left out.
    case source(TextSource.Kind)
  }

  /// Creates a list without parts.
  init(_ definition: ModuleDefinition) {
    self.definition = definition
    expansion = Expansion(names: definition.names, limits: Limits())
    for parameter in definition.parameters { expansion.define(parameter.name, as: parameter.value) }
    parameters = Dictionary(definition.parameters.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Removes all parts, and the mask.
  mutating func reset() {
    parts = []
    maskingName = nil
  }

  /// Adds a part without placeholders, unless `part` is `nil`.
  mutating func add(_ path: String, _ part: (node: NodeRef, value: Value)?) { add(path, part, .written) }

  /// Adds a part, unless `part` is `nil`.
  private mutating func add(
    _ path: String, _ part: (node: NodeRef, value: Value)?, _ form: Form, _ placeholders: [Name] = [],
    compared: ComparedValue? = nil
  ) {
    guard let part else { return }
    parts.append(
      Part(
        path: path, node: part.node, value: part.value, form: form, placeholders: placeholders, compared: compared))
  }

  /// Adds the `doc` of an entry.
  ///
  /// Composition ignores `doc`, so it is read from the files, in the order of composition. The last file that has one
  /// wins. A file that removes or replaces the entry ends those before.
  ///
  /// - Complexity: linear in the number of entries of the section in all files.
  mutating func addDoc(of name: Name, in section: Section) {
    let id = definition.names[name]
    var tokens: [NodeRef] = []
    for file in definition.fileOrder {
      let document = definition.documents[file]
      for verb in [nil, Keyword.remove, .replace, .override] {
        guard let entries = document.node(at: (verb.map { [$0.text] } ?? []) + [section.rawValue]) else { continue }
        if verb == .remove {
          if document.elements(of: entries).contains(where: { document.text(of: $0) == id }) { tokens = [] }
          continue
        }
        guard let entry = document.node(at: [id], below: entries) else { continue }
        if verb == .replace { tokens = [] }
        if let doc = document.node(at: [Keyword.doc.text], below: entry), document[doc].kind == .string {
          tokens.insert(document.reference(doc), at: 0)
        }
      }
    }
    guard let token = tokens.first else { return }
    var part = Part(
      path: Keyword.doc.text, node: token, value: .string(definition.documents.text(of: token)), form: .written)
    part.before = Array(tokens.dropFirst())
    parts.append(part)
  }

  /// Adds a condition in its printed form.
  mutating func add(_ condition: Condition, shown: Value) {
    let compared = ComparedValue(condition.written(definition.names))
    var names: [Name] = []
    for (parameter, _) in condition.comparisons where !names.contains(parameter.name) { names.append(parameter.name) }
    // An earlier condition may compare the same secrets.
    add("when", (condition.node, shown), .condition, names, compared: compared)
  }

  /// Adds the parts of a parameter.
  mutating func add(_ parameter: ComposedParameter) {
    let declaration = parameter.declaration
    let secret = parameter.maskingName(definition.names)
    maskingName = secret
    func form(_ other: Form = .written) -> Form { secret.map(Form.masked) ?? other }
    if declaration.source != nil {
      parts.append(valuePart(of: parameter))
    }
    add("type", declaration.typeNode.map { ($0, .string(parameter.type.rawValue)) })
    switch declaration.source {
    case .text(let source)?: add(source, at: source.kind.rawValue, of: parameter)
    case .first(let sources, _)?:
      for (place, source) in sources.enumerated() {
        add(source, at: "sources[\(place)].\(source.kind.rawValue)", of: parameter)
      }
    case .value?, nil: break
    }
    func shown(_ value: Value) -> Value { secret.map { .string("<secret \($0)>") } ?? value }
    func addLiteral(_ path: String, _ node: NodeRef?, _ value: Value?) {
      guard let node, let value else { return }
      add(path, (node, shown(value)), form(), compared: ComparedValue(value))
    }
    addLiteral("default", declaration.fallback?.node, declaration.fallback?.value)
    addLiteral("oneOf", declaration.allowed?.node, declaration.allowed.map { .list($0.values.map(\.value)) })
    addLiteral("min", declaration.least?.node, declaration.least?.value)
    addLiteral("max", declaration.greatest?.node, declaration.greatest?.value)
    add("secret", declaration.isSecret.map { ($0.node, .boolean($0.value)) })
    add("deprecated", declaration.deprecated.map { ($0.node, .string(definition.names[$0.name])) })
  }

  /// Adds the name of a source of a parameter.
  private mutating func add(_ source: TextSource, at path: String, of parameter: ComposedParameter) {
    parts.append(
      Part(
        path: path, node: source.node, value: .string(source.name), form: .source(source.kind), owner: parameter.name))
  }

  /// Returns the value of a parameter as a part.
  func valuePart(of parameter: ComposedParameter) -> Part {
    var part = Part(
      path: "value", node: parameter.origin, value: parameter.value.printed.sorted,
      form: parameter.maskingName(definition.names).map(Form.masked) ?? .datum)
    parameter.declaration.source?.literal?.forEachPlaceholder { name, _ in
      if !part.placeholders.contains(name) { part.placeholders.append(name) }
    }
    part.parameter = parameter
    part.owner = parameter.name
    part.compared = ComparedValue(parameter.value, declared: parameter.declaration.source?.literal)
    return cut([part], by: definition.history.removals(of: parameter.name, in: .parameters))[0]
  }

  /// Adds the parts of a service, except its condition.
  mutating func addService(_ place: Int, of module: ResolvedModule) {
    add(definition.services[place].declaration)
    add(module.graph.holders[place], at: "", module)
    for (number, decorator) in module.graph.decorators(of: place).enumerated() {
      add("decorate[\(number)].type", decorator.typeToken.map { ($0.node, .string(decorator.typeName)) })
      add(decorator, at: "decorate[\(number)].", module)
    }
  }

  /// Adds the parts of a service or template, except its arguments and decorators.
  mutating func add(_ declaration: ServiceDeclaration) {
    let names = definition.names
    if !isTemplate { add("extends", declaration.extends.map { ($0.node, .string(names[$0.name])) }) }
    add("type", declaration.type.map { ($0.node, .string(names[$0.name])) })
    add(
      "provides",
      declaration.provides.map { change in
        (change.node, .list(Set(change.appended.map { names[$0.name] }).ascending.map(Value.string)))
      })
    add("scope", declaration.scope.map { ($0.node, .string(names[$0.name])) })
    add("eager", declaration.isEager.map { ($0.node, .boolean($0.value)) })
    add("private", declaration.isPrivate.map { ($0.node, .boolean($0.value)) })
    add("autowire", declaration.isAutowired.map { ($0.node, .boolean($0.value)) })
    add("deprecated", declaration.deprecated.map { ($0.node, .string(names[$0.name])) })
    if let decorators = declaration.decorators,
      decorators.appended.isEmpty || !definition.history.tokens(before: decorators.node).isEmpty
    {
      add("decorate", (decorators.node, .list(decorators.appended.map { .string(names[$0.type.name]) })), .decorators)
    }
    for tag in declaration.tags {
      let path = "tags" + PartList.step(names[tag.name.name])
      add(path + ".order", tag.order.map { ($0.node, .integer($0.value)) })
      add(path + ".key", tag.key.map { ($0.node, .string(names[$0.name])) })
      if tag.order == nil, tag.key == nil { add(path, (tag.name.node, .map([])), .fixed(.map([]))) }
    }
  }

  /// Adds the arguments of a service or a decorator that files declare.
  private mutating func add(_ holder: Holder, at prefix: String, _ module: ResolvedModule) {
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

  /// Adds a datum: each entry of a map as a part, any other datum as one part.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func add(_ value: Datum, _ datum: Datum, at path: String) {
    guard case .map(let values) = value.content, value.secrets.isEmpty, !values.isEmpty,
      case .map(let entries) = datum.content, entries.count == values.count
    else {
      var names: [Name] = []
      datum.forEachPlaceholder { name, _ in if !names.contains(name) { names.append(name) } }
      let (setting, compared) = (setting(in: datum), ComparedValue(value, declared: datum))
      add(path, (setting ?? datum.node, value.printed.sorted), .datum, names, compared: compared)
      if let setting, setting != datum.node {
        parts[parts.count - 1].before = [datum.node] + definition.history.tokens(before: datum.node)
      }
      return
    }
    for (entry, value) in zip(entries, values) {
      add(value.value, entry.value, at: path + PartList.step(entry.key))
    }
  }

  /// Returns the token with which a setting of the caller has changed a datum or a part of it; `nil` if none has.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func setting(in datum: Datum) -> NodeRef? {
    if datum.node.file == definition.settings.document.file { return datum.node }
    return datum.parts.lazy.compactMap { setting(in: $0) }.first
  }

  /// Adds the arguments of a template: references as written, data with placeholders expanded.
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

  /// Returns a key as a step of a path, with its leading dot.
  static func step(_ key: String) -> String { PathStep.path("", appending: key) }
}

extension ComposedParameter {
  /// Returns the name that masks the literals of the parameter, or `nil` if they are shown.
  fileprivate func maskingName(_ names: NameTable) -> String? {
    isSecret || !value.allSecrets.isEmpty ? names[name] : nil
  }
}

extension Document {
  /// Returns the node at a path of keys below a node, by default the root; `nil` if there is none.
  fileprivate func node(at path: [String], below node: UInt32 = 0) -> UInt32? {
    guard !nodes.isEmpty else { return nil }
    var node = node
    for step in path {
      guard let key = keys(of: node).first(where: { text(of: $0) == step }) else { return nil }
      node = key + 1
    }
    return node
  }
}
