// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The ids that a module defines in any environment, with facts about them, for the schema of its files.
package struct ModuleIDs: Hashable, Sendable {
  /// The kind of an id.
  package enum Kind: Hashable, Sendable {
    case parameters, templates, services, aliases, bindings, tags, scopes, environments, types
  }

  /// The ids of each kind.
  private var ids: [Kind: Set<String>] = [:]
  /// The `doc` of ids.
  private var docs: [Kind: [String: String]] = [:]
  /// The registered types of services, aliases and templates, in any environment or as declared by any file.
  private var registered: [Kind: [String: Set<String>]] = [:]
  /// The paths that `unset` can remove from an entry, as declared by any file.
  private var parts: [Kind: [String: [String]]] = [:]
  /// The templates that services and templates extend in any file.
  private var extended: [Kind: [String: Set<String>]] = [:]

  /// Creates an empty collection.
  package init() {}

  /// Returns the ids of a kind, ascending. Disabled services are included.
  package subscript(kind: Kind) -> [String] { (ids[kind] ?? []).ascending }

  /// Returns the `doc` of an id, or `nil` if no file has one.
  func doc(of id: String, _ kind: Kind) -> String? { docs[kind]?[id] }

  /// Returns the possible types of a service, an alias or a template, ascending; an empty list if none is known.
  func types(of id: String, _ kind: Kind) -> [String] { (registered[kind]?[id] ?? []).ascending }

  /// Returns the paths that `unset` may remove from a parameter, template or service, ascending, including those
  /// inherited from the nearest templates.
  ///
  /// - Complexity: linear in the entry's own parts: the number of templates, and of parts of each, is limited.
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

  /// The limits for inherited parts: the number of templates of an entry, and of parts of each. They bound the work for
  /// many entries that extend one large template.
  private static let maximumDepth = 16
  private static let maximumPartCount = 64

  /// Adds ids of a kind.
  package mutating func add(_ more: some Sequence<String>, to kind: Kind) { ids[kind, default: []].formUnion(more) }

  /// Adds the ids of a module in one environment.
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
    func record(_ type: Token?, of id: Name, _ kind: Kind) {
      guard let type else { return }
      registered[kind, default: [:]][definition.names[id], default: []].insert(definition.names[type.name])
    }
    for service in definition.services { record(service.declaration.type, of: service.name, .services) }
    for template in definition.templates { record(template.type, of: template.name, .templates) }
    for alias in definition.aliases {
      guard let service = alias.service else { continue }
      record(definition.services[service].declaration.type, of: alias.name, .aliases)
    }
  }

  /// Adds the declarations of a file. Types of all files are kept, because a layer may change the type of a service and
  /// another layer change it back.
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

  /// Adds the declarations of the entries of a section.
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
  /// Returns the paths that `unset` can remove from an entry as the file declares it, in the order of the text: its
  /// keys, and the names below keys whose value is a map of names.
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
