// SPDX-License-Identifier: Apache-2.0

extension Registry {
  /// Registers a type whose instances the application passes in: when a module is loaded, or when a scope is opened.
  ///
  /// In a module file it is a type like others, without arguments; the scope of the service determines when one is
  /// passed in.
  ///
  /// ```swift
  /// registry.given("RequestInfo", RequestInfo.self)
  /// // "scopes": ["request"], "services": { "request.info": { "type": "RequestInfo", "scope": "request" } }
  /// try container.scope("request", given: RequestInfo(id: "17")) { request in ... }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name in module files, unique in the registry.
  ///   - type: the type of the instances. An instance must have exactly this type, or a type that converts to it, such
  ///     as one that conforms to a protocol.
  ///   - types: the types by which instances are looked up; empty for the type itself.
  ///   - deprecated: what to use instead, if the type is deprecated.
  ///   - onDispose: called with an instance when the container or scope that received it closes. By default nothing is
  ///     done, as the application owns the instance.
  public mutating func given<Product: Sendable>(
    _ name: String, _ type: Product.Type, as types: [ProvidedType<Product>] = [], deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, types: types, isGiven: true, deprecated, fileID, line, onDispose, Injection([], builder: .given))
  }
}

extension Builder {
  /// A builder that returns the instance that was passed to the container or scope.
  static var given: Builder {
    .anywhere { service, call in
      let store = try service.store(in: call.resolution)
      guard let product = store.product(service) else { throw ResolutionError.notGiven(service) }
      return product.value(as: Product.self)
    }
  }
}
