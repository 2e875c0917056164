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
  /// Makes products by a `Maker`, and holds each as this type, which is the only one, until they are released.
  let instanceMaker: @Sendable (@escaping Maker<Product>) -> Maker<KeptInstance>
  /// Holds what lies at the address of an `Instance` of this type.
  let copy: @Sendable (UInt) -> AnyInstance
  /// Holds a `Maker` of this type that makes its products by another one.
  let holdMaker: @Sendable (@escaping Maker<Product>) -> Held
  /// Holds a `Maker` of this type that takes what is handed to it, held as this type.
  let holdKeeper: @Sendable (@escaping Handing) -> Held

  /// A type, and the ways there.
  @usableFromInline init(
    type: Any.Type, hold: @escaping @Sendable (Product) -> AnyInstance,
    instanceMaker: @escaping @Sendable (@escaping Maker<Product>) -> Maker<KeptInstance>,
    copy: @escaping @Sendable (UInt) -> AnyInstance,
    holdMaker: @escaping @Sendable (@escaping Maker<Product>) -> Held,
    holdKeeper: @escaping @Sendable (@escaping Handing) -> Held
  ) {
    self.type = type
    self.hold = hold
    self.instanceMaker = instanceMaker
    self.copy = copy
    self.holdMaker = holdMaker
    self.holdKeeper = holdKeeper
  }

  // Both are `@inlinable`, so that in the client they are compiled for the very types, whose metadata need not be looked up.

  /// The product's own type.
  @inlinable public static var itself: ProvidedType {
    ProvidedType(
      type: Product.self,
      hold: { Instance<Product>($0) },
      instanceMaker: { make in { KeptInstance(sole: try make($0)) } },
      copy: { Instance<Product>(copying: $0) },
      holdMaker: { HeldMaker<Product>($0) },
      holdKeeper: { keeper(of: Product.self, $0) })
  }

  /// A protocol to which the product conforms, a class from which it inherits, or any other type that it converts to.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - convert: gives the product as this type; usually `{ $0 }`, which compiles only where that is so.
  @inlinable public static func type<Service>(
    _ type: Service.Type, _ convert: @escaping @Sendable (Product) -> Service
  ) -> ProvidedType {
    ProvidedType(
      type: type,
      hold: { Instance<Service>(convert($0)) },
      // Held, as what it converts to may be another object than the product.
      instanceMaker: { make in { KeptInstance(holding: Instance<Service>(convert(try make($0)))) } },
      copy: { Instance<Service>(copying: $0) },
      holdMaker: { make in HeldMaker<Service> { resolution in convert(try make(resolution)) } },
      holdKeeper: { keeper(of: Service.self, $0) })
  }

  /// A `Maker` of instances that are kept and handed on, held as the type.
  @inlinable static func keeper<Service>(of type: Service.Type, _ hand: @escaping Handing) -> Held {
    HeldMaker<Service> { resolution in
      var service: Service?
      // What is handed on was made by this very type.
      try hand(resolution) { service = $0.service(as: Service.self) }
      // It was handed on, as nothing was thrown.
      return service.unsafelyUnwrapped
    }
  }
}
