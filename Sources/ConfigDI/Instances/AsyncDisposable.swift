// SPDX-License-Identifier: Apache-2.0

/// A type whose instances are closed with `await`: a connection pool, a server.
///
/// `Container.shutdown` awaits `disposeAsync` of each instance that the container cached, in the reverse order of
/// building, and then calls the instance's `onDispose`. So does the end of a scope with an async body, or
/// `Scope.closeAsync`, and the end of an async use of an `Isolated`. What does not await, such as `dispose`, calls only
/// `onDispose`.
///
/// ```swift
/// extension Database: AsyncDisposable {
///   func disposeAsync() async throws { try await pool.close() }
/// }
/// ```
public protocol AsyncDisposable: Sendable {
  /// Releases the resources of the instance. Called once for an object, also if several services have it: with the one
  /// that was built first, and not as long as a container or scope that stays open caches it.
  func disposeAsync() async throws
}
