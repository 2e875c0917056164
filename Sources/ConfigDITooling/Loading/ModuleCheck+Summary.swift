// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What all environments of a check have in sum.
extension ModuleCheck {
  /// How many distinct ids of services the environments have in all.
  package var serviceCount: Int {
    Set(compositions.lazy.compactMap(\.definition).flatMap(\.serviceNames)).count
  }

  /// The environment variables that some environment reads, ascending by name.
  package var variables: [SourceUse] { merged(\.variables) }

  /// The files of `file` parameters that some environment reads, ascending by path.
  package var fileSources: [SourceUse] { merged(\.fileSources) }

  /// The uses of all environments, the first of each name.
  private func merged(_ uses: KeyPath<ModuleDefinition, [String: SourceUse]>) -> [SourceUse] {
    var merged: [String: SourceUse] = [:]
    for composition in compositions {
      for (name, use) in composition.definition?[keyPath: uses] ?? [:] where merged[name] == nil { merged[name] = use }
    }
    return merged.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
