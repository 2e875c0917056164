// SPDX-License-Identifier: Apache-2.0

/// Opens a named scope on behalf of a service, such as a server that opens one for each request.
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
/// It may be used from any thread. It retains neither its container nor a scope; if these are gone, its use throws. One
/// that a service of a scope received opens scopes within that scope.
public struct ScopeOpener: Sendable {
  /// The name of the scope that is opened.
  public let name: String
  fileprivate let container: WeakReference<Container>
  /// The store of the scope within which the new one is opened; `nil` for the container.
  fileprivate var outer: InstanceStore?
  /// The container of origin, if it is reloaded, and the instance that holds this, if reloads may keep that.
  fileprivate var origin: (Generation, holder: KeptInstance?)?

  /// Opens the scope. See `Container.openScope`.
  ///
  /// - Parameter values: the instances that the application passes in for services of the scope.
  /// - Throws: `ResolutionError` if the container or the enclosing scope is gone, and as `Container.openScope` does.
  public func openScope(given values: any Sendable...) throws(ResolutionError) -> Scope { try open(values) }

  /// Opens the scope, calls a body, and closes the scope when the body returns or throws. In asynchronous code the form
  /// that awaits disposals is used, whether or not the body awaits.
  ///
  /// - Throws: what the body throws; `ResolutionError` if the scope cannot be opened.
  @_disfavoredOverload
  public func scope<Result>(
    given values: any Sendable..., body: (Scope) throws -> Result
  ) throws -> Result {
    try open(values).use(body)
  }

  func open(_ values: [any Sendable]) throws(ResolutionError) -> Scope {
    if let origin { KeptInstance.recordUse(by: origin.holder) }
    guard let container = current else { throw .disposed }
    return try Scope(name, of: container, in: nil, outer, given: values)
  }

  /// The container in which the next scope is opened: the newest one if it is reloaded; `nil` if the container is gone.
  private var current: Container? {
    guard outer == nil, let (generation, holder) = origin else { return container.object }
    return generation.newestPlace(for: holder)?.handle as? Container
  }
}

/// Looks up services on behalf of a service that does so later and by itself, such as a server with routes of its own.
///
/// A builder of a module receives one as an argument:
///
/// ```swift
/// registry.add("CommandLoop", .resolver()) { services in CommandLoop(services: services) }
/// ```
///
/// Each use is a top-level look-up, from any thread. If the service that received the resolver lives in a scope,
/// look-ups take place in that scope. A service that holds one hides its dependencies: declare a known dependency as an
/// argument, a `Lazy` or a `Provider` instead. In particular, if a builder uses it while it runs, a reload does not know
/// what the service holds, and builds it anew if an instance that was built before it is not kept.
///
/// It does not retain the container; if that is gone, each look-up throws.
public struct ContainerResolver: Resolving, Sendable {
  private let state: ContainerState
  /// The scope in which look-ups take place; `nil` for none but the container.
  private let scope: InstanceStore?
  /// The instance that holds this, if reloads may keep that.
  private let holder: KeptInstance?

  init(_ state: ContainerState, in scope: InstanceStore?, holder: KeptInstance?) {
    self.state = state
    self.scope = scope
    self.holder = holder
  }

  public var resolver: Resolver {
    get throws(ResolutionError) {
      if state.generation != nil { KeptInstance.recordUse(by: holder) }
      if let scope, !scope.isOpen, case .scope(let level) = scope.boundary {
        throw .closed(scope: state.scopeNames[level])
      }
      // In a container that reloads, look-ups take place in the container to which the holder has passed.
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
  /// Returns an opener of a named scope, which does not retain the container, for services that code registers.
  ///
  /// ```swift
  /// let requests = try container.scopeOpener("request")
  /// container.register { HTTPServer(port: 8080, requests: requests) }
  /// ```
  ///
  /// - Throws: `ResolutionError` if there is no such scope.
  public func scopeOpener(_ name: String) throws(ResolutionError) -> ScopeOpener {
    guard state.level(ofScope: name) != nil else { throw .unknownScope(name, among: state.scopeNames) }
    return ScopeOpener(name: name, container: WeakReference(self))
  }
}

extension BuilderArgument where Input == ScopeOpener {
  /// An argument that receives an opener of a named scope. Files do not mention it, but the module must declare the
  /// scope.
  ///
  /// For modules only: a builder in code captures a `Container.scopeOpener` instead.
  ///
  /// - Parameters:
  ///   - name: the name of the scope.
  ///   - key: the name of the argument in messages; `nil` for the name of the scope.
  public static func scope(_ name: String, key: String? = nil) -> BuilderArgument {
    BuilderArgument(key: key ?? name, kind: .scope(name), wanted: "nothing") { _, linker in
      guard let container = (linker as? Linker)?.container else { throw WiringFailure.nothingSupplied }
      return Supplier { service, call in
        let origin = service.home.generation.map { ($0, holder: call.holder) }
        return ScopeOpener(name: name, container: container, outer: call.resolution.scope, origin: origin)
      }
    }
  }
}

extension BuilderArgument where Input == ContainerResolver {
  /// An argument that receives a resolver of the container. Files do not mention it.
  ///
  /// - Parameter key: the name of the argument in messages.
  public static func resolver(_ key: String = "resolver") -> BuilderArgument {
    BuilderArgument(key: key, kind: .resolver, wanted: "nothing") { _, _ in
      Supplier { service, call in
        ContainerResolver(service.home, in: call.resolution.scope, holder: call.holder)
      }
    }
  }
}
