// SPDX-License-Identifier: Apache-2.0

/// What a builder is handed to look up what it needs.
///
/// Its look-ups are part of the one for which the builder was called: they take place in the same scope, share the same
/// instances of the scope `graph`, and errors name all services on the way.
///
/// ```swift
/// container.register { resolver in Greeter(logger: try resolver.resolve(), clock: try resolver.resolve()) }
/// ```
///
/// It is meant for the builder alone, and is not `Sendable`: what one look-up shares within itself must not reach two threads.
/// To look something up later, look a `Lazy` or a `Provider` up now.
public struct Resolver: Resolving {
  /// The container of the builder.
  @usableFromInline let state: ContainerState
  /// The look-up for which the builder was called, without its run-time arguments.
  @usableFromInline let resolution: Resolution

  /// Keeps the container there while a look-up takes place, where reloads put others in its place; nil for others.
  let handle: (any AnyObject & Sendable)?

  init(_ state: ContainerState, _ resolution: Resolution, handle: (any AnyObject & Sendable)? = nil) {
    self.state = state
    self.resolution = resolution.withoutArguments
    self.handle = handle
  }

  @usableFromInline init(_ call: borrowing BuilderCall) { self.init(call.registration.home, call.resolution) }

  public var resolver: Resolver {
    get throws(ResolutionError) { self }
  }
}

@available(*, unavailable)
extension Resolver: Sendable {}
