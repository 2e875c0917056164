// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// The module and the options that say how it is composed.
  struct ModuleOptions: ParsableArguments {
    @Argument(
      help: ArgumentHelp("The entry module's file; - for the standard input.", valueName: "module"),
      completion: .file(extensions: Syntax.allCases.flatMap(\.endings)))
    var module: String

    @Option(help: ArgumentHelp("The syntax of a module on the standard input.", valueName: "syntax"))
    var syntax: Syntax?

    @Option(
      name: .customLong("layer"), help: ArgumentHelp("One more layer, behind the environment's.", valueName: "file"),
      completion: .file())
    var layers: [String] = []

    @Option(
      name: .customLong("set"), parsing: .unconditionalSingleValue,
      help: ArgumentHelp("Change one scalar of the composed module.", valueName: "path=text"))
    var settings: [String] = []

    @Option(
      help: ArgumentHelp("The registered types, as the application exported them.", valueName: "file"),
      completion: .file())
    var catalog: String?

    @Option(
      help: ArgumentHelp(
        "Take environment variables from this file alone; a missing one is an error.", valueName: "file"),
      completion: .file())
    var envFile: String?

    @Flag(help: "A missing environment variable is an error.")
    var requireEnv = false

    @Option(help: ArgumentHelp("Imports stay below this folder.", valueName: "folder"), completion: .directory)
    var root: String?

    @Flag(help: "Warnings count as errors.")
    var strict = false

    @Option(help: "The form of the output.")
    var format: OutputFormat = .text

    func validate() throws {
      if module == "-", syntax == nil {
        throw ValidationError("A module on the standard input needs --syntax.")
      }
      if module != "-", syntax != nil {
        throw ValidationError("--syntax is for a module on the standard input; a file's ending tells its syntax.")
      }
      // The text is not repeated: it may be a secret whose path was forgotten.
      if settings.contains(where: { Setting($0) == nil }) {
        throw ValidationError("--set wants PATH=TEXT.")
      }
    }
  }

  /// The forms of the output.
  enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// For programs.
    case json
  }

  extension Syntax: ExpressibleByArgument {}

  // MARK: - The request

  extension ModuleOptions {
    /// What the library is asked to load.
    ///
    /// - Throws: `ValidationError` for an environment file or a standard input that cannot be read.
    func request(from files: some FileAccess, requiringSources: Bool) throws -> ModuleRequest {
      var variables = ProcessInfo.processInfo.environment
      if let envFile {
        do {
          variables = try EnvironmentFile(reading: envFile, from: files).variables
        } catch {
          throw ValidationError("--env-file: \(error.message)")
        }
      }
      return ModuleRequest(
        entry: try entry(), layers: layers.map { .file($0) }, settings: settings.compactMap { Setting($0) }, root: root,
        catalog: catalog, variables: variables,
        missing: requiringSources || requireEnv || envFile != nil ? .refused : .tolerated,
        syntaxes: .builtIn)
    }

    /// Where the entry module comes from.
    private func entry() throws -> Entry {
      guard let syntax else { return .file(module) }
      guard let bytes = StandardStream.input(limit: Limits().fileSize) else {
        throw ValidationError("The standard input cannot be read.")
      }
      return .text(SourceFile(name: "<stdin>", bytes: bytes), syntax)
    }

    /// Whether findings count as errors.
    func isFailed(_ diagnostics: [Diagnostic]) -> Bool {
      diagnostics.contains { strict || $0.severity == .error }
    }
  }
#endif
