// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// A module that was composed in one environment and has no errors.
  struct ComposedModule {
    /// The check, whose findings are warnings.
    let check: ModuleCheck
    /// The graph.
    let graph: ValidatedGraph
    /// The composed module.
    var module: ResolvedModule {
      var module = ResolvedModule(graph)
      module.suppressed = check.suppressed
      return module
    }
    /// What was asked for.
    fileprivate let request: ModuleRequest
    /// The options that it was composed with.
    fileprivate let options: CompositionOptions

    /// The module without an environment, with the secrets of that in which it was composed as well; nil where it has errors.
    var base: ValidatedGraph? {
      ModuleCheck(
        checking: request, environments: check.environments, alsoAlone: true, files: DiskFiles(), knowing: options.types
      ).compositions.first?.graph
    }

    /// Calls a function with the module without an environment, then with it in each that it declares; without a graph where
    /// it has errors. Each is composed anew, with the secrets of all, and released after the call.
    func forEachEnvironment(_ body: (ModuleCheck.Composition) -> Void) {
      _ = ModuleCheck(
        checking: request, environments: nil, alsoAlone: true, files: DiskFiles(), knowing: options.types,
        keepsCompositions: false, visit: body)
    }

    /// Writes the findings beside a result that does not carry them, and ends with the status of findings where warnings
    /// count as errors and there are some.
    ///
    /// - Parameters:
    ///   - isText: Whether the result is one for people; the JSON forms stand alone, unless the status has to be explained.
    ///   - dependsOnTypes: Whether the result has references, of which the catalog may know more.
    func end(isText: Bool, dependsOnTypes: Bool = true) throws {
      let isFailed = options.isFailed(check.diagnostics)
      if isText || isFailed { Report(check).writeBesideResult() }
      if dependsOnTypes { options.hintAtCatalog(for: [graph.graph]) }
      if isFailed { throw ExitCode(ExitStatus.findings.rawValue) }
    }
  }

  extension CompositionOptions {
    /// Says on the standard error that references are missing where services take some by type and the registered types are not known.
    func hintAtCatalog(for graphs: [WiringGraph]) {
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
    /// A composed module in an environment.
    ///
    /// - Parameters:
    ///   - requiringSources: Whether a missing variable or file is an error.
    ///   - readsAllEnvironments: Whether what other environments declare secret is hidden as well.
    ///   - format: The form of findings.
    /// - Throws: `ExitCode` where it has errors, which are printed; `ValidationError` for options that cannot be met.
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
        throw Report(check).written(as: format)
      }
      return ComposedModule(check: check, graph: graph, request: request, options: self)
    }
  }
#endif
