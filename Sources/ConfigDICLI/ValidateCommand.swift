// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI

  /// `configdi validate`: checks a module and prints all findings.
  struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "validate",
      abstract: "Checks a module in every environment that it declares.",
      discussion: """
        Prints all findings and the environment variables that the module reads. The exit status is 1 where a finding is \
        an error.
        """)

    @OptionGroup var options: ModuleOptions

    @Option(
      name: [.customShort("e"), .customLong("environment")],
      help: ArgumentHelp("Check this environment alone; repeatable.", valueName: "name"))
    var environments: [String] = []

    func run() throws {
      let files = DiskFiles()
      let check = ModuleCheck(
        checking: try options.request(from: files, requiringSources: false),
        environments: environments.isEmpty ? nil : environments, files: files)
      StandardStream.output.write(Report(check).text(options.format))
      if options.isFailed(check.diagnostics) { throw ExitCode(ExitStatus.findings.rawValue) }
    }
  }
#endif
