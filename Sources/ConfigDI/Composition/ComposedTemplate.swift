// SPDX-License-Identifier: Apache-2.0

/// A template after composition.
package struct ComposedTemplate: Sendable {
  /// The id.
  package var name: Name
  /// The key that defines the template.
  package var key: NodeRef
  /// Whether a file's part of the template has a shape error. A malformed template takes no part in further checks.
  package var isMalformed: Bool
  /// What the template itself declares, without what it inherits.
  package var declaration: ServiceDeclaration
  /// Its own data, ascending by key, with placeholders expanded. Set only for a loose template: services report the
  /// mistakes in any other one.
  package var values: [ArgumentDeclaration<Datum>] = []
  /// The registered type that the template gives to services: its own, or the inherited one.
  package internal(set) var type: Token?
  /// The provided names that the template gives to services: its own, or the inherited ones.
  var provides: ListChange<Token>?
  /// The lifetime that the template gives to services: its own, or the inherited one.
  var scope: Token?
  /// Whether no valid, enabled service extends the template, directly or through other templates.
  package var isUnused = false
  /// Whether a service that is disabled, malformed, or in a file of another environment extends the loose template.
  var isExtended = false
  /// The parts of a loose template that are checked by themselves, because no valid, enabled service reports the
  /// mistakes in them. If `isExtended`, only the parts that such a service inherits; otherwise all parts.
  var checked = ServiceDeclaration()
  /// Whether the template, or one that it extends, is malformed, part of a cycle, or extends an unknown template.
  package internal(set) var isInvalid: Bool
  /// The index of the template that it extends, or `nil`.
  var parent: Int?
  /// The size of its own arguments, in bytes.
  var weight = 0
  /// The index of the nearest template with arguments, beginning with the template itself; `nil` if there is none.
  var nearestWithArguments: Int?

  /// Creates a template from a merged entry.
  init(_ entry: ComposedEntry<ServiceDeclaration>) {
    name = entry.name
    key = entry.key
    isMalformed = entry.isMalformed
    declaration = entry.body
    type = entry.body.type
    provides = entry.body.provides
    scope = entry.body.scope
    isInvalid = entry.isMalformed
  }
}

extension ComposedTemplate {
  /// Returns the tokens of the parts that services have, of their own or inherited from templates: type, scope,
  /// provided names, and the key of each argument.
  ///
  /// - Complexity: linear in what services and templates declare. At most `maximumInheritance` arguments of templates
  ///   are visited.
  static func tokens(of services: [ServiceDeclaration], in templates: [ComposedTemplate]) -> Set<NodeRef> {
    let places = Dictionary(zip(templates.map(\.name), templates.indices)) { first, _ in first }
    var tokens: Set<NodeRef> = []
    var budget = maximumInheritance
    for service in services {
      var declarations = [service]
      var seen: Set<Int> = []
      var next = service.extends.flatMap { places[$0.name] }
      while let place = next, budget > 0, seen.insert(place).inserted {
        let declaration = templates[place].declaration
        budget -= 1 + declaration.arguments.inject.count + declaration.arguments.values.count
        declarations.append(declaration)
        next = templates[place].parent
      }
      var keys: [Name: NodeRef] = [:]
      for arguments in declarations.lazy.map(\.arguments) {
        for argument in arguments.inject where keys[argument.name] == nil { keys[argument.name] = argument.key }
        for argument in arguments.values where keys[argument.name] == nil { keys[argument.name] = argument.key }
      }
      tokens.formUnion(keys.values)
      let parts = [
        declarations.lazy.compactMap(\.type?.node).first, declarations.lazy.compactMap(\.scope?.node).first,
      ]
      tokens.formUnion(parts.compactMap(\.self))
      for provides in declarations.lazy.compactMap(\.provides) {
        tokens.insert(provides.node)
        if provides.replaces { break }
      }
    }
    return tokens
  }

  /// How many inherited arguments are visited for services that are not checked.
  private static let maximumInheritance = 1 << 20

  /// Sets `isExtended`, and removes from `checked` and `type` what is not declared by one of the tokens.
  mutating func keepChecked(_ tokens: Set<NodeRef>) {
    func isKept(_ node: NodeRef?) -> Bool { node.map(tokens.contains) ?? true }
    isExtended = true
    checked.arguments.inject.removeAll { !tokens.contains($0.key) }
    checked.arguments.values.removeAll { !tokens.contains($0.key) }
    if !isKept(checked.type?.node) { checked.type = nil }
    if !isKept(checked.scope?.node) { checked.scope = nil }
    if !isKept(checked.provides?.node) { checked.provides = nil }
    if !isKept(type?.node) { type = nil }
  }

  /// Returns for each template whether it has one of the names, or a template with one extends it, directly or not.
  package static func reached(from names: Set<Name>, in templates: [ComposedTemplate]) -> [Bool] {
    var isReached = Array(repeating: false, count: templates.count)
    for place in templates.indices where names.contains(templates[place].name) {
      var next: Int? = place
      while let place = next, !isReached[place] {
        isReached[place] = true
        next = templates[place].parent
      }
    }
    return isReached
  }
}
