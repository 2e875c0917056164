// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension ResolvedModule {
  /// The same as a module file that loads again, and has no warning that the module does not have.
  ///
  /// Parameters keep their sources, and data their placeholders. Of those that no service of the file names there is no
  /// warning, as a condition, a template or a disabled service may.
  package var moduleFile: Value {
    let definition = graph.definition
    let aliases = Dictionary(
      definition.aliases.compactMap { alias in alias.service.map { (text(alias.name), $0) } }
    ) { first, _ in first }
    var entries: [Value.Entry] = [entry("configdi", 1), entry("module", .string(definition.module))]
    if !graph.scopes.isEmpty { entries.append(entry("scopes", .list(graph.scopes.map(Value.string)))) }
    let sections: [Value.Entry] = [
      entry("parameters", .map(definition.parameters.map { entry(text($0.name), source(of: $0)) })),
      entry("services", .map(definition.services.indices.map { entry(graph.id(of: $0), declaration($0, aliases)) })),
      entry("aliases", declaredTargets(definition.aliases)),
      entry("bindings", declaredTargets(definition.bindings)),
      entry("tags", tagDeclarations),
      entry("suppress", suppressions),
    ]
    entries += sections.filter { $0.value != .map([]) }
    return .map(entries)
  }
}

// MARK: - Suppressions

extension ResolvedModule {
  /// The codes that are suppressed and that a file without layers and templates still has, each with a reason.
  private var suppressions: Value {
    let kept: Set<DiagnosticCode> = [.unusedService, .unusedAlias, .deprecated, .ambiguousType, .looksLikeReference]
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
    return .map(reasons.sorted { $0.key < $1.key }.map { entry($0.key.description, .string($0.value)) })
  }
}

// MARK: - Tags

extension ResolvedModule {
  /// The declarations of the tags of services that something asks for or a file declares: references to them are written as
  /// the services that they lead to, so that nothing would ask for the tags.
  private var tagDeclarations: Value {
    let definition = graph.definition
    var known = Set(graph.referencedTags.map(\.name) + definition.declaredTags.map(\.name))
    for template in definition.templates {
      for injection in template.declaration.arguments.inject {
        injection.content.forEachToken { known.insert($0.name) }
      }
    }
    let borne = Set(definition.services.lazy.flatMap { $0.tags.lazy.map(\.name) })
    return .map(known.intersection(borne).map(text).ascending.map { entry($0, .map([])) })
  }
}

// MARK: - Parameters

extension ResolvedModule {
  /// The parameters that the services name, also through other parameters.
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

  /// A parameter as a file says it.
  private func source(of parameter: ComposedParameter) -> Value {
    let declaration = parameter.declaration
    let (isSecret, isLiteral) = (parameter.isSecret, declaration.source?.literal != nil)
    var isMasked = false
    var entries: [Value.Entry] = []
    switch declaration.source {
    case .literal(let datum)? where !isSecret:
      return datum.written?.sorted ?? .string("")
    case .literal(let datum)?, .value(let datum)?:
      isMasked = isSecret && !datum.isPlaceholder
      entries.append(
        entry("value", isMasked ? parameter.value.printed : datum.written?.sorted ?? .string("")))
    case .first(let sources, _)?:
      entries.append(entry("sources", .list(sources.map { .map([written($0)]) })))
    case .text(let source)?: entries.append(written(source))
    case nil: break
    }
    // A mask is a text. It stands for a default of another type only where that is the value.
    let takesMask = declaration.type.map { $0 == .string || $0.declared == .json } ?? true
    if isSecret, let fallback = declaration.fallback {
      isMasked = takesMask || fallback.node == parameter.origin
      if isMasked { entries.append(entry("default", .string("<secret \(text(parameter.name))>"))) }
    }
    if let type = declaration.type, takesMask || !isMasked, type != .map || !isLiteral {
      entries.append(entry("type", .string(type.declared.rawValue)))
    }
    // What a secret may be would tell of it; its value is known to be allowed.
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

  /// The entry that names a source.
  private func written(_ source: TextSource) -> Value.Entry {
    let name = source.kind == .file ? path(source.name, writtenIn: source.node.file) : source.name
    return entry(source.kind.rawValue, .string(name))
  }

  /// A path as the entry module would write it, where another file in another folder does.
  private func path(_ path: String, writtenIn file: FileID) -> String {
    let documents = graph.definition.documents
    let (own, entry) = (Path.folder(of: documents.name(of: file)), Path.folder(of: documents.name(of: FileID(0))))
    guard documents[file].hasPositions, own != entry, !Path.isAbsolute(path) else { return path }
    return Path.relative(Path.join(own, path), to: entry)
  }
}

// MARK: - Aliases and bindings

extension ResolvedModule {
  /// Aliases or bindings as a file says them. Of a private service the aliases that something names stay named, as an alias
  /// that nothing names is a warning then.
  private func declaredTargets(_ targets: [ComposedTarget]) -> Value {
    let definition = graph.definition
    return .map(
      targets.compactMap { target in
        guard let service = target.service else { return nil }
        let id = definition.services[service].isPrivate ? text(target.target.name) : graph.id(of: service)
        return entry(text(target.name), .string(id))
      })
  }

