// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension ResolvedModule {
  /// The module as a module file that can be loaded again, and that has no warnings that the module does not have.
  ///
  /// Parameters keep their sources, and data their placeholders. The file suppresses the warning about parameters that only
  /// conditions, templates or disabled services use.
  package var moduleFile: Value {
    let definition = graph.definition
    let aliases = Dictionary(
      definition.aliases.compactMap { alias in alias.service.map { (text(alias.name), $0) } }
    ) { first, _ in first }
    let services = definition.services.indices.map { entry(graph.id(of: $0), declaration($0, aliases)) }
    return Value([
      "configdi": 1, "module": .string(definition.module),
      "scopes": Value.list(graph.scopes.map(Value.string)).unlessEmpty,
      "parameters": Value.map(definition.parameters.map { entry(text($0.name), source(of: $0)) }).unlessEmpty,
      "services": Value.map(services).unlessEmpty,
      "aliases": declaredTargets(definition.aliases).unlessEmpty,
      "bindings": declaredTargets(definition.bindings).unlessEmpty,
      "tags": tagDeclarations.unlessEmpty,
      "suppress": suppressions.unlessEmpty,
    ])
  }
}

// MARK: - Suppressions

extension ResolvedModule {
  /// The suppressed codes that can still occur without layers, templates and unused parameters, each with a reason.
  private var suppressions: Value {
    let kept: Set<DiagnosticCode> = [
      .unusedService, .unusedAlias, .unusedTag, .deprecated, .ambiguousType, .looksLikeReference,
    ]
    var reasons: [DiagnosticCode: String] = [:]
    let named = namedParameters
    if !graph.definition.parameters.allSatisfy({ named.contains($0.name) }) {
      reasons[.unusedParameter] =
        "conditions, templates and disabled services, which may name a parameter, are left out"
    }
    if graph.isAmbiguousWithoutDisabledBindings {
      reasons[.ambiguousType] = "a binding leads to a service that a condition disables"
    }
    for finding in suppressed where kept.contains(finding.code) && reasons[finding.code] == nil {
      reasons[finding.code] = finding.suppression
    }
    if reasons[.deprecated] != nil || reasons[.looksLikeReference] != nil {
      reasons[.idleSuppression] = "conditions and templates, which may have a suppressed warning, are left out"
    }
    return .map(reasons.sorted { $0.key < $1.key }.map { entry($0.key.description, .string($0.value)) })
  }
}

// MARK: - Tags

extension ResolvedModule {
  /// The declared tags, and those that services have and that a reference names. References by tag are written as the
  /// services that they lead to, so without a declaration the tags would be reported as unused.
  private var tagDeclarations: Value {
    let definition = graph.definition
    var known = Set(graph.referencedTags.map(\.name))
    for template in definition.templates {
      for injection in template.declaration.arguments.inject {
        injection.content.forEachToken { known.insert($0.name) }
      }
    }
    let tagsOfServices = Set(definition.services.lazy.flatMap { $0.tags.lazy.map(\.name) })
    let written = known.intersection(tagsOfServices).union(definition.declaredTags.map(\.name))
    return .map(written.map(text).ascending.map { entry($0, .map([])) })
  }
}

// MARK: - Parameters

extension ResolvedModule {
  /// The parameters that the services use, directly or through other parameters, ascending by id.
  private var namedParameters: Set<Name> {
    let definition = graph.definition
    var pending: [Name] = []
    for value in graph.holders.lazy.filter({ $0.service != nil }).flatMap(\.declaredValues) {
      value.content.forEachPlaceholder { name, _ in pending.append(name) }
    }
    let declarations = Dictionary(definition.parameters.map { ($0.name, $0.declaration) }) { first, _ in first }
    var named: Set<Name> = []
    while let name = pending.popLast() {
      guard named.insert(name).inserted, let declaration = declarations[name] else { continue }
      declaration.source?.literal?.forEachPlaceholder { name, _ in pending.append(name) }
    }
    return named
  }

  /// Returns a parameter as a file declares it.
  private func source(of parameter: ComposedParameter) -> Value {
    let declaration = parameter.declaration
    let (isSecret, isLiteral) = (parameter.isSecret, declaration.source?.literal != nil)
    var isMasked = false
    var entries: [Value.Entry] = []
    switch declaration.source {
    case .value(let datum)? where declaration.isPlainLiteral && !isSecret:
      return datum.written?.sorted ?? .string("")
    case .value(let datum)?:
      isMasked = isSecret && !datum.isPlaceholder
      entries.append(
        entry("value", isMasked ? parameter.value.printed : datum.written?.sorted ?? .string("")))
    case .first(let sources, _)?:
      entries.append(entry("sources", .list(sources.map { .map([written($0)]) })))
    case .text(let source)?: entries.append(written(source))
    case nil: break
    }
    // A mask is a string. It replaces a default of another type only if the default is the value.
    let takesMask = declaration.type.map { $0 == .string || $0.declared == .json } ?? true
    if isSecret, let fallback = declaration.fallback {
      isMasked = takesMask || fallback.node == parameter.origin
      if isMasked { entries.append(entry("default", .string("<secret \(text(parameter.name))>"))) }
    }
    if let type = declaration.type, takesMask || !isMasked, type != .map || !isLiteral {
      entries.append(entry("type", .string(type.declared.rawValue)))
    }
    // The constraints of a secret would reveal something about it. Its value is known to satisfy them.
    for (key, value) in [
      ("default", declaration.fallback?.value), ("oneOf", declaration.allowed.map { .list($0.values.map(\.value)) }),
      ("min", declaration.least?.value), ("max", declaration.greatest?.value),
    ] where !isSecret {
      if let value { entries.append(entry(key, value.sorted)) }
    }
    if isSecret {
      entries.append(entry("secret", true))
    } else if let flag = declaration.isSecret {
      entries.append(entry("secret", .boolean(flag.value)))
    }
    if let deprecated = declaration.deprecated { entries.append(entry("deprecated", .string(text(deprecated.name)))) }
    return .map(entries)
  }

