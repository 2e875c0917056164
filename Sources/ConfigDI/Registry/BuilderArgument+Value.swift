// SPDX-License-Identifier: Apache-2.0

// Four factories of one face: for a type that converts itself, an enumeration with raw values, one that is both, and a
// type that decodes itself, which is taken only where none of the others fits.

extension BuilderArgument where Input: ModuleValue {
  /// A datum that stands under `values`.
  ///
  /// An argument without default is required, unless its type is optional: then it is nil where a file gives none.
  ///
  /// - Parameters:
  ///   - key: the key under `values`.
  ///   - type: the type to which the datum converts.
  ///   - default: what the argument is where a file gives nothing.
  ///   - secret: whether the argument may receive a secret.
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .own, default: `default`, isSecret: secret)
  }
}

extension BuilderArgument where Input: RawRepresentable & Sendable, Input.RawValue: ModuleValue {
  /// A raw value of an enumeration that stands under `values`.
  ///
  /// The catalog and errors list the allowed ones where the enumeration is `CaseIterable`. An argument without default is
  /// required. The parameters are those of the form for a type that is a `ModuleValue` itself.
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .rawValue, default: `default`, isSecret: secret)
  }
}

extension BuilderArgument where Input: RawRepresentable & ModuleValue, Input.RawValue: ModuleValue {
  /// A datum that stands under `values`, converted as its type says, not by its raw value.
  ///
  /// The parameters are those of the form for a `ModuleValue` without raw value.
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .own, default: `default`, isSecret: secret)
  }
}

extension BuilderArgument where Input: Decodable & Sendable {
  /// A datum that stands under `values` and decodes itself.
  ///
  /// An argument without default is required, unless its type is optional: then it is nil where a file gives none.
  /// The parameters are those of the form for a `ModuleValue`.
  @_disfavoredOverload
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Input? = nil, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .decoded, default: `default`, isSecret: secret)
  }
}

// Where a factory stands behind a leading dot among several arguments, Swift 6.3 gives a literal its default type before it
// looks at the argument's type. These two take such literals for other types of numbers. For literals in lists and maps of
// other types write `BuilderArgument.value` instead of `.value`.

extension BuilderArgument where Input: ModuleValue & Numeric {
  /// A number that stands under `values`, whose default is written as an integer literal.
  ///
  /// The other parameters are those of the form for a `ModuleValue`.
  ///
  /// - Parameter default: what the argument is where a file gives nothing; where the type cannot hold it, the program stops.
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
  /// A number that stands under `values`, whose default is written as a literal with a fraction.
  ///
  /// The other parameters are those of the form for a `ModuleValue`.
  ///
  /// - Parameter default: what the argument is where a file gives nothing, rounded to the type.
  @_disfavoredOverload
  public static func value(
    _ key: String, _ type: Input.Type = Input.self, default: Double, secret: Bool = false
  ) -> BuilderArgument {
    BuilderArgument(key: key, schema: .own, default: Input(`default`), isSecret: secret)
  }
}

extension BuilderArgument where Input: Sendable {
  /// An argument that converts a datum once, when a container is made, and receives the same at each call.
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
        return ConstantSupplier(constant)
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

/// Tells an optional type from others.
private protocol OptionalProtocol {
  static var absent: Any { get }
}

extension Optional: OptionalProtocol {
  fileprivate static var absent: Any { Self.none as Any }
}
