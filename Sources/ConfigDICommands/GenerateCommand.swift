// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi generate`: prints Swift code for typed access to the services of a module.
  struct GenerateCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "generate",
      abstract: "Print Swift code that gives typed access to the services of a module.",
      discussion: """
        The code has a property for each service that is not private, and for each alias, so that code which uses a \
        name that was changed in a file does not compile: try container.services.loggerAudit for "logger.audit". A \
        service that takes run-time arguments, or may have to be awaited, is a function; a service that some \
        environments do not have is optional; a service that needs an open scope is accessed through the scope.

        Services that cannot have a property are omitted, with a comment that gives the reason. If the module has \
        errors in one of the environments, they are printed instead. The registered types must be known.

        EXAMPLES:
          configdi generate swift app.json --catalog catalog.json > Services.swift
          configdi generate swift app.json --catalog catalog.json --module App --output Sources/App/Services.swift
        """)

    /// The languages of the generated code.
    enum Language: String, CaseIterable, ExpressibleByArgument {
      case swift
    }

    @Argument(help: "The language.")
    var language: Language

    @Argument(help: CompositionOptions.moduleHelp, completion: CompositionOptions.moduleCompletion)
    var module: String

    @OptionGroup var options: CompositionOptions

    @Option(
      name: [.customShort("e"), .customLong("environment")],
      help: ArgumentHelp("Use only this environment; repeatable.", valueName: "name"),
      completion: NameCompletion.environments)
    var environments: [String] = []

    @Option(
      name: .customLong("module"),
      help: ArgumentHelp(
        "The Swift module that the code becomes a part of; its types need no import.", valueName: "name"))
    var swiftModule: String?

    @Option(help: ArgumentHelp("The property of containers that has the services.", valueName: "name"))
    var accessor = "services"

    @Option(
      help: ArgumentHelp("The type of that property; default: the module's name and Services.", valueName: "name"))
    var type: String?

    @Option(help: "The access level of the code.")
    var access: Access = .internal

    @Option(
      help: ArgumentHelp("The file to write, unless it is already up to date.", valueName: "file"), completion: .file()
    )
    var output: String?

    @Option(help: "The format of findings.")
    var format: OutputFormat = .text

    @OptionGroup var printing: OutputOptions

    /// The access levels of the generated code.
    enum Access: String, CaseIterable, ExpressibleByArgument {
      case `internal`, package, `public`
    }

    func validate() throws {
      try options.checkSyntax(of: module)
      for name in [accessor, type, swiftModule].compactMap(\.self) where !SwiftName.accepts(name) {
        throw ValidationError("\"\(name)\" is not a valid Swift identifier.")
      }
    }

    func run() throws {
      let files = WatchedFiles()
      let types = options.types
      guard !types.isNone else { throw ValidationError("generate requires --catalog.") }
      let check = ModuleCheck(
        checking: try options.request(of: module, from: files),
        environments: environments.isEmpty ? nil : environments, files: files, knowing: types)
      let names = ServiceAccessors.Names(accessor: accessor, type: type, access: access.rawValue, module: swiftModule)
      guard let accessors = ServiceAccessors(to: check, knowing: types, names: names) else {
        throw Report(check).writeFindings(as: format)
      }
      if let output {
        try FileWriter.writeIfChanged(accessors.swift, toOutput: output, of: files.readFiles)
      } else {
        StandardStream.output.write(accessors.swift)
      }
      Report(check).writeToStandardError()
      if !accessors.omissions.isEmpty {
        let services = accessors.omissions.count == 1 ? "1 service has" : "\(accessors.omissions.count) services have"
        StandardStream.error.writeHint("\(services) no property; a comment at the end of the code says why")
      }
      if options.isFailed(check.diagnostics) { throw ExitCode(ExitStatus.findings.rawValue) }
    }
  }

  extension ServiceAccessors {
    /// Creates the accessors of a checked module. `nil` if it has errors or the registered types are not known.
    init?(to check: ModuleCheck, knowing types: KnownTypes, names: Names) {
      let graphs = check.compositions.compactMap { composition in
        composition.graph.map { (environment: composition.environment, graph: $0) }
      }
      var catalog = check.catalog
      if case .registry(let registry) = types { catalog = registry.catalog }
      guard check.isSound, graphs.count == check.compositions.count, let catalog else { return nil }
      self.init(to: graphs, catalog: catalog, names: names)
    }
  }
#endif
