// SPDX-License-Identifier: Apache-2.0

public import ConfigDI

/// Runs a test in a container of its own, made of a module: the form for XCTest of the trait `container`.
///
/// It is `Container.current` in the body, and is disposed of afterwards.
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
///   - starts: Whether eager services are built before the body runs, awaited where they are built asynchronously; false where
///     the body replaces one of them.
///   - observers: Who watches what is built, such as a `BuildRecorder`.
/// - Throws: `LoadError` with all findings where the module is not sound, and what the body throws.
public func withContainer<Result>(
  of module: TestModule, starts: Bool = true, observers: [any ContainerObserver] = [],
  isolation: isolated (any Actor)? = #isolation, _ body: (Container) async throws -> Result
) async throws -> Result {
  try await withDisposal(of: try await module.startedContainer(starts: starts, observers: observers), body)
}

/// Runs a test in a container of its own, made of a module, where nothing is awaited.
///
/// The parameters are those of the form that awaits.
// Else Swift would take this one wherever the body does not await, and refuse eager services that have to be awaited.
@_disfavoredOverload
public func withContainer<Result>(
  of module: TestModule, starts: Bool = true, observers: [any ContainerObserver] = [],
  _ body: (Container) throws -> Result
) throws -> Result {
  let container = try module.container(observers: observers)
  defer { container.dispose() }
  if starts { try container.start() }
  return try withContainer(container) { try body(container) }
}

/// Runs a body with a container that is current, and shuts it down.
func withDisposal<Result>(
  of container: Container, isolation: isolated (any Actor)? = #isolation, _ body: (Container) async throws -> Result
) async throws -> Result {
  let result: Result
  do {
    result = try await withContainer(container) { try await body(container) }
  } catch {
    try? await container.shutdown()
    throw error
  }
  try await container.shutdown()
  return result
}

extension TestModule {
  /// A container of the module.
  func startedContainer(starts: Bool, observers: [any ContainerObserver]) async throws -> Container {
    let container = try container(observers: observers)
    if starts { try await container.startAwaiting() }
    return container
  }
}
