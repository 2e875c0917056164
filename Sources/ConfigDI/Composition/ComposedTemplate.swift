// SPDX-License-Identifier: Apache-2.0

/// A template after composition.
package struct ComposedTemplate: Sendable {
  /// The id.
  package var name: Name
  /// The key that defines the template.
  package var key: NodeRef
  /// Whether some file's part of the template has an error of shape; it takes no part in further checks.
  package var isMalformed: Bool
  /// What the template itself says.
  package var declaration: ServiceDeclaration
  /// Its own data, ascending by key, expanded only where no service is there that a mistake in them would be reported for.
  package var values: [ArgumentDeclaration<Datum>] = []
  /// The registered type of those that extend it, as far as templates say it.
  package internal(set) var type: Token?
  /// The names by which those that extend it are looked up, as far as templates say it.
  var provides: ListChange<Token>?
  /// The lifetime of those that extend it, as far as templates say it.
  var scope: Token?
  /// Whether no sound service that is there extends it, directly or through others.
  package var isLoose = false
  /// Whether a service extends a loose template that is disabled, malformed, or in a file of another environment.
  var isExtended = false
  /// What a loose template says that some of these services have from it; all, where there are none. This is checked here,
  /// since no other service is there of which a mistake in it would be reported.
  var checked = ServiceDeclaration()
  /// Whether it, or one that it extends, is not there or not sound.
  package internal(set) var isUnsound: Bool
  /// The template that it extends, or nil.
  var parent: Int?
  /// What its own arguments weigh, in bytes.
  var weight = 0
  /// The nearest template on the way up, itself included, that has arguments.
  var nearestWithArguments: Int?

  /// A template as the files made it.
  init(_ entry: ComposedEntry<ServiceDeclaration>) {
    name = entry.name
    key = entry.key
    isMalformed = entry.isMalformed
    declaration = entry.body
    type = entry.body.type
    provides = entry.body.provides
    scope = entry.body.scope
    isUnsound = entry.isMalformed
  }
}

extension ComposedTemplate {
  /// The tokens that services have: their own, and those that they have from some templates. Of an argument the key.
  ///
  /// - Complexity: linear in what services and templates say, up to `greatestInheritance` arguments of templates.
  static func tokens(of services: [ServiceDeclaration], in templates: [ComposedTemplate]) -> Set<NodeRef> {
    let places = Dictionary(zip(templates.map(\.name), templates.indices)) { first, _ in first }
    var tokens: Set<NodeRef> = []
    var budget = greatestInheritance
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
        declarations.lazy.compactMap(\.provides?.node).first,
      ]
      tokens.formUnion(parts.compactMap(\.self))
    }
    return tokens
  }

  /// How many arguments of templates are followed into services that are not checked.
  private static let greatestInheritance = 1 << 20

  /// Removes what no service has from the template, so that it is not checked.
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

  /// For each template, whether it is one of some, or one that those extend, directly or through others.
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
