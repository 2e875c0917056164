// SPDX-License-Identifier: Apache-2.0

/// A type by which a product is looked up, and the conversion to it, which the compiler checks.
///
/// ```swift
/// container.register(
///   SMTPMailer.self, as: [.type((any Mailer).self) { $0 }, .type((any HealthCheck).self) { $0 }, .itself]
/// ) { SMTPMailer() }
/// ```
public struct ProvidedType<Product>: Sendable {
  let type: Any.Type
  /// Converts a product to this type.
  let instance: @Sendable (Product) -> AnyInstance
  let factory: @Sendable (Builder<Product>) -> any AnyFactory
  /// Whether it is the product itself, without a conversion.
  private(set) var isProduct = false

  /// The product's own type.
  public static var itself: ProvidedType {
    var own = type(Product.self) { $0 }
    own.isProduct = true
    return own
  }

  /// A protocol to which the product conforms, a class from which it inherits, or any other type that it converts to.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - convert: converts the product to the type; usually `{ $0 }`, which compiles only if that is valid. Called once
  ///     for an instance, except that of a `weak` service, for which it is called at each look-up. What it returns is
  ///     shared like the product: a new object must be `Sendable` where that is, which the compiler does not check.
  public static func type<Service>(
    _ type: Service.Type, _ convert: @escaping @Sendable (Product) -> Service
  ) -> ProvidedType {
    ProvidedType(
      type: type,
      instance: { Instance<Service>(convert($0)) },
      factory: { builder in
        switch builder {
        case .anywhere(let make): Factory<Service>(.anywhere { convert(try make($0, $1)) })
        case .onMainActor(let make): Factory<Service>(.onMainActor { convert(try make($0, $1)) })
        case .awaited(let make): Factory<Service>(.awaited { convert(try await make($0, $1)) })
        }
      })
  }
}

extension ProvidedType {
  /// Returns the types of a tuple, or the one type, to which a closure converts products.
  ///
  /// Each conversion calls the whole closure and takes one element of its tuple.
  static func types<each Service>(
    of convert: @escaping @Sendable (Product) -> (repeat each Service)
  ) -> [ProvidedType] {
    func element<Element>(_ type: Element.Type, at place: Int) -> ProvidedType {
      .type(type) { product in
        var found: AnyInstance?
        var next = 0
        for element in repeat each convert(product) {
          if next == place { found = Instance(element) }
          next += 1
        }
        // The cast is sound: the element at this index has this type.
        guard let found else { preconditionFailure("a tuple has lost an element") }
        return found.value(as: type)
      }
    }
    var types: [ProvidedType] = []
    for type in repeat (each Service).self { types.append(element(type, at: types.count)) }
    return types
  }
}
