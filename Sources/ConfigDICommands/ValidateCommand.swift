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

        --watch checks again whenever a file of the module changes, appears or disappears: the module's files, the files of \
        its parameters, the catalog and the file of variables. It ends at Ctrl-C with the status of the last check.

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
      if watch, fix { throw ValidationError("--watch and --fix exclude each other.") }
      if watch, module == "-" { throw ValidationError("--watch cannot watch a module on standard input.") }
      if yes, !fix { throw ValidationError("--yes is for --fix.") }
      guard fix else { return }
      if module == "-" { throw ValidationError("--fix cannot change a module on standard input.") }
      if format != .text, format != .json { throw ValidationError("--fix prints as text or json.") }
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

    /// Checks the module until the user ends it.
    ///
    /// - Returns: Whether the last check had findings that count as errors.
    private func runWatch() throws -> Bool {
      // The forms for machines have no place for a line about files.
      let watch = Watch(stream: format == .text ? .output : .error)
      var isFirst = true
      return try watch.run { files in
        defer { isFirst = false }
        do {
          return try check(files)
        } catch  where !isFirst {
          // The file of variables is being written; wrong usage was found by the first check.
          StandardStream.error.write("error: \("\(error)".visible)\n")
          return true
        }
      }
    }

    /// Fixes what can be fixed.
    private func runFix(_ files: DiskFiles) throws {
      let repair = ModuleRepair(
        of: try options.request(of: module, from: files),
        environments: environments.isEmpty ? nil : environments, files: files, knowing: options.types)
      if yes { try FileChanges(changes: repair.changes).write(files) }
      StandardStream.output.write(RepairReport(repair, isWritten: yes).text(format == .json ? .json : .text))
      if options.isFailed(repair.check.diagnostics) || !yes && !repair.fixes.isEmpty {
        throw ExitCode(ExitStatus.findings.rawValue)
      }
    }

    /// The findings in the form that is asked for.
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

    /// The findings for code scanning, with what the page about codes says of theirs.
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
    /// Whether the text is the absolute address of a page (RFC 3986), to which a fragment can be added.
    fileprivate var isAddress: Bool { wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[!$-;=?-Z_a-z~%]+/) != nil }
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
    var showsRequirements: Bool { self == .text || self == .json }
  }
#endif
