// SPDX-License-Identifier: Apache-2.0

/// A builder. Its parameters are the service and the parameters of one call.
///
/// They are separate, since a structure that contains both would have to retain the service for each call.
typealias BuilderFunction<Product> = @Sendable (Registration, BuilderCall) throws -> Product

/// A builder, by where it has to be called.
enum Builder<Product>: Sendable {
  /// On the thread of the look-up.
  case anywhere(BuilderFunction<Product>)
  case onMainActor(@MainActor @Sendable (Registration, BuilderCall) throws -> Product)
  /// In a task that awaits it.
  case awaited(@Sendable (Registration, BuilderCall) async throws -> Product)

  /// Returns the same builder, with calls of the observers before and after it.
  func observed(by observers: [any ContainerObserver], as observed: ObservedService) -> Builder {
    switch self {
    case .anywhere(let make): .anywhere { service, call in try observers.calling(observed) { try make(service, call) } }
    case .onMainActor(let make):
      .onMainActor { service, call in try observers.calling(observed) { try make(service, call) } }
    case .awaited(let make):
      .awaited { service, call in try await observers.awaiting(observed) { try await make(service, call) } }
    }
  }
}

/// A factory of a product of any type.
protocol AnyFactory: AnyObject, Sendable {
  /// The type of the products, or that of the service which they replace in a test.
  var productType: Any.Type { get }
  /// Where the builder has to be called.
  var calling: Calling { get }
  /// The number of types by which products are looked up.
  var typeCount: Int { get }
  /// Returns the type at an index among those by which products are looked up.
  func type(_ index: Int) -> Any.Type
  /// Calls the builder on this thread.
  ///
  /// - Parameters:
  ///   - type: the type at the index.
  ///   - index: the index among the types by which products are looked up.
  func make<Service>(_ type: Service.Type, _ index: Int, _ service: Registration, _ call: BuilderCall) throws -> Service
  /// Calls the builder on this thread.
  ///
  /// - Throws: the error of the builder; `CallingFailure` if the builder has to be called elsewhere.
  func product(_ service: Registration, _ call: BuilderCall) throws -> AnyInstance
  /// Calls the builder where it has to be called.
  func awaitedProduct(
    _ service: Registration, _ call: BuilderCall, isolation: isolated (any Actor)?
  ) async throws -> AnyInstance
  /// Returns the product as an object; `nil` if it is not an instance of a class.
  func object(of product: AnyInstance) -> AnyObject?
  /// Returns a value as a product; `nil` if the value has another type.
  func product(from value: Any) -> AnyInstance?
  var hasDisposeAction: Bool { get }
  /// Calls the dispose action of the registration, if it has one.
  func dispose(_ product: AnyInstance)
  /// Returns the product as an `AsyncDisposable`; `nil` if it is none.
  func asyncDisposable(_ product: AnyInstance) -> (any AsyncDisposable)?
  /// Returns the same factory, with calls of the observers before and after its builder.
  func observed(by observers: [any ContainerObserver], as service: ObservedService) -> any AnyFactory
}

/// The reason why a builder was not called.
enum CallingFailure: Error {
  /// It has to be awaited, and the look-up does not await.
  case needsAwait
  /// It has to be called on the main actor, and the look-up runs elsewhere.
  case needsMainActor
}

/// A factory of the products of a registration, as one of the types by which they are looked up.
final class Factory<Product>: AnyFactory {
  /// Calls the builder on this thread, or throws `CallingFailure`.
  let make: BuilderFunction<Product>
  let calling: Calling
  private let builder: Builder<Product>
  /// The types by which products are looked up; empty if that is only their own type.
  private let types: [ProvidedType<Product>]
  /// The factories of `types`, in the same order.
  let factories: [any AnyFactory]
  /// Called with a product that is disposed of: the dispose action, with the observers; `nil` if there is none.
  private let onDispose: (@Sendable (Product) -> Void)?
  let hasDisposeAction: Bool
  let productType: Any.Type
  /// The metadata of the instance class. Stored, since its look-up takes longer than creating an instance.
  private let instanceType = Instance<Product>.self

