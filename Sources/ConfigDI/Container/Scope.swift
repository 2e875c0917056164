// SPDX-License-Identifier: Apache-2.0

/// An open scope of a container: the life of one request, one session, or what else the `scopes` of the module or of the container's
/// initializer name.
///
/// Each open scope has its own instances of the services that live in it. It also finds all that its container and the
/// scopes around it have.
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
/// All of it may be called from every thread. A scope that nobody holds any more closes by itself.
///
/// A service of a longer life can reach one of a scope through a `Provider` alone, and has to say in which scope: see
/// `Provider.get(in:)`.
public final class Scope: Resolving, Sendable {
  /// The container whose scope this is.
  public let container: Container
  @usableFromInline let state: ContainerState
  private let openResolution: Resolution
  /// The name of the scope.
  public let name: String
  let store: InstanceStore
  /// The scope from which this one was opened, which stays open as long; nil where it was the container, or an opener.
  private let enclosing: Scope?

  /// Opens a scope.
  ///
  /// - Parameters:
  ///   - enclosing: the scope from which it is opened; nil where it is none, or the caller does not hold it.
  ///   - outer: the store of that scope; nil: that of the container.
  ///   - values: the instances of its services that the application gives.
  ///   - takesAll: whether each of them has to belong to the scope.
  /// - Throws: `ResolutionError` where there is no such scope, or the enclosing one does not enclose it or is closed, or what
  ///   is given is not what the services of the scope want.
  init(
    _ name: String, of container: Container, in enclosing: Scope?, _ outer: InstanceStore? = nil,
    given values: [any Sendable] = [], takesAll: Bool = true
  ) throws(ResolutionError) {
    state = container.state
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
    if !values.isEmpty || state.scopesTakeGiven {
      store.keep(
        given: try GivenInstances(values, in: state, keeping: .scope(level), takesAll: takesAll).instances)
    }
    guard outer.add(inner: store) else { throw outerName.map { .closed(scope: $0) } ?? .disposed }
  }

  deinit { close() }

  /// Closes the scope and those that were opened from it: lets their instances go, the last built first, and calls `onDispose`
  /// for each. Calling it again does nothing.
  ///
  /// Afterwards each look-up in the scope, or in one that was opened from it, throws. A look-up that another thread has
  /// begun ends with an error, unless it has all that it needs.
  public func close() { store.close() }

  /// Whether neither the scope nor what it was opened from was closed.
  public var isOpen: Bool { store.isOpen }
}

extension Scope {
  /// The look-ups of the scope.
  ///
  /// - Throws: `ResolutionError` where the scope is closed.
  @usableFromInline var resolution: Resolution {
    get throws(ResolutionError) {
      try checkOpen()
      return openResolution
    }
  }

  /// Throws where the scope is closed.
  @usableFromInline func checkOpen() throws(ResolutionError) {
    guard isOpen else { throw .closed(scope: name) }
  }

  public var resolver: Resolver {
    get throws(ResolutionError) { Resolver(state, try resolution) }
  }

  /// Opens a scope that this one encloses in the list.
  ///
  /// - Parameter values: the instances of its services that the application gives; see `Container.openScope`.
  /// - Throws: `ResolutionError` where there is no such scope, or this one does not enclose it or is closed, or what is given
  ///   is not what the services of the scope want.
  public func openScope(_ name: String, given values: any Sendable...) throws(ResolutionError) -> Scope {
    try Scope(name, of: container, in: self, given: values)
  }

  /// Opens a scope that this one encloses while a body runs, and closes it afterwards, also where the body throws.
  /// See `Container.openScope`.
  ///
  /// ```swift
  /// try container.scope("request", given: info) { request in try request.resolve((any Handler).self).run() }
  /// ```
  ///
  /// - Throws: what the body throws; `ResolutionError` where the scope cannot be opened.
  public func scope<Result>(
    _ name: String, given values: any Sendable..., body: (Scope) throws -> Result
  ) throws -> Result {
    try Scope(name, of: container, in: self, given: values).use(body)
  }

  /// Opens a scope that this one encloses while an asynchronous body runs, and closes it afterwards, also where the body throws.
  ///
  /// Parameters and errors are those of the form whose body is not awaited.
  public func scope<Result>(
    _ name: String, given values: any Sendable..., isolation: isolated (any Actor)? = #isolation,
    body: (Scope) async throws -> Result
  ) async throws -> Result {
    try await Scope(name, of: container, in: self, given: values).use(body)
  }

  /// Runs a body and closes the scope.
  func use<Result>(_ body: (Scope) throws -> Result) rethrows -> Result {
    defer { close() }
    return try body(self)
  }

  func use<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Scope) async throws -> Result
  ) async rethrows -> Result {
    defer { close() }
    return try await body(self)
  }
}

extension Container {
  /// Opens one of the named scopes.
  ///
  /// Services whose types are registered by `Registry.given` receive their instances here, each by its type; one of several of a
  /// type is named by `Given`.
  ///
  /// The scopes that enclose it in the list need not be open; what lives in them cannot be looked up then.
  ///
  /// ```swift
  /// let session = try container.openScope("session")
  /// defer { session.close() }
  /// let request = try container.openScope("request", given: RequestInfo(id: "17"), Given(home, named: "address.home"))
  /// ```
  ///
  /// - Parameter values: the instances of services of the scope that the application gives.
  /// - Throws: `ResolutionError` where there is no such scope, and where what is given is not what its services want: one error
  ///   with all that is missing, and all that no service declares.
  public func openScope(_ name: String, given values: any Sendable...) throws(ResolutionError) -> Scope {
    try Scope(name, of: self, in: nil, given: values)
  }

  /// Opens one of the named scopes while a body runs, and closes it afterwards, also where the body throws.
  /// See `Container.openScope`.
  ///
  /// ```swift
  /// try container.scope("request", given: info) { request in try request.resolve((any Handler).self).run() }
  /// ```
  ///
  /// - Throws: what the body throws; `ResolutionError` where the scope cannot be opened.
  public func scope<Result>(
    _ name: String, given values: any Sendable..., body: (Scope) throws -> Result
  ) throws -> Result {
    try Scope(name, of: self, in: nil, given: values).use(body)
  }

  /// Opens one of the named scopes while an asynchronous body runs, and closes it afterwards, also where the body throws.
  ///
  /// Parameters and errors are those of the form whose body is not awaited.
  public func scope<Result>(
    _ name: String, given values: any Sendable..., isolation: isolated (any Actor)? = #isolation,
    body: (Scope) async throws -> Result
  ) async throws -> Result {
    try await Scope(name, of: self, in: nil, given: values).use(body)
  }
}
