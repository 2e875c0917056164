// SPDX-License-Identifier: Apache-2.0

public import ConfigDI
import Foundation

/// A module from which tests make containers. It is read and checked once per test run, for all containers.
///
/// ```swift
/// extension TestModule {
///   static let shop = TestModule("Configs/Shop/app.json", environment: "test", registry: makeRegistry())
/// }
///
/// @Suite(.container(.shop)) struct CheckoutTests {
///   @Test func sendsOneMail() throws {
///     let mailer = MailerMock()
///     try Container.current.replace(named: "mailer", with: mailer)
///     try Container.current.resolve(Checkout.self).run()
///     #expect(mailer.sent.count == 1)
///   }
/// }
/// ```
public struct TestModule: Sendable {
  /// The module to load, with its files relative to the base folder of the paths.
  private(set) var source: ModuleSource
  /// The types that the module may name.
  let registry: Registry
  /// The instances of shared services that the test passes in.
  private let given: [any Sendable]
  /// The parts of the load that determine its plan. Containers of modules with equal keys share one.
  private let key: Key

  /// The options that determine what a load reads, and the catalog of the registry.
  private struct Key: Hashable, Sendable {
    let folder: String
    /// The name in findings, which an error that is kept contains.
    let name: String
    let entry: String
    let isText: Bool
    let environment: String?
    let layers: [ModuleLayer]
    let settings: [String]
    let root: String?
    let allowedPaths: [String]
    let variables: [String: String]
    let syntaxes: [Syntax]
    let catalog: Catalog
  }

  /// Creates a module from a file.
  ///
  /// - Parameters:
  ///   - path: The entry module. All paths are relative to the nearest folder above the test's source file that
  ///     contains such a file, or else to the working folder.
  ///   - environment: One of the environments that the module declares; `nil` for the module without layers.
  ///   - layers: Layers that are applied after those of the environment, in order; such as one with mocks.
  ///   - settings: Scalars to change last, each as `PATH=TEXT`.
  ///   - root: The folder that contains all imports and files of parameters; `nil` for the entry module's.
  ///   - allowedPaths: Files and folders outside the root to which imports and `file` parameters may refer.
  ///   - variables: The environment variables that parameters read; `nil` for those of the process.
  ///   - syntaxes: The syntaxes that can be read in addition to JSON, JSONC and property lists.
  ///   - given: The instances of shared services whose types are registered by `Registry.given`.
  ///   - registry: The types that the module may name. Modules whose registries have equal catalogs share a plan.
  public init(
    _ path: String, environment: String? = nil, layers: [ModuleLayer] = [], settings: [String] = [],
    root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil,
    syntaxes: [ModuleSyntax] = [], given: any Sendable..., filePath: String = #filePath,
    registry: Registry
  ) {
    let folder = TestModule.folder(of: path, above: filePath)
    self.init(
      .file(path), path, in: folder, environment, layers, settings, root, allowedPaths, variables, syntaxes, given,
      registry)
    if let folder {
      source.request.pathBase = folder
    } else if !path.hasPrefix("/") {
      source.request.pathBase = "the nearest folder above \(filePath) that contains it, or else to the working folder"
    }
  }

  /// Creates a module from a text in JSON. Its imports and layers are relative to the working folder.
  ///
  /// The other parameters are those of a module from a file.
  public init(
    text: String, name: String = "<module>", environment: String? = nil, layers: [ModuleLayer] = [],
    settings: [String] = [], root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil,
    syntaxes: [ModuleSyntax] = [], given: any Sendable..., registry: Registry
  ) {
    self.init(
      .text(SourceFile(name: name, text: text), .json), text, in: nil, environment, layers, settings, root,
      allowedPaths, variables, syntaxes, given, registry)
  }

  /// Creates a module.
  private init(
    _ entry: Entry, _ text: String, in folder: String?, _ environment: String?, _ layers: [ModuleLayer],
    _ settings: [String], _ root: String?, _ allowedPaths: [String], _ variables: [String: String]?,
    _ syntaxes: [ModuleSyntax], _ given: [any Sendable], _ registry: Registry
  ) {
    let variables = variables ?? ProcessInfo.processInfo.environment
    let files = DiskFiles(workingFolder: folder)
    source = ModuleSource(
      entry, files, environment, layers, settings, root, allowedPaths, variables, Limits(), syntaxes)
    self.registry = registry
    self.given = given
    var isText = false
    if case .text = entry { isText = true }
    key = Key(
      folder: files.workingFolder, name: entry.name, entry: text, isText: isText, environment: environment,
      layers: layers, settings: settings, root: root, allowedPaths: allowedPaths, variables: variables,
      syntaxes: syntaxes.map(\.syntax), catalog: registry.catalog)
  }