  /// Creates a factory.
  ///
  /// - Parameters:
  ///   - types: the types by which products are looked up, of which duplicates are ignored; empty for their own type.
  ///   - productType: the type of the products of the service that these replace.
  ///   - hasDisposeAction: whether the registration has a dispose action; `nil` if `onDispose` is it.
  init(
    _ builder: Builder<Product>, types: [ProvidedType<Product>] = [], standingFor productType: Any.Type = Product.self,
    hasDisposeAction: Bool? = nil, onDispose: (@Sendable (Product) -> Void)? = nil
  ) {
    self.productType = productType
    self.hasDisposeAction = hasDisposeAction ?? (onDispose != nil)
    var seen: Set<ObjectIdentifier> = []
    let types = types.filter { seen.insert(ObjectIdentifier($0.type)).inserted }
    let isPlain = types.isEmpty || (types.count == 1 && types[0].isProduct)
    self.types = isPlain ? [] : types
    factories = isPlain ? [] : types.map { $0.factory(builder) }
    self.onDispose = onDispose
    self.builder = builder
    switch builder {
    case .anywhere(let make): (calling, self.make) = (.anywhere, make)
    case .awaited:
      calling = .awaited
      make = { _, _ in throw CallingFailure.needsAwait }
    case .onMainActor(let make):
      calling = .onMainActor
      self.make = { service, call in
        guard MainActor.isCurrent else { throw CallingFailure.needsMainActor }
        return try MainActor.assumeIsolated { Transferred(try make(service, call)) }.value
      }
    }
  }

  func observed(by observers: [any ContainerObserver], as service: ObservedService) -> any AnyFactory {
    Factory(
      builder.observed(by: observers, as: service), types: types, standingFor: productType,
      hasDisposeAction: hasDisposeAction
    ) { [onDispose] product in
      onDispose?(product)
      for observer in observers { observer.didDispose(service) }
    }
  }

  var typeCount: Int { max(factories.count, 1) }

  func type(_ index: Int) -> Any.Type { factories.isEmpty ? Product.self : factories[index].productType }

  func product(_ service: Registration, _ call: BuilderCall) throws -> AnyInstance {
    instance(of: try make(service, call))
  }

  func awaitedProduct(
    _ service: Registration, _ call: BuilderCall, isolation: isolated (any Actor)?
  ) async throws -> AnyInstance {
    switch builder {
    case .anywhere(let make): instance(of: try make(service, call))
    case .onMainActor(let make):
      instance(of: try await MainActor.run { Transferred(try make(service, call)) }.value)
    case .awaited(let make): instance(of: try await make(service, call))
    }
  }

  /// Returns an instance of the product, with the product as each type by which it is looked up.
  private func instance(of product: consuming Product) -> AnyInstance {
    if factories.isEmpty { return instanceType.init(product) }
    let others = types.map { [product = copy product] in $0.instance(product) }
    return instanceType.init(product, others: others)
  }

  func object(of product: AnyInstance) -> AnyObject? {
    let value = product.value(as: Product.self)
    // The dynamic type decides: a protocol type may have objects and other values, which `as AnyObject` would box.
    return Swift.type(of: value as Any) is AnyObject.Type ? value as AnyObject : nil
  }

  func product(from value: Any) -> AnyInstance? { (value as? Product).map(instance(of:)) }

  func asyncDisposable(_ product: AnyInstance) -> (any AsyncDisposable)? {
    product.value(as: Product.self) as? any AsyncDisposable
  }

  func dispose(_ product: AnyInstance) {
    guard let onDispose else { return }
    LockOrder.willCallUserCode()
    onDispose(product.value(as: Product.self))
  }
}

extension AnyInstance {
  /// Returns the product as the type at an index among those by which it is looked up.
  func ofType(_ index: Int) -> AnyInstance { others.isEmpty ? self : others[index] }
}
