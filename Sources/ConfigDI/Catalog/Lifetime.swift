// SPDX-License-Identifier: Apache-2.0

/// How long an instance of a service lives, and who shares it.
public enum Lifetime: Hashable, Sendable {
  /// One instance a container.
  case shared
  /// One instance as long as someone else holds it.
  case weak
  /// A new instance each time.
  case transient
  /// One instance an outermost look-up.
  case graph
  /// One instance an open scope of a name; the number is the name's place in the module's `scopes`, the outermost 0.
  case scope(Int)

  /// The lifetime of a word in a module file, or nil where it is none.
  ///
  /// - Parameter scopes: the named scopes of the module, outermost first.
  package init?(word: String, scopes: [String]) {
    switch word {
    case "shared": self = .shared
    case "weak": self = .weak
    case "transient": self = .transient
    case "graph": self = .graph
    default:
      guard let number = scopes.firstIndex(where: { $0.utf8.elementsEqual(word.utf8) }) else { return nil }
      self = .scope(number)
    }
  }

  /// The word for the lifetime in a module file with the given named scopes.
  package func word(in scopes: [String]) -> String {
    switch self {
    case .shared: "shared"
    case .weak: "weak"
    case .transient: "transient"
    case .graph: "graph"
    case .scope(let number): scopes[number]
    }
  }

  /// The words that every module file may use.
  package static let words = ["shared", "weak", "transient", "graph"]
}
