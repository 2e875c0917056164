// SPDX-License-Identifier: Apache-2.0

/// One of the types by which a product can be looked up, and the way there, which the compiler checks.
///
/// ```swift
/// registry.add(
///   "SMTPMailer", SMTPMailer.self, as: [.type((any Mailer).self) { $0 }, .type((any HealthCheck).self) { $0 }, .itself]
/// ) { SMTPMailer() }
/// ```
public struct ProvidedType<Product>: Sendable {
  /// The type.
  let type: Any.Type
  /// Holds a product as this type.
  let hold: @Sendable (Product) -> AnyInstance
  /// Holds what lies at the address of an `Instance` of this type.
  let copy: @Sendable (UInt) -> AnyInstance
  /// Holds a `Maker` of this type that makes its products by another one.
  let holdMaker: @Sendable (@escaping Maker<Product>) -> AnyInstance
  /// Holds a `Maker` of this type that takes its products, held as all types, from the given place.
  let holdKeeper: @Sendable (Int, @escaping Maker<[AnyInstance]>) -> AnyInstance

  /// The product's own type.
  public static var itself: ProvidedType {
    ProvidedType(
      type: Product.self,
      hold: { Instance<Product>($0) },
      copy: { Instance<Product>(copying: $0) },
      holdMaker: { Instance<Maker<Product>>($0) },
      holdKeeper: { index, kept in keeper(of: Product.self, at: index, kept) })
  }

  /// A protocol to which the product conforms, a class from which it inherits, or any other type that it converts to.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - convert: gives the product as this type; usually `{ $0 }`, which compiles only where that is so.
  public static func type<Service>(
    _ type: Service.Type, _ convert: @escaping @Sendable (Product) -> Service
  ) -> ProvidedType {
    ProvidedType(
      type: type,
      hold: { Instance<Service>(convert($0)) },
      copy: { Instance<Service>(copying: $0) },
      holdMaker: { make in Instance<Maker<Service>> { resolution in convert(try make(resolution)) } },
      holdKeeper: { index, kept in keeper(of: Service.self, at: index, kept) })
  }

  /// A `Maker` that takes its instances from the given place among those that are kept.
  private static func keeper<Service>(
    of type: Service.Type, at index: Int, _ kept: @escaping Maker<[AnyInstance]>
  ) -> AnyInstance {
    Instance<Maker<Service>> { resolution in
      // What stands there was made by `hold` of this very type.
      unsafeDowncast(try kept(resolution)[index], to: Instance<Service>.self).value
    }
  }
}
