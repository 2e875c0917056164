// SPDX-License-Identifier: Apache-2.0

// What a parameter of an initializer receives follows from its type alone: a datum where the type converts from one, a
// service otherwise. Each form stands twice, without and with a default, and the compiler takes the one that fits best.

extension BuilderArgument {
  /// A service, or several, as `service` has it.
  @_disfavoredOverload
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument {
    .service(key, type)
  }

  /// A service, or several, as `service` has it, with what takes its place where none is given.
  @_disfavoredOverload
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.service(key, type).falling(backOn: `default`)
  }

  /// The same argument, which takes the value of a closure at each building where a file gives none.
  fileprivate func falling(backOn make: @escaping @Sendable () -> Input) -> BuilderArgument {
    var descriptor = descriptor
    // Of a datum the descriptor has the default itself.
    if namedType != nil { descriptor.isOptional = true }
    return BuilderArgument(
      descriptor: descriptor, namedType: namedType,
      link: { given, linker in
        if case .absent = given { return ComputedSupplier { _ in make() } }
        return try self.link(given, linker)
      }, mismatch: mismatch)
  }
}

extension BuilderArgument where Input: ModuleValue {
  /// A datum of a type that converts itself.
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument { .value(key, type) }

  /// A datum of a type that converts itself, with what takes its place where none is given.
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }
}

extension BuilderArgument where Input: RawRepresentable & Sendable, Input.RawValue: ModuleValue {
  /// A raw value of an enumeration.
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument { .value(key, type) }

  /// A raw value of an enumeration, with what takes its place where none is given.
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }
}

extension BuilderArgument where Input: RawRepresentable & ModuleValue, Input.RawValue: ModuleValue {
  /// A datum that converts as its type says, not by its raw value.
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument { .value(key, type) }

  /// A datum that converts as its type says, not by its raw value, with what takes its place where none is given.
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }
}

extension BuilderArgument where Input: Decodable & Sendable {
  /// A datum that decodes itself.
  @_disfavoredOverload
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument { .value(key, type) }

  /// A datum that decodes itself, with what takes its place where none is given.
  @_disfavoredOverload
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }
}
