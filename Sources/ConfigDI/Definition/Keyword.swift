// SPDX-License-Identifier: Apache-2.0

/// A key or word that the format itself knows. Its number is that of its name in every table made for a load.
enum Keyword: UInt32, CaseIterable {
  // swift-format-ignore
  case configdi, module, schema, autowire, imports, environments, scopes
  // swift-format-ignore
  case parameters, templates, services, aliases, bindings
  // swift-format-ignore
  case override, replace, remove, unset, append, prepend
  case path, optional, doc
  // swift-format-ignore
  case value, env, file, type, `default`, oneOf, min, max, secret, deprecated
  // swift-format-ignore
  case provides, scope, inject, values, tags, decorate, extends, when, eager, `private`
  // swift-format-ignore
  case service, tagged, `as`, map, order, key
  // swift-format-ignore
  case environment, parameter, equals, all, any, not

  /// The keyword as files write it.
  var text: String {
    switch self {
    case .schema: "$schema"
    default: "\(self)"
    }
  }

  /// The keyword that a name is, or nil.
  init?(_ name: Name) { self.init(rawValue: name.index) }

  /// A table that holds the keywords and nothing else.
  static func makeNameTable() -> NameTable {
    var names = NameTable()
    for keyword in allCases { _ = names.name(keyword.text) }
    return names
  }
}
