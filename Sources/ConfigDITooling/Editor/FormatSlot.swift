// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The role of a value in the format of module files, determined by the path of keys that leads to it.
///
/// The walk from the root along keys and elements gives the allowed keys of each map, and the kind of symbol that each
/// string names. The keys are those of the tables in `Keyword`.
package enum FormatSlot: Hashable, Sendable {
  /// The whole file.
  case root
  /// The list of imports, and one of them: a path or a map.
  case imports, importEntry
  /// The map of environments, and the list of layers of one.
  case environments, layers
  /// The list of named scopes.
  case scopes
  /// The map of the tags that a module declares, and one of them.
  case tagDeclarations, tagDeclaration
  /// The map of sections below `override` or `replace`, and the one below `remove`.
  case sections(Verb), removals
  /// The entries of a section.
  case entries(Section, Verb)
  /// The list of ids that `remove` removes from a section.
  case removedIDs(Section)
  /// An entry.
  case parameter(Verb), template(Verb), service(Verb)
  /// The sources of a parameter, and one of them.
  case sources, source
  /// The target of an alias or a binding.
  case target
  /// The arguments that are references, and those that are values.
  case inject, values
  /// A reference, and the map of references below `map`.
  case reference, referenceMap
  /// A datum with placeholders, and one without.
  case datum, literal
  /// The tags of a service, and the properties of one.
  case tags, tag
  /// The decorators of a service, and one of them.
  case decorators, decorator
  /// The provided names, and one of them.
  case provides, providedName
  /// A condition, a list of conditions, and the environments in a condition.
  case condition, conditions, environmentNames
  /// The list of paths of `unset`, and one of them.
  case unset
  /// The map of the severities of warnings by code, and the entry of one code.
  case severities, severity
  /// The map of suppressed warnings, by code.
  case suppressions
  /// A string that names a symbol.
  case name(SymbolKind)
  /// The definition of a scope, and an id that `remove` removes.
  case scopeName, removedID(Section)
  /// The name of a registered type.
  case type(isDecorator: Bool)
  /// The path of a module file.
  case path
  /// One of the given words.
  case words([String])
  /// A lifetime: a built-in word or the name of a scope.
  case scope
  /// A boolean.
  case flag
  /// A free text, and a value that the format does not define.
  case text, unknown

  /// How the entries of a section combine with those of other files.
  package enum Verb: Hashable, Sendable {
    case define, override, replace
  }
}

/// The kind of a symbol. Services and aliases share a namespace.
package enum SymbolKind: String, Hashable, Sendable, CaseIterable {
  case service, parameter, template, scope, tag, environment, binding

  /// The name of the kind in messages.
  package var inWords: String { rawValue }
}

extension Section {
  /// The kind of the symbols that the section defines.
  package var symbolKind: SymbolKind {
    switch self {
    case .parameters: .parameter
    case .templates: .template
    case .services, .aliases: .service
    case .bindings: .binding
    }
  }
}

/// The meaning of the keys of a map.
package enum KeyRole: Hashable, Sendable {
  /// Keys of the format, of which these are allowed.
  case keywords([Keyword])
  /// Ids of a section.
  case ids(Section, FormatSlot.Verb)
  /// Names of symbols that are not entries of a section.
  case names(SymbolKind)
  /// Codes of warnings.
  case codes
  /// Argument keys of `inject` or `values`.
  case arguments(isInject: Bool)
  /// Keys that the author chooses.
  case free
}

// MARK: - Walking

extension FormatSlot {
  /// Returns the slot of the value under a key of a map.
  package func child(_ key: String) -> FormatSlot {
    switch self {
    case .environments: return .layers
    case .tagDeclarations: return .tagDeclaration
    case .entries(let section, let verb): return FormatSlot.entry(of: section, verb)
    case .inject, .referenceMap: return .reference
    case .values, .datum: return .datum
    case .literal: return .literal
    case .tags: return .tag
    case .severities: return .severity
    case .suppressions: return .text
    default: break
    }
    guard case .keywords(let allowed)? = keyRole, key != Keyword.doc.text else { return .unknown }
    guard let keyword = Keyword(text: key), allowed.contains(keyword) else { return .unknown }
    return child(keyword)
  }

  /// The slot of the elements of a list.
  package var element: FormatSlot {
    switch self {
    case .imports: .importEntry
    case .layers: .path
    case .sources: .source
    case .scopes: .scopeName
    case .removedIDs(let section): .removedID(section)
    case .reference, .datum, .literal, .decorator, .environmentNames: self
    case .tags: .name(.tag)
    case .decorators: .decorator
    case .provides: .providedName
    case .parameter: .datum
    case .conditions: .condition
    case .unset: .unset
    default: .unknown
    }
  }

