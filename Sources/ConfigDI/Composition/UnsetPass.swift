// SPDX-License-Identifier: Apache-2.0

/// Removes the parts at the paths of `unset` from a service, template or parameter. All paths refer to the state before
/// removal.
///
/// Visits each map and list once, however many paths lead into it.
struct UnsetPass {
  /// The paths that lead nowhere.
  var missing: [Token] = []
  /// The paths of parts that a reference or a condition requires.
  var necessary: [Token] = []
  /// The names of the load.
  private let names: NameTable

  /// A path, and the steps that are not followed yet.
  struct Path {
    /// The token of the path under `unset`.
    let token: Token
    /// The remaining steps.
    var steps: ArraySlice<DottedPath.Step>
  }

  /// Removes the parts at paths from a service or template.
  ///
  /// - Complexity: linear in the length of the paths and the size of the parts that they lead into.
  init(_ paths: [Token], of service: inout ServiceDeclaration, _ names: NameTable) {
    self.names = names
    for (field, paths) in fields(of: paths) {
      switch field {
      case "inject", "values": remove(paths, field, of: &service.arguments)
      case "provides": remove(paths, of: &service.provides) { pass, paths, _ in pass.missing += paths.map(\.token) }
      case "decorate": remove(paths, of: &service.decorators) { $0.remove($1, of: &$2) }
      case "tags": remove(paths, of: &service.tags)
      case "when": remove(paths, of: &service.condition)
      default: remove(paths, field, of: &service)
      }
    }
    missing = missing.ascending(by: \.node.node)
    necessary = necessary.ascending(by: \.node.node)
  }

  /// Removes the parts at paths from a parameter.
  ///
  /// - Complexity: linear in the length of the paths and the size of the parts that they lead into.
  init(_ paths: [Token], of parameter: inout ParameterDeclaration, _ names: NameTable) {
    self.names = names
    for (field, paths) in fields(of: paths) {
      let inside = paths.filter { !$0.steps.isEmpty }
      if field == "value", case .value(var literal)? = parameter.source {
        remove(inside, of: &literal)
        parameter.source = .value(literal)
      } else {
        missing += inside.map(\.token)
      }
      for path in paths where path.steps.isEmpty {
        if !UnsetPass.clearField(field, of: &parameter) { missing.append(path.token) }
      }
    }
    missing = missing.ascending(by: \.node.node)
  }

  /// Returns the paths by the keys with which they begin, each path once.
  private mutating func fields(of paths: [Token]) -> [String: [Path]] {
    var seen: Set<Name> = []
    var fields: [String: [Path]] = [:]
    for token in paths where seen.insert(token.name).inserted {
      if let path = DottedPath(names[token.name]), case .key(let field)? = path.steps.first {
        fields[field, default: []].append(Path(token: token, steps: path.steps.dropFirst()))
      } else {
        missing.append(token)
      }
    }
    return fields
  }

  /// Removes a key of a parameter. Returns whether the parameter declared it.
  private static func clearField(_ field: String, of parameter: inout ParameterDeclaration) -> Bool {
    switch (field, parameter.source) {
    case ("value", .value?), ("sources", .first?): clear(&parameter.source)
    case (_, .text(let source)?) where field == source.kind.rawValue: clear(&parameter.source)
    case ("type", _): clear(&parameter.typeNode) && clear(&parameter.type)
    case ("default", _): clear(&parameter.fallback)
    case ("oneOf", _): clear(&parameter.allowed)
    case ("min", _): clear(&parameter.least)
    case ("max", _): clear(&parameter.greatest)
    case ("secret", _): clear(&parameter.isSecret)
    case ("deprecated", _): clear(&parameter.deprecated)
    default: false
    }
  }

  /// Removes a key whose value has no removable parts.
  private mutating func remove(_ paths: [Path], _ field: String, of service: inout ServiceDeclaration) {
    for path in paths {
      let wasThere = path.steps.isEmpty && UnsetPass.clearField(field, of: &service)
      if !wasThere { missing.append(path.token) }
    }
  }

  /// Removes a key whose value has no removable parts. Returns whether the service declared it.
  private static func clearField(_ field: String, of service: inout ServiceDeclaration) -> Bool {
    switch field {
    case "extends": clear(&service.extends)
    case "type": clear(&service.type)
    case "scope": clear(&service.scope)
    case "eager": clear(&service.isEager)
    case "private": clear(&service.isPrivate)
    case "autowire": clear(&service.isAutowired)
    case "deprecated": clear(&service.deprecated)
    default: false
    }
  }
}

// MARK: - Lists

extension UnsetPass {
  /// Removes parts from a list. `find` returns the index of the part that the first steps of a path lead to. `change`
  /// removes the parts at the remaining steps from one part of the list.
  mutating func remove<Part>(
    _ paths: [Path], of parts: inout [Part], find: (ArraySlice<DottedPath.Step>) -> KeyTrie.Match?,
    _ change: (inout UnsetPass, [Path], inout Part) -> Void
  ) {
    let (taken, inside) = split(paths, find: find)
    for (place, paths) in inside { change(&self, paths, &parts[place]) }
    if !taken.isEmpty { parts = parts.indices.filter { !taken.contains($0) }.map { parts[$0] } }
    // Last, so that the other paths were followed in the whole list.
    for path in paths where path.steps.isEmpty {
      if parts.isEmpty && taken.isEmpty { missing.append(path.token) }
      parts = []
    }
  }