  /// Returns the entry that names a source.
  private func written(_ source: TextSource) -> Value.Entry {
    let name = source.kind == .file ? path(source.name, writtenIn: source.node.file) : source.name
    return entry(source.kind.rawValue, .string(name))
  }

  /// Returns a path as the entry module would write it, if a file in another folder has it.
  private func path(_ path: String, writtenIn file: FileID) -> String {
    let documents = graph.definition.documents
    let (own, entry) = (Path.folder(of: documents.name(of: file)), Path.folder(of: documents.name(of: FileID(0))))
    guard own != entry, !Path.isAbsolute(path) else { return path }
    return Path.relative(Path.join(own, path), to: entry)
  }
}

// MARK: - Aliases and bindings

extension ResolvedModule {
  /// Returns aliases or bindings as a file declares them. For a private service, a target that is an alias is kept,
  /// because an unused alias of such a service is a warning.
  private func declaredTargets(_ targets: [ComposedTarget]) -> Value {
    let definition = graph.definition
    return .map(
      targets.compactMap { target in
        guard let service = target.service else { return nil }
        let id = definition.services[service].isPrivate ? text(target.target.name) : graph.id(of: service)
        return entry(text(target.name), .string(id))
      })
  }

  /// Returns a reference as a file writes it, or `nil` if it is absent or broken: in its printed form, except that an
  /// alias of a private service is kept. `aliases` has the services of aliases.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func declared(_ reference: LinkedReference, _ aliases: [String: Int]) -> Value? {
    switch reference {
    case .service(let service, let node) where graph.definition.services[service].isPrivate:
      let written = graph.definition.documents.text(of: node)
      return .string(aliases[written] == service ? written : graph.id(of: service))
    case .service, .absent, .broken: return printed(reference)
    case .list(let elements, _): return .list(elements.compactMap { declared($0, aliases) })
    case .map(let entries, _):
      let references = entries.compactMap { element in
        declared(element.reference, aliases).map { entry(element.key, $0) }
      }
      return ["map": Value.map(references).sorted]
    }
  }
}

// MARK: - Services

extension ResolvedModule {
  /// Returns a service as a file declares it, without defaults.
  private func declaration(_ place: Int, _ aliases: [String: Int]) -> Value {
    let service = graph.definition.services[place]
    let (declaration, holder) = (service.declaration, graph.holders[place])
    let provides = declaration.provides.map { Set($0.appended.map { text($0.name) }).ascending }
    let decorators = graph.decorators(of: place).map { decorator -> Value in
      let (inject, values) = arguments(of: decorator, aliases)
      return Value(["type": .string(decorator.typeName), "inject": inject, "values": values])
    }
    let (inject, values) = arguments(of: holder, aliases)
    return Value([
      "type": typeName(service),
      "provides": provides.map { .list($0.map(Value.string)) },
      "scope": declaration.scope.map { .string(text($0.name)) },
      "inject": inject,
      "values": values,
      "tags": tags(of: service).unlessEmpty,
      "decorate": Value.list(decorators).unlessEmpty,
      "eager": declaration.isEager.map { .boolean($0.value) },
      "private": declaration.isPrivate.map { .boolean($0.value) },
      // If the types are known, autowired arguments are written like the others.
      "autowire": service.isAutowired && holder.type == nil ? true : nil,
      "deprecated": declaration.deprecated.map { .string(text($0.name)) },
    ])
  }

  /// Returns the arguments of a service or a decorator as a file declares them. An empty map is `nil`.
  private func arguments(of holder: Holder, _ aliases: [String: Int]) -> (inject: Value?, values: Value?) {
    let injections = holder.injections.compactMap { injection in
      declared(injection.reference, aliases).map { entry(injection.key, $0) }
    }
    let written = Dictionary(holder.declaredValues.map { ($0.name, $0.content) }) { first, _ in first }
    let data = holder.values.map { entry(text($0.name), datum($0.content, written[$0.name])) }
    return (Value.map(injections).unlessEmpty, Value.map(data).unlessEmpty)
  }

  /// Returns a datum that can be loaded again, with its placeholders.
  private func datum(_ value: Datum, _ declared: Datum?) -> Value {
    declared?.written?.sorted ?? value.printed.escapingPlaceholders.sorted
  }
}

extension Datum {
  /// Whether the datum is a string that is one placeholder, and so reveals nothing itself.
  fileprivate var isPlaceholder: Bool {
    if case .text(let text) = content { text.onlyPlaceholder != nil } else { false }
  }
}
