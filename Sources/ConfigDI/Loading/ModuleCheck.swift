// SPDX-License-Identifier: Apache-2.0

/// The result of reading a module once and checking it in one or more environments.
///
/// The environments are composed one after the other. Each composition is released before the next is made, unless the
/// caller keeps it.
package struct ModuleCheck: Sendable {
  /// The findings that are kept, sorted by file in the order of composition, then by position, then by code.
  package let diagnostics: [Diagnostic]
  /// The numbers of further findings, which are not kept.
  package let truncated: FindingCounts
  /// The findings that the module suppresses, in the same order.
  package let suppressed: [Diagnostic]
  /// The names of the checked environments, as declared; empty for a module that declares none.
  package let environments: [String]
  /// The compositions of the environments, or the one of the module alone, if the caller keeps them.
  package let compositions: [Composition]
  /// The totals of all environments.
  package let summary: Summary
  /// The registered types; `nil` if they are not known or could not be read.
  package let catalog: Catalog?
  /// The documents of all files that were read.
  package let documents: DocumentSet
  /// The secrets of the files.
  private let secrets: SecretDeclarations
  /// The parts of the files that must not be shown.
  private let hidden: Redactions

  /// The result of one environment.
  package struct Composition: Sendable {
    /// The environment; `nil` for the module alone.
    package var environment: String?
    /// The composed module; `nil` if a file could not be read.
    package var definition: ModuleDefinition?
    /// The graph; `nil` if a check found an error.
    package var graph: ValidatedGraph?
    /// Whether it is certain which parameters the files of all environments declare secret.
    package var knowsSecrets: Bool
  }

  /// The totals of all environments.
  package struct Summary: Sendable {
    /// For each name of the load, whether it is the id of a service in some environment.
    private var isService: [Bool]
    /// The names of the load.
    private let names: NameTable
    /// The uses of variables, files and configuration in all environments. A source is set or has a default if that
    /// holds in every environment, and is secret if it is in one. Its type is that of the first environment.
    package private(set) var sourceUses = SourceUses()

    /// Creates the totals of no environments.
    fileprivate init(_ names: NameTable) {
      self.names = names
      isService = Array(repeating: false, count: names.count)
    }

    /// The ids of the services of all environments, including services that a condition disables.
    package var serviceIDs: Set<String> {
      Set(isService.indices.lazy.filter { isService[$0] }.map { names[Name(index: UInt32($0))] })
    }

    /// The number of distinct ids of services.
    package var serviceCount: Int { isService.count { $0 } }

    /// Adds the services and source uses of a composed module.
    fileprivate mutating func add(_ definition: ModuleDefinition) {
      for service in definition.services { isService[Int(service.name.index)] = true }
      for service in definition.excluded { isService[Int(service.name.index)] = true }
      sourceUses.merge(definition.sourceUses)
    }
  }

  /// The origin of the registered types of a check.
  package enum TypeSource {
    /// The types are not known, and no check of types is made.
    case unknown
    /// The types of a registry, which also converts the values of types that decode themselves.
    ///
    /// `awaits` says whether the load awaits the builders of eager services.
    case registry(Registry, awaits: Bool = true)
    /// The types that a closure reads. The closure may add a document to the files, and reports errors to the bag.
    ///
    /// If it returns `nil` or reports an error, the types are unknown.
    case read((inout ModuleFiles, inout DiagnosticBag) -> Catalog?)
  }

  /// The numbers of findings, including those that are not kept.
  package var counts: FindingCounts { FindingCounts(of: diagnostics) + truncated }

  /// Whether no finding is an error.
  package var isSound: Bool { counts.errors == 0 }

  /// Reads a module and checks it.
  ///
  /// - Parameters:
  ///   - request: The module and everything that is added to it.
  ///   - environments: The environments to check; `nil` for all that the module declares, or the module alone if it
  ///     declares none; `[]` for the module without any environment.
  ///   - includesBase: Whether to check the module without any environment first.
  ///   - types: The origin of the registered types.
  ///   - keepsCompositions: Whether to keep the compositions in `compositions`.
  ///   - visit: Called with the composition of each environment, before the next is made.
  /// - Complexity: linear in the total size of the files that each environment applies.
  package init(
    checking request: ModuleRequest, environments: [String]?, includesBase: Bool = false, files access: any FileAccess,
    types: TypeSource = .unknown, keepsCompositions: Bool = true,
    visit: (Composition) -> Void = { _ in }
  ) {
    var files = ModuleFiles(request, access)
    self.init(
      checking: request, environments: environments, includesBase: includesBase, in: &files, types: types,
      keepsCompositions: keepsCompositions, visit: visit)
  }

  /// Checks a module, some of whose files may have been read before.
  init(
    checking request: ModuleRequest, environments wanted: [String]?, includesBase: Bool = false,
    in files: inout ModuleFiles, types: TypeSource, keepsCompositions: Bool = true,
    visit: (Composition) -> Void = { _ in }
  ) {
    // All files are read before the first environment is composed.
    var targets = EnvironmentTarget.all(in: files, wanted)
    if includesBase, targets[0].name != nil { targets.insert(EnvironmentTarget(), at: 0) }
    let plan = EnvironmentSelection(of: targets, in: &files, request)
    if request.readsAllEnvironments { files = files.readingAllEnvironments(request) }
    var catalog: Catalog?
    var registry: Registry?
    var isAwaited: AwaitedStartCheck.IsAwaited?
    var catalogBag = DiagnosticBag()
    switch types {
    case .unknown: break
    case .registry(let given, let awaits):
      (catalog, registry) = (given.catalogForChecks, given)
      if !awaits { isAwaited = given.mustBeAwaitedHere(_:) }
    case .read(let read): catalog = read(&files, &catalogBag)
    }
    var summary = Summary(files.names)
    var checked: [String] = []
    var kept: [Composition] = []
    var report = FindingsReport(documents: files.documents.documents, order: plan.fileOrder)
    let knowsSecrets = files.knowsSecretParameters
    // The files of all environments; `nil` as long as they are not needed.
    var allFiles: ModuleFiles?
    SuggestionBudget.$current.withValue(SuggestionBudget()) {
      for var run in plan.runs {
        run.bag.append(catalogBag)
        var composition = Composition(environment: run.name, knowsSecrets: knowsSecrets)
        if run.isReadable && !catalogBag.hasReadingErrors {
          let isCatalogSound = !catalogBag.hasErrors
          let unchecked = run
          composition.compose(&run, files, request, catalog, registry, isAwaited, isCatalogSound: isCatalogSound)
          if !run.bag.findings.isEmpty, composition.mayDependOnOtherEnvironments(files) {
            let all = allFiles ?? files.readingAllEnvironments(request)
            allFiles = all
            run = unchecked
            composition.compose(&run, all, request, catalog, registry, isAwaited, isCatalogSound: isCatalogSound)
          }
        }
        if let definition = composition.definition { summary.add(definition) } else { run.bag.uses.markAll() }
        visit(composition)
        if keepsCompositions { kept.append(composition) }
        report.add(
          FindingsReport.Check(
            environment: run.name, bag: run.bag, files: run.order.files, isChecked: run.isChecked))
        if let environment = run.name, run.isChecked { checked.append(environment) }
      }
    }
    if let (target, finding) = plan.refusal {
      var bag = DiagnosticBag()
      bag.report(finding)
      bag.uses.markAll()
      report.add(FindingsReport.Check(environment: target.name, bag: bag, files: []))
    }
    (environments, compositions, self.summary) = (checked, kept, summary)
    self.catalog = catalog
    documents = files.documents
    secrets = files.secretDeclarations
    report.rules = SeverityRules(
      in: files, applied: plan.fileOrder, checked: checked, isWhole: plan.refusal == nil, knowsTypes: catalog != nil)
    // A module without findings needs no excerpts.
    hidden = report.isEmpty && report.rules.isEmpty ? Redactions() : Redactions(secretsIn: files)
    report.hidden = hidden
    (diagnostics, truncated, suppressed) = report.resolved()
  }

  /// Checks two modules that are compared, so that neither shows what the other declares secret.
  ///
  /// - Parameters:
  ///   - first: Checks the first module, and hides the given secrets as well.
  ///   - second: Checks the second module in the same way.
  package static func pair(
    from first: (SecretDeclarations) -> ModuleCheck, to second: (SecretDeclarations) -> ModuleCheck
  ) -> (from: ModuleCheck, to: ModuleCheck) {
    let pair = (from: first(SecretDeclarations()), to: second(SecretDeclarations()))
    // If both declare the same, each has hidden it already.
    guard pair.from.secrets != pair.to.secrets else { return pair }
    return (from: first(pair.to.secrets), to: second(pair.from.secrets))
  }

  /// Returns a renderer of the findings, which hides secret parts of the files.
  package func renderer(usesColor: Bool = false) -> TextRenderer {
    TextRenderer(usesColor: usesColor) { [documents, hidden] file in
      TextRenderer.Source(documents[file].source, masks: hidden.masks(of: file))
    }
  }

  /// Returns a file of the load.
  package func source(_ file: FileID) -> SourceFile { documents[file].source }
}

