// SPDX-License-Identifier: Apache-2.0

// The type of a parameter of an initializer determines what it receives: a value in a file if the type converts from one,
// or else a service. Each form exists without and with a default, and the compiler selects the most specific one.

extension BuilderArgument {
  /// A service or several, as `service` describes.
  @_disfavoredOverload
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument {
    .service(key, type)
  }

  /// A service or several, as `service` describes, with a default for a file that gives none.
  @_disfavoredOverload
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.service(key, type).falling(backOn: `default`)
  }

  /// Returns the same argument with a closure that is called for each build if a file gives no value.
  fileprivate func falling(backOn make: @escaping @Sendable () -> Input) -> BuilderArgument {
    var descriptor = descriptor
    // The descriptor of a value has the default itself.
    if namedType != nil { descriptor.isOptional = true }
    return BuilderArgument(
      descriptor: descriptor, namedType: namedType,
      link: { given, linker in
        if case .absent = given { return Supplier { _, _ in make() } }
        return try self.link(given, linker)
      }, mismatch: mismatch)
  }
}

extension BuilderArgument where Input: ModuleValue {
  /// A value that converts as its type defines.
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument { .value(key, type) }

  /// A value that converts as its type defines, with a default for a file that gives none.
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }
}

extension BuilderArgument where Input: RawRepresentable & Sendable, Input.RawValue: ModuleValue {
  /// A raw value of an enumeration.
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument { .value(key, type) }

  /// A raw value of an enumeration, with a default for a file that gives none.
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }
}

extension BuilderArgument where Input: RawRepresentable & ModuleValue, Input.RawValue: ModuleValue {
  /// A value that converts as its type defines, not by its raw value.
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument { .value(key, type) }

  /// A value that converts as its type defines, not by its raw value, with a default for a file that gives none.
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }
}

extension BuilderArgument {
  /// A raw value of an enumeration, or `nil`.
  public static func _parameter<Wrapped: RawRepresentable & Sendable>(
    _ key: String, _ type: Input.Type = Input.self
  ) -> BuilderArgument where Input == Wrapped?, Wrapped.RawValue: ModuleValue { .value(key, type) }

  /// A raw value of an enumeration, or `nil`, with a default for a file that gives none.
  public static func _parameter<Wrapped: RawRepresentable & Sendable>(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument where Input == Wrapped?, Wrapped.RawValue: ModuleValue {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }

  /// A value, or `nil`, that converts as its type defines, not by its raw value.
  public static func _parameter<Wrapped: RawRepresentable & ModuleValue>(
    _ key: String, _ type: Input.Type = Input.self
  ) -> BuilderArgument where Input == Wrapped?, Wrapped.RawValue: ModuleValue { .value(key, type) }

  /// A value, or `nil`, that converts as its type defines, not by its raw value, with a default for a file that gives
  /// none.
  public static func _parameter<Wrapped: RawRepresentable & ModuleValue>(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument where Input == Wrapped?, Wrapped.RawValue: ModuleValue {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }
}

extension BuilderArgument where Input: Decodable & Sendable {
  /// A value that is decoded by its `Decodable` conformance.
  @_disfavoredOverload
  public static func _parameter(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument { .value(key, type) }

  /// A value that is decoded by its `Decodable` conformance, with a default for a file that gives none.
  @_disfavoredOverload
  public static func _parameter(
    _ key: String, _ type: Input.Type = Input.self, default: @autoclosure @escaping @Sendable () -> Input
  ) -> BuilderArgument {
    BuilderArgument.value(key, type, default: `default`()).falling(backOn: `default`)
  }
}
