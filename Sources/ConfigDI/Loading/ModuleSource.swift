// SPDX-License-Identifier: Apache-2.0

/// A module and the options of loading it, which several loads can share.
///
/// ```swift
/// let source = ModuleSource("Configs/app.json", environment: "prod", layers: ["Configs/tenant.json"])
/// let container = try Container(source, registry: registry)
/// ```
public struct ModuleSource: Sendable {
  /// The request that a load reads.
  package var request: ModuleRequest
  /// The environment; `nil` for the module without an environment.
  package let environment: String?
  /// The file system from which files are read.
  package let files: any FileAccess

  /// Creates the source of a module file.
  ///
  /// - Parameters:
  ///   - path: The path of the entry module, relative to the working folder.
  ///   - environment: One of the environments that the module declares; `nil` for the module without an environment.
  ///   - layers: Layers that are applied after those of the environment, in order.
  ///   - settings: Scalars to set after all layers, each as `PATH=TEXT`: `services.mailer.values.timeout=30s`.
  ///   - root: The folder that must contain all imported files and files of parameters; `nil`: the entry module's
  ///     folder.
  ///   - allowedPaths: Files and folders outside the root to which imports and `file` parameters may also lead, such as
  ///     the folder of mounted secrets. A folder allows everything in it. Relative to the working folder.
  ///   - variables: The environment variables that parameters read; `nil`: those of the process, as they are at each
  ///     load.
  ///   - limits: The limits on how much may be read.
  ///   - syntaxes: The syntaxes that can be read in addition to JSON, JSONC and property lists, such as YAML.
  public init(
    _ path: String, environment: String? = nil, layers: [ModuleLayer] = [], settings: [String] = [],
    root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil, limits: Limits = Limits(),
    syntaxes: [ModuleSyntax] = []
  ) {
    self.init(
      .file(path), DiskFiles(), environment, layers, settings, root, allowedPaths, variables, limits, syntaxes)
  }

  /// Creates the source of a module that is given as a JSON text. `name` is the name of the module in messages. Imports
  /// are relative to the working folder.
  public init(
    text: String, name: String = "<module>", environment: String? = nil, layers: [ModuleLayer] = [],
    settings: [String] = [], root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil,
    limits: Limits = Limits(), syntaxes: [ModuleSyntax] = []
  ) {
    self.init(
      .text(SourceFile(name: name, text: text), .json), DiskFiles(), environment, layers, settings, root, allowedPaths,
      variables, limits, syntaxes)
  }

  /// Returns the same source with a configuration, from which parameters with `config` are read. Without a
  /// configuration, these parameters have only their defaults.
  public func reading(_ configuration: ConfigurationSource) -> ModuleSource {
    var source = self
    source.request.configuration = configuration
    return source
  }

  /// Creates a source from a request and a file system.
  package init(_ request: ModuleRequest, environment: String? = nil, files: any FileAccess = DiskFiles()) {
    self.request = request
    self.environment = environment
    self.files = files
  }

  /// Creates a source from its parts and a file system.
  package init(
    _ entry: Entry, _ files: any FileAccess, _ environment: String?, _ layers: [ModuleLayer], _ settings: [String],
    _ root: String?, _ allowedPaths: [String], _ variables: [String: String]?, _ limits: Limits,
    _ syntaxes: [ModuleSyntax]
  ) {
    self.init(
      ModuleRequest(
        entry: entry, layers: layers, settings: settings.map { Setting($0) ?? .malformed }, root: root,
        allowedPaths: allowedPaths, variables: variables.map { EnvironmentVariables($0) } ?? .process,
        missing: .refused, limits: limits, syntaxes: syntaxes),
      environment: environment, files: files)
  }
}

extension ModuleSource: CustomStringConvertible, CustomReflectable {
  /// The path or name of the module, and the environment in parentheses.
  public var description: String { request.entry.name + (environment.map { " (\($0))" } ?? "") }

  /// The path or name of the module, and the environment. Not the variables and settings, which may contain secrets.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["module": request.entry.name, "environment": environment as Any], displayStyle: .struct)
  }
}
