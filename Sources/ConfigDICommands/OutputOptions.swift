// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

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

  extension ExitCode {
    /// Writes the reason why a command has no result, other than findings, and returns the exit code.
    ///
    /// Text is written to the standard error. JSON is written to the standard output, as a map with `error`.
    static func refusal(_ reason: String, as format: OutputFormat) -> ExitCode {
      switch format {
      case .text: StandardStream.error.write("error: \(reason.visible)\n")
      case .json: StandardStream.output.write(JSONWriter.report { $0.member("error", reason) })
      }
      return ExitCode(ExitStatus.findings.rawValue)
    }
  }
#endif
