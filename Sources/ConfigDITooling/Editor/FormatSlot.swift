// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What stands at a place of a module file, by the path of keys that leads there.
///
/// A walk from the root along keys and elements tells for each map which keys it may have, and for each text what it names.
/// The keys themselves are those of the tables in `Keyword`.
package enum FormatSlot: Hashable, Sendable {
  /// The whole file.
  case root
  /// What an import is: a path, or a map.
  case imports, importEntry
  /// Environments, each with its layers.
  case environments, layers
  /// The named scopes.
  case scopes
  /// The tags that a module declares, and one of them.
  case tagDeclarations, tagDeclaration
  /// The sections below a verb, or those of `remove`.
  case sections(Verb), removals
  /// The entries of a section.
  case entries(Section, Verb)
  /// The ids that are removed from a section.
  case removedIDs(Section)
  /// One entry.
  case parameter(Verb), template(Verb), service(Verb)
  /// The sources of a parameter, and one of them.
  case sources, source
  /// The service that an alias or a binding stands for.
  case target
  /// Arguments.
  case inject, values
  /// A reference, and the references of `map`.
  case reference, referenceMap
  /// A datum in which `${name}` stands for a parameter, and one in which it does not.
  case datum, literal
  /// Tags of a service, and what it says of one.
  case tags, tag
  /// Decorators of a service, and one of them.
  case decorators, decorator
  /// Provided names, and one of them.
  case provides, providedName
  /// A condition, several, and the environments that one names.
  case condition, conditions, environmentNames
  /// Paths of `unset`.
  case unset
  /// What the entry module says about warnings by code, and about those of one code.
  case severities, severity
  /// What is suppressed, by code.
  case suppressions
  /// A text that names something.
  case name(SymbolKind)
  /// The name of a scope where it is defined, and an id that is removed.
  case scopeName, removedID(Section)
  /// The name of a registered type.
  case type(isDecorator: Bool)
  /// The path of a module file.
  case path
  /// One of some words.
  case words([String])
  /// A lifetime.
  case scope
  /// A truth value.
  case flag
  /// A text of the author's, or what the format does not know.
  case text, unknown

  /// How a section changes what other files define.
  package enum Verb: Hashable, Sendable {
    case define, override, replace
  }
}

/// What a name is of. Services and aliases share one space of names.
package enum SymbolKind: Hashable, Sendable, CaseIterable {
  case service, parameter, template, scope, tag, environment, binding

  /// The kind in words.
  package var inWords: String {
    switch self {
    case .service: "service"
    case .parameter: "parameter"
    case .template: "template"
    case .scope: "scope"
    case .tag: "tag"
    case .environment: "environment"
    case .binding: "binding"
    }
  }
}

extension Section {
  /// What the ids of the section are of.
  package var symbolKind: SymbolKind {
    switch self {
    case .parameters: .parameter
    case .templates: .template
    case .services, .aliases: .service
    case .bindings: .binding
    }
  }
}

/// What the keys of a map are.
package enum KeyRole: Hashable, Sendable {
  /// Keys of the format.
  case keywords([Keyword])
  /// Ids of a section.
  case ids(Section, FormatSlot.Verb)
  /// Names that are no entries of a section.
  case names(SymbolKind)
  /// Codes of warnings.
  case codes
  /// Argument keys of `inject` or `values`.
  case arguments(isInject: Bool)
  /// The author's own.
  case free
}

// MARK: - Walking

extension FormatSlot {
  /// The slot of the value under a key of a map.
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

  /// The slot under a key of the format.
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

  /// The slot of an entry of a section.
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
  /// What the keys of a map here are; nil where no map is allowed.
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

  /// What a text here names; nil where it names nothing. A lifetime may be the name of a scope.
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

  /// Whether `${name}` in a text here stands for a parameter.
  package var expandsPlaceholders: Bool {
    switch self {
    // A text in the place of a parameter is its value.
    case .datum, .parameter: true
    default: false
    }
  }
}
