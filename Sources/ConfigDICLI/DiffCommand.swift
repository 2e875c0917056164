// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi diff`: what changes between two environments or two modules.
  struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Show what changes between two environments of a module, or between two modules.",
      discussion: """
        Compares what the services, parameters, aliases and bindings are after composition, and which environment \
        variables are read; where something was decided does not count. A missing variable is no error, its value is \
        <unset NAME>. Where one side has errors, they are printed instead.

        EXAMPLES:
          configdi diff app.json --from dev --to prod
          configdi diff app.json --against ../released/app.json -e prod --exit-code
          configdi diff app.json --from dev --to prod --format markdown
        """)

    @OptionGroup var options: ModuleOptions

    @Option(help: ArgumentHelp("The environment to start from.", valueName: "name"))
    var from: String?

    @Option(help: ArgumentHelp("The environment to compare with.", valueName: "name"))
    var to: String?

    @Option(
      help: ArgumentHelp("Compare with this module instead of another environment.", valueName: "file"),
      completion: CompositionOptions.moduleCompletion)
    var against: String?

    @Option(
      name: [.customShort("e"), .customLong("environment")],
      help: ArgumentHelp("With --against: the environment of both modules.", valueName: "name"))
    var environment: String?

    @Flag(help: "Exit with status 1 if something differs.")
    var exitCode = false

    @Option(help: "The output format.")
    var format: DifferenceFormat = .text

    func validate() throws {
      if against == nil {
        guard from != nil, to != nil else { throw ValidationError("diff requires --from and --to, or --against.") }
        if environment != nil { throw ValidationError("--environment requires --against; use --from and --to.") }
      } else if from != nil || to != nil {
        throw ValidationError("--against compares two modules in one environment; give it with --environment.")
      }
    }

    func run() throws {
      let (report, findings) = try compare()
      switch format {
      case .text: StandardStream.output.write(report.text(usesColor: StandardStream.output.usesColor))
      case .markdown: StandardStream.output.write(report.markdown)
      case .json: StandardStream.output.write(JSONWriter.text(of: report.value) + "\n")
      }
      if format != .json { findings.writeBesideResult() }
      let isFailed = options.composition.isFailed(findings.diagnostics)
      if isFailed || (exitCode && report.hasDifference) { throw ExitCode(ExitStatus.findings.rawValue) }
    }
  }

  extension DiffCommand {
    /// Composes both sides and compares them.
    ///
    /// - Throws: `ExitCode` where one has errors, which are printed; `ValidationError` for options that cannot be met.
    private func compare() throws -> (DifferenceReport, Report) {
      let files = DiskFiles()
      let request = try options.composition.request(of: options.module, from: files)
      if let against {
        let other = try options.composition.request(of: against, from: files)
        let environments = environment.map { [$0] } ?? []
        let first = ModuleCheck(
          checking: request, environments: environments, files: files, catalog: options.composition.catalog)
        let second = ModuleCheck(
          checking: other, environments: environments, files: files, catalog: options.composition.catalog)
        guard first.isSound, second.isSound, let left = first.module(in: environment),
          let right = second.module(in: environment)
        else { throw Report(first, second).written(as: format.findings) }
        let difference = ModuleDifference(from: left, to: right)
        return (DifferenceReport(difference, from: options.module, to: against), Report(first, second))
      }
      let check = ModuleCheck(
        checking: request, environments: [from, to].compactMap(\.self), files: files,
        catalog: options.composition.catalog)
      guard check.isSound, let left = check.module(in: from), let right = check.module(in: to) else {
        throw Report(check).written(as: format.findings)
      }
      let difference = ModuleDifference(from: left, to: right)
      return (DifferenceReport(difference, from: from ?? "", to: to ?? ""), Report(check))
    }
  }

  extension ModuleCheck {
    /// The module in an environment, or nil where it could not be composed.
    fileprivate func module(in environment: String?) -> ResolvedModule? {
      compositions.first { $0.environment == environment }?.graph.map(ResolvedModule.init)
    }
  }

  /// The forms of a difference.
  enum DifferenceFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// For programs.
    case json
    /// A table for a review.
    case markdown

    /// The form of findings.
    var findings: OutputFormat { self == .json ? .json : .text }
  }
#endif
