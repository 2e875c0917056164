// SPDX-License-Identifier: Apache-2.0

/// The object with which a builder looks up its dependencies.
///
/// Its look-ups are part of the one for which the builder was called: they take place in the same scope and share the
/// same `graph` instances, and errors name all services on the path.
///
/// ```swift
/// container.register { resolver in Greeter(logger: try resolver.resolve(), clock: try resolver.resolve()) }
/// ```
///
/// A resolver is meant for the builder alone and is not `Sendable`: instances that one look-up shares must not reach
/// two threads. To look up something later, look up a `Lazy` or a `Provider` now.
public struct Resolver: Resolving {
  @usableFromInline let state: ContainerState
  /// The look-up for which the builder was called, without its run-time arguments.
  @usableFromInline let resolution: Resolution

  /// Keeps a container that reloads may replace alive during a look-up; `nil` for other containers.
  let handle: (any AnyObject & Sendable)?

  init(_ state: ContainerState, _ resolution: Resolution, handle: (any AnyObject & Sendable)? = nil) {
    self.state = state
    self.resolution = resolution.withoutArguments
    self.handle = handle
  }

  init(_ service: Registration, _ call: borrowing BuilderCall) { self.init(service.home, call.resolution) }

  public var resolver: Resolver {
    get throws(ResolutionError) { self }
  }
}

@available(*, unavailable)
extension Resolver: Sendable {}
