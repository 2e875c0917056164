// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// The options that say how a module is composed.
  ///
  /// They stand in one group with none within it: a debug build checks the declarations of each group at each start, and for one
  /// within another five times as often.
  struct CompositionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The syntax of a module on standard input.", valueName: "syntax"))
    var syntax: Syntax?

    @Option(
      name: .customLong("layer"), help: ArgumentHelp("One more layer, applied last; repeatable.", valueName: "file"),
      completion: .file())
    var layers: [String] = []

    @Option(
      name: .customLong("set"), parsing: .unconditionalSingleValue,
      help: ArgumentHelp("Change one scalar of the composed module; repeatable.", valueName: "path=text"),
      completion: NameCompletion.settings)
    var settings: [String] = []

    @Option(
      help: ArgumentHelp("The catalog of registered types that the application exported.", valueName: "file"),
      completion: .file())
    var catalog: String?

    @Option(
      help: ArgumentHelp(
        "Read environment variables only from this file; a missing one is an error.", valueName: "file"),
      completion: .file())
    var envFile: String?

    @Option(
      name: .customLong("config"), parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "One value of the application's configuration, for parameters with \"config\"; repeatable.",
        valueName: "key=text"))
    var configuration: [String] = []

    @Flag(help: "Report missing environment variables as errors.")
    var requireEnv = false

    @Option(help: CompositionOptions.rootHelp, completion: .directory)
    var root: String?

    @Option(name: CompositionOptions.allowedPathsName, help: CompositionOptions.allowedPathsHelp, completion: .file())
    var allowedPaths: [String] = []

    @Flag(help: "Exit with status 1 if there are warnings.")
    var strict = false

    func validate() throws {
      // The text is not repeated: it may be a secret whose path was forgotten.
      if settings.contains(where: { Setting($0) == nil }) {
        throw ValidationError("--set requires PATH=TEXT.")
      }
      if configuration.contains(where: { KeyedText($0) == nil }) {
        throw ValidationError("--config requires KEY=TEXT.")
      }
    }
  }

  extension CompositionOptions {
    /// The help of the argument that names the entry module.
    static var moduleHelp: ArgumentHelp {
      ArgumentHelp("The entry module's file; - for standard input.", valueName: "module")
    }

    /// The files that can be an entry module.
    static var moduleCompletion: CompletionKind { .file(extensions: Syntax.allCases.flatMap(\.endings)) }

    /// The help of the option that says which folder imports must not leave.
    static var rootHelp: ArgumentHelp {
      ArgumentHelp("The folder that imports and the files of parameters must not leave.", valueName: "folder")
    }

    /// The name of the option that says what else imports may read.
    static var allowedPathsName: NameSpecification { .customLong("allow-path") }

    /// The help of the option that says what else imports may read.
    static var allowedPathsHelp: ArgumentHelp {
      ArgumentHelp("A further file or folder that imports and parameters may read; repeatable.", valueName: "path")
    }

    /// Checks that a syntax is named for a module on the standard input, and for no other.
    ///
    /// - Throws: `ValidationError` where it is not.
    func checkSyntax(of module: String) throws {
      if module == "-", syntax == nil {
        throw ValidationError("A module on standard input requires --syntax.")
      }
      if module != "-", syntax != nil {
        throw ValidationError("--syntax is for a module on standard input; a file's extension gives its syntax.")
      }
    }
  }

  /// The option that names one environment.
  struct EnvironmentOption: ParsableArguments {
    @Option(
      name: [.customShort("e"), .customLong("environment")],
      help: ArgumentHelp("The environment; default: the module without any environment.", valueName: "name"),
      completion: NameCompletion.environments)
    var environment: String?

    /// The environments to check: the one that is named, or none.
    var environments: [String] { environment.map { [$0] } ?? [] }
  }

  /// The forms of the output.
  enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// For programs.
    case json
  }

  extension Syntax: ExpressibleByArgument {}

  /// An option's value in the form `KEY=TEXT`.
  private struct KeyedText {
    /// What stands before the first equals sign.
    let key: String
    /// What stands behind it.
    let text: String

    /// Splits an option's value; nil where it has no key.
    init?(_ argument: String) {
      guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")), sign > argument.startIndex else { return nil }
      key = String(argument[..<sign])
      text = String(argument[argument.utf8.index(after: sign)...])
    }
  }

  // MARK: - The request

  extension CompositionOptions {
    /// The registered types: those of the catalog that is named, else what the tool itself knows.
    var types: KnownTypes { catalog.map(KnownTypes.catalog) ?? ToolContext.current.types }

    /// What the library is asked to load.
    ///
    /// - Throws: `ValidationError` for an environment file or a standard input that cannot be read.
    func request(
      of module: String, from files: some FileAccess, requiringSources: Bool = false
    ) throws -> ModuleRequest {
      var request = ModuleRequest(
        entry: try entry(module), layers: layers.map { .file($0) }, settings: settings.compactMap { Setting($0) },
        root: root, allowedPaths: allowedPaths, variables: .process,
        missing: requiringSources || requireEnv || envFile != nil ? .refused : .tolerated,
        syntaxes: .builtIn)
      if let envFile {
        do {
          request.variables = .given(try EnvironmentFile(reading: envFile, from: files).variables)
        } catch {
          throw ValidationError("--env-file: \(error.message)")
        }
      }
      let texts = configuration.compactMap { KeyedText($0) }.map { ($0.key, Value.string($0.text)) }
      request.configuration = ConfigurationSource(Dictionary(texts) { $1 })
      return request
    }

    /// Where the entry module comes from.
    private func entry(_ module: String) throws -> Entry {
      guard module == "-", let syntax else { return .file(module) }
      guard let bytes = StandardStream.input(limit: Limits().fileSize) else {
        throw ValidationError("Standard input cannot be read.")
      }
      return .text(SourceFile(name: "<stdin>", bytes: bytes), syntax)
    }

    /// Whether findings count as errors.
    func isFailed(_ diagnostics: [Diagnostic]) -> Bool {
      diagnostics.contains { strict || $0.severity == .error }
    }
  }
#endif
