// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  public import ArgumentParser
  public import ConfigDI
  internal import ConfigDITooling

  /// The tool `configdi` embedded in an application: all its commands, run on the application's own registry.
  ///
  /// No catalog is needed: types, arguments and conversions come from the registry. The additional command `catalog`
  /// exports it.
  ///
  /// ```swift
  /// @main enum ShopTool: EmbeddedTool {
  ///   static var registry: Registry { .shop() }
  /// }
  /// ```
  ///
  /// An application with its own `main` calls `ShopTool.main(arguments)`. An application that uses ArgumentParser lists
  /// `ShopTool.Command` among its subcommands.
  public protocol EmbeddedTool {
    /// The registry of the application. It is read when a command runs, not when help is printed.
    static var registry: Registry { get }

    /// The name of the tool in its help. If it is `nil`, the default, the name is that of the program, or `configdi`
    /// for a subcommand.
    static var toolName: String? { get }
  }

  extension EmbeddedTool {
    /// The tool as a subcommand of the application's own command.
    public typealias Command = EmbeddedCommand<Self>

    public static var toolName: String? { nil }

    /// Runs the command that the arguments of the process name. Exits the process if the command fails.
    public static func main() { main(nil) }

    /// Runs the command that the given arguments name. Exits the process if the command fails.
    ///
    /// - Parameter arguments: The arguments without the name of the program, or `nil` for those of the process.
    public static func main(_ arguments: [String]?) { EmbeddedRoot<Self>.runAsRoot(arguments) }
  }

  /// A subcommand of an application's own command that has all commands of the tool.
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

  /// The root command of a program that consists of the tool alone.
  private struct EmbeddedRoot<Tool: EmbeddedTool>: RegistryCommand {
    static var configuration: CommandConfiguration {
      let program = Swift.CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
      var configuration = configuration(named: Tool.toolName ?? program ?? ConfigDITool._commandName)
      configuration.version = "ConfigDI \(ToolContext.version)"
      return configuration
    }
  }

  /// A command whose subcommands are those of the tool, run on the registry of an application.
  private protocol RegistryCommand: ParsableCommand {
    /// The application's tool.
    associatedtype Tool: EmbeddedTool
  }

  extension RegistryCommand {
    /// Returns the configuration for a name, with the help texts and the subcommands.
    fileprivate static func configuration(named name: String) -> CommandConfiguration {
      func onRegistry<Wrapped: ParsableCommand>(_: Wrapped.Type) -> any ParsableCommand.Type {
        OnRegistry<Wrapped, Self>.self
      }
      return CommandConfiguration(
        commandName: name, abstract: "Check and inspect the application's module files.",
        subcommands: (ConfigDITool.commands + [CatalogCommand.self]).map { onRegistry($0) })
    }
  }

  /// A wrapper that runs a command on the registry of an application.
  private struct OnRegistry<Wrapped: ParsableCommand, Parent: RegistryCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
      var configuration = Wrapped.configuration
      // Without a name the parser would derive one from this type. A custom usage text is dropped, because it names
      // `configdi`.
      configuration.commandName = Wrapped._commandName
      configuration.usage = nil
      let lines = configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
      configuration.discussion = lines.map { example(String($0)) ?? String($0) }.joined(separator: "\n")
      return configuration
    }

    /// Returns an example line of the help as it reads for this tool: with its name and without `--catalog`. `nil` for
    /// other lines.
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
      try ToolContext.$current.withValue(context) { try command.runWithOutputStyle() }
    }
  }
#endif
