// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi build`: the command that the build plugin runs.
  struct BuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "build",
      abstract: "Check a list of modules as a part of a build; the plugin ConfigDIPlugin runs it.",
      discussion: """
        Prints findings in the form of compiler messages. If no finding counts as an error, the command writes the \
        output, unless it is already up to date: Swift code for typed access to the modules that request it; see \
        generate.

        Environment variables are ignored, so that a build does not depend on them: a parameter that reads one is \
        checked by its declared type.

        EXAMPLES:
          configdi build Sources/App/configdi-modules.json --output build/ConfigDIModules.swift
        """)

    @Argument(help: ArgumentHelp("The list of modules.", valueName: "list"), completion: .file(extensions: ["json"]))
    var list: String

    @Option(help: ArgumentHelp("The file in Swift to write.", valueName: "file"), completion: .file())
    var output: String

    @Option(
      help: ArgumentHelp(
        "The Swift module that the code becomes a part of; its types need no import.", valueName: "name"))
    var module: String?

    @Option(
      help: ArgumentHelp(
        "The files that the build system compares, one path per line; rewritten if the check reads others.",
        valueName: "file"),
      completion: .file())
    var inputs: String?

    func run() throws {
      let files = WatchedFiles()
      let list = ModuleList(reading: list, files: files)
      let renderer = XcodeRenderer(workingFolder: files.workingFolder)
      StandardStream.output.write(renderer.text(of: list.diagnostics))
      var isFailed = list.diagnostics.contains { $0.severity == .error }
      var code = "// The modules were checked by configdi.\n"
      var owners: [String: String] = [:]
      func fail(_ message: String) {
        let place = Path.normalize(Path.join(files.workingFolder, self.list)).visible
        StandardStream.output.write("\(place): error: \(message)\n")
        isFailed = true
      }
      for module in list.modules {
        let types = KnownTypes(for: module, files)
        let check = ModuleCheck(checking: module, files, types)
        StandardStream.output.write(renderer.text(of: module.placing(check.diagnostics)))
        isFailed = isFailed || check.diagnostics.contains { module.isStrict || $0.severity == .error }
        guard let names = module.names(in: self.module), !isFailed else { continue }
        guard let accessors = ServiceAccessors(to: check, knowing: types, names: names) else {
          fail("\"accessor\" requires a catalog of registered types")
          continue
        }
        code += "\n" + accessors.swift
        for name in accessors.declaredNames {
          guard let owner = owners.updateValue(names.accessor, forKey: name) else { continue }
          fail(
            "the code for the accessors \"\(owner)\" and \"\(names.accessor)\" would declare \"\(name)\" twice; "
              + "set \"type\" or rename an accessor")
        }
      }
      if isFailed { throw ExitCode(ExitStatus.findings.rawValue) }
      let inputList = inputs.map { [files.canonicalPath(of: $0)] } ?? []
      try FileWriter.writeIfChanged(code, toOutput: output, of: files.readFiles.union(inputList))
      try updateInputList(files)
    }

    /// Rewrites the list of inputs, with the same text, if the command read a file that is not in it, so that the next
    /// build runs the command again.
    ///
    /// A build system that fixes the inputs of a command in advance does not know files that were added since. The list
    /// is itself an input, so rewriting it is enough.
    private func updateInputList(_ files: WatchedFiles) throws {
      guard let inputs else { return }
      guard case .success(let bytes) = DiskFiles().contents(of: inputs, limit: .max) else {
        throw ValidationError("--inputs: the file cannot be read.")
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let known = Set(text.split(separator: "\n").map { DiskFiles().canonicalPath(of: String($0)) })
      if !files.readFiles.isSubset(of: known) { try FileWriter.writeOrReplace(text, at: inputs) }
    }
  }

  extension KnownTypes {
    /// Selects the registered types for a module of the list: those of the catalog that the module names, else those of
    /// the tool, else those of a `catalog.json` in the module's folder.
    fileprivate init(for module: ModuleList.Module, _ files: WatchedFiles) {
      let tool = ToolContext.current.types
      self = module.catalog.map(KnownTypes.catalog) ?? (tool.isNone ? .catalog(beside: module.path, files) : tool)
    }
  }

  extension ModuleList.Module {
    /// Returns the names for the generated accessors, or `nil` if the module asks for none.
    fileprivate func names(in module: String?) -> ServiceAccessors.Names? {
      accessor.map { ServiceAccessors.Names(accessor: $0, type: type, access: access, module: module) }
    }
  }

  extension ModuleCheck {
    /// Checks a module of a list.
    fileprivate init(checking module: ModuleList.Module, _ files: WatchedFiles, _ types: KnownTypes) {
      let request = ModuleRequest(
        entry: .file(module.path), layers: module.layers.map { .file($0) }, root: module.root,
        allowedPaths: module.allowedPaths, missing: .tolerated, syntaxes: .builtIn)
      self.init(
        checking: request, environments: module.environments, files: files, knowing: types,
        keepsCompositions: module.accessor != nil)
    }
  }
#endif
