// SPDX-License-Identifier: Apache-2.0

/// The values that a parameter may have.
struct ParameterBounds {
  /// The allowed values, or nil where all are.
  private(set) var allowed: [Value]?
  /// The smallest allowed value.
  private(set) var least: Value?
  /// The greatest allowed value.
  private(set) var greatest: Value?
  /// Bounds that are not of the parameter's type.
  private(set) var misfits: [NodeRef] = []

  /// The bounds that a parameter gives.
  init(of parameter: ParameterDeclaration, type: ParameterType) {
    allowed = parameter.allowed.map { $0.values.compactMap { bound($0, type) } }
    guard type.isOrdered else { return }
    least = parameter.least.flatMap { bound($0, type) }
    greatest = parameter.greatest.flatMap { bound($0, type) }
  }

  /// The value of a bound; one that is not of the type is noted.
  private mutating func bound(_ literal: Literal, _ type: ParameterType) -> Value? {
    let bound = type.value(ofLiteral: literal.value)
    if bound == nil { misfits.append(literal.node) }
    return bound
  }

  /// What is allowed, in words, where a value is not; nil where it is.
  func breach(by value: Value) -> String? {
    if let allowed, !allowed.contains(where: { $0.means(value) }) {
      return "must be one of " + allowed.map(\.quoted).listed
    }
    if let least, value.isLess(than: least) == true { return "must be at least \(least.quoted)" }
    if let greatest, greatest.isLess(than: value) == true { return "must be at most \(greatest.quoted)" }
    return nil
  }
}
