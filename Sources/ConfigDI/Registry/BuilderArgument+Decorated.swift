// SPDX-License-Identifier: Apache-2.0

extension BuilderArgument {
  /// An argument that receives the instance that a decorator wraps.
  ///
  /// A type with such an argument is used in the `decorate` of services; files do not mention the argument.
  ///
  /// ```swift
  /// registry.add(
  ///   "RetryMailer", as: (any Mailer).self, .decorated("inner", (any Mailer).self), .value("attempts", Int.self)
  /// ) { inner, attempts in RetryMailer(inner: inner, attempts: attempts) }
  /// ```
  ///
  /// - Parameters:
  ///   - key: the name of the argument in messages.
  ///   - type: the type that the wrapped service must provide.
  public static func decorated(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument {
    BuilderArgument(
      key: key, kind: .decorated(type: TypeName.name(of: type)), namedType: type, wanted: "the decorated instance"
    ) { given, linker in
      guard case .decorated = given, let linker else { throw WiringFailure.wrongArgument(key: key) }
      let index = try linker.decorated(as: type)
      return Supplier(isCallArgument: true) { _, call in
        guard let wrapped = call.wrapped else { throw WiringFailure.nothingDecorated }
        return wrapped.ofType(index).value(as: type)
      }
    }
  }

  /// An argument that receives a value from each look-up.
  ///
  /// ```swift
  /// registry.add("Session", .runtime("user", UserID.self), .service("store", (any Store).self)) { user, store in
  ///   Session(user: user, store: store)
  /// }
  /// let session = try container.resolve(Session.self, arguments: UserID(7))
  /// ```
  ///
  /// A service whose scope caches instances has one for each list of values; these must be `Hashable`.
  ///
  /// - Parameters:
  ///   - key: the name of the argument in messages.
  ///   - type: the type of the value. The look-up must pass a value of exactly this type.
  public static func runtime(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument where Input: Sendable {
    BuilderArgument(
      key: key, kind: .runtime(type: TypeName.name(of: type), isHashable: type is any Hashable.Type), namedType: type,
      wanted: "a run-time argument"
    ) { given, linker in
      guard case .runtime = given, let linker else { throw WiringFailure.wrongArgument(key: key) }
      return .runtime(at: linker.nextRuntimeArgument())
    }
  }
}

extension Supplier {
  static func runtime(at place: Int) -> Supplier {
    Supplier { _, call in try call.argument(Input.self, at: place) }
  }
}
