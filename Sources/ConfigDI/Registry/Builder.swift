// SPDX-License-Identifier: Apache-2.0

/// Where the builder of a service has to be called.
enum Calling: Sendable {
  /// On any thread.
  case anywhere
  /// On the main actor.
  case onMainActor
  /// In a task, which awaits it.
  case awaited
}

/// Why a builder could not be called.
enum CallingFailure: Error {
  /// It has to be awaited, and the look-up does not.
  case needsAwait
  /// It has to be called on the main actor, and the look-up takes place elsewhere.
  case needsMainActor
}

/// Makes products of what a look-up brings along.
enum Make<Product>: Sendable {
  /// On any thread.
  case anywhere(Maker<Product>)
  /// On the main actor.
  case onMainActor(@MainActor @Sendable (Resolution) throws -> Product)
  /// In a task, which awaits it.
  case awaited(@Sendable (Resolution) async throws -> Product)

  /// Where the builder has to be called.
  var calling: Calling {
    switch self {
    case .anywhere: .anywhere
    case .onMainActor: .onMainActor
    case .awaited: .awaited
    }
  }
}

/// Runs a body on the main actor, where this thread is there, or one that waits for this one; else gives false.
typealias MainActorRunner = @Sendable (() -> Void) -> Bool

/// The builder of one slot, its arguments linked.
protocol LinkedBuilder: AnyObject, Sendable {
  /// Builds a product, and holds it as each of the types that it provides.
  ///
  /// - Parameter asObject: whether it is wanted as an object, too.
  /// - Throws: what the builder or a look-up for its arguments throws; `CallingFailure` where it has to be called elsewhere.
  func build(asObject: Bool, _ resolution: Resolution) throws -> Built

  /// Does the same, wherever the builder has to be called.
  func buildAwaiting(asObject: Bool, _ resolution: Resolution) async throws -> Built

  /// Holds a product, given as an object, as each of the types that it provides; nil where it is none of the builder's.
  func built(of object: AnyObject) -> Built?

  /// Builds a product, and holds it as one of the types that it provides, by its place among them.
  ///
  /// - Throws: as `build` does.
  func instance(ofType index: Int, _ resolution: Resolution) throws -> AnyInstance

  /// Does the same, wherever the builder has to be called.
  func instanceAwaiting(ofType index: Int, _ resolution: Resolution) async throws -> AnyInstance

  /// Holds what lies at the address of an `Instance` of one of the types, by its place among them.
  func copy(ofType index: Int, at address: UInt) -> AnyInstance

  /// Has an instance of one of the types give back what it holds.
  func dispose(_ instance: AnyInstance)

  /// Whether instances hold something to give back.
  var disposes: Bool { get }

  /// Holds a `Maker` of one of the types that a product provides, by its place among them.
  ///
  /// - Parameters:
  ///   - opensGraph: whether something below is shared within a look-up, so that the outermost maker begins to do so.
  ///   - prepare: makes the instances that the arguments find prepared, at each call; nil where none does.
  func maker(
    ofType index: Int, opensGraph: (@Sendable () -> Bool)?,
    preparing prepare: (@Sendable (Resolution) throws -> PreparedInstances?)?
  ) -> Held

  /// Holds a `Maker` of one of the types that a product provides, by its place among them, which makes nothing.
  ///
  /// - Parameter hand: hands on an instance, held as the type.
  func keeper(ofType index: Int, _ hand: @escaping Handing) -> Held

  /// Builds products, held until they are released.
  var instanceMaker: Maker<KeptInstance> { get }
}

/// What is done with the products of one registered type; apart, so that all its builders share it.
final class ProductHandling<Product>: Sendable {
  /// The first of the types that a product provides.
  let first: ProvidedType<Product>
  /// The others.
  let others: [ProvidedType<Product>]
  /// Gives back what a product holds; nil where it holds nothing of the kind.
  let onDispose: (@Sendable (Product) -> Void)?
  /// Whether products are held as one type, and not given back.
  let isSimple: Bool

  /// What is done with products. Those of no type provide their own.
  init(provided: [ProvidedType<Product>], onDispose: (@Sendable (Product) -> Void)?) {
    first = provided.first ?? .itself
    others = Array(provided.dropFirst())
    self.onDispose = onDispose
    isSimple = provided.count < 2 && onDispose == nil
  }

  /// One of the types, by its place among them.
  func provided(_ index: Int) -> ProvidedType<Product> { index == 0 ? first : others[index - 1] }
}