  /// Returns the slot of the value under a key of the format.
  private func child(_ keyword: Keyword) -> FormatSlot {
    switch (self, keyword) {
    case (_, .doc), (_, .deprecated), (_, .module), (_, .schema): .text
    case (.root, .imports): .imports
    case (.root, .environments): .environments
    case (.root, .scopes): .scopes
    case (.root, .tags): .tagDeclarations
    case (.root, .diagnostics): .severities
    case (.severity, .severity): .words(SeverityWord.allCases.map(\.rawValue))
    case (_, .suppress): .suppressions
    case (.root, .override): .sections(.override)
    case (.root, .replace): .sections(.replace)
    case (.root, .remove): .removals
    case (.root, .configdi): .words(["1"])
    case (.root, .autowire): .flag
    case (.root, _): Section(rawValue: keyword.text).map { .entries($0, .define) } ?? .unknown
    case (.sections(let verb), _): Section(rawValue: keyword.text).map { .entries($0, verb) } ?? .unknown
    case (.removals, _): Section(rawValue: keyword.text).map { .removedIDs($0) } ?? .unknown
    case (.importEntry, .path): .path
    case (.parameter, .value): .datum
    case (.parameter, .default), (.parameter, .oneOf), (.parameter, .min), (.parameter, .max): .literal
    case (.parameter, .type): .words(ParameterType.declarable.map(\.rawValue))
    case (.parameter, .env), (.parameter, .file), (.parameter, .config), (.source, _): .text
    case (.parameter, .sources): .sources
    case (_, .extends): .name(.template)
    case (.decorator, .type): .type(isDecorator: true)
    case (_, .type): .type(isDecorator: false)
    case (_, .provides): .provides
    case (_, .scope): .scope
    case (_, .inject): .inject
    case (_, .values): .values
    case (_, .tags): .tags
    case (_, .decorate), (.decorators, _): .decorators
    case (.provides, _): .provides
    case (_, .when), (_, .not): .condition
    case (_, .unset): .unset
    case (.reference, .service): .name(.service)
    case (.reference, .tagged): .name(.tag)
    case (.reference, .map): .referenceMap
    case (.reference, .as): .words(["list", "map"])
    case (.condition, .environment): .environmentNames
    case (.condition, .parameter): .name(.parameter)
    case (.condition, .equals): .literal
    case (.condition, .all), (.condition, .any): .conditions
    case (_, .optional), (_, .secret), (_, .eager), (_, .private), (_, .autowire): .flag
    default: .text
    }
  }

  /// Returns the slot of an entry of a section.
  private static func entry(of section: Section, _ verb: Verb) -> FormatSlot {
    switch section {
    case .parameters: .parameter(verb)
    case .templates: .template(verb)
    case .services: .service(verb)
    case .aliases, .bindings: .target
    }
  }
}

// MARK: - Keys and texts

extension FormatSlot {
  /// The meaning of the keys of a map in the slot, or `nil` if the slot does not allow a map.
  package var keyRole: KeyRole? {
    func keys(_ keys: [Keyword], _ verb: Verb) -> KeyRole {
      .keywords(verb == .override ? Keyword.overriding(keys) : keys)
    }
    switch self {
    case .root: return .keywords(Keyword.rootKeys)
    case .importEntry: return .keywords(Keyword.importKeys)
    case .environments: return .names(.environment)
    case .tagDeclarations: return .names(.tag)
    case .tagDeclaration: return .keywords(Keyword.tagDeclarationKeys)
    case .severities, .suppressions: return .codes
    case .severity: return .keywords(Keyword.severityKeys)
    case .sections, .removals: return .keywords(Keyword.sections)
    case .entries(let section, let verb): return .ids(section, verb)
    case .parameter(let verb): return keys(Keyword.parameterKeys, verb)
    case .source: return .keywords(Keyword.sourceForms.flatMap { $0 })
    case .template(let verb): return keys(Keyword.templateKeys, verb)
    case .service(let verb): return keys(Keyword.serviceKeys, verb)
    case .inject: return .arguments(isInject: true)
    case .values: return .arguments(isInject: false)
    case .reference: return .keywords(Keyword.referenceForms.flatMap { $0 })
    case .referenceMap, .datum, .literal: return .free
    case .tags: return .names(.tag)
    case .tag: return .keywords(Keyword.tagKeys)
    case .decorators, .provides: return .keywords(Keyword.listChangeKeys)
    case .decorator: return .keywords(Keyword.decoratorKeys)
    case .condition: return .keywords(Keyword.conditionForms.flatMap { $0 })
    default: return nil
    }
  }

  /// The kind of symbol that a string in the slot names, or `nil`. In `scope` it may also be a built-in lifetime.
  package var namedKind: SymbolKind? {
    switch self {
    case .name(let kind): kind
    case .reference, .target: .service
    case .environmentNames: .environment
    case .scope, .scopeName: .scope
    case .removedID(let section): section.symbolKind
    default: nil
    }
  }

  /// Whether placeholders in a string in the slot are expanded.
  package var expandsPlaceholders: Bool {
    switch self {
    // A string in place of a parameter's map is the value of the parameter.
    case .datum, .parameter: true
    default: false
    }
  }
}
