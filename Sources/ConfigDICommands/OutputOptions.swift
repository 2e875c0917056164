// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser

  /// The options for the style of the output.
  struct OutputOptions: ParsableArguments {
    @Flag(
      name: [.customShort("q"), .long], help: "Print only results and findings: no hints, tables or summary lines.")
    var quiet = false

    @Option(help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"))
    var color: OutputStyle.Colors = .auto

    /// The output style that the options select.
    var style: OutputStyle { OutputStyle(colors: color, isQuiet: quiet) }
  }

  /// A command that has the options for the style of the output.
  protocol PrintingCommand: ParsableCommand {
    /// The options for the style of the output.
    var printing: OutputOptions { get }
  }

  extension OutputStyle.Colors: ExpressibleByArgument {}
#endif