// MARK: - One environment

extension ModuleCheck.Composition {
  /// Whether some findings may be about a template that only services of an environment whose files were not read
  /// extend.
  fileprivate func mayDependOnOtherEnvironments(_ files: ModuleFiles) -> Bool {
    definition?.templates.contains(where: \.isLoose) == true && !files.hasAllEnvironments
  }

  /// Composes, links and checks one environment, all of whose files were read.
  fileprivate mutating func compose(
    _ run: inout EnvironmentRun, _ files: ModuleFiles, _ request: ModuleRequest, _ catalog: Catalog?,
    _ registry: Registry?, _ isAwaited: AwaitedStartCheck.IsAwaited?, isCatalogSound: Bool
  ) {
    let merger = ModuleMerger(run.order.files, of: files)
    let definition = ModuleDefinition(
      completing: merger, run.order, of: files, environment: environment, request, bag: &run.bag)
    let graph = WiringGraph(
      linking: definition, catalog: isCatalogSound ? catalog : nil, limits: request.limits, bag: &run.bag)
    ModuleChecks.run(
      over: graph, converting: registry?.mismatch(_:_:_:isSecret:), refusing: isAwaited,
      isCatalogSound: isCatalogSound, bag: &run.bag)
    run.bag.dropFindings(causedByMalformed: definition.malformedKeys)
    run.bag = definition.relocated(run.bag)
    self.definition = definition
    self.graph = ValidatedGraph(graph, checkedInto: run.bag)
  }
}

extension SeverityRules {
  /// Collects the rules for warnings from the files of a check.
  ///
  /// - Parameters:
  ///   - order: The files that some environment applies.
  ///   - checked: The environments that were checked.
  ///   - isWhole: Whether no environment was left out because of its size.
  fileprivate init(
    in files: ModuleFiles, applied order: [FileID], checked: [String], isWhole: Bool, knowsTypes: Bool
  ) {
    let entry = files.entryModule
    self.init(settings: entry.severities, suppressions: order.flatMap { files[$0].suppressions })
    isComplete = isWhole && Set(checked).isSuperset(of: entry.environments.map(\.name))
    self.knowsTypes = knowsTypes
  }
}

extension ModuleFiles {
  /// Returns these files with those of the environments that are not checked.
  fileprivate func readingAllEnvironments(_ request: ModuleRequest) -> ModuleFiles {
    var files = self
    for target in EnvironmentTarget.all(in: files, nil) { _ = EnvironmentRun(target, in: &files, request) }
    return files
  }
}
