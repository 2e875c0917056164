// SPDX-License-Identifier: Apache-2.0

/// The names and kinds of Swift types for the catalog. Used at registration and in errors, never in look-ups.
enum TypeName {
  /// Returns the name in module files: without the module and `any`, with generic arguments in angle brackets.
  ///
  /// The name of `any Logger` is `Logger`; a nested type is named without its outer types. Names are used only in
  /// files; the container distinguishes types by identity.
  ///
  /// Calls a function of the Swift runtime: `String(describing:)` gives the same name, but first searches the whole
  /// program for conformances of the metatype.
  static func name(of type: Any.Type) -> String { withoutAny(_typeName(type, qualified: false)) }

  /// Returns the name with its module and outer types, for types that share their short name. For example, the name of
  /// `Mail.Config` in `App` is `App.Mail.Config`.
  static func qualifiedName(of type: Any.Type) -> String { withoutAny(_typeName(type, qualified: true)) }

  /// Returns the source text by which code in another file names the type, with modules: `any App.Logger`,
  /// `App.Cache<Swift.String>`. `nil` if the type is private or local to a function, is declared in C or in
  /// an extension of another module's type, is a function or a tuple, constrains associated types, or has such a type as
  /// a generic argument.
  static func swiftName(of type: Any.Type) -> String? {
    let name = _typeName(type, qualified: true)
    if name.utf8.contains(where: { "($=".utf8.contains($0) }) || namesImportedType(name) { return nil }
    return TypeDescriptor.Kind(forCheckOf: type) == .any ? "any " + withoutAny(name) : name
  }

  /// Returns whether a type has generic arguments.
  static func isGeneric(_ type: Any.Type) -> Bool { _typeName(type, qualified: false).utf8.last == UInt8(ascii: ">") }

  /// Returns whether a name with modules contains that of a type that is declared in C or Objective-C. The compiler gives
  /// them a module `__C`, which code cannot import.
  private static func namesImportedType(_ name: String) -> Bool {
    name.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains("__C")
  }

  /// Returns a name without a leading `any`.
  private static func withoutAny(_ name: String) -> String {
    name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
  }
}

extension TypeDescriptor.Kind {
  /// Creates the kind of a Swift type.
  ///
  /// To find out whether a class is an actor, the runtime searches the conformances of the whole program.
  init(of type: Any.Type) { self = type is any Actor.Type ? .actor : TypeDescriptor.Kind(forCheckOf: type) }

  /// Creates the kind of a Swift type as far as checks of modules need it: an actor counts as a class. Does not search
  /// for conformances, which for the types of a registry takes longer than reading a module that uses them.
  ///
  /// There is no public way to find out without an instance whether a type is a structure or an enumeration. The first
  /// word of its metadata tells this; its values are fixed (docs/ABI/TypeMetadata.rst in the Swift repository). Tuples,
  /// functions and metatypes count as structures.
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

  /// The kinds of metadata that are distinguished.
  private enum MetadataKind {
    static let enumeration: UInt = 0x201
    static let optional: UInt = 0x202
    /// A protocol type.
    static let existential: UInt = 0x303
    /// A protocol type with constrained associated types.
    static let extendedExistential: UInt = 0x307
  }
}
