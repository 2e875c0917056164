// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What all environments of a check have in sum.
extension ModuleCheck {
  /// How many distinct ids of services the environments have in all.
  package var serviceCount: Int { summary.serviceCount }

  /// What some environment reads beside the files, ascending by name.
  package func sources(_ kind: TextSource.Kind) -> [SourceUse] { summary.sourceUses.ascending(kind) }
}
