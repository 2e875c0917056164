// SPDX-License-Identifier: Apache-2.0

public import ConfigDI

/// Runs a test in its own container, made from a module. For XCTest, which has no trait `container`.
///
/// The container is `Container.current` in the body, and is shut down afterwards.
///
/// ```swift
/// func testSendsOneMail() async throws {
///   try await withContainer(of: .shop) { container in
///     try container.resolve(Checkout.self).run()
///   }
/// }
/// ```
///
/// - Parameters:
///   - module: The module.
///   - starts: Whether eager services are built before the body runs, with async builders awaited; `false` if the body
///     replaces one of them, and builds them by `buildEagerServicesAsync`.
///   - observers: The observers of builds, such as a `BuildRecorder`.
/// - Throws: `LoadError` with all findings if the module has errors, `RegistryError` if the registry has mistakes,
///   `ResolutionError` if an eager service cannot be built or the given instances do not match the services, what the
///   body throws, and `ShutdownError` if the body returned and a disposal failed.
public func withContainer<Result>(
  of module: TestModule, starts: Bool = true, observers: [any ContainerObserver] = [],
  isolation: isolated (any Actor)? = #isolation, _ body: (Container) async throws -> Result
) async throws -> Result {
  try await withDisposal(of: try await module.startedContainer(starts: starts, observers: observers), body)
}

// Otherwise Swift would choose this form for a body that does not await, and async eager services would fail.
/// Runs a test in its own container, made from a module, where nothing is awaited.
///
/// The parameters are those of the async form. Eager services that have to be awaited are errors of the module, unless
/// `starts` is `false`.
@_disfavoredOverload
public func withContainer<Result>(
  of module: TestModule, starts: Bool = true, observers: [any ContainerObserver] = [],
  _ body: (Container) throws -> Result
) throws -> Result {
  let container = try module.container(awaits: !starts, observers: observers)
  defer { container.dispose() }
  if starts { try container.start() }
  return try withContainer(container) { try body(container) }
}

/// Runs a body with a container that is current, and shuts the container down, also if the test was cancelled.
///
/// Not inlined: the compiler of Swift 6.3.1 crashes if it optimizes a caller that has it inlined.
@inline(never) func withDisposal<Result>(
  of container: Container, isolation: isolated (any Actor)? = #isolation, _ body: (Container) async throws -> Result
) async throws -> Result {
  let result: Result
  do {
    result = try await withContainer(container) { try await body(container) }
  } catch {
    try? await container.shutdownUncancelled()
    throw error
  }
  try await container.shutdownUncancelled()
  return result
}

extension Container {
  /// Builds the eager services, for a test whose container was made with `starts: false`.
  ///
  /// ```swift
  /// try withContainer(of: .shop, starts: false) { container in
  ///   try container.replace(named: "mailer", with: MailerMock())
  ///   try container.buildEagerServices()
  /// }
  /// ```
  ///
  /// - Throws: `ResolutionError` of the first service that cannot be built. Those built before it stay built.
  public func buildEagerServices() throws(ResolutionError) { try start() }

  /// Builds the eager services, as `buildEagerServices` does, and awaits async builders. If one fails, disposes of all
  /// that was built.
  ///
  /// - Throws: `ResolutionError` of the first service that cannot be built, and if the task is cancelled.
  public func buildEagerServicesAsync(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) { try await startAwaiting(isolation: isolation) }

  /// Shuts down in a task of its own. That of the test may be cancelled, such as by a time limit, and with it the
  /// disposals, whose resources other tests would then find in use.
  func shutdownUncancelled() async throws { try await Task { try await shutdown() }.value }
}

extension TestModule {
  /// Returns a container of the module, with its eager services built if `starts` is `true`.
  func startedContainer(starts: Bool, observers: [any ContainerObserver]) async throws -> Container {
    let container = try container(awaits: true, observers: observers)
    if starts { try await container.startAwaiting() }
    return container
  }
}
