// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

// The parts of a module that are compared: what `resolve` prints, and the constraints of parameters and conditions.

/// The entries of a map in the form in which they are compared.
typealias ComparedEntries = [ComparedEntry]

extension ComparedEntries {
  /// The values by key. Keys are compared by bytes: they are equal if their Unicode scalars are.
  var byKey: [[UInt8]: ComparedValue] {
    Dictionary(map { ([UInt8]($0.key.utf8), $0.value) }) { first, _ in first }
  }
}

// MARK: - Services

extension ResolvedModule {
  /// The services by id, ascending.
  var comparedServices: ComparedEntries {
    let secrets = secretsInParameters
    return graph.definition.services.indices.map { ComparedEntry(graph.id(of: $0), comparedService($0, secrets)) }
  }

  /// Returns a service with all keys, including defaults, and with its condition, its autowiring and its deprecation.
  private func comparedService(_ place: Int, _ secrets: [Name: [String]]) -> ComparedValue {
    let declaration = graph.definition.services[place].declaration
    let decorators = graph.decorators(of: place)
    var entries: ComparedEntries = service(place).entries.map { part in
      switch (part.key, part.value) {
      case ("values", _): return ComparedEntry(part.key, comparedValues(of: graph.holders[place]))
      case ("decorate", .list(let parts)):
        return ComparedEntry(part.key, .list(zip(parts, decorators).map { comparedDecorator($0, $1) }))
      default: return ComparedEntry(part.key, ComparedValue(part.value))
      }
    }
    if let condition = declaration.condition { entries.append(ComparedEntry("when", compared(condition, secrets))) }
    if graph.definition.services[place].isAutowired { entries.append(ComparedEntry("autowire", ComparedValue(true))) }
    if let deprecated = declaration.deprecated {
      entries.append(ComparedEntry("deprecated", ComparedValue(.string(text(deprecated.name)))))
    }
    return .map(entries)
  }

  /// Returns a decorator in its printed form, with its values in the form for comparison.
  private func comparedDecorator(_ printed: Value, _ holder: Holder) -> ComparedValue {
    .map(
      printed.entries.map {
        ComparedEntry($0.key, $0.key == "values" ? comparedValues(of: holder) : ComparedValue($0.value))
      })
  }

  /// Returns the values of a service or a decorator.
  private func comparedValues(of holder: Holder) -> ComparedValue {
    let declared = Dictionary(holder.declaredValues.map { ($0.name, $0.content) }) { first, _ in first }
    return .map(
      holder.values.map {
        ComparedEntry(text($0.name), ComparedValue($0.content, declared: declared[$0.name], foreign: foreignSecrets))
      })
  }

  /// Returns a condition as one value.
  private func compared(_ condition: Condition, _ secrets: [Name: [String]]) -> ComparedValue {
    let found = condition.comparisons.compactMap { secrets[$0.parameter.name] }
    return .leaf(
      ComparedLeaf(
        shown: printed(condition, secrets), real: condition.written(graph.definition.names), isSecret: !found.isEmpty,
        isForeign: found.contains { !foreignSecrets.isDisjoint(with: $0) }))
  }
}

// MARK: - Conditions

extension ResolvedModule {
  /// The names of the secrets in the value of each parameter that contains any.
  var secretsInParameters: [Name: [String]] {
    var secrets: [Name: [String]] = [:]
    for parameter in graph.definition.parameters {
      let found = parameter.value.allSecrets
      if !found.isEmpty { secrets[parameter.name] = found }
    }
    return secrets
  }

  /// Returns a condition as written, with the values that it compares with secrets masked. `secrets` are those of each
  /// parameter.
  func printed(_ condition: Condition, _ secrets: [Name: [String]]) -> Value {
    condition.written(graph.definition.names) { name, literal in
      secrets[name].map { .string("<secret \($0.joined(separator: ", "))>") } ?? literal
    }
  }
}

// MARK: - Parameters

extension ResolvedModule {
  /// The parameters by id, ascending, with their values and constraints.
  var comparedParameters: ComparedEntries {
    graph.definition.parameters.map { ComparedEntry(text($0.name), compared($0)) }
  }

