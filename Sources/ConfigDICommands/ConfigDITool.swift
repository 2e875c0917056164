// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI

  /// The stand-alone tool `configdi`, which has no registry of an application.
  struct ConfigDITool: ParsableCommand {
    /// The name, the help texts and the subcommands.
    static let configuration = CommandConfiguration(
      commandName: "configdi",
      abstract: "Check and inspect ConfigDI module files.",
      version: ToolContext.version,
      subcommands: commands)

    /// The commands that both the stand-alone tool and embedded tools have.
    static let commands: [any ParsableCommand.Type] = [
      ValidateCommand.self, ResolveCommand.self, ListCommand.self, ExplainCommand.self, DiffCommand.self,
      GraphCommand.self, RenameCommand.self, SchemaCommand.self, ConvertCommand.self, InitCommand.self,
      LSPCommand.self, GenerateCommand.self, BuildCommand.self,
    ]
  }

  extension ParsableCommand {
    /// Runs the command that the arguments name. Exits the process if the command fails.
    ///
    /// Behaves like the argument parser's own `main`, except for messages about wrong usage, which repeat the
    /// arguments: characters that a terminal would interpret are escaped.
    ///
    /// - Parameter arguments: The arguments, or `nil` for those of the process.
    static func runAsRoot(_ arguments: [String]?) {
      var command: (any ParsableCommand)?
      do {
        command = try parseAsRoot(arguments)
        try command?.runWithOutputStyle()
      } catch {
        let status = exitCode(for: error)
        let unknown = unknownCommand(in: arguments ?? Array(Swift.CommandLine.arguments.dropFirst()))
        if status == .success, unknown == nil {
          // Help and similar output. The parser itself would not check whether it could be written.
          let text = fullMessage(for: error)
          if !text.isEmpty { StandardStream.output.write(text + "\n") }
          exit(withError: status)
        }
        guard unknown != nil || status.rawValue == ExitStatus.usage.rawValue else { exit(withError: error) }
        // The parser knows the command of an error only if it found the error itself.
        let text =
          unknown ?? command.map { "Error: \(message(for: error))\nUsage: \(usageString(for: type(of: $0)))" }
          ?? fullMessage(for: error)
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        StandardStream.error.write(lines.map { String($0).visible + "\n" }.joined())
        ExitStatus.usage.exit()
      }
    }

    /// Returns the message that the first argument, or the one after `help`, names no command. `nil` if it names one, is an
    /// option, or is absent.
    private static func unknownCommand(in arguments: [String]) -> String? {
      let names = configuration.subcommands.map { $0._commandName } + ["help"]
      let name = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
      guard let name, !name.hasPrefix("-"), !names.contains(name) else { return nil }
      let help = SuggestionIndex.clause(suggestions(for: name, among: names))
      return """
        Error: there is no command "\(name)"\(help)
        Usage: \(usageString(for: self))
          See '\(_commandName) --help' for more information.
        """
    }

    /// Runs the command with the output style that its options select.
    mutating func runWithOutputStyle() throws {
      let style = (self as? any PrintingCommand)?.printing.style ?? OutputStyle.current
      try OutputStyle.$current.withValue(style) { try run() }
    }
  }
#endif

/// The program `configdi`.
package enum StandaloneTool {
  /// Runs the command that the arguments of the process name. Exits the process if the command fails.
  ///
  /// A build without the trait `CommandLine` has no commands. It prints an error and exits with the status of wrong
  /// usage.
  package static func main() {
    #if CommandLine
      ConfigDITool.runAsRoot(nil)
    #else
      StandardStream.error.write("error: this configdi was built without the package trait \"CommandLine\"\n")
      ExitStatus.usage.exit()
    #endif
  }
}
