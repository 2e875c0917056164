// SPDX-License-Identifier: Apache-2.0

// Six factories with one signature: for a type that converts itself, an enumeration with raw values, one that is both,
// optionals of the last two, and a `Decodable` type, which is used only if none of the others applies.

extension BuilderArgument where Input: ModuleValue {
  /// An argument that receives a value, given under `values`.
  ///
  /// An argument without default is required, unless its type is optional: then it is `nil` if a file gives none.
  ///
  /// - Parameters:
  ///   - key: the key under `values`.
  ///   - type: the type to which the value converts.
  ///   - default: the value of the argument if a file gives none.
  ///   - secret: whether the argument may receive a secret.
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .own, default: `default`, isSecret: secret)
  }
}

extension BuilderArgument where Input: RawRepresentable & Sendable, Input.RawValue: ModuleValue {
  /// An argument that receives a case of an enumeration, whose raw value is given under `values`.
  ///
  /// The catalog and errors list the allowed values if the enumeration is `CaseIterable`. An argument without default
  /// is required. The parameters are those of the form for a type that is a `ModuleValue` itself.
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .rawValue, default: `default`, isSecret: secret)
  }
}

extension BuilderArgument where Input: RawRepresentable & ModuleValue, Input.RawValue: ModuleValue {
  /// An argument that receives a value, given under `values` and converted as its type defines, not by its raw value.
  ///
  /// The parameters are those of the form for a `ModuleValue` without raw value.
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .own, default: `default`, isSecret: secret)
  }
}

// Without these the compiler converts an initializer with an optional parameter to one whose parameter is not optional.

extension BuilderArgument {
  /// An argument that receives a case of an enumeration, whose raw value is given under `values`, or `nil` if a file
  /// gives none.
  ///
  /// The parameters are those of the form for an enumeration that is not optional.
  public static func value<Wrapped: RawRepresentable & Sendable>(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument where Input == Wrapped?, Wrapped.RawValue: ModuleValue {
    BuilderArgument(key: key, schema: ValueSchema<Wrapped>.rawValue.optional, default: `default`, isSecret: secret)
  }

  /// An argument that receives a value, given under `values` and converted as its type defines, not by its raw value,
  /// or `nil` if a file gives none.
  ///
  /// The parameters are those of the form for a `ModuleValue` without raw value.
  public static func value<Wrapped: RawRepresentable & ModuleValue>(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument where Input == Wrapped?, Wrapped.RawValue: ModuleValue {
    BuilderArgument(key: key, schema: .own, default: `default`, isSecret: secret)
  }
}

extension BuilderArgument where Input: Decodable & Sendable {
  /// An argument that receives a value, given under `values` and decoded by its `Decodable` conformance.
  ///
  /// An argument without default is required, unless its type is optional: then it is `nil` if a file gives none. The
  /// parameters are those of the form for a `ModuleValue`.
  @_disfavoredOverload
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .decoded, default: `default`, isSecret: secret)
  }
}

// For a factory method with a leading dot among several arguments, Swift 6.3 gives a literal its default type before it
// considers the argument's type. These two forms accept such literals for other numeric types. For literals in lists
// and maps of other types write `BuilderArgument.value` instead of `.value`.

extension BuilderArgument where Input: ModuleValue & Numeric {
  /// An argument that receives a number, given under `values`, with an integer literal as default.
  ///
  /// The other parameters are those of the form for a `ModuleValue`.
  ///
  /// - Parameter default: the value of the argument if a file gives none. Stops the program if it does not fit the
  ///   type.
  @_disfavoredOverload
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Int, secret: Bool = false
  ) -> BuilderArgument {
    let exact = Input(exactly: `default`)
    precondition(exact != nil, "default \(`default`) of argument \"\(key)\" does not fit \(Input.self)")
    return BuilderArgument(key: key, schema: .own, default: exact, isSecret: secret)
  }
}

extension BuilderArgument where Input: ModuleValue & BinaryFloatingPoint {
  /// An argument that receives a number, given under `values`, with a floating-point literal as default.
  ///
  /// The other parameters are those of the form for a `ModuleValue`.
  ///
  /// - Parameter default: the value of the argument if a file gives none, rounded to the type.
  @_disfavoredOverload
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Double, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .own, default: Input(`default`), isSecret: secret)
  }
}

extension BuilderArgument where Input: Sendable {
  /// Creates an argument that converts a value once, when a container is made, for all calls.
  fileprivate convenience init(key: String, schema: ValueSchema<Input>, default: Input?, isSecret: Bool) {
    let isOptional = Input.self is any OptionalProtocol.Type
    let absent = `default` ?? (Input.self as? any OptionalProtocol.Type)?.absent as? Input
    let descriptor = ArgumentDescriptor(
      key: key, kind: .value(schema.type), isOptional: isOptional,
      defaultValue: `default`.flatMap { schema.express($0) },
      hasDefault: `default` != nil, isSecret: isSecret)
    self.init(
      descriptor: descriptor, namedType: nil,
      link: { given, _ in
        let constant: Input
        switch given {
        case .absent:
          guard let absent else { throw WiringFailure.wrongArgument(key: key) }
          constant = absent
        case .value(let value):
          do throws(ValueMismatch) {
            constant = try schema.convert(value)
          } catch {
            throw WiringFailure.mismatch(key: key, error)
          }
        default: throw WiringFailure.wrongArgument(key: key)
        }
        return Supplier(constant: constant)
      },
      mismatch: { value in
        do throws(ValueMismatch) {
          _ = try schema.convert(value)
          return nil
        } catch {
          return error
        }
      })
  }
}

/// Distinguishes an optional type from others.
protocol OptionalProtocol {
  static var absent: Any { get }
}

extension Optional: OptionalProtocol {
  static var absent: Any { Self.none as Any }
}
