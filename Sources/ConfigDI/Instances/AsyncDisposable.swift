// SPDX-License-Identifier: Apache-2.0

/// Something that is closed with `await`: a pool of connections, a server.
///
/// `Container.shutdown` awaits it for each instance that the container kept, in the reverse order of building, before `onDispose`
/// is called for the instance. `dispose` does not: it lets the instance go.
///
/// ```swift
/// extension Database: AsyncDisposable {
///   func disposeAsync() async throws { try await pool.close() }
/// }
/// ```
public protocol AsyncDisposable: Sendable {
  /// Gives back what the instance holds. Called once.
  func disposeAsync() async throws
}
