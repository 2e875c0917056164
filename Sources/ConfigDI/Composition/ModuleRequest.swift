// SPDX-License-Identifier: Apache-2.0

/// A module to check: where it starts, what is added to it, and what it may read.
package struct ModuleRequest: Sendable {
  /// The entry module.
  package var entry: Entry
  /// Layers that are applied behind those of the environment, in order.
  package var layers: [ModuleLayer]
  /// Scalars to change, the last.
  package var settings: [Setting]
  /// The folder that imports and the files of parameters stay below; nil: the entry module's.
  package var root: String?
  /// Files, and folders with all below them, to which imports and `file` parameters may lead beside the root.
  package var allowedPaths: [String]
  /// The environment variables.
  package var variables: [ScalarString: String]
  /// The configuration values; nil where there are none.
  package var configuration: ConfigurationSource?
  /// How a missing source is handled.
  package var missing: MissingSources
  /// How much may be read.
  package var limits: Limits
  /// The syntaxes that can be read beside those of the library.
  package var syntaxes: [ModuleSyntax]
  /// Whether the layers of environments that are not composed are read as well, so that what they declare secret is hidden.
  package var readsAllEnvironments = false

  /// A module to check.
  package init(
    entry: Entry, layers: [ModuleLayer] = [], settings: [Setting] = [], root: String? = nil,
    allowedPaths: [String] = [], variables: [String: String] = [:], missing: MissingSources = .tolerated,
    limits: Limits = Limits(),
    syntaxes: [ModuleSyntax] = []
  ) {
    self.entry = entry
    self.layers = layers
    self.settings = settings
    self.root = root
    self.allowedPaths = allowedPaths
    self.variables = [ScalarString: String](variables.map { (ScalarString($0.key), $0.value) }) { $1 }
    self.missing = missing
    self.limits = limits
    self.syntaxes = syntaxes
  }
}
