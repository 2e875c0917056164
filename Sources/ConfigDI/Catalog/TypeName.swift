// SPDX-License-Identifier: Apache-2.0

/// What the catalog says of a Swift type. Asked at registration and in errors, never at a look-up.
enum TypeName {
  /// The name that module files use: without module and `any`, generic arguments in angle brackets.
  ///
  /// `any Logger` is `Logger`, and a nested type has its own name. Names are for files; the container itself tells
  /// types apart by identity.
  ///
  /// By the runtime's own function: `String(describing:)` gives the same, but looks for conformances of the metatype first,
  /// through all of the program.
  static func name(of type: Any.Type) -> String { withoutAny(_typeName(type, qualified: false)) }

  /// The name with module and outer types, for types that share their short name: `Mail.Config` in `App` is
  /// `App.Mail.Config`.
  static func qualifiedName(of type: Any.Type) -> String { withoutAny(_typeName(type, qualified: true)) }

  /// How code in another file names the type, with modules: `any App.Logger`, `App.Cache<Swift.String>`. Nil for a type that it
  /// cannot name: one that is private, or stands in a function.
  static func swiftName(of type: Any.Type) -> String? {
    let name = _typeName(type, qualified: true)
    if name.utf8.contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "$") }) { return nil }
    return TypeDescriptor.Kind(forCheckOf: type) == .any ? "any " + withoutAny(name) : name
  }

  /// Whether a type has generic arguments.
  static func isGeneric(_ type: Any.Type) -> Bool { _typeName(type, qualified: false).utf8.last == UInt8(ascii: ">") }

  /// A name without the `any` in front.
  private static func withoutAny(_ name: String) -> String {
    name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
  }
}

extension TypeDescriptor.Kind {
  /// The kind of a Swift type.
  ///
  /// Whether a class is an actor is asked of all conformances of the program.
  init(of type: Any.Type) { self = type is any Actor.Type ? .actor : TypeDescriptor.Kind(forCheckOf: type) }

  /// The kind of a Swift type as far as checks of modules need it, to which an actor is a class: found without looking for
  /// conformances, which for the types of a registry takes longer than to read a module that uses them.
  ///
  /// Whether a type is a structure or an enumeration has no public question without an instance; the first word of its
  /// metadata says so, whose values are fixed (docs/ABI/TypeMetadata.rst in the Swift repository). Tuples, functions and
  /// metatypes count as structures.
  init(forCheckOf type: Any.Type) {
    if type is AnyObject.Type {
      self = .class
    } else {
      switch unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee {
      case MetadataKind.enumeration, MetadataKind.optional: self = .enum
      case MetadataKind.existential, MetadataKind.extendedExistential: self = .any
      default: self = .struct
      }
    }
  }

  /// The kinds of metadata that matter here.
  private enum MetadataKind {
    /// An enumeration.
    static let enumeration: UInt = 0x201
    /// `Optional`.
    static let optional: UInt = 0x202
    /// A protocol type.
    static let existential: UInt = 0x303
    /// A protocol type with constrained associated types.
    static let extendedExistential: UInt = 0x307
  }
}
