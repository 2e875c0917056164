// SPDX-License-Identifier: Apache-2.0

/// The types that a parameter can be declared to have, by the words of the format.
public enum ParameterType: String, CaseIterable, Sendable {
  case string, int, double, bool, duration, size, list, json
  /// The type of a literal map, for which module files have no word.
  case map

  /// The types that a file can declare.
  package static let declarable = allCases.filter { $0 != .map }

  /// The type, or where files have no word for it the declared type that accepts its values.
  package var declared: ParameterType { self == .map ? .json : self }

  /// Whether values of the type may consist of others.
  package var mayHoldParts: Bool { self == .list || self == .json || self == .map }

  /// Whether `min` and `max` mean something.
  package var isOrdered: Bool {
    switch self {
    case .int, .double, .duration, .size: true
    case .string, .bool, .list, .json, .map: false
    }
  }
}

/// What a parameter says: where its value comes from, and what holds of it.
package struct ParameterDeclaration: Sendable {
  /// Where a value comes from.
  package enum Source: Sendable {
    /// A literal that stands for the whole parameter.
    case literal(Datum)
    /// The literal under `value`.
    case value(Datum)
    /// A text from outside the module, such as an environment variable.
    case text(TextSource)
    /// The first of some that is present, and the token of their list.
    case first([TextSource], NodeRef)

    /// The literal, or nil where the value is from outside the module.
    package var literal: Datum? {
      switch self {
      case .literal(let datum), .value(let datum): datum
      case .text, .first: nil
      }
    }

    /// Where the value may come from outside the module, in order.
    package var texts: [TextSource] {
      switch self {
      case .literal, .value: []
      case .text(let source): [source]
      case .first(let sources, _): sources
      }
    }

    /// Whether the value arrives as a text that is converted to the declared type.
    package var isText: Bool { literal == nil }

    /// The token that decides the value.
    package var node: NodeRef {
      switch self {
      case .literal(let datum), .value(let datum): datum.node
      case .text(let source): source.node
      case .first(_, let node): node
      }
    }
  }

  /// The values that a parameter may have, and the token of their list.
  package struct AllowedValues: Sendable {
    /// The values.
    package var values: [Literal]
    /// The list's token.
    package var node: NodeRef
  }

  /// The source; nil only in an override that keeps the old one.
  package var source: Source?
  /// Whether a literal stands for the whole parameter, or did before overrides said more: its type is its literal's.
  package var isLiteral = false
  /// The declared type, or nil. Without `typeNode` it is that of a literal which an override has replaced.
  package var type: ParameterType?
  /// The string that declares the type.
  package var typeNode: NodeRef?
  /// The literal to use where the source has nothing.
  package var fallback: Literal?
  /// The allowed values, or nil where all are.
  package var allowed: AllowedValues?
  /// The smallest allowed value.
  package var least: Literal?
  /// The greatest allowed value.
  package var greatest: Literal?
  /// Whether the value is never printed.
  package var isSecret: FlagToken?
  /// What to use instead.
  package var deprecated: Token?
  /// Paths that an override removes.
  package var unset: [Token] = []

  /// Whether an override with this body says nothing.
  var isEmpty: Bool {
    source == nil && type == nil && fallback == nil && !hasBounds && isSecret == nil && deprecated == nil
      && unset.isEmpty
  }

  /// Whether some values are not allowed.
  var hasBounds: Bool { allowed != nil || least != nil || greatest != nil }
}
