// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
  public import ConfigDI
  public import Testing

  /// Gives each test its own container, which is current while the test runs, and is disposed of at its end.
  ///
  /// See `Trait.container`.
  public struct ContainerTrait: TestTrait, SuiteTrait, TestScoping {
    /// Makes the container of a test.
    private let makeContainer: @Sendable () async throws -> Container

    /// Creates a trait with a closure that makes the containers.
    init(_ makeContainer: @escaping @Sendable () async throws -> Container) { self.makeContainer = makeContainer }

    /// `true`: a trait of a suite applies to each of its tests.
    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ContainerTrait? {
      // Each case of a parameterized test has its own container; a suite needs none.
      test.isSuite || testCase == nil ? nil : self
    }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      try await withDisposal(of: try await makeContainer()) { _ in try await function() }
    }
  }

  extension Trait where Self == ContainerTrait {
    /// Gives each test its own container, made from a module.
    ///
    /// It is `Container.current` in the test and in the tasks that it starts, so `@Injected` finds it, too, and it is
    /// disposed of when the test ends. Eager services are built before the test begins, and async builders are awaited.
    ///
    /// ```swift
    /// @Test(.container("Configs/Shop/app.json", environment: "test", registry: makeRegistry()))
    /// func everythingStarts() throws { try Container.current.verify() }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The entry module. All paths are relative to the nearest folder above the test's source file that
    ///     contains such a file, or else to the working folder.
    ///   - environment: One of the environments that the module declares; `nil` for the module without layers.
    ///   - layers: Layers that are applied after those of the environment, in order; such as one with mocks.
    ///   - settings: Scalars to change last, each as `PATH=TEXT`.
    ///   - variables: The environment variables that parameters read; `nil` for those of the process.
    ///   - registry: The types that the module may name.
    ///   - starts: Whether eager services are built before the test; `false` if the test replaces one of them,
    ///     and builds them by `Container.buildEagerServicesAsync`.
    ///   - observers: The observers of builds, such as a `BuildRecorder`.
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

    /// Gives each test its own container, made from a module.
    ///
    /// - Parameters:
    ///   - module: The module.
    ///   - starts: Whether eager services are built before the test; `false` if the test replaces one of them,
    ///     and builds them by `Container.buildEagerServicesAsync`.
    ///   - observers: The observers of builds, such as a `BuildRecorder`.
    public static func container(
      _ module: TestModule, starts: Bool = true, observers: [any ContainerObserver] = []
    ) -> Self {
      ContainerTrait { try await module.startedContainer(starts: starts, observers: observers) }
    }

    /// Gives each test its own container, made by a closure.
    ///
    /// ```swift
    /// @Suite(.container { try await makeTestContainer() }) struct GreeterTests { ... }
    /// ```
    public static func container(_ makeContainer: @escaping @Sendable () async throws -> Container) -> Self {
      ContainerTrait(makeContainer)
    }
  }
#endif
