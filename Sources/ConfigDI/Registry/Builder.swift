// SPDX-License-Identifier: Apache-2.0

/// The builder of one slot, its arguments linked.
protocol LinkedBuilder: Sendable {
  /// Builds a product, and holds it as each of the types that it provides, in their order.
  ///
  /// - Throws: what the builder or a look-up for its arguments throws.
  func instances(_ resolution: borrowing Resolution) throws -> [AnyInstance]

  /// Builds a product, and holds it as one of the types that it provides, by its place among them.
  ///
  /// - Throws: what the builder or a look-up for its arguments throws.
  func instance(ofType index: Int, _ resolution: borrowing Resolution) throws -> AnyInstance

  /// Holds a `Maker` of one of the types that it provides, by its place among them.
  ///
  /// - Parameter prepare: makes the instances that the arguments find prepared, at each call; nil where none does.
  func maker(ofType index: Int, preparing prepare: (@Sendable () throws -> PreparedInstances)?) -> AnyInstance
}

/// A builder of one type of product.
struct TypedBuilder<Product>: LinkedBuilder {
  /// Builds a product.
  let make: Maker<Product>
  /// The types that a product provides.
  let provided: [ProvidedType<Product>]

  func instances(_ resolution: borrowing Resolution) throws -> [AnyInstance] {
    let product = try make(resolution)
    return provided.map { $0.hold(product) }
  }

  func instance(ofType index: Int, _ resolution: borrowing Resolution) throws -> AnyInstance {
    provided[index].hold(try make(resolution))
  }

  func maker(ofType index: Int, preparing prepare: (@Sendable () throws -> PreparedInstances)?) -> AnyInstance {
    guard let prepare else { return provided[index].holdMaker(make) }
    return provided[index].holdMaker { [make] _ in try make(Resolution(prepared: prepare())) }
  }
}
