// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
internal import ConfigDITooling
package import Testing

/// A module that was loaded from texts in memory; `app.json` is its entry.
package struct LoadedModule {
  /// What came of the check.
  package let check: ModuleCheck
  /// What the marks in the texts want, as `path:line:column CODE@environments`.
  package let expectations: [String]

  /// What a module is loaded with, beside its files.
  package struct Options {
    /// The environments to check; nil: all that the module declares.
    package var environments: [String]?
    /// The environment variables.
    package var variables: [String: String] = [:]
    /// Settings in the form `PATH=TEXT`.
    package var settings: [String] = []
    /// Layers behind those of the environment.
    package var layers: [ModuleLayer] = []
    /// What becomes of a missing variable or file.
    package var missing = MissingSources.tolerated
    /// The folder that imports and the files of parameters stay below.
    package var root: String?
    /// What may be read beside it.
    package var allowedPaths: [String] = []
    /// How much may be read.
    package var limits = Limits()
    /// The configuration values.
    package var configuration: ConfigurationSource?

    /// What a module is loaded with.
    package init(
      environments: [String]? = nil, variables: [String: String] = [:], settings: [String] = [],
      layers: [ModuleLayer] = [], missing: MissingSources = .tolerated, root: String? = nil,
      allowedPaths: [String] = [], limits: Limits = Limits(), configuration: ConfigurationSource? = nil
    ) {
      self.configuration = configuration
      self.allowedPaths = allowedPaths
      self.environments = environments
      self.variables = variables
      self.settings = settings
      self.layers = layers
      self.missing = missing
      self.root = root
      self.limits = limits
    }
  }

  /// Loads a module and checks it.
  package init(_ files: [String: String], _ options: Options = Options()) {
    let marked = MarkedTexts(files)
    self.init(MemoryFiles(texts: marked.texts), options, expectations: marked.expectations)
  }

  /// Loads a module from any files and checks it.
  package init(
    _ files: any FileAccess, _ options: Options = Options(), entry: Entry = .file("app.json"),
    expectations: [String] = []
  ) {
    self.expectations = expectations
    var request = ModuleRequest(
      entry: entry, layers: options.layers, settings: options.settings.compactMap { Setting($0) },
      root: options.root, allowedPaths: options.allowedPaths, variables: options.variables, missing: options.missing,
      limits: options.limits)
    request.configuration = options.configuration
    check = ModuleCheck(checking: request, environments: options.environments, files: files)
  }

  /// What was told, as `path:line:column CODE@environments`, but for what rooms behind the composition say of what is
  /// unused, deprecated or doubtful.
  package var told: [String] {
    check.diagnostics.filter { !(701...799).contains($0.code.number) }.map { diagnostic in
      let place =
        diagnostic.location.file == "<command line>"
        ? "<command line> \(diagnostic.path)"
        : "\(diagnostic.location.file):\(diagnostic.location.start.map { "\($0.line):\($0.column)" } ?? "")"
      return "\(place) \(diagnostic.code)" + (diagnostic.environments.map { "@" + $0.joined(separator: ",") } ?? "")
    }
  }

  /// All words of all findings, for tests that look for what must not be said.
  package var words: String {
    check.diagnostics.map { "\($0.message) \($0.label ?? "") \($0.notes) \($0.help ?? "") \($0.related) \($0.fixes)" }
      .joined(separator: "\n")
  }

  /// The form of `resolve --format json`, or nil where the module has errors.
  package var resolved: Value? { check.compositions.first?.graph.map { ResolvedModule($0).value } }

  /// The module file of `resolve`, or nil where the module has errors.
  package var moduleFile: Value? { check.compositions.first?.graph.map { ResolvedModule($0).moduleFile } }
}

/// Expects that the findings about a module are those that its texts mark, no more and no fewer.
///
/// - Parameter commandLine: The findings at the command line, as `path CODE`.
@discardableResult
package func expectFindings(
  in files: [String: String], environments: [String]? = nil, variables: [String: String] = [:],
  settings: [String] = [], layers: [ModuleLayer] = [], missing: MissingSources = .tolerated, root: String? = nil,
  limits: Limits = Limits(), commandLine: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
) -> LoadedModule {
  let module = LoadedModule(
    files,
    LoadedModule.Options(
      environments: environments, variables: variables, settings: settings, layers: layers, missing: missing,
      root: root, limits: limits))
  let wanted = module.expectations + commandLine.map { "<command line> \($0)" }
  #expect(module.told.sorted() == wanted.sorted(), "\(module.words)", sourceLocation: sourceLocation)
  return module
}

/// The module that files compose, which must have no finding but warnings about what is unused or doubtful.
package func resolved(
  _ files: [String: String], environment: String? = nil, variables: [String: String] = [:], settings: [String] = [],
  layers: [ModuleLayer] = [], missing: MissingSources = .refused, limits: Limits = Limits(),
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Value {
  let module = expectFindings(
    in: files, environments: environment.map { [$0] } ?? [], variables: variables, settings: settings, layers: layers,
    missing: missing, limits: limits, sourceLocation: sourceLocation)
  let value = module.resolved
  return try #require(value, sourceLocation: sourceLocation)
}

/// A module file around the rest of its keys.
package func module(_ body: String = "") -> String {
  #"{"configdi": 1, "module": "m""# + (body.isEmpty ? "" : ", ") + body + "}"
}

extension Value {
  /// The value under a key of a map; nil where there is none.
  package subscript(key: String) -> Value? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// The value of a parameter of a resolved module.
  package func parameter(_ id: String) -> Value? { self["parameters"]?[id]?["value"] }

  /// The data of a service of a resolved module.
  package func values(of id: String) -> Value? { self["services"]?[id]?["values"] }

  /// The references of a service of a resolved module.
  package func inject(of id: String) -> Value? { self["services"]?[id]?["inject"] }
}
