// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser

  /// The options that say how the tool prints.
  struct OutputOptions: ParsableArguments {
    @Flag(
      name: [.customShort("q"), .long], help: "Print results and findings alone: no hints, tables and closing lines.")
    var quiet = false

    @Option(help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"))
    var color: OutputStyle.Colors = .auto

    /// How the tool prints by these options.
    var style: OutputStyle { OutputStyle(colors: color, isQuiet: quiet) }
  }

  /// A command that the options of output apply to.
  protocol PrintingCommand: ParsableCommand {
    /// The options.
    var printing: OutputOptions { get }
  }

  extension OutputStyle.Colors: ExpressibleByArgument {}
#endif
