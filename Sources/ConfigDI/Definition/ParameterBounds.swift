// SPDX-License-Identifier: Apache-2.0

/// The constraints on the value of a parameter, converted to the parameter's type.
struct ParameterBounds {
  /// The allowed values; `nil` if all values are allowed.
  private(set) var allowed: [Value]?
  /// The minimum, inclusive; `nil` if there is none.
  private(set) var least: Value?
  /// The maximum, inclusive; `nil` if there is none.
  private(set) var greatest: Value?
  /// The tokens of the constraints that do not have the parameter's type.
  private(set) var typeMismatches: [NodeRef] = []

  /// Converts the constraints of a parameter to its type.
  init(of parameter: ParameterDeclaration, type: ParameterType) {
    allowed = parameter.allowed.map { $0.values.compactMap { bound($0, type) } }
    guard type.isOrdered else { return }
    least = parameter.least.flatMap { bound($0, type) }
    greatest = parameter.greatest.flatMap { bound($0, type) }
  }

  /// Converts one constraint to the type. Returns `nil` and adds it to `typeMismatches` if it does not have that type.
  private mutating func bound(_ literal: Literal, _ type: ParameterType) -> Value? {
    let bound = type.value(ofLiteral: literal.value)
    if bound == nil { typeMismatches.append(literal.node) }
    return bound
  }

  /// Returns the constraint that a value violates, in words for a message; `nil` if it violates none.
  func breach(by value: Value) -> String? {
    if let allowed, !allowed.contains(where: { $0.means(value) }) {
      let values = allowed.isEmpty ? "the values in \"oneOf\", which is empty" : allowed.map(\.quoted).listed
      return "must be one of \(values)"
    }
    if let least, value.isLess(than: least) == true { return "must be at least \(least.quoted)" }
    if let greatest, greatest.isLess(than: value) == true { return "must be at most \(greatest.quoted)" }
    return nil
  }
}
