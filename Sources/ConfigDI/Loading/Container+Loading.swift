// SPDX-License-Identifier: Apache-2.0

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
  ///   - observers: Who watches what is built, in the order in which they are called.
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
    let source = ModuleSource(
      path, environment: environment, layers: layers, settings: settings, root: root, allowedPaths: allowedPaths,
      variables: variables, limits: limits, syntaxes: syntaxes)
    try self.init(source, registry: registry, given: given, observers: observers)
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
    let source = ModuleSource(
      text: text, name: name, environment: environment, layers: layers, settings: settings, root: root,
      allowedPaths: allowedPaths, variables: variables, limits: limits, syntaxes: syntaxes)
    try self.init(source, registry: registry, given: given, observers: observers)
  }

  /// Loads a module, checks it against the registry, and starts what it declares eager.
  ///
  /// - Throws: as for a module on the disk.
  public convenience init(
    _ source: ModuleSource, registry: Registry, given: [any Sendable] = [], observers: [any ContainerObserver] = []
  ) throws {
    // The plan alone: all else is given back before the services take their memory.
    let plan = try CompiledPlan(loading: source, registry: registry, awaits: false)
    try self.init(plan: plan, registry: registry, given: given, observers: observers)
    try start()
  }

  /// Loads a module file, checks it against the registry, and starts what it declares eager, with builders awaited.
  ///
  /// As the form that does not await, for modules in which an eager service is built asynchronously, or on an actor. Where an
  /// eager service cannot be built, those before it are disposed of in the reverse order, as by `shutdown`.
  ///
  /// ```swift
  /// let container = try await Container(
  ///   module: "Configs/app.json", environment: "prod", registry: registry, startLimit: .seconds(30))
  /// ```
  ///
  /// - Parameter startLimit: How long building the eager services may take; nil: any time. The error of what hangs names it.
  ///   With a limit builders do not run on the caller's actor, unless they name it.
  /// - Throws: as that form, and `ResolutionError` where the task is cancelled, and where the time is over.
  public convenience init(
    module path: String, environment: String? = nil, layers: [ModuleLayer] = [], settings: [String] = [],
    root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil, registry: Registry,
    given: any Sendable..., limits: Limits = Limits(), syntaxes: [ModuleSyntax] = [],
    observers: [any ContainerObserver] = [], startLimit: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let source = ModuleSource(
      path, environment: environment, layers: layers, settings: settings, root: root, allowedPaths: allowedPaths,
      variables: variables, limits: limits, syntaxes: syntaxes)
    try await self.init(
      source, registry: registry, given: given, observers: observers, startLimit: startLimit, isolation: isolation)
  }

  /// Loads a module in JSON that is given as a text, with builders of eager services awaited; `name` is what messages call it.
  ///
  /// - Throws: as for a module on the disk.
  public convenience init(
    text: String, name: String = "<module>", environment: String? = nil, layers: [ModuleLayer] = [],
    settings: [String] = [], root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil,
    registry: Registry, given: any Sendable..., limits: Limits = Limits(), syntaxes: [ModuleSyntax] = [],
    observers: [any ContainerObserver] = [], startLimit: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let source = ModuleSource(
      text: text, name: name, environment: environment, layers: layers, settings: settings, root: root,
      allowedPaths: allowedPaths, variables: variables, limits: limits, syntaxes: syntaxes)
    try await self.init(
      source, registry: registry, given: given, observers: observers, startLimit: startLimit, isolation: isolation)
  }

  /// Loads a module, checks it against the registry, and starts what it declares eager, with builders awaited.
  ///
  /// - Throws: as for a module on the disk.
  public convenience init(
    _ source: ModuleSource, registry: Registry, given: [any Sendable] = [], observers: [any ContainerObserver] = [],
    startLimit: Duration? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let plan = try CompiledPlan(loading: source, registry: registry, awaits: true)
    try self.init(plan: plan, registry: registry, given: given, observers: observers)
    try await startAwaiting(within: startLimit, isolation: isolation)
  }
}

extension CompiledPlan {
  /// The plan of a module with all that is added to it.
  ///
  /// - Parameter awaits: whether eager services may have to be awaited.
  /// - Throws: `LoadError` with all findings where the module is not sound, `RegistryError` where the registry is not.
  package init(loading source: ModuleSource, registry: Registry, awaits: Bool) throws {
    try registry.validate()
    var files = ModuleFiles(source.request, source.files)
    try self.init(loading: source.request, source.environment, in: &files, registry: registry, awaits: awaits)
  }

  /// The plan of a module of which some files were read before.
  init(
    loading request: ModuleRequest, _ environment: String?, in files: inout ModuleFiles, registry: Registry,
    awaits: Bool
  ) throws(LoadError) {
    let check = ModuleCheck(
      checking: request, environments: environment.map { [$0] } ?? [], in: &files,
      types: .registry(registry, awaits: awaits))
    guard check.isSound, let graph = check.compositions.first?.graph else { throw LoadError(check) }
    self.init(compiling: graph)
  }
}

extension LoadError {
  /// The error of a check that found some.
  fileprivate init(_ check: ModuleCheck) {
    diagnostics = check.diagnostics
    description = check.renderer().text(of: check.diagnostics, truncated: check.truncated)
  }
}
