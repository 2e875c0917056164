// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What all environments of a check have in sum.
extension ModuleCheck {
  /// How many distinct ids of services the environments have in all.
  package var serviceCount: Int { summary.serviceCount }

  /// The environment variables that some environment reads, ascending by name.
  package var variables: [SourceUse] { ascending(summary.variables) }

  /// The files of `file` parameters that some environment reads, ascending by path.
  package var fileSources: [SourceUse] { ascending(summary.fileSources) }

  /// Some uses, ascending by name.
  private func ascending(_ uses: [String: SourceUse]) -> [SourceUse] {
    uses.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
