// SPDX-License-Identifier: Apache-2.0

/// A reserved key or word of the format. The raw value is its name's index in every `NameTable` of a load.
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

  /// The text of the keyword in files.
  package var text: String { Keyword.texts[Int(rawValue)] }

  /// The texts, by raw value. Written out, as reading the names of cases initializes reflection at program start.
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

  /// Creates the keyword with a given name; `nil` if the name is no keyword.
  package init?(_ name: Name) { self.init(rawValue: name.index) }

  /// Creates the keyword with a given text; `nil` if the text is no keyword.
  package init?(text: String) {
    guard let keyword = Keyword.byText[text] else { return nil }
    self = keyword
  }

  /// The keywords by their texts.
  private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.text, $0) })

  /// Returns a new name table that contains only the keywords.
  static func makeNameTable() -> NameTable {
    var names = NameTable()
    for keyword in allCases { _ = names.name(keyword.text) }
    return names
  }
}

// MARK: - Tables

/// The keys that each kind of map may have, in the order in which messages list them. The decoder and the JSON Schema
/// use the same tables.
extension Keyword {
  /// The sections, which map ids to entries.
  package static let sections: [Keyword] = [.parameters, .templates, .services, .aliases, .bindings]
  /// The keys at the top level of a file.
  package static let rootKeys: [Keyword] =
    [.configdi, .module, .schema, .autowire, .imports, .environments, .scopes] + sections
    + [.override, .replace, .remove, .tags, .diagnostics, .suppress]
  /// The keys of an import in map form.
  package static let importKeys: [Keyword] = [.path, .optional]
  /// The keys that give the source of a parameter's value.
  package static let sourceKeys: [Keyword] = [.value, .env, .file, .config, .sources]
  /// The forms of one element of `sources` in a parameter.
  package static let sourceForms: [[Keyword]] = [[.env], [.file], [.config]]
  /// The keys of a parameter's descriptor.
  package static let parameterKeys: [Keyword] =
    sourceKeys + [.type, .default, .oneOf, .min, .max, .secret, .deprecated, .suppress]
  /// The keys of a template.
  package static let templateKeys: [Keyword] = [.extends, .type, .provides, .scope, .inject, .values, .suppress]
  /// The keys of a service.
  package static let serviceKeys: [Keyword] =
    templateKeys + [.tags, .decorate, .when, .eager, .private, .autowire, .deprecated]
  /// The keys of a decorator.
  package static let decoratorKeys: [Keyword] = [.type, .inject, .values]
  /// The keys of one code under `diagnostics` of the entry module.
  package static let severityKeys: [Keyword] = [.severity, .reason]
  /// The keys of a tag of a service in map form.
  package static let tagKeys: [Keyword] = [.order, .key]
  /// The keys of a tag declaration at the top level. Only `doc` is allowed.
  package static let tagDeclarationKeys: [Keyword] = []
  /// The keys that extend a list of an earlier entry.
  package static let listChangeKeys: [Keyword] = [.append, .prepend]
  /// The forms of a reference in map form. The first key selects the form; the others may accompany it.
  package static let referenceForms: [[Keyword]] = [[.service, .optional], [.tagged, .as], [.map]]
  /// The forms of a condition. The first key selects the form; the others accompany it.
  package static let conditionForms: [[Keyword]] = [[.environment], [.parameter, .equals], [.all], [.any], [.not]]

  /// Returns the keys of an entry under `override`, given its keys elsewhere.
  package static func overriding(_ keys: [Keyword]) -> [Keyword] { keys + [.unset] }
}
