// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// Opens a named scope, awaits an async body, and closes the scope as `closeAsync` does when the body returns or throws.
  ///
  /// Parameters and errors are those of the synchronous form.
  ///
  /// - Throws: also `ShutdownError` if the body returned and a disposal failed.
  public func scope<Result>(
    _ name: String, given values: any Sendable..., isolation: isolated (any Actor)? = #isolation,
    body: (Scope) async throws -> Result
  ) async throws -> Result {
    try await Scope(name, of: self, in: nil, given: values).use(body)
  }
}

extension Scope {
  /// Opens a scope within this one, awaits an async body, and closes the scope as `closeAsync` does when the body returns
  /// or throws.
  ///
  /// Parameters and errors are those of the synchronous form.
  ///
  /// - Throws: also `ShutdownError` if the body returned and a disposal failed.
  public func scope<Result>(
    _ name: String, given values: any Sendable..., isolation: isolated (any Actor)? = #isolation,
    body: (Scope) async throws -> Result
  ) async throws -> Result {
    try await Scope(name, of: container, in: self, given: values).use(body)
  }

  /// Closes the scope as `close` does, and awaits async disposals: for each instance that the scope, and those opened
  /// from it, cache, `disposeAsync` is awaited if the instance is `AsyncDisposable`, then `onDispose` is called.
  ///
  /// A failure does not stop the other disposals. If one has to be awaited, they run in a task of their own, so that they
  /// are not cancelled with the caller's.
  ///
  /// - Throws: `ShutdownError` with all instances whose disposal failed.
  public func closeAsync(isolation: isolated (any Actor)? = #isolation) async throws(ShutdownError) {
    try await store.closeAwaiting(isolation: isolation)
  }

  /// Awaits a body and closes the scope. An error of the body takes precedence over those of disposals.
  fileprivate func use<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Scope) async throws -> Result
  ) async throws -> Result {
    let result: Result
    do {
      result = try await body(self)
    } catch {
      try? await closeAsync()
      throw error
    }
    try await closeAsync()
    return result
  }
}

extension ScopeOpener {
  /// Opens the scope, awaits an async body, and closes the scope as `Scope.closeAsync` does when the body returns or
  /// throws.
  ///
  /// - Throws: what the body throws; `ResolutionError` if the scope cannot be opened; `ShutdownError` if the body returned
  ///   and a disposal failed.
  public func scope<Result>(
    given values: any Sendable..., isolation: isolated (any Actor)? = #isolation,
    body: (Scope) async throws -> Result
  ) async throws -> Result {
    try await open(values).use(body)
  }
}
