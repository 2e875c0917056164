// SPDX-License-Identifier: Apache-2.0

/// How long an instance of a service lives, and which consumers share it.
public enum Lifetime: Hashable, Sendable {
  /// One instance for each container.
  case shared
  /// One instance, for as long as something else retains it.
  case weak
  /// A new instance for each use.
  case transient
  /// One instance for each top-level look-up.
  case graph
  /// One instance for each open scope with a name. The number is its index in the module's `scopes`, outermost first.
  case scope(Int)

  /// Creates the lifetime with a name that every module file may use; `nil` if there is none.
  init?(word: String) {
    switch word {
    case "shared": self = .shared
    case "weak": self = .weak
    case "transient": self = .transient
    case "graph": self = .graph
    default: return nil
    }
  }

  /// Returns the name of the lifetime in a module file with the given named scopes.
  package func word(in scopes: [String]) -> String {
    switch self {
    case .shared: "shared"
    case .weak: "weak"
    case .transient: "transient"
    case .graph: "graph"
    case .scope(let number): scopes[number]
    }
  }

  /// The lifetimes that every module file may use.
  package static let words = ["shared", "weak", "transient", "graph"]
}
