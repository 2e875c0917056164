// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI

  /// `configdi resolve`: prints the composed module.
  struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resolve",
      abstract: "Prints the composed module: everything merged and expanded, in ascending order.",
      discussion: """
        Text is a module file that loads to the same; JSON has every default spelt out. Without an environment the module \
        is composed without any layer of its own. Where the composition has errors, they are printed instead.
        """)

    @OptionGroup var options: ModuleOptions

    @Option(
      name: [.customShort("e"), .customLong("environment")],
      help: ArgumentHelp("The environment.", valueName: "name"))
    var environment: String?

    func run() throws {
      let files = DiskFiles()
      let check = ModuleCheck(
        checking: try options.request(from: files, requiringSources: true),
        environments: environment.map { [$0] } ?? [], files: files)
      guard let graph = check.compositions.first?.graph, check.isSound else {
        StandardStream.output.write(Report(check).text(options.format))
        throw ExitCode(ExitStatus.findings.rawValue)
      }
      let module = ResolvedModule(graph)
      var writer = JSONWriter()
      switch options.format {
      case .text: writer.value(module.moduleFile)
      case .json: writer.value(module.value)
      }
      StandardStream.output.write(writer.text + "\n")
      if options.isFailed(check.diagnostics) { throw ExitCode(ExitStatus.findings.rawValue) }
    }
  }
#endif
