// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi schema`: prints the JSON Schema of module files.
  struct SchemaCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Print the JSON Schema of module files, for editors.",
      discussion: """
        Without options, prints the schema of the format. --catalog adds the types of the application, the keys of \
        their arguments and the values that these take; a module adds its ids, which are suggested, not required. A \
        module with errors has a schema as long as its files can be read; the exit status is 1. If they cannot, or \
        the catalog has an error, the findings are printed instead, in the format of --format.

        EXAMPLES:
          configdi schema > configdi.schema.json
          configdi schema app.json --catalog catalog.json > app.schema.json
        """)

    @Argument(help: CompositionOptions.moduleHelp, completion: CompositionOptions.moduleCompletion)
    var module: String?

    @OptionGroup var options: CompositionOptions

    @Option(
      name: [.customShort("e"), .customLong("environment")],
      help: ArgumentHelp("Use only the ids of this environment; repeatable.", valueName: "name"),
      completion: NameCompletion.environments)
    var environments: [String] = []

    @Option(help: "The format of findings.")
    var format: OutputFormat = .text

    @OptionGroup var printing: OutputOptions

    func validate() throws {
      if let module { return try options.checkSyntax(of: module) }
      if options.composesModule || !environments.isEmpty {
        throw ValidationError("Without a module, schema accepts only --catalog and --format.")
      }
    }

    func run() throws {
      let files = DiskFiles()
      var ids = ModuleIDs()
      var isReadable = true
      let check = ModuleCheck(
        checking: try request(from: files), environments: environments.isEmpty ? nil : environments, files: files,
        knowing: options.types, keepsCompositions: false
      ) { composition in
        if let definition = composition.definition { ids.add(definition) } else { isReadable = false }
      }
      guard isReadable, options.types.isNone || check.catalog != nil else {
        throw Report(check).writeFindings(as: format)
      }
      ids.add(check.environments, to: .environments)
      for document in check.documents.documents where document.isComplete { ids.add(document) }
      let schema = ModuleSchema(catalog: check.catalog, ids: module == nil ? nil : ids)
      StandardStream.output.write(JSONWriter.text(of: schema.value) + "\n")
      Report(check).writeToStandardError()
      if options.isFailed(check.diagnostics) { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    /// Returns the request for the named module, or for an empty module if none is named.
    private func request(from files: DiskFiles) throws -> ModuleRequest {
      if let module { return try options.request(of: module, from: files) }
      let empty = SourceFile(name: "<schema>", text: #"{"configdi": 1, "module": "schema"}"#)
      return ModuleRequest(entry: .text(empty, .json))
    }
  }

  extension CompositionOptions {
    /// Whether one of these options, which only affect the composition of a module, is given.
    fileprivate var composesModule: Bool {
      syntax != nil || !layers.isEmpty || !settings.isEmpty || !configuration.isEmpty || envFile != nil || requireEnv
        || root != nil || strict || !allowedPaths.isEmpty
    }
  }
#endif
