// SPDX-License-Identifier: Apache-2.0

/// The types that a parameter can have. The raw values are the words of the module format.
public enum ParameterType: String, CaseIterable, Sendable {
  case string, int, double, bool, duration, size, list, json
  /// The type of a map literal. Module files have no word for it.
  case map

  /// The types that a file can declare.
  package static let declarable = allCases.filter { $0 != .map }

  /// The type to declare for values of this type: itself, or `json` for `map`, which files cannot declare.
  package var declared: ParameterType { self == .map ? .json : self }

  /// Whether values of the type may contain other values.
  package var mayHoldParts: Bool { self == .list || self == .json || self == .map }

  /// Whether `min` and `max` apply to the type.
  package var isOrdered: Bool {
    switch self {
    case .int, .double, .duration, .size: true
    case .string, .bool, .list, .json, .map: false
    }
  }
}

/// The declaration of a parameter: the source of its value, its type and its constraints.
package struct ParameterDeclaration: Sendable {
  /// The source of a parameter's value.
  package enum Source: Sendable {
    /// A literal, under the key `value` or in place of a descriptor.
    case value(Datum)
    /// A text from outside the module, such as an environment variable.
    case text(TextSource)
    /// The first source of a list that is present, with the token of the list.
    case first([TextSource], NodeRef)

    /// The literal; `nil` if the value comes from outside the module.
    package var literal: Datum? { if case .value(let datum) = self { datum } else { nil } }

    /// The sources outside the module, in the order in which they are tried.
    package var texts: [TextSource] {
      switch self {
      case .value: []
      case .text(let source): [source]
      case .first(let sources, _): sources
      }
    }

    /// Whether the value is read as a text and converted to the declared type.
    package var isText: Bool { literal == nil }

    /// The token of the literal or source, or of the list of sources.
    package var node: NodeRef {
      switch self {
      case .value(let datum): datum.node
      case .text(let source): source.node
      case .first(_, let node): node
      }
    }
  }

  /// The values that a parameter may have, with the token of their list.
  package struct AllowedValues: Sendable {
    /// The values.
    package var values: [Literal]
    /// The token of the list.
    package var node: NodeRef
  }

  /// The source; `nil` only in an override that keeps the earlier one.
  package var source: Source?
  /// The sources besides `source` in a malformed descriptor with several. Those of a secret parameter are secret, too.
  var surplusTexts: [TextSource] = []
  /// Whether the parameter is a literal, or was before overrides added keys. Its type is then the literal's type.
  package var isLiteral = false
  /// The declared type; `nil` if none is declared. Without `typeNode`, the type of a literal that was overridden.
  package var type: ParameterType?
  /// The parameter that a literal stood for before it was overridden: it determines the type, unless one is declared.
  package var typeSource: Name?
  /// The token that declares the type, a string.
  package var typeNode: NodeRef?
  /// The default, used if no source is present.
  package var fallback: Literal?
  /// The allowed values; `nil` if all values are allowed.
  package var allowed: AllowedValues?
  /// The minimum, inclusive.
  package var least: Literal?
  /// The maximum, inclusive.
  package var greatest: Literal?
  /// Whether the value is secret and must never be printed.
  package var isSecret: FlagToken?
  /// The deprecation notice, which says what to use instead; `nil` if the parameter is not deprecated.
  package var deprecated: Token?
  /// The paths that an override removes.
  package var unset: [Token] = []

  /// Whether the parameter is a literal in place of a descriptor, which no override has changed.
  package var isPlainLiteral: Bool { isLiteral && type == nil && typeSource == nil }

  /// Whether an override with this content changes nothing.
  var isEmpty: Bool {
    source == nil && type == nil && fallback == nil && !hasBounds && isSecret == nil && deprecated == nil
      && unset.isEmpty
  }

  /// Whether the parameter has constraints on its value.
  var hasBounds: Bool { allowed != nil || least != nil || greatest != nil }
}
