// SPDX-License-Identifier: Apache-2.0

/// A module, read once and checked in one or more environments.
package struct ModuleCheck: Sendable {
  /// The findings that are kept, sorted by file in the order of composition, then position, then code.
  package private(set) var diagnostics: [Diagnostic]
  /// How many further findings there are.
  package let truncated: FindingCounts
  /// The environments that were checked, as declared; empty for a module that declares none.
  package private(set) var environments: [String] = []
  /// What was composed in each environment; one for the module alone where it declares none.
  package private(set) var compositions: [Composition] = []
  /// The registered types; nil where they are not known, or could not be read.
  package let catalog: Catalog?
  /// The documents of the files that were read.
  private let documents: DocumentSet
  /// What no excerpt may show: the literals of secret parameters, by the name of their file.
  package let masks: [String: [TextRenderer.Mask]]

  /// What came of one environment.
  package struct Composition: Sendable {
    /// The environment, or nil.
    package var environment: String?
    /// The composed module; nil where a file could not be read.
    package var definition: ModuleDefinition?
    /// The graph, where no check found an error.
    package var graph: ValidatedGraph?
  }

  /// Where the registered types of a check come from.
  package enum TypeSource {
    /// The types are not known, and nothing about them is checked.
    case unknown
    /// A registry, which also converts the values of types that decode themselves.
    case registry(Registry)
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
  ///   - types: Where the registered types come from.
  /// - Complexity: linear in the size of the files, times the number of environments.
  package init(
    checking request: ModuleRequest, environments wanted: [String]?, files access: any FileAccess,
    types: TypeSource = .unknown
  ) {
    var files = ModuleFiles(
      reading: request.entry, root: request.root, allowedPaths: request.allowedPaths, access: access,
      limits: request.limits, syntaxes: request.syntaxes)
    let runs = EnvironmentRun.all(in: &files, request, wanted)
    var catalog: Catalog?
    var registry: Registry?
    var catalogBag = DiagnosticBag()
    switch types {
    case .unknown: break
    case .registry(let given): (catalog, registry) = (given.catalog, given)
    case .read(let read): catalog = read(&files, &catalogBag)
    }
    var checks: [FindingsReport.Check] = []
    for var run in runs {
      run.bag.append(catalogBag)
      var composition = Composition(environment: run.environment)
      if run.isReadable && !catalogBag.hasReadingErrors {
        composition.compose(&run, files, request, catalog, registry, isCatalogSound: !catalogBag.hasErrors)
      }
      compositions.append(composition)
      checks.append(
        FindingsReport.Check(environment: run.environment, bag: run.bag, files: Set(run.order.files)))
      if let environment = run.environment, run.isChecked { self.environments.append(environment) }
    }
    self.catalog = catalog
    documents = files.documents
    masks = files.secretMasks
    let report = FindingsReport(
      checks: checks, documents: files.documents.documents, order: FileID.order(of: runs))
    diagnostics = [Diagnostic](resolving: report)
    truncated = report.truncated
  }

  /// The file that messages call by a name, or nil.
  package func source(named name: String) -> SourceFile? {
    documents.documents.first { $0.source.name == name }?.source
  }
}

// MARK: - One environment

/// One environment while it is being checked.
private struct EnvironmentRun {
  /// The environment, or nil for the module alone.
  var environment: String?
  /// The files in the order of composition.
  var order: CompositionOrder
  /// The findings.
  var bag: DiagnosticBag
  /// Whether the environment counts as checked.
  var isChecked = true

  /// Whether every file could be read.
  var isReadable: Bool { order.isReadable && isChecked }

  /// The runs of a check, in the order in which the environments are declared; those that are not come last.
  static func all(
    in files: inout ModuleFiles, _ request: ModuleRequest, _ wanted: [String]?
  ) -> [EnvironmentRun] {
    let declared = files.files[Int(files.entryFile.index)].environments
    let names = declared.map(\.name)
    let known = declared.filter { wanted?.contains($0.name) ?? !$0.isMisshapen }
    var runs = known.map { EnvironmentRun($0.name, $0, names, in: &files, request) }
    var told: Set<String> = []
    for name in wanted ?? [] where !names.contains(name) && told.insert(name).inserted {
      runs.append(EnvironmentRun(name, nil, names, in: &files, request))
    }
    if runs.isEmpty {
      runs.append(EnvironmentRun(nil, nil, [], in: &files, request))
      if wanted == nil, !declared.isEmpty { runs[0].isChecked = false }
    }
    return runs
  }

  /// Finds the files of an environment.
  private init(
    _ name: String?, _ declaration: EnvironmentDeclaration?, _ declared: [String], in files: inout ModuleFiles,
    _ request: ModuleRequest
  ) {
    environment = name
    var order = CompositionOrder(
      of: &files, entry: request.entry.name, environment: declaration, layers: request.layers)
    if let name, files.files[Int(files.entryFile.index)].isUsable {
      if declaration == nil { order.report(.unknownEnvironment(name, declared)) }
      isChecked = declaration?.isMisshapen == false
    }
    self.order = order
    bag = order.bag
  }
}

extension ModuleCheck.Composition {
  /// Composes, links and checks one environment whose files could be read.
  fileprivate mutating func compose(
    _ run: inout EnvironmentRun, _ files: ModuleFiles, _ request: ModuleRequest, _ catalog: Catalog?,
    _ registry: Registry?, isCatalogSound: Bool
  ) {
    let definition = ModuleDefinition(
      composing: run.order, of: files, environment: run.environment,
      CompositionRequest(
        settings: request.settings, variables: request.variables, missing: request.missing, limits: request.limits),
      bag: &run.bag)
    let graph = WiringGraph(
      linking: definition, catalog: isCatalogSound ? catalog : nil, limits: request.limits, bag: &run.bag)
    ModuleChecks.run(
      over: graph, converting: registry?.mismatch(_:_:_:isSecret:), isCatalogSound: isCatalogSound, bag: &run.bag)
    run.bag = definition.relocated(run.bag)
    self.definition = definition
    self.graph = ValidatedGraph(graph, checkedInto: run.bag)
  }
}

extension FileID {
  /// The files of all environments, in the order in which they are first applied; those that none applies come last.
  fileprivate static func order(of runs: [EnvironmentRun]) -> [FileID] {
    var seen: Set<FileID> = []
    return runs.flatMap(\.order.files).filter { seen.insert($0).inserted }
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

// MARK: - Messages

extension Finding {
  /// An environment that the module does not declare.
  fileprivate static func unknownEnvironment(_ name: String, _ declared: [String]) -> Finding {
    var finding = Finding(
      .unknownEnvironment, "unknown environment \"\(name)\"", at: .commandLine(path: ""))
    finding.help =
      SuggestionIndex.help(suggestions(for: name, among: declared))
      ?? (declared.isEmpty
        ? "the module declares no environments" : "declared environments: " + declared.quotedList)
    finding.subject = name
    return finding
  }
}
