// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// The container that is shared by the whole process, where nothing else is said: at first an empty one, which code fills.
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
      // Its end runs code of the application, so not under the lock.
      withExtendedLifetime(old) {}
    }
  }

  private static let sharedContainer = Guarded(Container())

  /// The container in which `@Injected` and `@LazyInjected` look up where they are given none: that of the innermost
  /// `withContainer` around the running task's code, else the shared one.
  public static var current: Container { Current.container ?? shared }
}

/// What belongs to the running task.
enum Current {
  /// The container of `withContainer`; nil outside of it.
  @TaskLocal static var container: Container?
}

/// Runs a body whose `@Injected` and `@LazyInjected` properties look up in a container, unless they are given another one.
///
/// It holds for the body, the functions that it calls, and the tasks that are begun there as children or by `Task { }`; not
/// for threads or detached tasks.
///
/// ```swift
/// try withContainer(testContainer) { try Checkout().run() }
/// ```
public func withContainer<Result>(_ container: Container, _ body: () throws -> Result) rethrows -> Result {
  try Current.$container.withValue(container, operation: body)
}

/// Runs a body whose `@Injected` and `@LazyInjected` properties look up in a container, unless they are given another one.
public func withContainer<Result>(
  _ container: Container, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  try await Current.$container.withValue(container, operation: body, isolation: isolation)
}