  /// Returns a parameter: its value and each part of its declaration.
  private func compared(_ parameter: ComposedParameter) -> ComparedValue {
    let id = text(parameter.name)
    let declaration = parameter.declaration
    let value = ComparedValue(parameter.value, declared: declaration.source?.literal, foreign: foreignSecrets)
    var entries: ComparedEntries = [
      ComparedEntry("value", value),
      ComparedEntry("type", ComparedValue(.string(parameter.type.rawValue))),
    ]
    func add(_ key: String, _ part: Value?) {
      guard let part else { return }
      let value =
        parameter.isSecret
        ? ComparedValue(part, maskedBy: id, isForeign: foreignSecrets.contains(id)) : ComparedValue(part)
      entries.append(ComparedEntry(key, value))
    }
    switch declaration.source {
    case .text(let source)?: entries.append(entry(of: source))
    case .first(let sources, _)?:
      entries.append(ComparedEntry("sources", .list(sources.map { .map([entry(of: $0)]) })))
    case .value?, nil: break
    }
    add("default", declaration.fallback?.value)
    add("oneOf", declaration.allowed.map { .list($0.values.map(\.value)) })
    add("min", declaration.least?.value)
    add("max", declaration.greatest?.value)
    if declaration.isSecret?.value == true { entries.append(ComparedEntry("secret", ComparedValue(true))) }
    if let deprecated = declaration.deprecated {
      entries.append(ComparedEntry("deprecated", ComparedValue(.string(text(deprecated.name)))))
    }
    return .map(entries)
  }

  /// Returns the name of a source, under the key of its kind.
  private func entry(of source: TextSource) -> ComparedEntry {
    let name = source.kind == .file ? comparedFile(source.name, source.node) : ComparedValue(.string(source.name))
    return ComparedEntry(source.kind.rawValue, name)
  }

  /// Returns the path of a file as a module file writes it. Its real form is relative to the entry module, because the
  /// same path in another folder names another file.
  private func comparedFile(_ path: String, _ node: NodeRef) -> ComparedValue {
    guard !Path.isAbsolute(path) else { return ComparedValue(.string(path)) }
    let documents = graph.definition.documents
    let folder = Path.folder(of: documents.name(of: node.file))
    let place = Path.relative(Path.join(folder, path), to: Path.folder(of: documents.name(of: FileID(0))))
    return .leaf(ComparedLeaf(shown: .string(path), real: .string(place)))
  }

  /// The parameters that only the other module declares secret.
  var foreignSecrets: Set<String> { graph.definition.foreignSecrets }
}

// MARK: - Other sections

extension ResolvedModule {
  /// Returns aliases or bindings with their services.
  func comparedTargets(_ targets: [ComposedTarget]) -> ComparedEntries {
    self.targets(targets).entries.map {
      ComparedEntry($0.key, .map([ComparedEntry("target", ComparedValue($0.value))]))
    }
  }

  /// The named scopes, each with its enclosing scope, which determines what services in it may depend on.
  var comparedScopes: ComparedEntries {
    graph.scopes.indices.map { place in
      let outer = place == 0 ? nil : ComparedEntry("outer", ComparedValue(.string(graph.scopes[place - 1])))
      return ComparedEntry(graph.scopes[place], .map(outer.map { [$0] } ?? []))
    }
  }

  /// The templates by id, ascending, as the files together declare them.
  var comparedTemplates: ComparedEntries {
    graph.definition.templates.map { ComparedEntry(text($0.name), ComparedValue(written($0.declaration))) }
  }

  /// The ids of the templates that no service uses. A difference in other templates shows in their services.
  var unusedTemplates: Set<String> {
    let templates = graph.definition.templates
    let extended = Set(graph.definition.services.compactMap { $0.declaration.extends?.name })
    let isUsed = ComposedTemplate.reached(from: extended, in: templates)
    return Set(templates.indices.lazy.filter { !isUsed[$0] }.map { text(templates[$0].name) })
  }

  /// Returns a template as the files declare it.
  private func written(_ template: ServiceDeclaration) -> Value {
    let names = graph.definition.names
    func map<Content>(_ arguments: [ArgumentDeclaration<Content>], _ written: (Content) -> Value?) -> Value? {
      arguments.isEmpty ? nil : .map(arguments.map { entry(text($0.name), written($0.content) ?? .map([])) })
    }
    return Value([
      "extends": template.extends.map { .string(text($0.name)) }, "type": template.type.map { .string(text($0.name)) },
      "provides": template.provides.map { .list($0.appended.map { .string(text($0.name)) }) },
      "scope": template.scope.map { .string(text($0.name)) },
      "inject": map(template.arguments.inject) { $0.written(names) },
      "values": map(template.arguments.values, \.written),
    ])
  }

  /// The environment variables that the module reads. Only their names are compared.
  var comparedVariables: ComparedEntries {
    graph.definition.sourceUses[.env].keys.map { ComparedEntry($0.text, .map([])) }
  }
}
