// SPDX-License-Identifier: Apache-2.0

/// A type that declares how a container makes its instances.
///
/// The macro `@Resolvable` writes the conformance; without the macro you write it by hand:
///
/// ```swift
/// extension SMTPMailer: Resolvable {
///   static var injection: Injection<SMTPMailer> {
///     Injection(.value("host", String.self), .value("port", Int.self, default: 25)) {
///       SMTPMailer(host: $0, port: $1)
///     }
///   }
/// }
/// ```
///
/// Such a type is registered by itself: for module files with `registry.add(SMTPMailer.self)`, and in code with
/// `container.register(SMTPMailer.self)`.
public protocol Resolvable {
  /// The type of the instances: the type itself; for a subclass, the class that declares the conformance.
  associatedtype InjectedInstance = Self

  /// The arguments and the builder of an instance.
  static var injection: Injection<InjectedInstance> { get }
}

extension Registry {
  /// Registers a `Resolvable` type, which declares how its instances are made.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - name: the name in module files; by default the type's own.
  ///   - types: the types by which instances are looked up; empty for those that the type declares, or its own if it
  ///     declares none.
  ///   - deprecated: what to use instead, if the type is deprecated.
  ///   - onDispose: releases the resources of an instance when the container or scope that caches it disposes of it,
  ///     unless the service is `weak` or `graph`; by default the action that the type declares.
  public mutating func add<Product: Resolvable & Sendable>(
    _ type: Product.Type, name: String? = nil, as types: [ProvidedType<Product>] = [], deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) where Product.InjectedInstance == Product {
    insert(type, name, types, isSendable: true, deprecated, fileID, line, onDispose)
  }

  /// Registers a `Resolvable` type whose instances are not `Sendable`.
  ///
  /// A module that gives such a service the scope `shared`, `weak` or a named one is refused when it is loaded. The
  /// other parameters are those of the form for `Sendable` instances.
  ///
  /// - Parameter sharedSafely: whether threads may share an instance although the compiler cannot verify it.
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
      name ?? TypeName.name(of: type), types: types.isEmpty ? injection.types : types, isSendable: isSendable,
      deprecated, fileID, line, onDispose ?? injection.onDispose, injection)
  }
}
