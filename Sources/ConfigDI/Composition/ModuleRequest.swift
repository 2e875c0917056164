// SPDX-License-Identifier: Apache-2.0

/// A module to load: its entry, additional layers and settings, and what may be read.
package struct ModuleRequest: Sendable {
  /// The entry module.
  package var entry: Entry
  /// The layers that are applied after those of the environment, in order.
  package var layers: [ModuleLayer]
  /// The settings of scalars, applied last.
  package var settings: [Setting]
  /// The folder that imports and the files of parameters must stay below; `nil` for the entry module's folder.
  package var root: String?
  /// Files, and folders with everything below them, that may be read in addition to the root.
  package var allowedPaths: [String]
  /// The environment variables.
  package var variables: EnvironmentVariables
  /// The configuration values, or `nil` if there are none.
  package var configuration: ConfigurationSource?
  /// How a missing source is handled.
  package var missing: MissingSources
  /// The folder to which the paths of the caller are relative, in words.
  package var pathBase = "the working folder"
  /// The limits of the load.
  package var limits: Limits
  /// The syntaxes that can be read in addition to those of the library.
  package var syntaxes: [ModuleSyntax]
  /// Whether the layers of environments that are not composed are read as well, so that their secrets are hidden.
  package var readsAllEnvironments = false
  /// The secrets of a module that this one is compared with. They are hidden in this module as well.
  package var otherSecrets = SecretDeclarations()

  /// Creates a request.
  package init(
    entry: Entry, layers: [ModuleLayer] = [], settings: [Setting] = [], root: String? = nil,
    allowedPaths: [String] = [], variables: EnvironmentVariables = .given([:]), missing: MissingSources = .tolerated,
    limits: Limits = Limits(), syntaxes: [ModuleSyntax] = []
  ) {
    self.entry = entry
    self.layers = layers
    self.settings = settings
    self.root = root
    self.allowedPaths = allowedPaths
    self.variables = variables
    self.missing = missing
    self.limits = limits
    self.syntaxes = syntaxes
  }
}
