// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi validate`: checks a module and prints all findings.
  struct ValidateCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "validate",
      abstract: "Check a module in every environment that it declares.",
      discussion: """
        Prints all findings and the environment variables that the module reads, with what each environment asks of them \
        and for whom. The exit status is 1 where a finding is \
        an error.

        The forms beside text and json are made for others: sarif for code scanning, github for the annotations of a \
        workflow, xcode for editors that read what compilers write. They hold the findings alone.

        --fix shows the changes that findings propose, --fix --yes writes them. Only what leaves the module with fewer \
        findings is proposed, and no other byte of a file changes. The findings that are printed are those that remain.

        EXAMPLES:
          configdi validate app.json
          configdi validate app.json -e prod --catalog catalog.json --strict
          configdi validate app.json --format sarif > findings.sarif
          configdi validate app.json --fix
        """)

    @OptionGroup var options: ModuleOptions

    @Option(
      name: [.customShort("e"), .customLong("environment")],
      help: ArgumentHelp("Check only this environment; repeatable.", valueName: "name"))
    var environments: [String] = []

    @Option(help: "The output format.")
    var format: FindingsFormat = .text

    @Flag(help: "Show what would fix findings; with --yes, write it.")
    var fix = false

    @Flag(help: "Write the fixes.")
    var yes = false

    @OptionGroup var printing: OutputOptions

    func validate() throws {
      if yes, !fix { throw ValidationError("--yes is for --fix.") }
      guard fix else { return }
      if options.module == "-" { throw ValidationError("--fix cannot change a module on standard input.") }
      if format != .text, format != .json { throw ValidationError("--fix prints as text or json.") }
    }

    func run() throws {
      let files = DiskFiles()
      if fix { return try runFix(files) }
      var demands = Demands()
      let check = ModuleCheck(
        checking: try options.composition.request(of: options.module, from: files),
        environments: environments.isEmpty ? nil : environments, files: files, catalog: options.composition.catalog,
        keepsCompositions: false
      ) { if format.showsDemands { demands.add($0) } }
      StandardStream.output.write(text(of: check, demands, workingFolder: files.workingFolder))
      if options.composition.isFailed(check.diagnostics) { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    /// Fixes what can be fixed.
    private func runFix(_ files: DiskFiles) throws {
      let repair = ModuleRepair(
        of: try options.composition.request(of: options.module, from: files),
        environments: environments.isEmpty ? nil : environments, files: files, catalog: options.composition.catalog)
      if yes { try FileChanges(changes: repair.changes).write(files) }
      StandardStream.output.write(RepairReport(repair, isWritten: yes).text(format == .json ? .json : .text))
      if options.composition.isFailed(repair.check.diagnostics) || !yes && !repair.fixes.isEmpty {
        throw ExitCode(ExitStatus.findings.rawValue)
      }
    }

    /// The findings in the form that is asked for.
    private func text(of check: ModuleCheck, _ demands: Demands, workingFolder: String) -> String {
      switch format {
      case .text: Report(check, demands).text(.text)
      case .json: Report(check, demands).text(.json)
      case .github: GitHubRenderer.text(of: check.diagnostics)
      case .xcode: XcodeRenderer(workingFolder: workingFolder).text(of: check.diagnostics)
      case .sarif:
        SARIFRenderer(toolVersion: Tool.version, workingFolder: workingFolder).text(of: check.diagnostics)
      }
    }
  }

  /// The forms of findings.
  enum FindingsFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// For programs.
    case json
    /// For code scanning: SARIF 2.1.0.
    case sarif
    /// For GitHub Actions: workflow commands.
    case github
    /// For Xcode and others that read what compilers write.
    case xcode

    /// Whether the form tells what each environment asks of variables and files.
    var showsDemands: Bool { self == .text || self == .json }
  }
#endif
