// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Summaries of all environments of a check.
extension ModuleCheck {
  /// The number of distinct service ids in all environments.
  package var serviceCount: Int { summary.serviceCount }

  /// Returns the sources of a kind that any environment reads, ascending by name.
  package func sources(_ kind: TextSource.Kind) -> [SourceUse] { summary.sourceUses.ascending(kind) }
}
