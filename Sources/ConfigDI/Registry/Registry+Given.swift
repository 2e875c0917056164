// SPDX-License-Identifier: Apache-2.0

extension Registry {
  /// Registers a type whose instances the application gives: when a module is loaded, or when a scope is opened.
  ///
  /// In a module file it is a type like others, without arguments; the scope of the service says when its instance is given.
  ///
  /// ```swift
  /// registry.given("RequestInfo", RequestInfo.self)
  /// // "scopes": ["request"], "services": { "request.info": { "type": "RequestInfo", "scope": "request" } }
  /// try container.scope("request", given: RequestInfo(id: "17")) { request in ... }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name in module files, unique in the registry.
  ///   - type: the type of the instances. An instance is given as just this type, or as one that converts to it, such as a type
  ///     that conforms to a protocol.
  ///   - types: the types by which instances are looked up; none stands for the type's own.
  ///   - deprecated: what to use instead, where the type is deprecated.
  ///   - onDispose: called with an instance when the container or scope that was given it closes; without it nothing is done to
  ///     what belongs to the application.
  public mutating func given<Product: Sendable>(
    _ name: String, _ type: Product.Type, as types: [ProvidedType<Product>] = [], deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, types, isSendable: true, isGiven: true, deprecated, fileID, line, onDispose,
      Injection([], builder: .given))
  }
}

extension Builder {
  /// Takes the instance that the application has given to the container or scope.
  static var given: Builder {
    .anywhere { call in
      let store = try call.registration.store(in: call.resolution)
      guard let product = store.product(call.registration) else { throw ResolutionError.notGiven(call.registration) }
      return product.value(as: Product.self)
    }
  }
}