/// A builder of one type of product.
final class TypedBuilder<Product>: LinkedBuilder {
  /// Builds a product.
  let make: Make<Product>
  /// What is done with a product.
  private let handling: ProductHandling<Product>
  /// The way to the main actor.
  private let mainActor: MainActorRunner

  /// A builder of products.
  init(make: Make<Product>, handling: ProductHandling<Product>, mainActor: @escaping MainActorRunner) {
    self.make = make
    self.handling = handling
    self.mainActor = mainActor
  }

  /// Gives back what a product holds; nil where it holds nothing of the kind.
  private var onDispose: (@Sendable (Product) -> Void)? { handling.onDispose }

  func build(asObject: Bool, _ resolution: Resolution) throws -> Built {
    built(try product(resolution), asObject: asObject)
  }

  func buildAwaiting(asObject: Bool, _ resolution: Resolution) async throws -> Built {
    switch make {
    case .anywhere(let make): built(try make(resolution), asObject: asObject)
    case .onMainActor(let make):
      try await MainActor.run { built(try make(resolution), asObject: asObject) }
    case .awaited(let make): built(try await make(resolution), asObject: asObject)
    }
  }

  func built(of object: AnyObject) -> Built? {
    (object as? Product).map { product in
      Built(handling.first.hold(product), others: handling.others.map { $0.hold(product) }, object: object)
    }
  }

  func instance(ofType index: Int, _ resolution: Resolution) throws -> AnyInstance {
    handling.provided(index).hold(try product(resolution))
  }

  func instanceAwaiting(ofType index: Int, _ resolution: Resolution) async throws -> AnyInstance {
    switch make {
    case .anywhere(let make): handling.provided(index).hold(try make(resolution))
    case .onMainActor(let make): try await MainActor.run { handling.provided(index).hold(try make(resolution)) }
    case .awaited(let make): handling.provided(index).hold(try await make(resolution))
    }
  }

  func copy(ofType index: Int, at address: UInt) -> AnyInstance { handling.provided(index).copy(address) }

  var disposes: Bool { onDispose != nil }

  func dispose(_ instance: AnyInstance) {
    guard let onDispose, let product = instance.anyValue as? Product else { return }
    onDispose(product)
  }

  func maker(
    ofType index: Int, opensGraph: (@Sendable () -> Bool)?,
    preparing prepare: (@Sendable (Resolution) throws -> PreparedInstances?)?
  ) -> Held {
    let make: Maker<Product> =
      if case .anywhere(let make) = make { make } else { { [self] resolution in try product(resolution) } }
    guard opensGraph != nil || prepare != nil else { return handling.provided(index).holdMaker(make) }
    return handling.provided(index).holdMaker { resolution in
      let opened = resolution.graph == nil && opensGraph?() == true ? GraphInstances() : nil
      defer { opened?.end() }
      var inner = resolution
      inner.prepared = nil
      if let opened { inner.graph = opened }
      if let prepare { inner.prepared = try prepare(inner) }
      return try make(inner)
    }
  }

  func keeper(ofType index: Int, _ hand: @escaping Handing) -> Held { handling.provided(index).holdKeeper(hand) }

  var instanceMaker: Maker<KeptInstance> {
    if case .anywhere(let make) = make, handling.isSimple { return handling.first.instanceMaker(make) }
    return { [self] resolution in KeptInstance(holding: try build(asObject: false, resolution).first) }
  }

  /// A new product.
  ///
  /// - Throws: what the builder or a look-up for its arguments throws; `CallingFailure` where it has to be called elsewhere.
  func product(_ resolution: Resolution) throws -> Product {
    switch make {
    case .anywhere(let make): return try make(resolution)
    case .awaited: throw CallingFailure.needsAwait
    case .onMainActor(let make):
      let resolution = resolution
      var result: Result<Product, any Error>?
      let isThere = mainActor {
        result = MainActor.assumeIsolated { Hold(Result { try make(resolution) }) }.value
      }
      guard isThere, let result else { throw CallingFailure.needsMainActor }
      return try result.get()
    }
  }

  /// A product, held as each of the types that it provides.
  private func built(_ product: Product, asObject: Bool) -> Built {
    // A product behind a protocol may be an object or not; what is none would be boxed by the conversion.
    let isObject = asObject && Swift.type(of: product as Any) is AnyObject.Type
    var dispose: (@Sendable () -> Void)?
    if let onDispose {
      let held = Hold(product)
      dispose = { onDispose(held.value) }
    }
    return Built(
      handling.first.hold(product), others: handling.others.map { $0.hold(product) },
      object: isObject ? product as AnyObject : nil, dispose: dispose)
  }
}
