// SPDX-License-Identifier: Apache-2.0

/// The builder of one slot, its arguments linked.
protocol LinkedBuilder: Sendable {
  /// Builds a product, and holds it as each of the types that it provides.
  ///
  /// - Parameter asObject: whether it is wanted as an object, too.
  /// - Throws: what the builder or a look-up for its arguments throws.
  func build(asObject: Bool, _ resolution: borrowing Resolution) throws -> Built

  /// Holds a product, given as an object, as each of the types that it provides; nil where it is none of the builder's.
  func instances(of object: AnyObject) -> [AnyInstance]?

  /// Builds a product, and holds it as one of the types that it provides, by its place among them.
  ///
  /// - Throws: what the builder or a look-up for its arguments throws.
  func instance(ofType index: Int, _ resolution: borrowing Resolution) throws -> AnyInstance

  /// Holds a `Maker` of one of the types that a product provides, by its place among them.
  ///
  /// - Parameters:
  ///   - opensGraph: whether something below is shared within a look-up, so that the outermost maker begins to do so.
  ///   - prepare: makes the instances that the arguments find prepared, at each call; nil where none does.
  func maker(
    ofType index: Int, opensGraph: Bool,
    preparing prepare: (@Sendable (borrowing Resolution) throws -> PreparedInstances)?
  ) -> AnyInstance

  /// Holds a `Maker` of one of the types that a product provides, by its place among them, which makes nothing.
  ///
  /// - Parameter kept: gives an instance as each of the types, in their order.
  func keeper(ofType index: Int, _ kept: @escaping Maker<[AnyInstance]>) -> AnyInstance
}

/// A builder of one type of product.
struct TypedBuilder<Product>: LinkedBuilder {
  /// Builds a product.
  let make: Maker<Product>
  /// The types that a product provides.
  let provided: [ProvidedType<Product>]

  func build(asObject: Bool, _ resolution: borrowing Resolution) throws -> Built {
    let product = try make(resolution)
    // A product behind a protocol may be an object or not; what is none would be boxed by the conversion.
    let isObject = asObject && Swift.type(of: product as Any) is AnyObject.Type
    return Built(instances: provided.map { $0.hold(product) }, object: isObject ? product as AnyObject : nil)
  }

  func instances(of object: AnyObject) -> [AnyInstance]? {
    (object as? Product).map { product in provided.map { $0.hold(product) } }
  }

  func instance(ofType index: Int, _ resolution: borrowing Resolution) throws -> AnyInstance {
    provided[index].hold(try make(resolution))
  }

  func maker(
    ofType index: Int, opensGraph: Bool,
    preparing prepare: (@Sendable (borrowing Resolution) throws -> PreparedInstances)?
  ) -> AnyInstance {
    guard opensGraph || prepare != nil else { return provided[index].holdMaker(make) }
    return provided[index].holdMaker { [make] resolution in
      let opened = opensGraph && resolution.graph == nil ? GraphInstances() : nil
      defer { opened?.end() }
      let inner = resolution.preparing(nil, graph: opened ?? resolution.graph)
      guard let prepare else { return try make(inner) }
      return try make(inner.preparing(try prepare(inner), graph: inner.graph))
    }
  }

  func keeper(ofType index: Int, _ kept: @escaping Maker<[AnyInstance]>) -> AnyInstance {
    provided[index].holdKeeper(index, kept)
  }
}
