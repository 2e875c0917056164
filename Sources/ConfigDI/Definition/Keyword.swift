// SPDX-License-Identifier: Apache-2.0

/// A key or word that the format itself knows. Its number is that of its name in every table made for a load.
package enum Keyword: UInt32, CaseIterable, Sendable {
  // swift-format-ignore
  case configdi, module, schema, autowire, imports, environments, scopes
  // swift-format-ignore
  case parameters, templates, services, aliases, bindings
  // swift-format-ignore
  case override, replace, remove, unset, append, prepend
  case path, optional, doc
  // swift-format-ignore
  case value, env, file, config, sources, type, `default`, oneOf, min, max, secret, deprecated
  // swift-format-ignore
  case provides, scope, inject, values, tags, decorate, extends, when, eager, `private`
  // swift-format-ignore
  case service, tagged, `as`, map, order, key
  // swift-format-ignore
  case environment, parameter, equals, all, any, not
  case diagnostics, suppress, severity, reason

  /// The keyword as files write it.
  package var text: String { Keyword.texts[Int(rawValue)] }

  /// The texts by number. Written out, because to ask for the name of a case sets up reflection at the start of each program.
  // swift-format-ignore
  private static let texts = [
    "configdi", "module", "$schema", "autowire", "imports", "environments", "scopes",
    "parameters", "templates", "services", "aliases", "bindings",
    "override", "replace", "remove", "unset", "append", "prepend",
    "path", "optional", "doc",
    "value", "env", "file", "config", "sources", "type", "default", "oneOf", "min", "max", "secret", "deprecated",
    "provides", "scope", "inject", "values", "tags", "decorate", "extends", "when", "eager", "private",
    "service", "tagged", "as", "map", "order", "key",
    "environment", "parameter", "equals", "all", "any", "not",
    "diagnostics", "suppress", "severity", "reason",
  ]

  /// The keyword that a name is, or nil.
  package init?(_ name: Name) { self.init(rawValue: name.index) }

  /// The keyword that files write so, or nil.
  package init?(text: String) {
    guard let keyword = Keyword.byText[text] else { return nil }
    self = keyword
  }

  /// Each keyword by its text.
  private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.text, $0) })

  /// A table that holds the keywords and nothing else.
  static func makeNameTable() -> NameTable {
    var names = NameTable()
    for keyword in allCases { _ = names.name(keyword.text) }
    return names
  }
}

// MARK: - Tables

/// The keys that each kind of map may have, in the order in which messages list them. Decoder and schema read the same tables.
extension Keyword {
  /// The sections whose entries have ids.
  package static let sections: [Keyword] = [.parameters, .templates, .services, .aliases, .bindings]
  /// A file's top level.
  package static let rootKeys: [Keyword] =
    [.configdi, .module, .schema, .autowire, .imports, .environments, .scopes] + sections
    + [.override, .replace, .remove, .tags, .diagnostics, .suppress]
  /// An import in the form of a map.
  package static let importKeys: [Keyword] = [.path, .optional]
  /// Where a parameter's value comes from.
  package static let sourceKeys: [Keyword] = [.value, .env, .file, .config, .sources]
  /// One of several sources of a parameter: the forms that it has.
  package static let sourceForms: [[Keyword]] = [[.env], [.file], [.config]]
  /// A parameter's descriptor.
  package static let parameterKeys: [Keyword] =
    sourceKeys + [.type, .default, .oneOf, .min, .max, .secret, .deprecated, .suppress]
  /// A template.
  package static let templateKeys: [Keyword] = [.extends, .type, .provides, .scope, .inject, .values, .suppress]
  /// A service.
  package static let serviceKeys: [Keyword] =
    templateKeys + [.tags, .decorate, .when, .eager, .private, .autowire, .deprecated]
  /// A decorator.
  package static let decoratorKeys: [Keyword] = [.type, .inject, .values]
  /// What the entry module says about the warnings of a code.
  package static let severityKeys: [Keyword] = [.severity, .reason]
  /// What a service gives for a tag.
  package static let tagKeys: [Keyword] = [.order, .key]
  /// The declaration of a tag at the top level. It has no key but `doc`.
  package static let tagDeclarationKeys: [Keyword] = []
  /// What extends a list of an older entry.
  package static let listChangeKeys: [Keyword] = [.append, .prepend]
  /// The forms of a reference in a map: the key that makes the form, and those that go with it.
  package static let referenceForms: [[Keyword]] = [[.service, .optional], [.tagged, .as], [.map]]
  /// The forms of a condition: the key that makes the form, and those that go with it.
  package static let conditionForms: [[Keyword]] = [[.environment], [.parameter, .equals], [.all], [.any], [.not]]

  /// The keys of an entry under `override`, where it may have some others.
  package static func overriding(_ keys: [Keyword]) -> [Keyword] { keys + [.unset] }
}
