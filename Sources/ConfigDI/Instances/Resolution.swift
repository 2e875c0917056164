// SPDX-License-Identifier: Apache-2.0

/// The state of one look-up, passed from builder to builder. It is two words, since nearly all look-ups need no more.
@usableFromInline struct Resolution: Sendable {
  /// The state besides the depth.
  fileprivate struct Context: Sendable {
    /// The store of the scope in which the look-up takes place; `nil` outside of scopes.
    var scope: InstanceStore?
    /// The store for the `graph` and `weak` instances of the look-up; `nil` if no service needs one.
    var shared: InstanceStore?
    var arguments: RuntimeArguments?
    /// The running builders, the innermost first; `nil` at a small depth, where they are not recorded.
    var path: ResolutionPath?
    /// The innermost shared service that is being built, in a container that is reloaded; `nil` if there is none.
    var holder: Registration?

    var isEmpty: Bool { scope == nil && shared == nil && arguments == nil && path == nil && holder == nil }
  }

  /// A context as one reference.
  fileprivate final class SharedContext: Sendable {
    let content: Context

    init(_ content: Context) { self.content = content }
  }

  /// The state besides the depth; `nil` if there is none.
  private var context: SharedContext?
  /// The number of nested builders.
  private(set) var depth = 0

  @usableFromInline init() { context = nil }

  init(scope: InstanceStore?) { context = scope.map { SharedContext(Context(scope: $0)) } }

  var scope: InstanceStore? { context?.content.scope }
  var shared: InstanceStore? { context?.content.shared }
  var arguments: RuntimeArguments? { context?.content.arguments }
  var holder: Registration? { context?.content.holder }

  func with(_ arguments: RuntimeArguments?) -> Resolution {
    if arguments == nil, self.arguments == nil { return self }
    return changed { $0.arguments = arguments }
  }

  func with(shared: InstanceStore?) -> Resolution { changed { $0.shared = shared } }

  /// The same look-up without its run-time arguments, for the dependencies of the builder.
  @inline(__always) var withoutArguments: Resolution { context?.content.arguments == nil ? self : with(nil) }

  private func changed(_ change: (inout Context) -> Void) -> Resolution {
    var (copy, content) = (self, context?.content ?? Context())
    change(&content)
    copy.context = content.isEmpty ? nil : SharedContext(content)
    return copy
  }
}

extension Resolution.Context {
  /// Whether the builder of a service may receive another context.
  fileprivate func isBounded(by registration: Registration) -> Bool {
    if let scope, registration.keeping.outlives(scope) { return true }
    return shared != nil && registration.calling != .anywhere
  }
}

extension Keeping {
  /// Whether an instance may live longer than a scope in which it is looked up.
  fileprivate func outlives(_ scope: InstanceStore) -> Bool {
    switch self {
    case .shared: true
    case .scope(let level): scope.boundary != .scope(level)
    // These have the lifetime of their consumer, as in the check of captive services.
    case .weak, .transient, .graph, .missingScope: false
    }
  }
}

/// The running builders of a deep look-up, as a linked list. It serves to find a service that recurs.
final class ResolutionPath: Sendable {
  let registration: Registration
  /// The service that needs this one.
  let outer: ResolutionPath?

  fileprivate init(_ registration: Registration, outer: ResolutionPath?) {
    self.registration = registration
    self.outer = outer
  }
}

extension Resolution {
  /// The depth from which on builders are recorded. Nearly all look-ups are shallower.
  private static let firstNotedDepth = 32

  /// Returns the resolution that the builder of a service receives.
  ///
  /// - Throws: `ResolutionError` if the stack of the thread is used up or the look-up contains a cycle.
  @inline(__always) func entering(_ registration: Registration) throws(ResolutionError) -> Resolution {
    LockOrder.willCallUserCode()
    guard CallerStack.hasRoom() else { throw .tooDeep(registration) }
    var inner = bounded(by: registration)
    inner.depth += 1
    if inner.depth >= Resolution.firstNotedDepth { try inner.note(registration) }
    return inner
  }

  /// Returns the look-up in the scope that lives as long as an instance of a service: values that its builder retains,
  /// such as a `Provider`, must not belong to a scope with a shorter lifetime, and follow the instance to the next
  /// container of a reload.
  @inline(__always) func bounded(by registration: Registration) -> Resolution {
    var inner = self
    if let context, context.content.isBounded(by: registration) {
      inner = confined(for: registration).boundedScope(by: registration)
    }
    // Its instance will hold the results of further look-ups.
    return registration.survivesReload ? inner.changed { $0.holder = registration } : inner
  }

  /// Returns the resolution for a builder that may run in another isolation domain. It has a look-up store of its own
  /// for instances that are not `Sendable`, so that it does not find those of the first domain. Nested builders of the
  /// main actor share one store.
  private func confined(for registration: Registration) -> Resolution {
    guard let shared, registration.calling != .anywhere else { return self }
    let isOnMainActor = registration.factory.calling == .onMainActor
    if isOnMainActor, shared.isOnMainActor { return self }
    if !isOnMainActor, registration.calling == .awaited, !registration.isBuiltInTask { return self }
    return with(shared: (shared.enclosing ?? shared).part(isOnMainActor: isOnMainActor))
  }

  /// Returns the same look-up, without scopes that may end before an instance of the service does.
  private func boundedScope(by registration: Registration) -> Resolution {
    guard let scope, registration.keeping.outlives(scope) else { return self }
    guard case .scope(let level) = registration.keeping else { return changed { $0.scope = nil } }
    return changed { $0.scope = scope.store(ofScope: level) }
  }

  /// Records a running builder.
  ///
  /// Whenever the depth has doubled, the path is searched for the service, so that a cycle of transient services is
  /// found after a number of steps linear in its length. A service with run-time arguments may recur.
  ///
  /// - Throws: `ResolutionError` with the cycle if the path contains the service.
  @inline(never) private mutating func note(_ registration: Registration) throws(ResolutionError) {
    if depth & (depth - 1) == 0, registration.parameters.isEmpty {
      var cycle: [Registration] = [registration]
      var node = context?.content.path
      while let current = node {
        cycle.append(current.registration)
        if current.registration === registration { throw .cycle(cycle.reversed()) }
        node = current.outer
      }
    }
    self = changed { $0.path = ResolutionPath(registration, outer: $0.path) }
  }
}
