// SPDX-License-Identifier: Apache-2.0

/// A type whose instances a container can make by itself.
///
/// The macro `@Resolvable` writes the conformance; a type without it says the same by hand:
///
/// ```swift
/// extension SMTPMailer: Resolvable {
///   static var injection: Injection<SMTPMailer> {
///     Injection(BuilderArgument<String>._parameter("host"), BuilderArgument<Int>._parameter("port", default: 25)) {
///       SMTPMailer(host: $0, port: $1)
///     }
///   }
/// }
/// ```
///
/// Such a type is registered by itself, for module files with `registry.add(SMTPMailer.self)`, and in code with
/// `container.register(SMTPMailer.self)`.
public protocol Resolvable {
  /// What is made: the type itself, and for a class that others inherit from still that class.
  associatedtype InjectedInstance = Self

  /// How an instance is made, and of what.
  static var injection: Injection<InjectedInstance> { get }
}

extension Registry {
  /// Registers a type that says itself how it is made.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - name: the name in module files; without it the type's own.
  ///   - types: the types by which instances are looked up; none stands for those that the type says itself, and else its
  ///     own.
  ///   - deprecated: what to use instead, where the type is deprecated.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it; without it
  ///     as the type says itself.
  public mutating func add<Product: Resolvable & Sendable>(
    _ type: Product.Type, name: String? = nil, as types: [ProvidedType<Product>] = [], deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) where Product.InjectedInstance == Product {
    insert(type, name, types, isSendable: true, deprecated, fileID, line, onDispose)
  }

  /// Registers a type that says itself how it is made, and whose instances are not `Sendable`.
  ///
  /// A module that gives such a service the scope `shared`, `weak` or a named one is refused when it is loaded.
  /// The other parameters are those of the form for `Sendable` instances.
  ///
  /// - Parameter sharedSafely: whether threads may share an instance although the compiler cannot tell.
  public mutating func add<Product: Resolvable>(
    _ type: Product.Type, name: String? = nil, as types: [ProvidedType<Product>] = [], sharedSafely: Bool = false,
    deprecated: String? = nil, onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) where Product.InjectedInstance == Product {
    insert(type, name, types, isSendable: sharedSafely, deprecated, fileID, line, onDispose)
  }

  private mutating func insert<Product: Resolvable>(
    _ type: Product.Type, _ name: String?, _ types: [ProvidedType<Product>], isSendable: Bool, _ deprecated: String?,
    _ fileID: String, _ line: Int, _ onDispose: (@Sendable (Product) -> Void)?
  ) where Product.InjectedInstance == Product {
    let injection = Product.injection
    insert(
      name ?? TypeName.name(of: type), types.isEmpty ? injection.types : types, isSendable: isSendable, deprecated,
      fileID, line, onDispose ?? injection.onDispose, injection)
  }
}
