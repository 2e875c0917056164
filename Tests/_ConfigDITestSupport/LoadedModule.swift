// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
internal import ConfigDITooling
package import Testing

/// A module loaded from texts in memory and checked. Its entry file is `app.json`.
package struct LoadedModule {
  /// The result of the check.
  package let check: ModuleCheck
  /// The findings that the marks in the texts expect, as `path:line:column CODE@environments`.
  package let expectations: [String]

  /// The options of a load, other than the files.
  package struct Options {
    /// The environments to check, or `nil` for all declared environments.
    package var environments: [String]?
    /// The environment variables.
    package var variables: [String: String] = [:]
    /// Settings in the form `PATH=TEXT`.
    package var settings: [String] = []
    /// Layers that are applied after those of the environment.
    package var layers: [ModuleLayer] = []
    /// Whether a missing variable or file is an error.
    package var missing = MissingSources.tolerated
    /// The folder that must contain all imports and parameter files.
    package var root: String?
    /// Paths outside the root that may be read.
    package var allowedPaths: [String] = []
    /// The limits on the size of the input.
    package var limits = Limits()
    /// The configuration values.
    package var configuration: ConfigurationSource?

    /// Creates options.
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

  /// Loads a module from marked texts and checks it.
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
      root: options.root, allowedPaths: options.allowedPaths, variables: .init(options.variables),
      missing: options.missing, limits: options.limits)
    request.configuration = options.configuration
    check = ModuleCheck(checking: request, environments: options.environments, files: files)
  }

  /// The findings as `path:line:column CODE@environments`, without the codes 701 to 799, the checks of a composed
  /// module for unused, deprecated or doubtful parts.
  package var reported: [String] {
    check.diagnostics.filter { !(701...799).contains($0.code.number) }.map { diagnostic in
      let place =
        diagnostic.location.file == "<command line>"
        ? "<command line> \(diagnostic.path)"
        : "\(diagnostic.location.file):\(diagnostic.location.start.map { "\($0.line):\($0.column)" } ?? "")"
      return "\(place) \(diagnostic.code)" + (diagnostic.environments.map { "@" + $0.joined(separator: ",") } ?? "")
    }
  }

  /// All texts of all findings, for tests that some text, such as a secret, does not occur.
  package var findingsText: String {
    check.diagnostics.map { "\($0.message) \($0.label ?? "") \($0.notes) \($0.help ?? "") \($0.related) \($0.fixes)" }
      .joined(separator: "\n")
  }

  /// The output of `resolve --format json`, or `nil` if the module has errors.
  package var resolved: Value? { check.compositions.first?.graph.map { ResolvedModule($0).value } }

  /// The module file that `resolve` prints, or `nil` if the module has errors.
  package var moduleFile: Value? { check.compositions.first?.graph.map { ResolvedModule($0).moduleFile } }
}

/// Loads a module, and expects exactly the findings that its texts mark.
///
/// - Parameter commandLine: The expected findings about command-line arguments, as `path CODE`.
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
  #expect(module.reported.sorted() == wanted.sorted(), "\(module.findingsText)", sourceLocation: sourceLocation)
  return module
}

/// Returns the module that files compose. Expects no finding except warnings about unused or doubtful parts.
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

/// Returns the text of a module file with the given members after its header.
package func module(_ body: String = "") -> String {
  #"{"configdi": 1, "module": "m""# + (body.isEmpty ? "" : ", ") + body + "}"
}

extension Value {
  /// The value of a key of a map, or `nil` if the key is missing or the value is not a map.
  package subscript(key: String) -> Value? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// Returns the value of a parameter of a resolved module, or `nil` if there is no such parameter.
  package func parameter(_ id: String) -> Value? { self["parameters"]?[id]?["value"] }

  /// Returns the values of a service of a resolved module, or `nil` if it has none.
  package func values(of id: String) -> Value? { self["services"]?[id]?["values"] }

  /// Returns the references of a service of a resolved module, or `nil` if it has none.
  package func inject(of id: String) -> Value? { self["services"]?[id]?["inject"] }
}
