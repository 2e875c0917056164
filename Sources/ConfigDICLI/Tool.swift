// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI

  /// The tool `configdi`.
  @main
  struct Tool: ParsableCommand {
    /// The version of the tool, by the rules of https://semver.org.
    static let version = "0.1.0"

    /// Name, words for the help, and the commands.
    static let configuration = CommandConfiguration(
      commandName: "configdi",
      abstract: "Check and inspect ConfigDI module files.",
      version: version,
      subcommands: [
        ValidateCommand.self, ResolveCommand.self, ListCommand.self, ExplainCommand.self, DiffCommand.self,
        GraphCommand.self, RenameCommand.self, SchemaCommand.self, ConvertCommand.self, InitCommand.self,
        LSPCommand.self,
      ])

    /// Runs the command that the arguments name.
    ///
    /// As the argument parser does it, but for the words about wrong usage, which repeat what the caller wrote: what a
    /// terminal would act on is escaped.
    static func main() {
      do {
        var command = try parseAsRoot()
        let style = (command as? any PrintingCommand)?.printing.style ?? OutputStyle()
        try OutputStyle.$current.withValue(style) { try command.run() }
      } catch {
        let status = exitCode(for: error)
        guard status.rawValue == ExitStatus.usage.rawValue else { exit(withError: error) }
        let lines = fullMessage(for: error).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        StandardStream.error.write(lines.map { String($0).visible + "\n" }.joined())
        ExitStatus.usage.exit()
      }
    }
  }
#else
  /// What stands in for the tool in a build without its options.
  @main
  enum Tool {
    /// Says what is missing, as wrong usage.
    static func main() {
      StandardStream.error.write("error: this configdi was built without the package trait \"CommandLine\"\n")
      ExitStatus.usage.exit()
    }
  }
#endif
