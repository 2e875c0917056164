// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDICommands

  /// The tool with a registry of the application, as a whole program or as a subcommand.
  enum GreeterTool: EmbeddedTool {
    static var registry: Registry {
      var registry = Registry()
      registry.add("Greeter", as: (any Greeter).self, PoliteGreeter.init, .value("form"), .service("clock"))
      registry.add("Clock", Clock.init)
      registry.add("Visitor", .value("form", Form.self)) { form in Visitor(form: form) }
      return registry
    }
  }

  /// The tool with an invalid registry, which registers a type twice.
  enum InvalidTool: EmbeddedTool {
    static var registry: Registry {
      var registry = GreeterTool.registry
      registry.add("Clock", Clock.init)
      return registry
    }
    static var toolName: String? { "modules" }
  }

  /// An application with commands of its own.
  struct Application: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "greet", subcommands: [Greet.self, GreeterTool.Command.self, InvalidTool.Command.self])
  }

  /// A command of the application.
  struct Greet: ParsableCommand {
    func run() { print("good day") }
  }

  /// Runs the application, or only the tool if the first argument is `--alone`.
  @main enum Main {
    static func main() {
      let arguments = Array(Swift.CommandLine.arguments.dropFirst())
      if arguments.first == "--alone" {
        GreeterTool.main(Array(arguments.dropFirst()))
      } else {
        Application.main(arguments)
      }
    }
  }

  protocol Greeter: Sendable {}
  struct Clock: Sendable {}
  struct PoliteGreeter: Greeter {
    let form: String
    let clock: Clock
  }
  struct Visitor: Sendable { let form: Form }

  /// A value that only the application can decode.
  struct Form: Decodable, Sendable {
    struct InvalidForm: Error, CustomStringConvertible {
      let description = "a form is formal or plain"
    }
    init(from decoder: any Decoder) throws {
      let word = try decoder.singleValueContainer().decode(String.self)
      guard ["formal", "plain"].contains(word) else { throw InvalidForm() }
    }
  }
#else
  @main enum Main {
    static func main() {}
  }
#endif
