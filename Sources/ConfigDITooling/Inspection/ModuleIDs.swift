// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The ids that a module defines in some environment, with what is known of them, for the schema of its files.
package struct ModuleIDs: Hashable, Sendable {
  /// What an id is of.
  package enum Kind: Hashable, Sendable {
    case parameters, templates, services, aliases, bindings, tags, scopes, environments, types
  }

  /// The ids of each kind.
  private var ids: [Kind: Set<String>] = [:]
  /// What the files say of ids to their readers.
  private var docs: [Kind: [String: String]] = [:]
  /// The registered types that services, aliases and templates have in some environment, or that some file gives them.
  private var registered: [Kind: [String: Set<String>]] = [:]
  /// What `unset` can remove from an entry, as some file says it.
  private var parts: [Kind: [String: [String]]] = [:]
  /// The templates that services and templates extend in some file.
  private var extended: [Kind: [String: Set<String>]] = [:]

  /// No ids.
  package init() {}

  /// The ids of a kind, ascending. Services that a condition disables are among them.
  package subscript(kind: Kind) -> [String] { (ids[kind] ?? []).ascending }

  /// What the files say of an id to their readers, or nil.
  func doc(of id: String, _ kind: Kind) -> String? { docs[kind]?[id] }

  /// The types that a service, an alias or a template may have, ascending; empty where none is known.
  func types(of id: String, _ kind: Kind) -> [String] { (registered[kind]?[id] ?? []).ascending }

  /// The paths that `unset` may remove from a parameter, template or service, ascending, those of the nearest templates
  /// included.
  ///
  /// - Complexity: linear in what the entry says itself, as the templates and the parts of each have a limit.
  func parts(of id: String, _ kind: Kind) -> [String] {
    var found = Set(parts[kind]?[id] ?? [])
    var templates = (extended[kind]?[id] ?? []).ascending
    var next = 0
    while next < min(templates.count, ModuleIDs.maximumDepth) {
      found.formUnion((parts[.templates]?[templates[next]] ?? []).prefix(ModuleIDs.maximumPartCount))
      templates += (extended[.templates]?[templates[next]] ?? []).subtracting(templates).ascending
      next += 1
    }
    return found.ascending
  }

  /// How many templates of an entry, and how many parts of each, are looked at, so that many entries of one large template do
  /// not multiply.
  private static let maximumDepth = 16
  private static let maximumPartCount = 64

  /// Adds ids of a kind.
  package mutating func add(_ more: some Sequence<String>, to kind: Kind) { ids[kind, default: []].formUnion(more) }

  /// Adds the ids that a module has in one environment.
  package mutating func add(_ definition: ModuleDefinition) {
    func add(_ names: some Sequence<Name>, to kind: Kind) {
      self.add(names.lazy.map { definition.names[$0] }, to: kind)
    }
    add(definition.parameters.lazy.map(\.name), to: .parameters)
    add(definition.templates.lazy.map(\.name), to: .templates)
    add(definition.services.lazy.map(\.name), to: .services)
    add(definition.excluded.lazy.map(\.name), to: .services)
    add(definition.aliases.lazy.map(\.name), to: .aliases)
    add(definition.bindings.lazy.map(\.name), to: .bindings)
    add(definition.services.lazy.flatMap { $0.tags.lazy.map(\.name) }, to: .tags)
    add(definition.declaredTags.lazy.map(\.name), to: .tags)
    add(definition.scopes.lazy.map(\.name), to: .scopes)
    add(definition.services.lazy.compactMap { $0.declaration.type?.name }, to: .types)
    func note(_ type: Token?, of id: Name, _ kind: Kind) {
      guard let type else { return }
      registered[kind, default: [:]][definition.names[id], default: []].insert(definition.names[type.name])
    }
    for service in definition.services { note(service.declaration.type, of: service.name, .services) }
    for template in definition.templates { note(template.type, of: template.name, .templates) }
    for alias in definition.aliases {
      guard let service = alias.service else { continue }
      note(definition.services[service].declaration.type, of: alias.name, .aliases)
    }
  }

  /// Adds what a file says of its entries: a layer may give a service another type, and another one takes that back.
  package mutating func add(_ document: Document) {
    guard let root = document.nodes.first, root.kind == .map else { return }
    for key in document.keys(of: 0) {
      switch document.text(of: key) {
      case Keyword.override.text, Keyword.replace.text:
        guard document[key + 1].kind == .map else { continue }
        for section in document.keys(of: key + 1) { addEntries(of: section, in: document) }
      default: addEntries(of: key, in: document)
      }
    }
  }

  /// Adds what the entries below a section's key say.
  private mutating func addEntries(of section: UInt32, in document: Document) {
    let kinds: [Section: Kind] = [.parameters: .parameters, .templates: .templates, .services: .services]
    guard let section = Section(rawValue: document.text(of: section)).map({ (name: $0, node: section + 1) }),
      let kind = kinds[section.name], document[section.node].kind == .map
    else { return }
    for key in document.keys(of: section.node) where document[key + 1].kind == .map {
      let id = document.text(of: key)
      parts[kind, default: [:]][id, default: []] += document.partsToUnset(of: key + 1, in: section.name)
      for part in document.keys(of: key + 1) where document[part + 1].kind == .string {
        let text = document.text(of: part + 1)
        switch document.text(of: part) {
        case Keyword.doc.text: if docs[kind]?[id] == nil { docs[kind, default: [:]][id] = text }
        case Keyword.extends.text where kind != .parameters:
          extended[kind, default: [:]][id, default: []].insert(text)
        case Keyword.type.text where kind != .parameters:
          registered[kind, default: [:]][id, default: []].insert(text)
        default: break
        }
      }
    }
  }
}

extension Document {
  /// The paths that `unset` can remove from an entry of a section as the file says it, in the order of the text: its keys,
  /// and what stands below those that are maps of names.
  func partsToUnset(of entry: UInt32, in section: Section) -> [String] {
    let allowed: [Keyword] =
      switch section {
      case .parameters: Keyword.parameterKeys
      case .templates: Keyword.templateKeys
      case .services: Keyword.serviceKeys
      case .aliases, .bindings: []
      }
    var paths: [String] = []
    for key in keys(of: entry) {
      let text = text(of: key)
      guard let keyword = Keyword(text: text), keyword != .suppress, allowed.contains(keyword) else { continue }
      paths.append(text)
      guard [.inject, .values, .tags].contains(keyword) else { continue }
      let names =
        self[key + 1].kind == .map
        ? Array(keys(of: key + 1)) : elements(of: key + 1).filter { self[$0].kind == .string }
      paths += names.map { PathStep.path(text, appending: self.text(of: $0)) }
    }
    return paths
  }
}