  /// Returns the indices of the parts that paths lead to, and the remaining paths into the parts at other indices.
  private mutating func split(
    _ paths: [Path], find: (ArraySlice<DottedPath.Step>) -> KeyTrie.Match?
  ) -> (taken: Set<Int>, inside: [Int: [Path]]) {
    var taken: Set<Int> = []
    var inside: [Int: [Path]] = [:]
    for path in paths where !path.steps.isEmpty {
      if let found = find(path.steps) {
        if found.rest.isEmpty {
          taken.insert(found.place)
        } else {
          inside[found.place, default: []].append(Path(token: path.token, steps: found.rest))
        }
      } else {
        missing.append(path.token)
      }
    }
    return (taken, inside)
  }

  /// Removes elements, or parts of them, from a list.
  mutating func remove<Element>(
    _ paths: [Path], of elements: inout [Element], _ change: (inout UnsetPass, [Path], inout Element) -> Void
  ) {
    let indices = elements.indices
    remove(paths, of: &elements) { steps in
      guard case .index(let index)? = steps.first, indices.contains(index) else { return nil }
      return (index, steps.dropFirst())
    } _: {
      change(&$0, $1, &$2)
    }
  }

  /// Removes a whole list, elements, or parts of elements.
  private mutating func remove<Element>(
    _ paths: [Path], of list: inout ListChange<Element>?,
    _ change: (inout UnsetPass, [Path], inout Element) -> Void
  ) {
    guard var elements = list?.appended else { return missing += paths.map(\.token) }
    remove(paths.filter { !$0.steps.isEmpty }, of: &elements, change)
    list?.appended = elements
    if paths.contains(where: \.steps.isEmpty) { list = nil }
  }
}

// MARK: - Parts of a service

extension UnsetPass {
  /// Removes arguments of `inject` or `values`, parts of arguments, or all arguments.
  private mutating func remove(_ paths: [Path], _ field: String, of arguments: inout ArgumentDeclarations) {
    let names = names
    switch field {
    case "inject":
      let keys = KeyTrie(arguments.inject.map { names[$0.name] })
      remove(paths, of: &arguments.inject, find: keys.match) { $0.remove($1, of: &$2.content) }
    default:
      let keys = KeyTrie(
        arguments.values.map { names[$0.name] }, hasParts: arguments.values.map(\.content.hasParts))
      remove(paths, of: &arguments.values, find: keys.match) { $0.remove($1, of: &$2.content) }
    }
  }

  /// Removes the condition or parts of it.
  private mutating func remove(_ paths: [Path], of condition: inout Condition?) {
    guard var remaining = condition else { return missing += paths.map(\.token) }
    remove(paths.filter { !$0.steps.isEmpty }, of: &remaining)
    condition = paths.contains(where: \.steps.isEmpty) ? nil : remaining
  }

  /// Removes parts from a datum.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func remove(_ paths: [Path], of datum: inout Datum) {
    switch datum.content {
    case .map(var entries):
      let keys = KeyTrie(entries.map(\.key), hasParts: entries.map(\.value.hasParts))
      remove(paths, of: &entries, find: keys.match) { $0.remove($1, of: &$2.value) }
      datum.content = .map(entries)
    case .list(var elements):
      remove(paths, of: &elements) { $0.remove($1, of: &$2) }
      datum.content = .list(elements)
    case .scalar, .text, .unset, .broken:
      missing += paths.map(\.token)
    }
  }

  /// Removes arguments, or parts of them, from a decorator.
  private mutating func remove(_ paths: [Path], of decorator: inout DecoratorDeclaration) {
    var fields: [String: [Path]] = [:]
    for path in paths {
      if case .key(let field)? = path.steps.first, field == "inject" || field == "values" {
        fields[field, default: []].append(Path(token: path.token, steps: path.steps.dropFirst()))
      } else {
        missing.append(path.token)
      }
    }
    for (field, paths) in fields { remove(paths, field, of: &decorator.arguments) }
  }

  /// Removes tags, or the `order` or `key` of tags.
  private mutating func remove(_ paths: [Path], of tags: inout [TagDeclaration]) {
    let names = names
    let keys = KeyTrie(tags.map { names[$0.name.name] })
    remove(paths, of: &tags, find: keys.match) { pass, paths, tag in
      for path in paths {
        let isRegistered =
          switch (path.steps.first, path.steps.count) {
          case (.key("order")?, 1): clear(&tag.order)
          case (.key("key")?, 1): clear(&tag.key)
          default: false
          }
        if !isRegistered { pass.missing.append(path.token) }
      }
    }
  }
}

/// Sets an optional to `nil`. Returns whether it had a value.
func clear<Wrapped>(_ value: inout Wrapped?) -> Bool {
  value.take() != nil
}

// MARK: - Messages

extension Finding {
  /// A path under `unset` that leads nowhere.
  static func nothingToUnset(_ path: String, at node: NodeRef) -> Finding {
    Finding(
      .nothingToUnset, "cannot unset \"\(path)\": nothing has this path", at: node,
      help: "paths are relative to the entry, as in \"eager\" and \"inject.cache\"")
  }

  /// A path under `unset` to a part that a reference or a condition requires.
  static func necessaryPart(_ path: String, at node: NodeRef) -> Finding {
    Finding(
      .nothingToUnset, "cannot unset \"\(path)\": what it is in would be incomplete without it", at: node,
      help: "unset the whole reference or condition, or override it")
  }
}
