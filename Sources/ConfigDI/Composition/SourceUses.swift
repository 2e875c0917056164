// SPDX-License-Identifier: Apache-2.0

/// The use of a variable, a file or a configuration value by a composition.
package struct SourceUse: Equatable, Sendable {
  /// The name of the variable, the path of the file as written, or the key of the configuration value.
  package var name: String
  /// The declared type of the first parameter that reads it.
  package var type: String
  /// Whether it is present. An empty variable is present only for a string or a list.
  package var isSet: Bool
  /// Whether a default, or another source, replaces it if it is missing.
  package var hasDefault: Bool
  /// Whether output hides its value.
  package var isSecret: Bool

  /// Returns the use by two parameters, or in two compositions: set, or with a default, if both are; a secret if one is.
  package func merged(with other: SourceUse) -> SourceUse {
    var merged = self
    merged.isSet = isSet && other.isSet
    merged.hasDefault = hasDefault && other.hasDefault
    merged.isSecret = isSecret || other.isSecret
    return merged
  }
}

/// The variables, files and configuration values that a composition reads in addition to module files.
package struct SourceUses: Sendable {
  /// The uses of each kind, by name.
  private var uses: [TextSource.Kind: [ScalarString: SourceUse]] = [:]

  /// The uses of a kind, by name.
  package subscript(kind: TextSource.Kind) -> [ScalarString: SourceUse] {
    get { uses[kind] ?? [:] }
    _modify { yield &uses[kind, default: [:]] }
  }

  /// Returns the uses of a kind, ascending by name.
  package func ascending(_ kind: TextSource.Kind) -> [SourceUse] {
    self[kind].values.ascending(by: \.name)
  }

  /// Adds the uses of another composition.
  package mutating func merge(_ other: SourceUses) {
    for kind in TextSource.Kind.allCases {
      self[kind].merge(other[kind]) { $0.merged(with: $1) }
    }
  }
}
