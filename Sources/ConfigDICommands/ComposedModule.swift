// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// A module that was composed in one environment and has no errors.
  struct ComposedModule {
    /// The check that composed the module. All its findings are warnings.
    let check: ModuleCheck
    /// The validated graph.
    let graph: ValidatedGraph
    /// The composed module.
    var module: ResolvedModule {
      var module = ResolvedModule(graph)
      module.suppressed = check.suppressed
      return module
    }
    /// The request that the module was composed from.
    fileprivate let request: ModuleRequest
    /// The command-line options that the module was composed with.
    fileprivate let options: CompositionOptions

    /// The module composed without an environment, or `nil` if it then has errors. The secrets of the environment in
    /// which this module was composed are secret there as well.
    var base: ValidatedGraph? {
      ModuleCheck(
        checking: request, environments: check.environments, includesBase: true, files: DiskFiles(),
        knowing: options.types
      ).compositions.first?.graph
    }

    /// Calls `body` with the module composed without an environment, then with the module composed in each environment
    /// that it declares. A composition with errors has no graph. Each composition is made anew, with the secrets of all
    /// environments, and released after the call.
    func forEachEnvironment(_ body: (ModuleCheck.Composition) -> Void) {
      _ = ModuleCheck(
        checking: request, environments: nil, includesBase: true, files: DiskFiles(), knowing: options.types,
        keepsCompositions: false, visit: body)
    }

    /// Writes the findings to the standard error if the result does not contain them. Throws the exit code of findings
    /// if warnings count as errors and there are some.
    ///
    /// - Parameters:
    ///   - isText: Whether the result is text for people. After a JSON result, findings are written only to explain the
    ///     exit status.
    ///   - dependsOnTypes: Whether the result has references, to which a catalog may add.
    func end(isText: Bool, dependsOnTypes: Bool = true) throws {
      let isFailed = options.isFailed(check.diagnostics)
      if isText || isFailed { Report(check).writeToStandardError() }
      if dependsOnTypes { options.writeCatalogHint(for: [graph.graph]) }
      if isFailed { throw ExitCode(ExitStatus.findings.rawValue) }
    }
  }

  extension CompositionOptions {
    /// Writes a hint to the standard error if services take references by type and the registered types are not known,
    /// so that these references are missing.
    func writeCatalogHint(for graphs: [WiringGraph]) {
      guard types.isNone else { return }
      let ids = Set(
        graphs.flatMap { graph in
          graph.definition.services.filter(\.isAutowired).map { graph.definition.names[$0.name] }
        })
      guard let first = ids.min() else { return }
      let services = ids.count == 1 ? "service \"\(first.visible)\" takes" : "\(ids.count) services take"
      StandardStream.error.writeHint(
        "\(services) references by type (\"autowire\"), which are not known without --catalog and missing here")
    }
  }

  extension CompositionOptions {
    /// Composes a module in one environment.
    ///
    /// - Parameters:
    ///   - requiringSources: Whether a missing variable or file is an error.
    ///   - readsAllEnvironments: Whether values that other environments declare secret are hidden as well.
    ///   - format: The format of findings.
    /// - Throws: `ExitCode` if the module has errors, which are printed first; `ValidationError` if the environment
    ///   file or the standard input cannot be read.
    func composed(
      _ module: String, in environment: EnvironmentOption, requiringSources: Bool = false,
      readingAllEnvironments readsAllEnvironments: Bool = false, findingsAs format: OutputFormat
    ) throws -> ComposedModule {
      let files = DiskFiles()
      var request = try self.request(of: module, from: files, requiringSources: requiringSources)
      request.readsAllEnvironments = readsAllEnvironments
      let check = ModuleCheck(
        checking: request, environments: environment.environments, files: files, knowing: types)
      guard check.isSound, let graph = check.compositions.first?.graph else {
        throw Report(check).writeFindings(as: format)
      }
      return ComposedModule(check: check, graph: graph, request: request, options: self)
    }
  }
#endif
