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
        Prints all findings and the environment variables that the module reads, with their use in each environment \
        and by which services. The exit status is 1 if a finding is an error.

        The formats besides text and json are for other tools: sarif for code scanning, github for the annotations \
        of a workflow, xcode for editors that read compiler messages. They contain only the findings.

        --fix shows the changes that findings propose, --fix --yes writes them. Only changes that leave the module \
        with fewer findings are proposed, and no other byte of a file changes. The findings that are printed are the \
        remaining ones.

        --watch checks again whenever a file of the module changes, appears or disappears: the module's files, the \
        files of its parameters, the catalog and the file of variables. It ends at Ctrl-C with the status of the \
        last check.

        EXAMPLES:
          configdi validate app.json
          configdi validate app.json -e prod --catalog catalog.json --strict
          configdi validate app.json --format sarif > findings.sarif
          configdi validate app.json --fix
          configdi validate app.json --watch
        """)

    @Argument(help: CompositionOptions.moduleHelp, completion: CompositionOptions.moduleCompletion)
    var module: String

    @OptionGroup var options: CompositionOptions

    @Option(
      name: [.customShort("e"), .customLong("environment")],
      help: ArgumentHelp("Check only this environment; repeatable.", valueName: "name"),
      completion: NameCompletion.environments)
    var environments: [String] = []

    @Option(help: "The output format.")
    var format: FindingsFormat = .text

    @Option(
      help: ArgumentHelp(
        "The address of the page about codes, for the rules of --format sarif.", valueName: "url"))
    var helpAddress: String?

    @Flag(help: "Show what would fix findings; with --yes, write it.")
    var fix = false

    @Flag(help: "Write the fixes.")
    var yes = false

    @Flag(help: "Check again whenever a file of the module changes, until Ctrl-C.")
    var watch = false

    @OptionGroup var printing: OutputOptions

    func validate() throws {
      try options.checkSyntax(of: module)
      if let helpAddress {
        guard format == .sarif else { throw ValidationError("--help-address is for --format sarif.") }
        guard helpAddress.isAddress else { throw ValidationError("--help-address requires a URL with a scheme.") }
      }
      if watch, fix { throw ValidationError("--watch and --fix cannot be used together.") }
      if watch, module == "-" { throw ValidationError("--watch cannot watch a module on standard input.") }
      if yes, !fix { throw ValidationError("--yes is for --fix.") }
      guard fix else { return }
      if module == "-" { throw ValidationError("--fix cannot change a module on standard input.") }
      if format != .text, format != .json { throw ValidationError("--fix supports only --format text and json.") }
    }

    func run() throws {
      if fix { return try runFix(DiskFiles()) }
      let isFailed = watch ? try runWatch() : try check(DiskFiles())
      if isFailed { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    /// Checks the module and prints the findings.
    ///
    /// - Returns: Whether there are findings that count as errors.
    private func check(_ files: some FileAccess) throws -> Bool {
      var requirements = SourceRequirements()
      let check = ModuleCheck(
        checking: try options.request(of: module, from: files),
        environments: environments.isEmpty ? nil : environments, files: files, knowing: options.types,
        keepsCompositions: false
      ) { if format.showsRequirements { requirements.add($0) } }
      StandardStream.output.write(text(of: check, requirements, workingFolder: files.workingFolder))
      return options.isFailed(check.diagnostics)
    }

    /// Checks the module again after each change, until the user interrupts the tool.
    ///
    /// - Returns: Whether the last check had findings that count as errors.
    private func runWatch() throws -> Bool {
      // Machine-readable output must not contain the lines about changed files.
      let watch = Watch(stream: format == .text ? .output : .error)
      var isFirst = true
      return try watch.run { files in
        defer { isFirst = false }
        do {
          return try check(files)
        } catch  where !isFirst {
          // The environment file may be incomplete while it is written. Wrong usage would have failed the first check.
          StandardStream.error.write("error: \("\(error)".visible)\n")
          return true
        }
      }
    }

    /// Finds the fixes, writes them if `--yes` is given, and prints them with the findings that remain.
    private func runFix(_ files: DiskFiles) throws {
      let repair = ModuleRepair(
        of: try options.request(of: module, from: files),
        environments: environments.isEmpty ? nil : environments, files: files, knowing: options.types)
      if yes { try FileChanges(changes: repair.changes).write(files) }
      StandardStream.output.write(RepairReport(repair: repair, isWritten: yes).text(format == .json ? .json : .text))
      if options.isFailed(repair.check.diagnostics) || !yes && !repair.fixes.isEmpty {
        throw ExitCode(ExitStatus.findings.rawValue)
      }
    }

    /// Returns the findings in the chosen format.
    private func text(of check: ModuleCheck, _ requirements: SourceRequirements, workingFolder: String) -> String {
      switch format {
      case .text: Report(check, requirements).text(.text)
      case .json: Report(check, requirements).text(.json)
      case .github: GitHubRenderer.text(of: check.diagnostics)
      case .xcode: XcodeRenderer(workingFolder: workingFolder).text(of: check.diagnostics)
      case .sarif:
        sarif(of: check, workingFolder: workingFolder)
      }
    }

    /// Returns the findings as SARIF, with the explanation of each code from the documentation.
    private func sarif(of check: ModuleCheck, workingFolder: String) -> String {
      let page = CodePage(PackageResources.DiagnosticCodes_md)
      let renderer = SARIFRenderer(
        toolVersion: ToolContext.version, workingFolder: workingFolder, helpAddress: helpAddress
      ) {
        page[$0.description].map { SARIFRenderer.Help(summary: $0.summary, text: $0.text, markdown: $0.markdown) }
      }
      return renderer.text(of: check.diagnostics, suppressed: check.suppressed)
    }
  }

  extension String {
    /// Whether the text is an absolute URI (RFC 3986) without a fragment, so that one can be appended.
    fileprivate var isAddress: Bool { wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[!$-;=?-Z_a-z~%]+/) != nil }
  }

  /// The output formats of findings.
  enum FindingsFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// For programs.
    case json
    /// For code scanning: SARIF 2.1.0.
    case sarif
    /// For GitHub Actions: workflow commands.
    case github
    /// For Xcode and other editors that parse the output of compilers.
    case xcode

    /// Whether the format shows the use of variables, files and configuration values in each environment.
    var showsRequirements: Bool { self == .text || self == .json }
  }
#endif
