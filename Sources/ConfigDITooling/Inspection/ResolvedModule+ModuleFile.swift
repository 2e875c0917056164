// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension ResolvedModule {
  /// The same as a module file that loads again. Parameters keep their sources, and data with secrets their placeholders.
  package var moduleFile: Value {
    let definition = graph.definition
    var entries: [Value.Entry] = [entry("configdi", 1), entry("module", .string(definition.module))]
    if !graph.scopes.isEmpty { entries.append(entry("scopes", .list(graph.scopes.map(Value.string)))) }
    let sections: [Value.Entry] = [
      entry("parameters", .map(definition.parameters.map { entry(text($0.name), source(of: $0)) })),
      entry("services", .map(definition.services.indices.map { entry(graph.id(of: $0), declaration($0)) })),
      entry("aliases", targets(definition.aliases)),
      entry("bindings", targets(definition.bindings)),
    ]
    entries += sections.filter { $0.value != .map([]) }
    return .map(entries)
  }
}

// MARK: - Parameters

extension ResolvedModule {
  /// A parameter as a file says it.
  private func source(of parameter: ComposedParameter) -> Value {
    let declaration = parameter.declaration
    let isSecret = parameter.isSecret
    var entries: [Value.Entry] = []
    switch declaration.source {
    case .literal(let datum)? where !isSecret:
      return datum.written?.sorted ?? .string("")
    case .literal(let datum)?, .value(let datum)?:
      let literal = datum.written?.sorted ?? .string("")
      entries.append(entry("value", isSecret && !datum.isPlaceholder ? parameter.value.printed : literal))
    case .environment(let name, _)?: entries.append(entry("env", .string(name)))
    case .file(let path, let node)?: entries.append(entry("file", .string(self.path(path, writtenIn: node.file))))
    case nil: break
    }
    if let type = declaration.type { entries.append(entry("type", .string(type.rawValue))) }
    for (key, value) in [
      ("default", declaration.fallback?.value), ("oneOf", declaration.allowed.map { .list($0.values.map(\.value)) }),
      ("min", declaration.least?.value), ("max", declaration.greatest?.value),
    ] {
      // What a secret may be would tell of it; its value is known to be allowed.
      guard let value, !isSecret || key == "default" else { continue }
      entries.append(entry(key, isSecret ? .string("<secret \(text(parameter.name))>") : value.sorted))
    }
    if isSecret {
      entries.append(entry("secret", true))
    } else if let flag = declaration.isSecret {
      entries.append(entry("secret", .boolean(flag.value)))
    }
    if let deprecated = declaration.deprecated { entries.append(entry("deprecated", .string(text(deprecated.name)))) }
    return .map(entries)
  }

  /// A path as the entry module would write it, where another file in another folder does.
  private func path(_ path: String, writtenIn file: FileID) -> String {
    let documents = graph.definition.documents
    let (own, entry) = (Path.folder(of: documents.name(of: file)), Path.folder(of: documents.name(of: FileID(0))))
    guard documents[file].hasPositions, own != entry, !Path.isAbsolute(path) else { return path }
    return Path.relative(Path.join(own, path), to: entry)
  }
}

// MARK: - Services

extension ResolvedModule {
  /// A service as a file says it: what has its default stays away.
  private func declaration(_ place: Int) -> Value {
    let service = graph.definition.services[place]
    var entries = [entry("type", typeName(service))]
    if let provides = service.declaration.provides {
      entries.append(entry("provides", .list(Set(provides.appended.map { text($0.name) }).ascending.map(Value.string))))
    }
    if let scope = service.declaration.scope { entries.append(entry("scope", .string(text(scope.name)))) }
    entries += arguments(of: graph.holders[place])
    if !service.tags.isEmpty { entries.append(entry("tags", tags(of: service))) }
    let decorators = graph.decorators(of: place).map { decorator in
      Value.map([entry("type", .string(decorator.typeName))] + arguments(of: decorator))
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
  private func arguments(of holder: Holder) -> [Value.Entry] {
    var entries: [Value.Entry] = []
    let injections = injections(of: holder)
    if injections != .map([]) { entries.append(entry("inject", injections)) }
    if !holder.values.isEmpty {
      let declared = Dictionary(holder.declaredValues.map { ($0.name, $0.content) }) { first, _ in first }
      let data = holder.values.map { entry(text($0.name), datum($0.content, declared[$0.name])) }
      entries.append(entry("values", .map(data)))
    }
    return entries
  }

  /// A datum that loads again: with its placeholders where it holds a secret or depends on what is missing.
  private func datum(_ value: Datum, _ declared: Datum?) -> Value {
    let isPlain = value.allSecrets.isEmpty && value.value != nil
    if isPlain { return value.printed.escapingPlaceholders.sorted }
    return declared?.written?.sorted ?? value.printed
  }
}

extension Datum {
  /// Whether the datum is a text that stands for a parameter as a whole, and so shows nothing itself.
  fileprivate var isPlaceholder: Bool {
    if case .text(let text) = content { text.onlyPlaceholder != nil } else { false }
  }
}
