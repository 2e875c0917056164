// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  public import ArgumentParser
  public import ConfigDI
  internal import ConfigDITooling

  /// The tool `configdi` as a part of an application: all its commands, on the application's own registry.
  ///
  /// No catalog is needed: types, arguments and conversions are those of the registry. The command `catalog` exports it.
  ///
  /// ```swift
  /// @main enum ShopTool: EmbeddedTool {
  ///   static var registry: Registry { .shop() }
  /// }
  /// ```
  ///
  /// An application with a `main` of its own calls `ShopTool.main(arguments)`; one that uses the argument parser names
  /// `ShopTool.Command` among the subcommands of its own.
  public protocol EmbeddedTool {
    /// What the application registers. Read when a command runs, not for the help.
    static var registry: Registry { get }

    /// The name of the tool in its help; by default that of the program, or of a subcommand `configdi`.
    static var toolName: String? { get }
  }

  extension EmbeddedTool {
    /// The tool as a subcommand of a command of the application's own.
    public typealias Command = EmbeddedCommand<Self>

    public static var toolName: String? { nil }

    /// Runs the command that the arguments of the process name, and ends the process where it fails.
    public static func main() { main(nil) }

    /// Runs the command that some arguments name, and ends the process where it fails.
    ///
    /// - Parameter arguments: The arguments, without the name of the program; nil: those of the process.
    public static func main(_ arguments: [String]?) { EmbeddedRoot<Self>.runAsRoot(arguments) }
  }

  /// All commands of the tool, below a command of an application.
  ///
  /// ```swift
  /// @main struct Shop: AsyncParsableCommand {
  ///   static let configuration = CommandConfiguration(subcommands: [Serve.self, ShopTool.Command.self])
  /// }
  /// ```
  ///
  /// Its name is `configdi`, unless the tool has a `toolName`.
  public struct EmbeddedCommand<Tool: EmbeddedTool>: ParsableCommand, RegistryCommand {
    public static var configuration: CommandConfiguration {
      configuration(named: Tool.toolName ?? ConfigDITool._commandName)
    }

    public init() {}
  }

  /// The same as the whole of a program.
  private struct EmbeddedRoot<Tool: EmbeddedTool>: RegistryCommand {
    static var configuration: CommandConfiguration {
      let program = Swift.CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
      var configuration = configuration(named: Tool.toolName ?? program ?? ConfigDITool._commandName)
      configuration.version = "ConfigDI \(ToolContext.version)"
      return configuration
    }
  }

  /// What both forms have in common: the commands on the registry of an application.
  private protocol RegistryCommand: ParsableCommand {
    /// The application's tool.
    associatedtype Tool: EmbeddedTool
  }

  extension RegistryCommand {
    /// Name, words for the help, and the commands.
    fileprivate static func configuration(named name: String) -> CommandConfiguration {
      func onRegistry<Wrapped: ParsableCommand>(_: Wrapped.Type) -> any ParsableCommand.Type {
        OnRegistry<Wrapped, Self>.self
      }
      return CommandConfiguration(
        commandName: name, abstract: "Check and inspect the application's module files.",
        subcommands: (ConfigDITool.commands + [CatalogCommand.self]).map { onRegistry($0) })
    }
  }

  /// A command that runs on the registry of an application.
  private struct OnRegistry<Wrapped: ParsableCommand, Parent: RegistryCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
      var configuration = Wrapped.configuration
      // Without a name the parser would make one of this type's, and a usage that is spelt out names another tool.
      configuration.commandName = Wrapped._commandName
      configuration.usage = nil
      let lines = configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
      configuration.discussion = lines.map { example(String($0)) ?? String($0) }.joined(separator: "\n")
      return configuration
    }

    /// A line of examples as it is for this tool, which needs no catalog; nil for other lines.
    private static func example(_ line: String) -> String? {
      let head = "  \(ConfigDITool._commandName) "
      guard line.hasPrefix(head) else { return nil }
      return "  \(Parent._commandName) " + line.dropFirst(head.count).replacing(/\ --catalog [^ ]+/, with: "")
    }

    @OptionGroup var command: Wrapped

    mutating func run() throws {
      let registry = Parent.Tool.registry
      do throws(RegistryError) {
        try registry.validate()
      } catch {
        StandardStream.error.write(error.mistakes.map { "error: \($0.message.visible)\n" }.joined())
        throw ExitCode(ExitStatus.findings.rawValue)
      }
      let context = ToolContext(name: Parent._commandName, types: .registry(registry))
      try ToolContext.$current.withValue(context) { try command.runInStyle() }
    }
  }
#endif
