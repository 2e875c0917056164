// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// Loads a module file, checks it against the registry, and builds its eager services.
  ///
  /// ```swift
  /// var registry = Registry()
  /// registry.add("ConsoleLogger", as: (any Logger).self) { ConsoleLogger() }
  /// let container = try Container(module: "Configs/app.json", environment: "prod", registry: registry)
  /// let logger = try container.resolve((any Logger).self)
  /// ```
  ///
  /// After that, no reference, type or value in the file can be wrong. A look-up still fails if a builder throws, if the
  /// service needs `await`, the main actor, an open scope or run-time arguments, if it is private, if several services
  /// provide the type, or if the container is closed.
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
  ///   - variables: The environment variables that parameters read; `nil`: those of the process.
  ///   - registry: The types that the module may name.
  ///   - given: The instances of shared services whose types are registered by `Registry.given`. Each instance is
  ///     matched to a service by its type; if several services have that type, wrap it in `Given` to name the service.
  ///   - limits: The limits on how much may be read.
  ///   - syntaxes: The syntaxes that can be read in addition to JSON, JSONC and property lists, such as YAML.
  ///   - observers: The observers of all builds, in the order in which they are called.
  /// - Throws: `LoadError` with all findings if the module has errors, or if an eager service can only be built with
  ///   `await`; `RegistryError` if the registry has errors; `ResolutionError` if the builder of an eager service
  ///   throws, or if the given instances do not match the services.
  /// - Complexity: linear in the size of the files, except for the sorting of ids.
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

  /// Loads a module from a JSON text, checks it against the registry, and builds its eager services.
  ///
  /// `name` is the name of the module in messages. Imports are relative to the working folder.
  ///
  /// ```swift
  /// let container = try Container(
  ///   text: #"{ "configdi": 1, "module": "small", "services": { "logger": { "type": "ConsoleLogger" } } }"#,
  ///   registry: registry)
  /// ```
  ///
  /// - Throws: The errors of loading a module file.
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

  /// Loads a module, checks it against the registry, and builds its eager services.
  ///
  /// - Throws: The errors of loading a module file.
  public convenience init(
    _ source: ModuleSource, registry: Registry, given: [any Sendable] = [], observers: [any ContainerObserver] = []
  ) throws {
    // Only the plan is kept: everything else is released before the services are allocated.
    let plan = try CompiledPlan(loading: source, registry: registry, awaits: false)
    try self.init(plan: plan, registry: registry, given: given, observers: observers)
    try start()
  }

  /// Loads a module file, checks it against the registry, and builds its eager services, awaiting their builders.
  ///
  /// Use this form if an eager service has an `async` builder or is built on an actor. If an eager service cannot be
  /// built, those built before it are disposed of in reverse order, as by `shutdown`.
  ///
  /// ```swift
  /// let container = try await Container(
  ///   module: "Configs/app.json", environment: "prod", registry: registry, startLimit: .seconds(30))
  /// ```
  ///
  /// - Parameter startLimit: The time that building the eager services may take; `nil`: no limit. The error of a
  ///   time-out names the service being built. With a limit, builders do not run on the caller's actor unless they name
  ///   it.
  /// - Throws: The errors of the form that does not await; `ResolutionError` if the task is cancelled or the time is
  ///   over.
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

  /// Loads a module from a JSON text, checks it against the registry, and builds its eager services, awaiting their
  /// builders. `name` is the name of the module in messages.
  ///
  /// - Throws: The errors of loading a module file.
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

  /// Loads a module, checks it against the registry, and builds its eager services, awaiting their builders.
  ///
  /// - Throws: The errors of loading a module file.
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
  /// Loads a module and compiles its plan.
  ///
  /// - Parameter awaits: Whether eager services may need `await`.
  /// - Throws: `LoadError` with all findings if the module has errors; `RegistryError` if the registry has errors.
  package init(loading source: ModuleSource, registry: Registry, awaits: Bool) throws {
    try registry.validate()
    var files = ModuleFiles(source.request, source.files)
    try self.init(loading: source.request, source.environment, in: &files, registry: registry, awaits: awaits)
  }

  /// Compiles the plan of a module, some of whose files may have been read before.
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
  /// Creates the error of a check that found errors.
  package init(_ check: ModuleCheck) {
    diagnostics = check.diagnostics
    description = check.renderer().text(of: check.diagnostics, truncated: check.truncated)
  }
}
