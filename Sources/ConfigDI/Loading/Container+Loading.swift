// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Container {
  /// Loads a module file, checks it against the registry, and starts what it declares eager.
  ///
  /// ```swift
  /// var registry = Registry()
  /// registry.add("ConsoleLogger", as: (any Logger).self) { ConsoleLogger() }
  /// let container = try Container(module: "Configs/app.json", environment: "prod", registry: registry)
  /// let logger = try container.resolve((any Logger).self)
  /// ```
  ///
  /// After it, only a builder's own error can make the look-up of a service from the file fail.
  ///
  /// - Parameters:
  ///   - path: The entry module, relative to the working folder.
  ///   - environment: One of the environments that the module declares, or nil for the module without layers.
  ///   - layers: Layers that are applied behind those of the environment, in order.
  ///   - settings: Scalars to change, the last, each as `PATH=TEXT`: `services.mailer.values.timeout=30s`.
  ///   - root: The folder that imports and the files of parameters stay below; nil: the entry module's.
  ///   - allowedPaths: Files, and folders with all below them, to which imports and `file` parameters may lead beside the
  ///     root, such as the folder of mounted secrets; relative to the working folder.
  ///   - variables: The environment variables that parameters read; nil: those of the process.
  ///   - registry: The types that the module may name.
  ///   - given: The instances of shared services whose types are registered by `Registry.given`, each taken by its type; one
  ///     of several of a type is named by `Given`.
  ///   - limits: How much may be read.
  ///   - syntaxes: The syntaxes that can be read beside JSON, JSONC and property lists, such as YAML.
  ///   - observers: Who watches what is built, in the order in which they are told.
  /// - Throws: `LoadError` with all findings where the module is not sound, also where an eager service has to be awaited;
  ///   `RegistryError` where the registry is not sound; `ResolutionError` where the builder of an eager service throws, and
  ///   where what is given is not what the services want.
  /// - Complexity: linear in the size of the files, but for the sorting of ids.
  public convenience init(
    module path: String, environment: String? = nil, layers: [ModuleLayer] = [], settings: [String] = [],
    root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil, registry: Registry,
    given: any Sendable..., limits: Limits = Limits(), syntaxes: [ModuleSyntax] = [],
    observers: [any ContainerObserver] = []
  ) throws {
    let request = ModuleRequest(
      loading: .file(path), layers, settings, root, allowedPaths, variables, limits, syntaxes)
    try self.init(
      loading: request, environment: environment, registry: registry, given, files: DiskFiles(), observers)
  }

  /// Loads a module in JSON that is given as a text; `name` is what messages call it.
  ///
  /// Its imports are relative to the working folder. Everything else is as for a module on the disk.
  ///
  /// ```swift
  /// let container = try Container(
  ///   text: #"{ "configdi": 1, "module": "small", "services": { "logger": { "type": "ConsoleLogger" } } }"#,
  ///   registry: registry)
  /// ```
  ///
  /// - Throws: as for a module on the disk.
  public convenience init(
    text: String, name: String = "<module>", environment: String? = nil, layers: [ModuleLayer] = [],
    settings: [String] = [], root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil,
    registry: Registry, given: any Sendable..., limits: Limits = Limits(), syntaxes: [ModuleSyntax] = [],
    observers: [any ContainerObserver] = []
  ) throws {
    let request = ModuleRequest(
      loading: .text(SourceFile(name: name, text: text), .json), layers, settings, root, allowedPaths, variables,
      limits,
      syntaxes)
    try self.init(
      loading: request, environment: environment, registry: registry, given, files: DiskFiles(), observers)
  }

  /// Loads a module with all that is added to it.
  convenience init(
    loading request: ModuleRequest, environment: String?, registry: Registry, _ given: [any Sendable] = [],
    files: any FileAccess, _ observers: [any ContainerObserver] = []
  ) throws {
    // The plan alone: all else is given back before the services take their memory.
    let plan = try Container.plan(
      loading: request, environment: environment, registry: registry, awaits: false, files: files)
    try self.init(plan: plan, registry: registry, given: given, observers: observers)
    try start()
  }

  /// Loads a module file, checks it against the registry, and starts what it declares eager, with builders awaited.
  ///
  /// As the form that does not await, for modules in which an eager service is built asynchronously, or on an actor.
  ///
  /// ```swift
  /// let container = try await Container(module: "Configs/app.json", environment: "prod", registry: registry)
  /// ```
  ///
  /// - Throws: as that form, and `ResolutionError` where the task is cancelled.
  public convenience init(
    module path: String, environment: String? = nil, layers: [ModuleLayer] = [], settings: [String] = [],
    root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil, registry: Registry,
    given: any Sendable..., limits: Limits = Limits(), syntaxes: [ModuleSyntax] = [],
    observers: [any ContainerObserver] = [], isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let request = ModuleRequest(
      loading: .file(path), layers, settings, root, allowedPaths, variables, limits, syntaxes)
    try await self.init(
      awaiting: request, environment: environment, registry: registry, given, files: DiskFiles(), observers,
      isolation: isolation)
  }

  /// Loads a module in JSON that is given as a text, with builders of eager services awaited; `name` is what messages call it.
  ///
  /// - Throws: as for a module on the disk.
  public convenience init(
    text: String, name: String = "<module>", environment: String? = nil, layers: [ModuleLayer] = [],
    settings: [String] = [], root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil,
    registry: Registry, given: any Sendable..., limits: Limits = Limits(), syntaxes: [ModuleSyntax] = [],
    observers: [any ContainerObserver] = [], isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let request = ModuleRequest(
      loading: .text(SourceFile(name: name, text: text), .json), layers, settings, root, allowedPaths, variables,
      limits, syntaxes)
    try await self.init(
      awaiting: request, environment: environment, registry: registry, given, files: DiskFiles(), observers,
      isolation: isolation)
  }

  /// Loads a module with all that is added to it, with builders of eager services awaited.
  convenience init(
    awaiting request: ModuleRequest, environment: String?, registry: Registry, _ given: [any Sendable],
    files: any FileAccess, _ observers: [any ContainerObserver], isolation: isolated (any Actor)?
  ) async throws {
    let plan = try Container.plan(
      loading: request, environment: environment, registry: registry, awaits: true, files: files)
    try self.init(plan: plan, registry: registry, given: given, observers: observers)
    try await startAwaiting(isolation: isolation)
  }

  /// The plan of a module with all that is added to it.
  ///
  /// - Parameter awaits: Whether eager services may have to be awaited.
  /// - Throws: `LoadError` with all findings where the module is not sound, `RegistryError` where the registry is not.
  package static func plan(
    loading request: ModuleRequest, environment: String?, registry: Registry, awaits: Bool, files: any FileAccess
  ) throws -> CompiledPlan {
    try registry.validate()
    let check = ModuleCheck(
      checking: request, environments: environment.map { [$0] } ?? [], files: files,
      types: .registry(registry, awaits: awaits))
    guard check.isSound, let graph = check.compositions.first?.graph else { throw LoadError(check) }
    return CompiledPlan(compiling: graph)
  }
}

extension ModuleRequest {
  /// The request of an application, with the variables of the process where it gives none.
  fileprivate init(
    loading entry: Entry, _ layers: [ModuleLayer], _ settings: [String], _ root: String?, _ allowedPaths: [String],
    _ variables: [String: String]?, _ limits: Limits, _ syntaxes: [ModuleSyntax]
  ) {
    self.init(
      entry: entry, layers: layers, settings: settings.map { Setting($0) ?? .malformed }, root: root,
      allowedPaths: allowedPaths, variables: variables ?? ProcessInfo.processInfo.environment, missing: .refused,
      limits: limits, syntaxes: syntaxes)
  }
}

extension LoadError {
  /// The error of a check that found some.
  fileprivate init(_ check: ModuleCheck) {
    diagnostics = check.diagnostics
    description = check.renderer().text(of: check.diagnostics, truncated: check.truncated)
  }
}
