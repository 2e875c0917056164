// SPDX-License-Identifier: Apache-2.0

/// Opens one of the named scopes, for a service that does so by itself, such as a server that opens one for each request.
///
/// A builder of a module receives one as an argument, so that the service need not know the container:
///
/// ```swift
/// registry.add("HTTPServer", .value("port", Int.self), .scope("request")) { port, requests in
///   HTTPServer(port: port, requests: requests)
/// }
/// // in the server:
/// try await requests.scope(given: RequestInfo(head)) { request in try await request.resolve((any Handler).self).run() }
/// ```
///
/// It may be used from every thread. It keeps neither its container nor a scope alive; once these are gone, its use is an error.
/// That of a service which lives in a scope opens scopes within that one.
public struct ScopeOpener: Sendable {
  /// The name of the scope that it opens.
  public let name: String
  /// The container.
  private let container: WeakReference<Container>
  /// The store of the scope within which it opens another; nil: none but the container.
  private let outer: InstanceStore?
  /// The container in which it was made, where that is reloaded, and the instance that holds it, where reloads may keep that.
  private let origin: (Generation, holder: KeptInstance?)?

  init(
    _ name: String, of container: WeakReference<Container>, in outer: InstanceStore?,
    _ origin: (Generation, holder: KeptInstance?)? = nil
  ) {
    self.name = name
    self.container = container
    self.outer = outer
    self.origin = origin
  }

  /// Opens the scope. See `Container.openScope`.
  ///
  /// - Parameter values: the instances of services of the scope that the application gives.
  /// - Throws: `ResolutionError` where the container or the scope around is gone, and as `Container.openScope` does.
  public func openScope(given values: any Sendable...) throws(ResolutionError) -> Scope { try open(values) }

  /// Opens the scope while a body runs, and closes it afterwards, also where the body throws.
  ///
  /// - Throws: what the body throws; `ResolutionError` where the scope cannot be opened.
  public func scope<Result>(
    given values: any Sendable..., body: (Scope) throws -> Result
  ) throws -> Result {
    try open(values).use(body)
  }

  /// Opens the scope while a body runs, and closes it afterwards, also where the body throws.
  ///
  /// - Throws: what the body throws; `ResolutionError` where the scope cannot be opened.
  public func scope<Result>(
    given values: any Sendable..., isolation: isolated (any Actor)? = #isolation,
    body: (Scope) async throws -> Result
  ) async throws -> Result {
    try await open(values).use(body)
  }

  private func open(_ values: [any Sendable]) throws(ResolutionError) -> Scope {
    guard let container = current else { throw .disposed }
    return try Scope(name, of: container, in: nil, outer, given: values)
  }

  /// The container of which it opens a scope now: where that is reloaded the newest.
  private var current: Container? {
    guard outer == nil, let (generation, holder) = origin else { return container.object }
    return generation.newestPlace(for: holder)?.handle as? Container
  }
}

/// Looks services up for a service that does so later and by itself, such as a server with routes of its own.
///
/// A builder of a module receives one as an argument:
///
/// ```swift
/// registry.add("CommandLoop", .resolver()) { services in CommandLoop(services: services) }
/// ```
///
/// Each look-up is one of its own, and may take place on every thread; that of a service which lives in a scope takes place in
/// that scope. A service that holds one hides what it needs: where that is known, an argument, a `Lazy` or a `Provider` says it.
///
/// It does not keep the container alive; once that is gone, each look-up is an error.
public struct ContainerResolver: Resolving, Sendable {
  private let state: ContainerState
  /// The scope in which look-ups take place; nil: none but the container.
  private let scope: InstanceStore?
  /// The instance that holds it, where reloads may keep that.
  private let holder: KeptInstance?

  init(_ state: ContainerState, in scope: InstanceStore?, holder: KeptInstance?) {
    self.state = state
    self.scope = scope
    self.holder = holder
  }

  public var resolver: Resolver {
    get throws(ResolutionError) {
      if let scope, !scope.isOpen, case .scope(let level) = scope.boundary {
        throw .closed(scope: state.scopeNames[level])
      }
      // In a container that reloads they take place where the holder has passed to.
      guard scope == nil, let place = state.generation?.place(for: holder) else {
        return Resolver(state, Resolution(scope: scope))
      }
      return Resolver(place.state, Resolution(), handle: place.handle)
    }
  }

  public func resolve<Service>(_ type: Service.Type) throws(ResolutionError) -> Service {
    let resolver = try resolver
    defer { withExtendedLifetime(resolver.handle) {} }
    return try resolver.resolve(type)
  }
}

extension Container {
  /// What opens a named scope and does not keep the container alive, for services that code registers.
  ///
  /// ```swift
  /// let requests = try container.scopeOpener("request")
  /// container.register { HTTPServer(port: 8080, requests: requests) }
  /// ```
  ///
  /// - Throws: `ResolutionError` where there is no such scope.
  public func scopeOpener(_ name: String) throws(ResolutionError) -> ScopeOpener {
    guard state.level(ofScope: name) != nil else { throw .unknownScope(name, among: state.scopeNames) }
    return ScopeOpener(name, of: WeakReference(self), in: nil)
  }
}

extension BuilderArgument where Input == ScopeOpener {
  /// What opens a named scope of the container. Files do not mention it; the module has to declare the scope.
  ///
  /// For modules: a builder in code captures `Container.scopeOpener` instead.
  ///
  /// - Parameters:
  ///   - name: the name of the scope.
  ///   - key: what messages call the argument; nil: the name of the scope.
  public static func scope(_ name: String, key: String? = nil) -> BuilderArgument {
    BuilderArgument(key: key ?? name, kind: .scope(name), wanted: "nothing") { _, linker in
      guard let container = (linker as? Linker)?.neededContainer() else { throw WiringFailure.nothingSupplied }
      return ComputedSupplier { call in
        let origin = call.registration.home.generation.map { ($0, holder: call.holder) }
        return ScopeOpener(name, of: container, in: call.resolution.scope, origin)
      }
    }
  }
}

extension BuilderArgument where Input == ContainerResolver {
  /// What looks services up in the container. Files do not mention it.
  ///
  /// - Parameter key: what messages call the argument.
  public static func resolver(_ key: String = "resolver") -> BuilderArgument {
    BuilderArgument(key: key, kind: .resolver, wanted: "nothing") { _, _ in
      ComputedSupplier { call in
        ContainerResolver(call.registration.home, in: call.resolution.scope, holder: call.holder)
      }
    }
  }
}
