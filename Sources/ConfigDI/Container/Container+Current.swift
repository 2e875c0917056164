// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// The default container of the process. Initially it is empty, for registration in code.
  ///
  /// ```swift
  /// Container.shared.register((any Logger).self) { ConsoleLogger() }
  /// Container.shared = try Container(module: "Configs/app.json", registry: registry)
  /// ```
  public static var shared: Container {
    get { sharedContainer.withLock { $0 } }
    set {
      let old = sharedContainer.withLock { container in
        defer { container = newValue }
        return container
      }
      // The deinitializer of the old container runs code of the application, so it is released without the lock.
      withExtendedLifetime(old) {}
    }
  }

  private static let sharedContainer = Guarded(Container())

  /// The container in which `@Injected` and `@LazyInjected` look up unless they are given one: that of the innermost
  /// `withContainer` around the current code, or `shared` if there is none.
  public static var current: Container { ofTask ?? shared }

  /// The container of the innermost `withContainer`; `nil` outside of it.
  @TaskLocal static var ofTask: Container?
}

/// Runs a body in which `@Injected` and `@LazyInjected` properties look up in a container, unless they are given
/// another.
///
/// This applies to the body, the functions that it calls, and the child tasks and `Task { }` that are started there;
/// not to threads or detached tasks.
///
/// ```swift
/// try withContainer(testContainer) { try Checkout().run() }
/// ```
public func withContainer<Result>(_ container: Container, _ body: () throws -> Result) rethrows -> Result {
  try Container.$ofTask.withValue(container, operation: body)
}

/// Runs an async body in which `@Injected` and `@LazyInjected` properties look up in a container, unless they are given
/// another.
public func withContainer<Result>(
  _ container: Container, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  try await Container.$ofTask.withValue(container, operation: body, isolation: isolation)
}
