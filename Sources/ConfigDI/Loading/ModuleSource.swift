// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A module, and all that is added to it when it is loaded: what several loads have in common.
///
/// ```swift
/// let source = ModuleSource("Configs/app.json", environment: "prod", layers: ["Configs/tenant.json"])
/// let container = try Container(source, registry: registry)
/// ```
public struct ModuleSource: Sendable {
  /// What is read.
  package var request: ModuleRequest
  /// The environment; nil for the module without layers.
  package let environment: String?
  /// The files.
  package let files: any FileAccess

  /// A module file.
  ///
  /// - Parameters:
  ///   - path: The entry module, relative to the working folder.
  ///   - environment: One of the environments that the module declares, or nil for the module without layers.
  ///   - layers: Layers that are applied behind those of the environment, in order.
  ///   - settings: Scalars to change, the last, each as `PATH=TEXT`: `services.mailer.values.timeout=30s`.
  ///   - root: The folder that imports and the files of parameters stay below; nil: the entry module's.
  ///   - allowedPaths: Files, and folders with all below them, to which imports and `file` parameters may lead beside the
  ///     root, such as the folder of mounted secrets; relative to the working folder.
  ///   - variables: The environment variables that parameters read; nil: those of the process, as they are now.
  ///   - limits: How much may be read.
  ///   - syntaxes: The syntaxes that can be read beside JSON, JSONC and property lists, such as YAML.
  public init(
    _ path: String, environment: String? = nil, layers: [ModuleLayer] = [], settings: [String] = [],
    root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil, limits: Limits = Limits(),
    syntaxes: [ModuleSyntax] = []
  ) {
    self.init(
      .file(path), DiskFiles(), environment, layers, settings, root, allowedPaths, variables, limits, syntaxes)
  }

  /// A module in JSON that is given as a text; `name` is what messages call it. Its imports are relative to the working folder.
  public init(
    text: String, name: String = "<module>", environment: String? = nil, layers: [ModuleLayer] = [],
    settings: [String] = [], root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil,
    limits: Limits = Limits(), syntaxes: [ModuleSyntax] = []
  ) {
    self.init(
      .text(SourceFile(name: name, text: text), .json), DiskFiles(), environment, layers, settings, root, allowedPaths,
      variables, limits, syntaxes)
  }

  /// The module with a configuration for its parameters with `config`; without one they have no value but their default.
  public func reading(_ configuration: ConfigurationSource) -> ModuleSource {
    var source = self
    source.request.configuration = configuration
    return source
  }

  /// A request, of some files.
  package init(_ request: ModuleRequest, environment: String? = nil, files: any FileAccess = DiskFiles()) {
    self.request = request
    self.environment = environment
    self.files = files
  }

  /// A module, of some files.
  package init(
    _ entry: Entry, _ files: any FileAccess, _ environment: String?, _ layers: [ModuleLayer], _ settings: [String],
    _ root: String?, _ allowedPaths: [String], _ variables: [String: String]?, _ limits: Limits,
    _ syntaxes: [ModuleSyntax]
  ) {
    self.init(
      ModuleRequest(
        entry: entry, layers: layers, settings: settings.map { Setting($0) ?? .malformed }, root: root,
        allowedPaths: allowedPaths, variables: variables ?? ProcessInfo.processInfo.environment, missing: .refused,
        limits: limits, syntaxes: syntaxes),
      environment: environment, files: files)
  }
}