  /// A reference as a file says it, or nil where it leads to nothing: as it is printed, but an alias of a private service by
  /// the alias. `aliases` are the services of aliases.
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
      return .map([entry("map", Value.map(references).sorted)])
    }
  }
}

// MARK: - Services

extension ResolvedModule {
  /// A service as a file says it: what has its default stays away.
  private func declaration(_ place: Int, _ aliases: [String: Int]) -> Value {
    let service = graph.definition.services[place]
    var entries = [entry("type", typeName(service))]
    if let provides = service.declaration.provides {
      entries.append(entry("provides", .list(Set(provides.appended.map { text($0.name) }).ascending.map(Value.string))))
    }
    if let scope = service.declaration.scope { entries.append(entry("scope", .string(text(scope.name)))) }
    entries += arguments(of: graph.holders[place], aliases)
    if !service.tags.isEmpty { entries.append(entry("tags", tags(of: service))) }
    let decorators = graph.decorators(of: place).map { decorator in
      Value.map([entry("type", .string(decorator.typeName))] + arguments(of: decorator, aliases))
    }
    if !decorators.isEmpty { entries.append(entry("decorate", .list(decorators))) }
    if let flag = service.declaration.isEager { entries.append(entry("eager", .boolean(flag.value))) }
    if let flag = service.declaration.isPrivate { entries.append(entry("private", .boolean(flag.value))) }
    // What is bound by type is written like the rest, where the types are known.
    if service.isAutowired, graph.holders[place].type == nil { entries.append(entry("autowire", true)) }
    if let deprecated = service.declaration.deprecated {
      entries.append(entry("deprecated", .string(text(deprecated.name))))
    }
    return .map(entries)
  }

  /// The arguments of a service or a decorator as a file says them; empty maps stay away.
  private func arguments(of holder: Holder, _ aliases: [String: Int]) -> [Value.Entry] {
    var entries: [Value.Entry] = []
    let injections = holder.injections.compactMap { injection in
      declared(injection.reference, aliases).map { entry(injection.key, $0) }
    }
    if !injections.isEmpty { entries.append(entry("inject", .map(injections))) }
    if !holder.values.isEmpty {
      let declared = Dictionary(holder.declaredValues.map { ($0.name, $0.content) }) { first, _ in first }
      let data = holder.values.map { entry(text($0.name), datum($0.content, declared[$0.name])) }
      entries.append(entry("values", .map(data)))
    }
    return entries
  }

  /// A datum that loads again: with its placeholders.
  private func datum(_ value: Datum, _ declared: Datum?) -> Value {
    declared?.written?.sorted ?? value.printed.escapingPlaceholders.sorted
  }
}

extension Datum {
  /// Whether the datum is a text that stands for a parameter as a whole, and so shows nothing itself.
  fileprivate var isPlaceholder: Bool {
    if case .text(let text) = content { text.onlyPlaceholder != nil } else { false }
  }
}
