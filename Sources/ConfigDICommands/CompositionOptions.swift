// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// The options that determine how a module is composed.
  ///
  /// The options form one group without nested groups: a debug build checks the declarations of each group at each
  /// start, and those of a nested group five times as often.
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
        "Read environment variables only from this file. A missing variable, file or configuration value is an error.",
        valueName: "file"),
      completion: .file())
    var envFile: String?

    @Option(
      name: .customLong("config"), parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "One value of the application's configuration, for parameters with \"config\"; repeatable.",
        valueName: "key=text"))
    var configuration: [String] = []

    @Flag(help: "Report missing environment variables, files and configuration values as errors.")
    var requireEnv = false

    @Option(help: CompositionOptions.rootHelp, completion: .directory)
    var root: String?

    @Option(name: CompositionOptions.allowedPathsName, help: CompositionOptions.allowedPathsHelp, completion: .file())
    var allowedPaths: [String] = []

    @Flag(help: "Exit with status 1 if there are warnings.")
    var strict = false

    func validate() throws {
      // The message does not repeat the text, which may be a secret whose path was forgotten.
      if settings.contains(where: { Setting($0) == nil }) {
        throw ValidationError("--set requires PATH=TEXT.")
      }
      if configuration.contains(where: { Setting($0)?.path.isEmpty ?? true }) {
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

    /// The help of `--root`, the folder that imports must not leave.
    static var rootHelp: ArgumentHelp {
      ArgumentHelp("The folder that imports and the files of parameters must not leave.", valueName: "folder")
    }

    /// The name of `--allow-path`, the option for further files and folders that imports may read.
    static var allowedPathsName: NameSpecification { .customLong("allow-path") }

    /// The help of `--allow-path`.
    static var allowedPathsHelp: ArgumentHelp {
      ArgumentHelp("A further file or folder that imports and parameters may read; repeatable.", valueName: "path")
    }

    /// Checks that `--syntax` is given if and only if the module is on the standard input.
    ///
    /// - Throws: `ValidationError` if the check fails.
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

    /// The environments to check: the named one, or an empty list for the module without any.
    var environments: [String] { environment.map { [$0] } ?? [] }
  }

  /// The output formats.
  enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// For programs.
    case json
  }

  extension Syntax: ExpressibleByArgument {}

  // MARK: - The request

  extension CompositionOptions {
    /// The registered types: those of the catalog given by `--catalog`, else those that the tool itself knows.
    var types: KnownTypes { catalog.map(KnownTypes.catalog) ?? ToolContext.current.types }

    /// Returns the request to load a module with these options.
    ///
    /// - Throws: `ValidationError` if the environment file or the standard input cannot be read.
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
      // `KEY=TEXT` is split like `PATH=TEXT`.
      let texts = configuration.compactMap { Setting($0) }.map { ($0.path, Value.string($0.text)) }
      request.configuration = ConfigurationSource(Dictionary(texts) { $1 })
      return request
    }

    /// Returns the source of the entry module: a file, or the text on the standard input.
    private func entry(_ module: String) throws -> Entry {
      guard module == "-", let syntax else { return .file(module) }
      return try .standardInput(syntax)
    }

    /// Returns whether any of the findings counts as an error.
    func isFailed(_ diagnostics: [Diagnostic]) -> Bool {
      diagnostics.contains { strict || $0.severity == .error }
    }
  }

  extension Entry {
    /// Reads a module from the standard input.
    ///
    /// - Throws: `ValidationError` if it cannot be read.
    static func standardInput(_ syntax: Syntax) throws -> Entry {
      guard let bytes = StandardStream.input(limit: Limits().fileSize) else {
        throw ValidationError("Standard input cannot be read.")
      }
      return .text(SourceFile(name: Diagnostic.Location.standardInput, bytes: bytes), syntax)
    }
  }
#endif