  /// Returns the nearest folder above a source file that contains a file; `nil` for none, or for absolute paths.
  private static func folder(of path: String, above source: String) -> String? {
    guard !path.hasPrefix("/") else { return nil }
    var folder = URL(fileURLWithPath: source).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path) { return folder.path }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}

extension TestModule: CustomStringConvertible, CustomReflectable {
  /// The path or name of the module, and the environment in parentheses.
  public var description: String { source.description }

  /// The path or name of the module, and the environment. Not the variables, which may contain secrets: the output of a
  /// test shows the properties of its arguments.
  public var customMirror: Mirror { Mirror(self, children: source.customMirror.children, displayStyle: .struct) }
}

extension TestModule {
  /// Returns a container of the module, whose eager services are not built yet.
  ///
  /// - Parameter awaits: Whether eager services may need `await`.
  /// - Throws: `LoadError` with all findings if the module has errors, `RegistryError` if the registry has mistakes.
  func container(awaits: Bool, observers: [any ContainerObserver]) throws -> Container {
    let key = SharedPlans.Key(module: key, isOnMainActor: awaits ? nil : MainActor.isCurrent)
    let plan = try SharedPlans.plan(of: key) {
      try CompiledPlan(loading: source, registry: registry, awaits: awaits)
    }
    return try Container(plan: plan, registry: registry, given: given, observers: observers)
  }

  /// Checks the module in its environments, as `expectValid` does. For XCTest, which does not know the issues of Swift
  /// Testing.
  ///
  /// ```swift
  /// func testDeployments() throws { try TestModule.shop.validate() }
  /// ```
  ///
  /// Missing variables and files of parameters are not reported.
  ///
  /// - Parameters:
  ///   - environments: The environments to check; `nil` for all that the module declares, or for the module alone if it
  ///     declares none.
  ///   - strictly: Whether warnings count as errors.
  ///   - awaits: Whether the application awaits the load; if not, eager services that have to be awaited are errors.
  /// - Throws: `LoadError` with all findings if the module has errors, `RegistryError` if the registry has mistakes.
  public func validate(environments: [String]? = nil, strictly: Bool = false, awaits: Bool = true) throws {
    try registry.validate()
    let check = check(environments, awaits: awaits)
    if !check.passes(strictly: strictly) { throw LoadError(check) }
  }

  /// Returns the check of the module, in the given environments.
  ///
  /// Missing variables and files are not reported: the tests do not know what a deployment sets.
  ///
  /// - Parameters:
  ///   - environments: the environments to check; `nil` for all that the module declares, or for the module alone if it
  ///     declares none.
  ///   - awaits: whether eager services may need `await`.
  func check(_ environments: [String]?, awaits: Bool = true) -> ModuleCheck {
    var request = source.request
    request.missing = .tolerated
    return ModuleCheck(
      checking: request, environments: environments, files: source.files, types: .registry(registry, awaits: awaits),
      keepsCompositions: false)
  }

  /// The plans of all modules of a test run.
  private enum SharedPlans {
    /// A load, by what determines its result.
    struct Key: Hashable, Sendable {
      let module: TestModule.Key
      /// Whether a load that does not await runs on the main actor, whose builders it can then call; `nil` if it awaits.
      let isOnMainActor: Bool?
    }

    /// A plan that is made at most once.
    private final class Place: @unchecked Sendable {
      // Unchecked: the result is read and written under the lock.
      private let lock = NSLock()
      private var result: Result<CompiledPlan, any Error>?

      /// Returns the plan, and makes it at the first call.
      func plan(_ make: () throws -> CompiledPlan) throws -> CompiledPlan {
        try lock.withLock {
          let made = result ?? Result(catching: make)
          result = made
          return try made.get()
        }
      }
    }

    /// Guards `places`.
    private static let lock = NSLock()
    nonisolated(unsafe) private static var places: [Key: Place] = [:]

    /// Returns the plan for a key, and makes it if there is none.
    static func plan(of key: Key, _ make: () throws -> CompiledPlan) throws -> CompiledPlan {
      let place = lock.withLock {
        let place = places[key] ?? Place()
        places[key] = place
        return place
      }
      return try place.plan(make)
    }
  }
}

extension ModuleCheck {
  /// Whether there is no error and, if the check is strict, no warning.
  func passes(strictly: Bool) -> Bool { isSound && !(strictly && counts.warnings > 0) }
}
