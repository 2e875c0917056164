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
  /// Whether no service extends the template, directly or through other templates, so that its mistakes are reported
  /// on the template itself. A service counts that is disabled or in a file of another environment, since its mistakes
  /// are reported where it is enabled; one with an invalid template does not.
  package var isLoose = false
  /// Whether the template, or one that it extends, is malformed, part of a cycle, or extends an unknown template.
  package internal(set) var isInvalid: Bool
  /// The index of the template that it extends, or `nil`.
  var parent: Int?
  /// The size of its own arguments, in bytes.
  var weight = 0
  /// The index of the nearest template with arguments, beginning with the template itself; `nil` if there is none.
  var nearestWithArguments: Int?

  /// Creates a template from a merged entry.
  init(_ entry: Declaration<ServiceDeclaration>) {
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
