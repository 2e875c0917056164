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
