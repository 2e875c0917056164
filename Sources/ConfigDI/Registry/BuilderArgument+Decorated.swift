// SPDX-License-Identifier: Apache-2.0

extension BuilderArgument {
  /// The instance that a decorator wraps.
  ///
  /// A type with such an argument stands in the `decorate` of services, whose files say nothing about the argument.
  ///
  /// ```swift
  /// registry.add(
  ///   "RetryMailer", as: (any Mailer).self, .decorated("inner", (any Mailer).self), .value("attempts", Int.self)
  /// ) { inner, attempts in RetryMailer(inner: inner, attempts: attempts) }
  /// ```
  ///
  /// - Parameters:
  ///   - key: what messages call the argument.
  ///   - type: the type that the wrapped service must provide.
  public static func decorated(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument {
    BuilderArgument(
      key: key, kind: .decorated(type: TypeName.name(of: type)), namedType: type, wanted: "the decorated instance"
    ) { given, linker in
      guard case .decorated = given else { throw WiringFailure.wrongArgument(key: key) }
      let index = try linker.decorated(as: type)
      return ComputedSupplier(comesWithCall: true) { call in try call.wrapped(ofType: index).value(as: type) }
    }
  }

  /// A value that each look-up brings along.
  ///
  /// ```swift
  /// registry.add("Session", .runtime("user", UserID.self), .service("store", (any Store).self)) { user, store in
  ///   Session(user: user, store: store)
  /// }
  /// let session = try container.resolve(Session.self, arguments: UserID(7))
  /// ```
  ///
  /// A service with a scope that keeps instances has one for each list of values; these must be `Hashable`.
  ///
  /// - Parameters:
  ///   - key: what messages call the argument.
  ///   - type: the type of the value. The look-up must bring a value of just this type.
  public static func runtime(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument where Input: Sendable {
    BuilderArgument(
      key: key, kind: .runtime(type: TypeName.name(of: type), isHashable: type is any Hashable.Type), namedType: type,
      wanted: "a run-time argument"
    ) { given, linker in
      guard case .runtime = given else { throw WiringFailure.wrongArgument(key: key) }
      return .runtime(at: linker.nextRuntimeArgument())
    }
  }
}

extension Supplier {
  static func runtime(at place: Int) -> Supplier {
    ComputedSupplier { call in try call.argument(Input.self, at: place) }
  }
}
