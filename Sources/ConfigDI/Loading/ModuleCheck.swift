// SPDX-License-Identifier: Apache-2.0

/// A module, read once and checked in one or more environments.
///
/// The environments are composed one after the other. Each composition is released before the next is made, unless the
/// caller keeps it.
package struct ModuleCheck: Sendable {
  /// The findings that are kept, sorted by file in the order of composition, then position, then code.
  package let diagnostics: [Diagnostic]
  /// How many further findings there are.
  package let truncated: FindingCounts
  /// What the module suppresses, in the same order.
  package let suppressed: [Diagnostic]
  /// The environments that were checked, as declared; empty for a module that declares none.
  package let environments: [String]
  /// What was composed in each environment, where it is kept; one for the module alone where it declares none.
  package let compositions: [Composition]
  /// What the environments have in sum.
  package let summary: Summary
  /// The registered types; nil where they are not known, or could not be read.
  package let catalog: Catalog?
  /// The documents of the files that were read.
  package let documents: DocumentSet
  /// What of the files is not shown.
  private let hidden: HiddenText

  /// The result for one environment.
  package struct Composition: Sendable {
    /// The environment, or nil.
    package var environment: String?
    /// The composed module; nil where a file could not be read.
    package var definition: ModuleDefinition?
    /// The graph, where no check found an error.
    package var graph: ValidatedGraph?
    /// Whether it is certain which parameters the files of all environments declare secret.
    package var knowsSecrets: Bool
  }

  /// What all environments have in sum.
  package struct Summary: Sendable {
    /// Whether each name of the load is the id of a service that files define in some environment.
    private var isService: [Bool]
    /// The names of the load.
    private let names: NameTable
    /// What some environment reads beside the files: set and with a default where it is in each, a secret where it is in
    /// one, with the type of the first.
    package private(set) var sourceUses = SourceUses()

    /// A sum of no environment.
    fileprivate init(_ names: NameTable) {
      self.names = names
      isService = Array(repeating: false, count: names.count)
    }

    /// The ids of the services that files define in some environment, those that a condition disables too.
    package var serviceIDs: Set<String> {
      Set(isService.indices.lazy.filter { isService[$0] }.map { names[Name(index: UInt32($0))] })
    }

    /// How many distinct ids of services there are.
    package var serviceCount: Int { isService.count { $0 } }

    /// Adds what was composed in an environment.
    fileprivate mutating func add(_ definition: ModuleDefinition) {
      for service in definition.services { isService[Int(service.name.index)] = true }
      for service in definition.excluded { isService[Int(service.name.index)] = true }
      sourceUses.merge(definition.sourceUses)
    }
  }

  /// Where the registered types of a check come from.
  package enum TypeSource {
    /// The types are not known, and nothing about them is checked.
    case unknown
    /// A registry, which also converts the values of types that decode themselves.
    ///
    /// `awaits` says whether the module is loaded in a way that awaits eager services.
    case registry(Registry, awaits: Bool = true)
    /// A closure that reads them, which may add a document to the files and reports to the bag what is wrong with it.
    ///
    /// A result of nil, and a result beside an error, leave the types unknown.
    case read((inout ModuleFiles, inout DiagnosticBag) -> Catalog?)
  }

  /// How many findings there are, also those that are not kept.
  package var counts: FindingCounts { FindingCounts(of: diagnostics) + truncated }

  /// Whether no finding is an error.
  package var isSound: Bool { counts.errors == 0 }

  /// Reads a module and checks it.
  ///
  /// - Parameters:
  ///   - request: The module and what is added to it.
  ///   - environments: The environments to check; nil: all that the module declares, or the module alone.
  ///     `[]`: the module without any layer.
  ///   - alsoAlone: Whether the module without any layer comes before them.
  ///   - types: Where the registered types come from.
  ///   - keepsCompositions: Whether `compositions` has what was composed.
  ///   - visit: Called with what was composed in each environment, before the next is composed.
  /// - Complexity: linear in the size of the files that each environment applies, together.
  package init(
    checking request: ModuleRequest, environments: [String]?, alsoAlone: Bool = false, files access: any FileAccess,
    types: TypeSource = .unknown, keepsCompositions: Bool = true,
    visit: (Composition) -> Void = { _ in }
  ) {
    var files = ModuleFiles(request, access)
    self.init(
      checking: request, environments: environments, alsoAlone: alsoAlone, in: &files, types: types,
      keepsCompositions: keepsCompositions, visit: visit)
  }

  /// Checks a module of which files were read before; those that were not are read.
  init(
    checking request: ModuleRequest, environments wanted: [String]?, alsoAlone: Bool = false,
    in files: inout ModuleFiles, types: TypeSource, keepsCompositions: Bool = true,
    visit: (Composition) -> Void = { _ in }
  ) {
    // All files are read before the first is composed.
    var targets = EnvironmentTarget.all(in: files, wanted)
    if alsoAlone, targets[0].name != nil { targets.insert(EnvironmentTarget(), at: 0) }
    let plan = EnvironmentPlan(of: targets, in: &files, request)
    if request.readsAllEnvironments {
      for target in EnvironmentTarget.all(in: files, nil) { _ = EnvironmentRun(target, in: &files, request) }
    }
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
    SuggestionBudget.$current.withValue(SuggestionBudget()) {
      for var run in plan.runs {
        run.bag.append(catalogBag)
        var composition = Composition(environment: run.name, knowsSecrets: knowsSecrets)
        if run.isReadable && !catalogBag.hasReadingErrors {
          composition.compose(&run, files, request, catalog, registry, isAwaited, isCatalogSound: !catalogBag.hasErrors)
        }
        if let definition = composition.definition { summary.add(definition) } else { run.bag.uses.markAll() }
        visit(composition)
        if keepsCompositions { kept.append(composition) }
        report.add(FindingsReport.Check(environment: run.name, bag: run.bag, files: Set(run.order.files)))
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
    report.rules = SeverityRules(
      in: files, applied: plan.fileOrder, checked: checked, isWhole: plan.refusal == nil, knowsTypes: catalog != nil)
    // A module without findings has no excerpts.
    hidden = report.isEmpty && report.rules.isEmpty ? HiddenText() : HiddenText(secretsIn: files)
    report.hidden = hidden
    (diagnostics, truncated, suppressed) = report.resolved()
  }

  /// A renderer of the findings, which shows of the files what may be shown.
  package func renderer(usesColor: Bool = false) -> TextRenderer {
    TextRenderer(usesColor: usesColor) { [documents, hidden] file in
      TextRenderer.Source(documents[file].source, masks: hidden.masks(of: file))
    }
  }

  /// A file of the load.
  package func source(_ file: FileID) -> SourceFile { documents[file].source }
}

// MARK: - One environment

extension ModuleCheck.Composition {
  /// Composes, links and checks one environment whose files could be read.
  fileprivate mutating func compose(
    _ run: inout EnvironmentRun, _ files: ModuleFiles, _ request: ModuleRequest, _ catalog: Catalog?,
    _ registry: Registry?, _ isAwaited: AwaitedStartCheck.IsAwaited?, isCatalogSound: Bool
  ) {
    let definition = ModuleDefinition(
      composing: run.order, of: files, environment: environment, request, bag: &run.bag)
    let graph = WiringGraph(
      linking: definition, catalog: isCatalogSound ? catalog : nil, limits: request.limits, bag: &run.bag)
    ModuleChecks.run(
      over: graph, converting: registry?.mismatch(_:_:_:isSecret:), refusing: isAwaited,
      isCatalogSound: isCatalogSound, bag: &run.bag)
    run.bag.dropGuesses(from: definition.malformedKeys)
    run.bag = definition.relocated(run.bag)
    self.definition = definition
    self.graph = ValidatedGraph(graph, checkedInto: run.bag)
  }
}

extension SeverityRules {
  /// What the files of a check say about warnings.
  ///
  /// - Parameters:
  ///   - order: The files that some environment applies.
  ///   - checked: The environments that were checked.
  ///   - isWhole: Whether none was left out for its size.
  fileprivate init(
    in files: ModuleFiles, applied order: [FileID], checked: [String], isWhole: Bool, knowsTypes: Bool
  ) {
    let entry = files.entryModule
    self.init(
      settings: entry.severities, suppressions: order.lazy.flatMap { files[$0].suppressions })
    isComplete = isWhole && Set(checked).isSuperset(of: entry.environments.map(\.name))
    self.knowsTypes = knowsTypes
  }
}

extension ModuleFiles {
  /// Reads the entry module of a request.
  init(_ request: ModuleRequest, _ access: any FileAccess) {
    self.init(
      reading: request.entry, root: request.root, allowedPaths: request.allowedPaths, access: access,
      limits: request.limits, syntaxes: request.syntaxes)
  }
}

extension Entry {
  /// The name by which messages call the entry module.
  package var name: String {
    switch self {
    case .file(let path): path
    case .text(let source, _): source.name
    }
  }
}
