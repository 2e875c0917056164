// SPDX-License-Identifier: Apache-2.0

/// Makes a new instance at each call.
@usableFromInline typealias Maker<Service> = @Sendable (borrowing Resolution) throws -> Service

/// Holds a maker where a cell points to it.
///
/// Not as an `Instance`, which would call it as a function of whatever types, by way of a conversion at each call.
@usableFromInline final class HeldMaker<Service>: AnyInstance, @unchecked Sendable {
  /// The maker.
  @usableFromInline let make: Maker<Service>

  /// Holds a maker.
  @inlinable init(_ make: @escaping Maker<Service>) {
    self.make = make
    super.init()
  }
}

/// What one look-up hands down to the builders that it calls.
///
/// All is nil for the usual look-up, which has no scope and shares nothing within itself.
@usableFromInline struct Resolution: Sendable {
  /// The scope in which the look-up takes place; nil: none but the container.
  @usableFromInline var scope: InstanceStore?
  /// The instances that the look-up shares within itself; nil as long as nothing that it needs wants that.
  @usableFromInline var graph: GraphInstances?
  /// What the look-up brings along; nil where it brings nothing.
  @usableFromInline var arguments: RuntimeArguments?
  /// The instances that were made ahead of the builder; nil where its arguments make what they need.
  @usableFromInline var prepared: PreparedInstances?
  /// What is being made, and needs what is looked up; nil where that was not noted.
  @usableFromInline var work: Work?
  /// Whether so many look-ups are under way that builders may be calling one another without end.
  @usableFromInline var isDeep: Bool

  /// A look-up.
  @inlinable init(
    scope: InstanceStore? = nil, graph: GraphInstances? = nil, arguments: RuntimeArguments? = nil, work: Work? = nil,
    isDeep: Bool = false
  ) {
    self.scope = scope
    self.graph = graph
    self.arguments = arguments
    prepared = nil
    self.work = work
    self.isDeep = isDeep
  }

  /// The same look-up with something changed.
  func with(_ change: (inout Resolution) -> Void) -> Resolution {
    var resolution = copy self
    change(&resolution)
    return resolution
  }
}

/// Instances that wait for the arguments of one builder, in the order in which these ask for them.
@usableFromInline final class PreparedInstances: @unchecked Sendable {
  // Unchecked: the one look-up that prepares it also uses it up.

  /// The instances, the next one last.
  private var instances: [AnyInstance]

  /// Instances in the order in which the arguments ask for them.
  init(_ instances: [AnyInstance]) { self.instances = instances.reversed() }

  /// Hands the next instance out; nil where it is not of the type, which is a defect of this library.
  func next<Service>(as type: Service.Type) -> Service? { (instances.popLast() as? Instance<Service>)?.value }
}
