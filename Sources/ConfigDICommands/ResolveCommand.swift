// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi resolve`: prints the composed module.
  struct ResolveCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "resolve",
      abstract: "Print the composed module: merged, expanded and sorted.",
      discussion: """
        Text is an equivalent module file; JSON includes all defaults. Without an environment the module is composed \
        without the layers of any environment. If the composition has errors, they are printed instead.

        EXAMPLES:
          configdi resolve app.json -e prod
          configdi resolve app.json --set parameters.mail.port=2525 --format json
        """)

    @Argument(help: CompositionOptions.moduleHelp, completion: CompositionOptions.moduleCompletion)
    var module: String

    @OptionGroup var options: CompositionOptions

    @OptionGroup var environment: EnvironmentOption

    @Option(help: "The output format.")
    var format: OutputFormat = .text

    @OptionGroup var printing: OutputOptions

    func validate() throws { try options.checkSyntax(of: module) }

    func run() throws {
      let composed = try options.composed(module, in: environment, requiringSources: true, findingsAs: format)
      let value =
        switch format {
        case .text: composed.module.moduleFile
        case .json: composed.module.value
        }
      StandardStream.output.write(JSONWriter.text(of: value) + "\n")
      try composed.end(isText: format == .text)
    }
  }
#endif
