// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
  public import ConfigDI
  public import Testing

  /// Gives each test a container of its own, which is current while the test runs, and is disposed of at its end.
  ///
  /// See `Trait.container`.
  public struct ContainerTrait: TestTrait, SuiteTrait, TestScoping {
    /// Makes the container of a test.
    private let makeContainer: @Sendable () async throws -> Container

    /// A trait whose containers a closure makes.
    init(_ makeContainer: @escaping @Sendable () async throws -> Container) { self.makeContainer = makeContainer }

    /// Applied to a suite, it holds for each of its tests.
    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ContainerTrait? {
      // Each case of a test with arguments has a container of its own; a suite needs none.
      test.isSuite || testCase == nil ? nil : self
    }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      try await withDisposal(of: try await makeContainer()) { _ in try await function() }
    }
  }

  extension Trait where Self == ContainerTrait {
    /// Gives each test a container of its own, made of a module.
    ///
    /// It is `Container.current` in the test and in the tasks that it begins, where `@Injected` finds it, too, and it is disposed
    /// of when the test ends. Eager services are built before the test begins, awaited where they are built asynchronously.
    ///
    /// ```swift
    /// @Test(.container("Configs/Shop/app.json", environment: "test", registry: makeRegistry()))
    /// func everythingStarts() throws { try Container.current.verify() }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The entry module. All paths are relative to the nearest folder above the test's source file in which there
    ///     is such a file, else to the working folder.
    ///   - environment: One of the environments that the module declares, or nil for the module without layers.
    ///   - layers: Layers that are applied behind those of the environment, in order; such as one with mocks.
    ///   - settings: Scalars to change, the last, each as `PATH=TEXT`.
    ///   - variables: The environment variables that parameters read; nil: those of the process.
    ///   - registry: The types that the module may name.
    ///   - starts: Whether eager services are built before the test; false where the test replaces one of them.
    ///   - observers: Who watches what is built, such as a `BuildRecorder`.
    public static func container(
      _ path: String, environment: String? = nil, layers: [ModuleLayer] = [], settings: [String] = [],
      variables: [String: String]? = nil, starts: Bool = true, observers: [any ContainerObserver] = [],
      filePath: String = #filePath, registry: Registry
    ) -> Self {
      container(
        TestModule(
          path, environment: environment, layers: layers, settings: settings, variables: variables,
          filePath: filePath, registry: registry),
        starts: starts, observers: observers)
    }

    /// Gives each test a container of its own, made of a module.
    ///
    /// - Parameters:
    ///   - module: The module.
    ///   - starts: Whether eager services are built before the test; false where the test replaces one of them.
    ///   - observers: Who watches what is built, such as a `BuildRecorder`.
    public static func container(
      _ module: TestModule, starts: Bool = true, observers: [any ContainerObserver] = []
    ) -> Self {
      ContainerTrait { try await module.startedContainer(starts: starts, observers: observers) }
    }

    /// Gives each test a container of its own, which a closure makes.
    ///
    /// ```swift
    /// @Suite(.container { Container(services: .test) }) struct GreeterTests { ... }
    /// ```
    public static func container(_ makeContainer: @escaping @Sendable () async throws -> Container) -> Self {
      ContainerTrait(makeContainer)
    }
  }
#endif
