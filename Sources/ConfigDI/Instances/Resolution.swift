// SPDX-License-Identifier: Apache-2.0

/// One look-up, as it is handed down from builder to builder: two words, since nearly all look-ups need no more.
@usableFromInline struct Resolution: Sendable {
  /// What the look-up has besides its depth: a value that is shared, not changed.
  final class Context: Sendable {
    /// The store of the scope in which the look-up takes place; nil for none but the container.
    let scope: InstanceStore?
    /// The store of what is shared within the look-up; nil where nothing is.
    let shared: InstanceStore?
    /// The run-time arguments; nil where there are none.
    let arguments: RuntimeArguments?
    /// The builders at work, the innermost first; nil near the beginning, where they are not noted.
    let path: ResolutionPath?
    /// The innermost shared service that is being built, in a container that is reloaded; nil where there is none.
    let holder: Registration?

    /// What a look-up has.
    init(
      scope: InstanceStore?, shared: InstanceStore?, arguments: RuntimeArguments?, path: ResolutionPath?,
      holder: Registration?
    ) {
      self.scope = scope
      self.shared = shared
      self.arguments = arguments
      self.path = path
      self.holder = holder
    }
  }

  /// What the look-up has besides its depth; nil where that is nothing.
  private var context: Context?
  /// How many builders are at work.
  private(set) var depth = 0

  @usableFromInline init() { context = nil }

  init(scope: InstanceStore?) {
    context = scope.map { Context(scope: $0, shared: nil, arguments: nil, path: nil, holder: nil) }
  }

  var scope: InstanceStore? { context?.scope }
  var shared: InstanceStore? { context?.shared }
  var arguments: RuntimeArguments? { context?.arguments }
  /// See `Context`.
  var holder: Registration? { context?.holder }

  func with(_ arguments: RuntimeArguments?) -> Resolution {
    if arguments == nil, self.arguments == nil { return self }
    return with(scope: scope, shared: shared, arguments: arguments)
  }

  func with(shared: InstanceStore?) -> Resolution {
    with(scope: scope, shared: shared, arguments: arguments)
  }

  private func with(
    scope: InstanceStore?, shared: InstanceStore?, arguments: RuntimeArguments?
  ) -> Resolution {
    let (path, holder) = (context?.path, context?.holder)
    var copy = self
    copy.context =
      scope == nil && shared == nil && arguments == nil && path == nil && holder == nil
      ? nil : Context(scope: scope, shared: shared, arguments: arguments, path: path, holder: holder)
    return copy
  }

  /// The same look-up without its run-time arguments, for what the builder needs.
  @inline(__always) var withoutArguments: Resolution { context == nil ? self : with(nil as RuntimeArguments?) }
}

/// The builders at work in a look-up that has become deep: a list, to find the service that recurs.
final class ResolutionPath: Sendable {
  /// The service that is being built.
  let registration: Registration
  /// What it is built for.
  let outer: ResolutionPath?

  fileprivate init(_ registration: Registration, outer: ResolutionPath?) {
    self.registration = registration
    self.outer = outer
  }
}

extension Resolution {
  /// From this depth on builders are noted. Shallower look-ups, nearly all of them, do without.
  private static let firstNotedDepth = 32

  /// The look-up as the builder of a service sees it.
  ///
  /// - Throws: `ResolutionError` where the stack of the thread is used up, or the look-up goes in a circle.
  @inline(__always) func entering(_ registration: Registration) throws(ResolutionError) -> Resolution {
    LockOrder.willCallUserCode()
    guard CallerStack.hasRoom() else { throw .tooDeep(registration) }
    var inner = bounded(by: registration)
    inner.depth += 1
    if inner.depth >= Resolution.firstNotedDepth { try inner.note(registration) }
    return inner
  }

  /// The look-up in the scope that lives as long as an instance of a service: what its builder holds on to, such as a `Provider`,
  /// must not belong to a shorter life, and follows the instance to the next container of a reload.
  @inline(__always) func bounded(by registration: Registration) -> Resolution {
    var inner = context == nil ? self : boundedScope(by: registration)
    if registration.passesOn { inner.hold(for: registration) }
    return inner
  }

  /// The same, in a look-up that may have a scope.
  private func boundedScope(by registration: Registration) -> Resolution {
    guard let scope else { return self }
    switch registration.keeping {
    case .shared: return with(scope: nil)
    case .scope(let level) where scope.boundary != .scope(level): return with(scope: scope.store(ofScope: level))
    // The others belong to whoever holds them, as the check of captive services has it.
    case .scope, .weak, .transient, .graph, .missingScope: return self
    }
  }

  private func with(scope: InstanceStore?) -> Resolution {
    with(scope: scope, shared: shared, arguments: arguments)
  }

  /// Notes the shared service whose instance will hold what is looked up from here on.
  @inline(never) private mutating func hold(for registration: Registration) {
    context = Context(scope: scope, shared: shared, arguments: arguments, path: context?.path, holder: registration)
  }

  /// Notes that a builder is at work.
  ///
  /// Whenever the depth has doubled, the path is searched for the service, so that a cycle of services that keep no instances
  /// is found after a number of steps linear in its length. A service with run-time arguments may recur.
  ///
  /// - Throws: `ResolutionError` with the cycle where the service is found.
  @inline(never) private mutating func note(_ registration: Registration) throws(ResolutionError) {
    if depth & (depth - 1) == 0, registration.parameters.isEmpty {
      var cycle: [Registration] = [registration]
      var node = context?.path
      while let current = node {
        cycle.append(current.registration)
        if current.registration === registration { throw .cycle(cycle.reversed()) }
        node = current.outer
      }
    }
    context = Context(
      scope: scope, shared: shared, arguments: arguments, path: ResolutionPath(registration, outer: context?.path),
      holder: holder)
  }
}
