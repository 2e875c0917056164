// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The contents of a composed module: its services, parameters, tags, types, provided names, scopes and aliases.
package struct ModuleListing {
  /// A part of the listing.
  package enum Part: String, CaseIterable, Sendable {
    case services, parameters, tags, types, provides, scopes, aliases
  }

  /// The criteria for the listed services. A criterion that is `nil` excludes none.
  package struct Filter: Sendable {
    /// A text that the id contains. Applies to parameters and aliases as well.
    package var id: String?
    /// The name of the registered type.
    package var type: String?
    /// A tag of the service.
    package var tag: String?
    /// The lifetime.
    package var scope: String?
    /// A name that the service provides.
    package var provides: String?

    /// Creates a filter that excludes nothing.
    package init() {}

    /// Whether a criterion other than the id is set.
    fileprivate var hasServiceCriterion: Bool { type != nil || tag != nil || scope != nil || provides != nil }
  }

  /// The entries of each part, by id or name.
  private var entries: [Part: [Value.Entry]] = [:]

  /// Lists the contents of a module, ascending.
  ///
  /// - Complexity: linear in the module.
  package init(of module: ResolvedModule, filter: Filter = Filter()) {
    var services: [(id: String, facts: Value)] = []
    let graph = module.graph
    for place in graph.definition.services.indices {
      let printed = module.service(place)
      let service = Service(id: graph.id(of: place), printed: printed)
      if filter.accepts(service) { services.append((service.id, service.facts)) }
    }
    let ids = Set(services.map(\.id))
    entries[.services] = services.map { Value.Entry(key: $0.id, value: $0.facts) }
    func grouped(_ keys: (Value) -> [String]) -> [Value.Entry] {
      var groups: [String: [Value]] = [:]
      for service in services {
        for key in keys(service.facts) { groups[key, default: []].append(.string(service.id)) }
      }
      return groups.ascending(by: \.key).map { Value.Entry(key: $0.key, value: ["services": .list($0.value)]) }
    }
    entries[.tags] = grouped { $0.member("tags")?.elements.compactMap(\.text) ?? [] }
    entries[.types] = grouped { [$0.member("type")?.text ?? ""] }
    entries[.provides] = grouped { $0.member("provides")?.elements.compactMap(\.text) ?? [] }
    let bindings = Dictionary(module.targets(graph.definition.bindings).entries.map { ($0.key, $0.value) }) {
      first, _ in first
    }
    entries[.provides] = (entries[.provides] ?? []).map { entry in
      guard let bound = bindings[entry.key] else { return entry }
      return Value.Entry(key: entry.key, value: .map(entry.value.entries + [Value.Entry(key: "binding", value: bound)]))
    }
    entries[.scopes] = grouped { [$0.member("scope")?.text ?? ""] }
    let used = Set(entries[.scopes]?.map(\.key) ?? [])
    for scope in graph.scopes where !filter.hasServiceCriterion && scope.contains(filter.id ?? scope) {
      if used.contains(scope) { continue }
      entries[.scopes]?.append(Value.Entry(key: scope, value: ["services": []]))
    }
    entries[.aliases] = module.targets(graph.definition.aliases).entries.filter { alias in
      ids.contains(alias.value.text ?? "") || !filter.hasServiceCriterion && alias.key.contains(filter.id ?? alias.key)
    }.map { Value.Entry(key: $0.key, value: ["target": $0.value]) }
    entries[.parameters] = module.parameters.entries.filter { parameter in
      !filter.hasServiceCriterion && (filter.id.map { parameter.key.contains($0) } ?? true)
    }.map { parameter in
      Value.Entry(key: parameter.key, value: .map(parameter.value.entries.filter { $0.key != "origin" }))
    }
  }

  /// Returns whether all of the parts are empty.
  package func isEmpty(in parts: [Part]) -> Bool { parts.allSatisfy { entries[$0]?.isEmpty ?? true } }

  /// Returns the names in a part, ascending.
  package func names(in part: Part) -> [String] { entries[part]?.map(\.key) ?? [] }

  /// Returns the parts for programs, each as a map by id or name.
  package func value(of parts: [Part]) -> Value {
    .map(parts.map { Value.Entry(key: $0.rawValue, value: .map(entries[$0] ?? [])) })
  }

  /// Returns the parts for people: a table with a title for each, or only the lines if there is one part. Ends with a
  /// line break unless it is empty.
  package func text(of parts: [Part]) -> String {
    let tables = parts.compactMap { part -> String? in
      let rows = (entries[part] ?? []).map { [$0.key.visible] + part.cells(of: $0.value) }
      guard !rows.isEmpty else { return nil }
      let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
        rows.map { column < $0.count ? $0[column].unicodeScalars.count : 0 }.max() ?? 0
      }
      let lines = rows.map { row in
        // The last cell needs no spaces, and one row may have a very long one.
        let padded = zip(row, widths).dropLast().map { $0.padded(to: $1) }
        let line = (padded + row.suffix(1)).joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
      }
      guard parts.count > 1 else { return lines.map { $0 + "\n" }.joined() }
      return "\(part.rawValue):\n" + lines.map { "  \($0)\n" }.joined()
    }
    return tables.joined(separator: "\n")
  }
}

/// The listed facts of a service.
private struct Service {
  /// The id.
  let id: String
  /// Type, scope, tags and provided names.
  let facts: Value

  /// Creates the facts from a service as `resolve` prints it.
  init(id: String, printed: Value) {
    self.id = id
    facts = Value([
      "type": printed.member("type") ?? "",
      "scope": printed.member("scope") ?? "",
      "tags": .list(printed.member("tags")?.entries.map { .string($0.key) } ?? []),
      "provides": printed.member("provides"),
    ])
  }
}

extension ModuleListing.Filter {
  /// Returns whether a service is listed.
  fileprivate func accepts(_ service: Service) -> Bool {
    func has(_ wanted: String?, _ key: String) -> Bool {
      guard let wanted else { return true }
      let value = service.facts.member(key)
      return value?.text == wanted || value?.elements.contains(.string(wanted)) ?? false
    }
    return (id.map { service.id.contains($0) } ?? true) && has(type, "type") && has(scope, "scope") && has(tag, "tags")
      && has(provides, "provides")
  }
}

extension ModuleListing.Part {
  /// Returns the columns of an entry after its name.
  fileprivate func cells(of facts: Value) -> [String] {
    func text(_ key: String) -> String { facts.member(key)?.text?.visible ?? "" }
    func list(_ key: String) -> String {
      (facts.member(key)?.elements.compactMap { $0.text?.visible } ?? []).joined(separator: ", ")
    }
    switch self {
    case .services: return [text("type"), text("scope"), list("tags")]
    case .parameters: return [text("type"), facts.member("value")?.line ?? ""]
    case .tags, .types, .scopes: return [list("services")]
    case .provides: return [list("services"), text("binding").isEmpty ? "" : "bound to \(text("binding"))"]
    case .aliases: return [text("target")]
    }
  }
}
