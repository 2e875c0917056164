// SPDX-License-Identifier: Apache-2.0

/// Gives an argument of a builder its value, each time that the builder is called.
typealias Supplier<Input> = @Sendable (borrowing Resolution) throws -> Input

/// What one look-up hands down to the builders that it calls.
@usableFromInline struct Resolution {
  /// The instances that were made ahead of the builder, or nil where its arguments make what they need.
  @usableFromInline let prepared: PreparedInstances?

  /// A look-up; nil where its builders make what they need.
  @usableFromInline init(prepared: PreparedInstances?) { self.prepared = prepared }
}

/// Instances that wait for the arguments of one builder, in the order in which these ask for them.
@usableFromInline final class PreparedInstances {
  /// The instances, the next one last.
  private var instances: [AnyInstance]

  /// Instances in the order in which the arguments ask for them.
  init(_ instances: [AnyInstance]) { self.instances = instances.reversed() }

  /// Hands the next instance out.
  ///
  /// - Throws: `WiringFailure` where the next instance is of another type, which is a defect of this library.
  func next<Service>(as type: Service.Type) throws -> Service {
    guard let instance = instances.popLast() as? Instance<Service> else { throw WiringFailure.preparedInstanceMissing }
    return instance.value
  }
}

/// Makes a new instance at each call.
@usableFromInline typealias Maker<Service> = @Sendable (borrowing Resolution) throws -> Service

/// Gives arguments access to services while a builder is linked.
protocol ServiceLinker {
  /// A supplier of the instances of a slot.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  func supplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service>
}
