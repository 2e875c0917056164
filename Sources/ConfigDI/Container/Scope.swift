// SPDX-License-Identifier: Apache-2.0

/// An open scope of a container: the lifetime of one request, one session, or another of the named scopes of the module
/// or of the container's initializer.
///
/// Each open scope has its own instances of the services that live in it. It also finds all services of its container
/// and of the scopes that enclose it.
///
/// ```swift
/// try container.scope("session") { session in
///   let user = try session.resolve(User.self)
///   try session.scope("request") { request in
///     try request.resolve((any Handler).self).run(for: user)
///   }
/// }
/// ```
///
/// A scope may be used from any thread. It closes itself when the last reference to it is released.
///
/// The builder of a service with a longer lifetime cannot look up a service of a scope. It uses a `Provider`, which must
/// name the scope: see `Provider.get(in:)`. A `graph` or `weak` service that was built in a scope, and holds a service of
/// it, is however shared with such a builder in the same look-up, or as long as the `weak` instance lives. So make a
/// service that holds one of a scope `transient` or one of that scope. `verify` and the check of a module find most of
/// these mistakes.
public final class Scope: Resolving, Sendable {
  /// The container of the scope.
  public let container: Container
  @usableFromInline let state: ContainerState
  /// The look-up tables; see `Container`.
  @usableFromInline let directory: Directory
  @usableFromInline let openResolution: Resolution
  /// The name of the scope.
  public let name: String
  let store: InstanceStore
  /// The scope from which this one was opened, which stays open as long; `nil` if a container or `ScopeOpener` opened
  /// it.
  private let enclosing: Scope?

  /// Opens a scope.
  ///
  /// - Parameters:
  ///   - enclosing: the scope from which it is opened; `nil` if there is none, or the caller does not retain it.
  ///   - outer: the store of the enclosing scope; `nil` for that of `enclosing`, or of the container if that is `nil`,
  ///     too.
  ///   - values: the instances that the application passes in for services of the scope.
  ///   - takesAll: whether a value that no service of the scope takes is an error.
  /// - Throws: `ResolutionError` if there is no such scope, the enclosing scope is closed or does not enclose it, or
  ///   the values do not match the services of the scope that expect one. The values are not disposed of then.
  init(
    _ name: String, of container: Container, in enclosing: Scope?, _ outer: InstanceStore? = nil,
    given values: [any Sendable] = [], takesAll: Bool = true
  ) throws(ResolutionError) {
    state = container.state
    directory = container.directory
    let outer = outer ?? enclosing?.store ?? state.store
    var outerName: String?
    if case .scope(let level) = outer.boundary { outerName = state.scopeNames[level] }
    if let outerName, !outer.isOpen { throw .closed(scope: outerName) }
    guard let level = state.level(ofScope: name) else { throw .unknownScope(name, among: state.scopeNames) }
    if let outerName, case .scope(let outer) = outer.boundary, outer >= level { throw .wrongScope(name, in: outerName) }
    self.container = container
    self.name = name
    self.enclosing = enclosing
    store = InstanceStore(.scope(level), in: outer)
    openResolution = Resolution(scope: store)
    let given =
      values.isEmpty && !state.scopesTakeGiven
      ? [] : try state.givenInstances(values, keeping: .scope(level), takesAll: takesAll)
    guard outer.add(inner: store), store.keep(given: given) else {
      throw outerName.map { .closed(scope: $0) } ?? .disposed
    }
  }

  deinit { store.closeReleased() }

  /// Closes the scope and all scopes opened from it: disposes of their instances in the reverse order of building, and
  /// calls `onDispose` for each. A second call does nothing.
  ///
  /// Afterwards each look-up in these scopes throws. A look-up in flight on another thread ends with an error, unless
  /// it already has all instances that it needs.
  ///
  /// It does not await async disposals; see `closeAsync`.
  public func close() { store.close() }

  /// Whether the scope and all that enclose it are open.
  public var isOpen: Bool { store.isOpen }
}

extension Scope {
  /// The `Resolution` of a top-level look-up in the scope.
  @usableFromInline var resolution: Resolution {
    get throws(ResolutionError) {
      try checkOpen()
      return openResolution
    }
  }

  @usableFromInline func checkOpen() throws(ResolutionError) {
    guard isOpen else { throw .closed(scope: name) }
  }

  public var resolver: Resolver {
    get throws(ResolutionError) { Resolver(state, try resolution) }
  }

  /// Opens a scope within this one. Its name must come after this one's in the list of scopes.
  ///
  /// - Parameter values: the instances that the application passes in; see `Container.openScope`.
  /// - Throws: `ResolutionError` if there is no such scope, this scope is closed or does not enclose it, or the values
  ///   do not match the services of the scope that expect one. The values are not disposed of then.
  public func openScope(_ name: String, given values: any Sendable...) throws(ResolutionError) -> Scope {
    try Scope(name, of: container, in: self, given: values)
  }

  /// Opens a scope within this one, calls a body, and closes the scope when the body returns or throws. See
  /// `Container.openScope`.
  ///
  /// ```swift
  /// try container.scope("request", given: info) { request in try request.resolve((any Handler).self).run() }
  /// ```
  ///
  /// It does not await async disposals. In asynchronous code the form that does is used, whether or not the body awaits.
  ///
  /// - Throws: what the body throws; `ResolutionError` if the scope cannot be opened.
  @_disfavoredOverload
  public func scope<Result>(
    _ name: String, given values: any Sendable..., body: (Scope) throws -> Result
  ) throws -> Result {
    try Scope(name, of: container, in: self, given: values).use(body)
  }

  func use<Result>(_ body: (Scope) throws -> Result) rethrows -> Result {
    defer { close() }
    return try body(self)
  }
}

extension Container {
  /// Opens one of the named scopes.
  ///
  /// A service whose type is registered with `Registry.given` receives its instance here. A value is matched to a
  /// service by its type, or by the id in a `Given` if several services of the type exist.
  ///
  /// The scopes that come before it in the list need not be open; services that live in those cannot be looked up then.
  ///
  /// ```swift
  /// let session = try container.openScope("session")
  /// defer { session.close() }
  /// let request = try container.openScope("request", given: RequestInfo(id: "17"), Given(home, named: "address.home"))
  /// ```
  ///
  /// - Parameter values: the instances that the application passes in for services of the scope.
  /// - Throws: `ResolutionError` if there is no such scope, or the values do not match the services of the scope that
  ///   expect one. That error lists all missing values, and all that no service takes. The values are not disposed of
  ///   then.
  public func openScope(_ name: String, given values: any Sendable...) throws(ResolutionError) -> Scope {
    try Scope(name, of: self, in: nil, given: values)
  }

  /// Opens a named scope, calls a body, and closes the scope when the body returns or throws. See `openScope`.
  ///
  /// ```swift
  /// try container.scope("request", given: info) { request in try request.resolve((any Handler).self).run() }
  /// ```
  ///
  /// It does not await async disposals. In asynchronous code the form that does is used, whether or not the body awaits.
  ///
  /// - Throws: what the body throws; `ResolutionError` if the scope cannot be opened.
  @_disfavoredOverload
  public func scope<Result>(
    _ name: String, given values: any Sendable..., body: (Scope) throws -> Result
  ) throws -> Result {
    try Scope(name, of: self, in: nil, given: values).use(body)
  }
}
