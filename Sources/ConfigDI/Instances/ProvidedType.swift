// SPDX-License-Identifier: Apache-2.0

/// One of the types by which a product is looked up, and the conversion to it, which the compiler checks.
///
/// ```swift
/// registry.add(
///   "SMTPMailer", SMTPMailer.self, as: [.type((any Mailer).self) { $0 }, .type((any HealthCheck).self) { $0 }, .itself]
/// ) { SMTPMailer() }
/// ```
public struct ProvidedType<Product>: Sendable {
  /// The type.
  let type: Any.Type
  /// A product as this type.
  let instance: @Sendable (Product) -> AnyInstance
  /// The factory of this type, by the builder of products.
  let factory: @Sendable (Builder<Product>) -> any AnyFactory

  /// The product's own type.
  public static var itself: ProvidedType { .type(Product.self) { $0 } }

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
      instance: { Instance<Service>(convert($0)) },
      factory: { builder in
        switch builder {
        case .anywhere(let make): Factory<Service>(.anywhere { convert(try make($0)) })
        case .onMainActor(let make): Factory<Service>(.onMainActor { convert(try make($0)) })
        case .awaited(let make): Factory<Service>(.awaited { convert(try await make($0)) })
        }
      })
  }
}
