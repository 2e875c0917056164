// SPDX-License-Identifier: Apache-2.0

/// A variable, a file or a configuration value that a composition reads.
package struct SourceUse: Hashable, Sendable {
  /// The variable's name, the file's path as written, or the key of the configuration value.
  package var name: String
  /// The declared type of the first parameter that reads it.
  package var type: String
  /// Whether it is there; an empty variable is not, but for a string or a list.
  package var isSet: Bool
  /// Whether a default stands in for it.
  package var hasDefault: Bool
  /// Whether its value is never printed.
  package var isSecret: Bool

  /// The use in two compositions: set and with a default where it is in both, a secret where it is in one.
  package func merged(with other: SourceUse) -> SourceUse {
    var merged = self
    merged.isSet = isSet && other.isSet
    merged.hasDefault = hasDefault && other.hasDefault
    merged.isSecret = isSecret || other.isSecret
    return merged
  }
}

/// What a composition reads beside its files.
package struct SourceUses: Sendable {
  /// The uses by kind and name.
  private var uses: [TextSource.Kind: [ScalarString: SourceUse]] = [:]

  /// No uses.
  package init() {}

  /// The uses of a kind by name.
  package subscript(kind: TextSource.Kind) -> [ScalarString: SourceUse] {
    get { uses[kind] ?? [:] }
    _modify { yield &uses[kind, default: [:]] }
  }

  /// The uses of a kind, ascending by name.
  package func ascending(_ kind: TextSource.Kind) -> [SourceUse] {
    self[kind].values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Adds the uses of another composition.
  package mutating func merge(_ other: SourceUses) {
    for kind in TextSource.Kind.allCases {
      self[kind].merge(other[kind]) { $0.merged(with: $1) }
    }
  }
}
