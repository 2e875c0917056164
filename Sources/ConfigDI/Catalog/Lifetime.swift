// SPDX-License-Identifier: Apache-2.0

/// How long an instance of a service lives, and who shares it.
public enum Lifetime: Hashable, Sendable {
  /// One instance a container.
  case shared
  /// A new instance each time.
  case transient

  /// The lifetime of a word in a module file, or nil.
  package init?(word: String) {
    switch word {
    case "shared": self = .shared
    case "transient": self = .transient
    default: return nil
    }
  }

  /// The word for the lifetime in a module file.
  package var word: String {
    switch self {
    case .shared: "shared"
    case .transient: "transient"
    }
  }

  /// The words that a module file may use.
  package static let words = ["shared", "transient"]
}
