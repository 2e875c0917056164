// SPDX-License-Identifier: Apache-2.0

/// What stood at each place of a composition before the token that stands there now.
///
/// Who decided something is its token; this holds the tokens that it took the place of, and no text.
package struct History: Sendable {
  /// The token that each token took the place of.
  private var displaced: [NodeRef: NodeRef] = [:]

  /// A composition in which nothing was changed yet.
  init() {}

  /// Notes that a token takes the place of another one.
  mutating func note(_ new: NodeRef?, displaces old: NodeRef?) {
    guard let new, let old, new != old else { return }
    displaced[new] = old
  }

  /// The first of the tokens that led to a token.
  func origin(of token: NodeRef) -> NodeRef { tokens(before: token).last ?? token }

  /// The tokens that a token took the place of, the latest first.
  ///
  /// - Complexity: linear in their number.
  package func tokens(before token: NodeRef) -> [NodeRef] {
    var tokens: [NodeRef] = []
    var token = token
    // No token stands in a chain twice; the bound is for the case that a defect makes a circle.
    while let old = displaced[token], tokens.count <= displaced.count {
      tokens.append(old)
      token = old
    }
    return tokens
  }
}
