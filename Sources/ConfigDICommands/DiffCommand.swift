// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi diff`: prints the differences between two environments or two modules.
  struct DiffCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Show what changes between two environments of a module, or between two modules.",
      discussion: """
        Compares services, parameters, aliases and bindings after composition, unused templates, scopes, and the \
        environment variables that are read; the file that sets a value does not matter. A missing variable is not \
        an error: its value is <unset NAME>. If one side has errors, they are printed instead.

        A side can have layers and settings of its own, and can be read from a git revision, with its imports and \
        layers. Files that git ignores, or that are outside of the repository, are read from the disk.

        EXAMPLES:
          configdi diff app.json --from dev --to prod
          configdi diff app.json --against ../released/app.json -e prod --exit-code
          configdi diff app.json -e prod --from-git main
          configdi diff app.json -e prod --to-layer hotfix.json
          configdi diff app.json --from dev --to prod --format markdown
        """)

    @Argument(help: CompositionOptions.moduleHelp, completion: CompositionOptions.moduleCompletion)
    var module: String

    @OptionGroup var options: CompositionOptions

    @Option(
      help: ArgumentHelp("The environment to start from.", valueName: "name"), completion: NameCompletion.environments)
    var from: String?

    @Option(
      help: ArgumentHelp("The environment to compare with.", valueName: "name"),
      completion: NameCompletion.environments)
    var to: String?

    @Option(
      help: ArgumentHelp("Compare with this module instead of another environment.", valueName: "file"),
      completion: CompositionOptions.moduleCompletion)
    var against: String?

    @Option(
      name: [.customShort("e"), .customLong("environment")],
      help: ArgumentHelp("The environment of both sides.", valueName: "name"),
      completion: NameCompletion.environments)
    var environment: String?

    @OptionGroup(title: "OPTIONS FOR ONE SIDE") var sides: SideOptions

    @Flag(help: "Exit with status 1 if something differs.")
    var exitCode = false

    @Option(help: "The output format.")
    var format: DifferenceFormat = .text

    @OptionGroup var printing: OutputOptions

    func validate() throws {
      try options.checkSyntax(of: against == "-" ? "-" : module)
      if module == "-", against == "-" { throw ValidationError("Only one of the modules can be standard input.") }
      if against != nil {
        if from != nil || to != nil {
          throw ValidationError("--against compares two modules in one environment; give it with --environment.")
        }
        return
      }
      if from == nil, to == nil {
        guard !sides.isEmpty else {
          throw ValidationError("diff requires --from and --to, --against, or a side option.")
        }
      } else {
        guard from != nil, to != nil else { throw ValidationError("diff requires --from and --to together.") }
        if environment != nil { throw ValidationError("--environment is for both sides; use --from and --to.") }
      }
    }

    func run() throws {
      let (report, findings) = try compare()
      switch format {
      case .text:
        StandardStream.output.write(
          report.text(usesColor: StandardStream.output.usesColor, hasSummary: !printing.quiet))
      case .markdown: StandardStream.output.write(report.markdown(hasSummary: !printing.quiet))
      case .json: StandardStream.output.write(JSONWriter.text(of: report.value) + "\n")
      }
      let isFailed = options.isFailed(findings.diagnostics)
      if format != .json || isFailed { findings.writeToStandardError() }
      if isFailed || (exitCode && report.hasDifference) { throw ExitCode(ExitStatus.findings.rawValue) }
    }
  }

  // MARK: - Comparing

  extension DiffCommand {
    /// The two sides of the comparison.
    private var comparedSides: (from: Side, to: Side) {
      (
        Side(
          module: module, environment: from ?? environment, layers: sides.fromLayers,
          settings: sides.fromSettings, revision: sides.fromGit, isNamedByModule: against != nil),
        Side(
          module: against ?? module, environment: to ?? environment, layers: sides.toLayers,
          settings: sides.toSettings, revision: sides.toGit, isNamedByModule: against != nil)
      )
    }

    /// Composes both sides and compares them.
    ///
    /// - Throws: `ExitCode` if one of them has errors, which are printed first; `ValidationError` if a file or revision
    ///   that an option names cannot be read.
    private func compare() throws -> (DifferenceReport, Report) {
      let (from, to) = comparedSides
      let (left, right): (ModuleCheck, ModuleCheck)
      let findings: Report
      if against == nil, sides.isEmpty {
        // One check for both environments reads their files once.
        left = ModuleCheck(
          checking: try options.request(of: module, from: DiskFiles()),
          environments: [from.environment, to.environment].compactMap(\.self), files: DiskFiles(),
          knowing: options.types)
        right = left
        findings = Report(left)
      } else {
        let disk = DiskFiles()
        let (fromFiles, toFiles) = (try from.files(over: disk), try to.files(over: disk))
        let request = try options.request(of: module, from: disk)
        let otherRequest = against == nil ? request : try options.request(of: to.module, from: disk)
        (left, right) = ModuleCheck.pair(
          from: { from.check(request, fromFiles, options, hiding: $0) },
          to: { to.check(otherRequest, toFiles, options, hiding: $0) })
        findings = Report(left, right, naming: (from.name(ofFilesIn: fromFiles), to.name(ofFilesIn: toFiles)))
      }
      guard left.isSound, right.isSound, let first = left.graph(in: from.environment),
        let second = right.graph(in: to.environment)
      else { throw findings.writeFindings(as: format.findings) }
      options.writeCatalogHint(for: [first.graph, second.graph])
      let difference = ModuleDifference(from: ResolvedModule(first), to: ResolvedModule(second))
      return (DifferenceReport(difference, from: from.name, to: to.name), findings)
    }
  }

  extension ModuleCheck {
    /// Returns the graph of the module in an environment, or `nil` if it could not be composed.
    fileprivate func graph(in environment: String?) -> ValidatedGraph? {
      compositions.first { $0.environment == environment }?.graph
    }
  }

  // MARK: - Sides

  /// The options that apply to one side of the comparison only.
  struct SideOptions: ParsableArguments {
    @Option(
      name: .customLong("from-layer"),
      help: ArgumentHelp("One more layer of the side to start from; repeatable.", valueName: "file"),
      completion: .file())
    var fromLayers: [String] = []

    @Option(
      name: .customLong("to-layer"),
      help: ArgumentHelp("One more layer of the side to compare with; repeatable.", valueName: "file"),
      completion: .file())
    var toLayers: [String] = []

    @Option(
      name: .customLong("from-set"), parsing: .unconditionalSingleValue,
      help: ArgumentHelp("Change one scalar of the side to start from; repeatable.", valueName: "path=text"),
      completion: NameCompletion.settings)
    var fromTexts: [String] = []

    @Option(
      name: .customLong("to-set"), parsing: .unconditionalSingleValue,
      help: ArgumentHelp("Change one scalar of the side to compare with; repeatable.", valueName: "path=text"),
      completion: NameCompletion.settings)
    var toTexts: [String] = []

    @Option(help: ArgumentHelp("Start from the files at this revision of git.", valueName: "revision"))
    var fromGit: String?

    @Option(help: ArgumentHelp("Compare with the files at this revision of git.", valueName: "revision"))
    var toGit: String?

    func validate() throws {
      // The text is not repeated: it may be a secret whose path was forgotten.
      if fromTexts.contains(where: { Setting($0) == nil }) { throw ValidationError("--from-set requires PATH=TEXT.") }
      if toTexts.contains(where: { Setting($0) == nil }) { throw ValidationError("--to-set requires PATH=TEXT.") }
    }

    /// The scalars to change on the side to start from.
    var fromSettings: [Setting] { fromTexts.compactMap { Setting($0) } }
    /// The scalars to change on the other side.
    var toSettings: [Setting] { toTexts.compactMap { Setting($0) } }
    /// Whether none of these options is given.
    var isEmpty: Bool {
      fromLayers.isEmpty && toLayers.isEmpty && fromTexts.isEmpty && toTexts.isEmpty && fromGit == nil && toGit == nil
    }
  }

  /// One side of a comparison.
  private struct Side {
    /// The entry module.
    let module: String
    /// The environment, or `nil` for the module without any.
    let environment: String?
    /// The additional layers of this side only.
    let layers: [String]
    /// The additional settings of this side only.
    let settings: [Setting]
    /// The git revision from which the files are read, or `nil` for the disk.
    let revision: String?
    /// Whether the sides are named by their modules instead of their environments.
    let isNamedByModule: Bool

    /// The name of the side in the output.
    var name: String {
      let base = isNamedByModule ? module : environment ?? module
      // The text of a setting is left out: it may be a secret.
      let additions = layers + settings.map { "\($0.path) set" }
      return base + (revision.map { " at \($0)" } ?? "")
        + (additions.isEmpty ? "" : " with " + additions.joined(separator: ", "))
    }

    /// Returns the files from which the side is composed: those of the disk, or those of the revision.
    ///
    /// - Throws: `ValidationError` if the revision cannot be read, or if the module is on the standard input and a
    ///   revision is given.
    func files(over disk: DiskFiles) throws -> any FileAccess {
      guard let revision else { return disk }
      guard module != "-" else { throw ValidationError("A module on standard input has no revision.") }
      do throws(GitRepository.Failure) {
        return try GitRepository(holding: disk.canonicalPath(of: module)).files(at: revision, over: disk)
      } catch {
        throw ValidationError(error.message)
      }
    }

    /// Composes and checks the side, and hides the secrets of the other one.
    func check(
      _ request: ModuleRequest, _ files: any FileAccess, _ options: CompositionOptions,
      hiding otherSecrets: SecretDeclarations
    ) -> ModuleCheck {
      var request = request
      request.otherSecrets = otherSecrets
      request.layers += layers.map { .file($0) }
      request.settings += settings
      return ModuleCheck(
        checking: request, environments: environment.map { [$0] } ?? [], files: files, knowing: options.types)
    }

    /// Returns a function that gives the name of a file in findings. Files of a revision are named as git writes them,
    /// such as `main:app.json`.
    func name(ofFilesIn files: any FileAccess) -> (String) -> String {
      guard let revision, let files = files as? RevisionFiles else { return { $0 } }
      return { files.isResolvedInRevision($0) ? "\(revision):\($0)" : $0 }
    }
  }

  /// The output formats of a difference.
  enum DifferenceFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// For programs.
    case json
    /// A table for a review.
    case markdown

    /// The format of findings that goes with this format.
    var findings: OutputFormat { self == .json ? .json : .text }
  }
#endif
