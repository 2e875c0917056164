// SPDX-License-Identifier: Apache-2.0

public import ConfigDI
import Foundation

/// A module of which tests make containers. It is read and checked once in a run of tests, however many are made.
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
  /// What is loaded, its files seen from the folder that paths are relative to.
  let source: ModuleSource
  /// The types that the module may name.
  let registry: Registry
  /// The instances of shared services that the test gives.
  private let given: [any Sendable]
  /// What is asked for besides the registry, for the containers that share a plan.
  private let key: Key

  /// What two loads have in common that read the same.
  private struct Key: Hashable, Sendable {
    let folder: String
    let entry: String
    let isText: Bool
    let environment: String?
    let layers: [ModuleLayer]
    let settings: [String]
    let root: String?
    let allowedPaths: [String]
    let variables: [String: String]
    let syntaxes: [Syntax]
  }

  /// A module in a file.
  ///
  /// - Parameters:
  ///   - path: The entry module. All paths are relative to the nearest folder above the test's source file in which there is
  ///     such a file, else to the working folder.
  ///   - environment: One of the environments that the module declares, or nil for the module without layers.
  ///   - layers: Layers that are applied behind those of the environment, in order; such as one with mocks.
  ///   - settings: Scalars to change, the last, each as `PATH=TEXT`.
  ///   - root: The folder that imports and the files of parameters stay below; nil: the entry module's.
  ///   - allowedPaths: Files, and folders with all below them, to which imports and `file` parameters may lead beside the root.
  ///   - variables: The environment variables that parameters read; nil: those of the process.
  ///   - syntaxes: The syntaxes that can be read beside JSON, JSONC and property lists.
  ///   - given: The instances of shared services whose types are registered by `Registry.given`.
  ///   - registry: The types that the module may name. Modules whose registries have equal catalogs share what was read.
  public init(
    _ path: String, environment: String? = nil, layers: [ModuleLayer] = [], settings: [String] = [],
    root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil,
    syntaxes: [ModuleSyntax] = [], given: any Sendable..., filePath: String = #filePath,
    registry: Registry
  ) {
    self.init(
      .file(path), path, in: TestModule.folder(of: path, above: filePath), environment, layers, settings, root,
      allowedPaths, variables, syntaxes, given, registry)
  }

  /// A module in JSON that is given as a text. Its imports and layers are relative to the working folder.
  ///
  /// The parameters are those of a module in a file.
  public init(
    text: String, name: String = "<module>", environment: String? = nil, layers: [ModuleLayer] = [],
    settings: [String] = [], root: String? = nil, allowedPaths: [String] = [], variables: [String: String]? = nil,
    syntaxes: [ModuleSyntax] = [], given: any Sendable..., registry: Registry
  ) {
    self.init(
      .text(SourceFile(name: name, text: text), .json), text, in: nil, environment, layers, settings, root,
      allowedPaths, variables, syntaxes, given, registry)
  }

  /// A module.
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
      folder: files.workingFolder, entry: text, isText: isText, environment: environment, layers: layers,
      settings: settings, root: root, allowedPaths: allowedPaths, variables: variables,
      syntaxes: syntaxes.map(\.syntax))
  }

  /// The nearest folder above a source file in which there is a file; nil for none, and for absolute paths.
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

extension TestModule {
  /// A container of the module, whose eager services are not built yet.
  ///
  /// - Throws: `LoadError` with all findings where the module is not sound, `RegistryError` where the registry is not.
  func container(observers: [any ContainerObserver]) throws -> Container {
    let plan = try SharedPlans.plan(of: SharedPlans.Key(module: key, catalog: registry.catalog)) {
      try CompiledPlan(loading: source, registry: registry, awaits: true)
    }
    return try Container(plan: plan, registry: registry, given: given, observers: observers)
  }

  /// The check of the module, in the given environments.
  ///
  /// Variables and files that are not there are not told of: what a deployment sets is not known to its tests.
  ///
  /// - Parameter environments: those to check; nil: all that the module declares, or the module alone.
  func check(_ environments: [String]?) -> ModuleCheck {
    var request = source.request
    request.missing = .tolerated
    return ModuleCheck(
      checking: request, environments: environments, files: source.files, types: .registry(registry),
      keepsCompositions: false)
  }

  /// The plans of all modules of a run of tests.
  private enum SharedPlans {
    /// What two containers have in common that are made of one plan.
    struct Key: Hashable, Sendable {
      let module: TestModule.Key
      let catalog: Catalog
    }

    /// A plan that is made at most once.
    private final class Place: @unchecked Sendable {
      // Unchecked: the result is read and written under the lock.
      private let lock = NSLock()
      private var result: Result<CompiledPlan, any Error>?

      /// The plan.
      func plan(_ make: () throws -> CompiledPlan) throws -> CompiledPlan {
        try lock.withLock {
          let made = result ?? Result(catching: make)
          result = made
          return try made.get()
        }
      }
    }

    /// The plans.
    private static let lock = NSLock()
    nonisolated(unsafe) private static var places: [Key: Place] = [:]

    /// The plan for a key, which is made where there is none.
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
