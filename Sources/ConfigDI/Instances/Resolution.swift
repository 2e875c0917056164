// SPDX-License-Identifier: Apache-2.0

/// Makes a new instance at each call.
@usableFromInline typealias Maker<Service> = @Sendable (Resolution) throws -> Service

/// Hands on an instance that is kept, once, to what may run under a lock and so must not call user code.
@usableFromInline typealias Handing = @Sendable (Resolution, (KeptInstance) -> Void) throws -> Void

/// Holds a maker where a cell points to it.
///
/// Not as an `Instance`, which would call it as a function of whatever types, by way of a conversion at each call.
@usableFromInline final class HeldMaker<Service>: Held, @unchecked Sendable {
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
/// The usual look-up has no scope and shares nothing within itself. Four words, so that it is handed on in registers, and not
/// copied: what few look-ups have stands apart.
@usableFromInline struct Resolution: Sendable {
  /// The scope in which the look-up takes place; nil: none but the container. Whoever looks up holds the store until the
  /// look-up ends.
  @usableFromInline var unretainedScope: Unmanaged<InstanceStore>?
  /// The instances that the look-up shares within itself; nil as long as nothing that it needs wants that.
  @usableFromInline var graph: GraphInstances?
  /// What few look-ups have.
  @usableFromInline var rest: Rest?
  /// Whether so many look-ups are under way that builders may be calling one another without end.
  @usableFromInline var isDeep: Bool
  /// Whether it is for the arguments of an instance that a `BriefClaim` is for.
  @usableFromInline var isWithinClaim: Bool

  /// What few look-ups have.
  @usableFromInline final class Rest: Sendable {
    /// See `Resolution`.
    fileprivate let arguments: RuntimeArguments?
    /// See `Resolution`.
    fileprivate let prepared: PreparedInstances?
    /// See `Resolution`.
    fileprivate let work: Work?

    /// What a look-up has; nil where it has nothing of the kind.
    fileprivate init?(_ arguments: RuntimeArguments?, _ prepared: PreparedInstances?, _ work: Work?) {
      if arguments == nil, prepared == nil, work == nil { return nil }
      self.arguments = arguments
      self.prepared = prepared
      self.work = work
    }
  }

  /// A look-up.
  @inlinable init(
    scope: InstanceStore? = nil, graph: GraphInstances? = nil, isDeep: Bool = false, isWithinClaim: Bool = false
  ) {
    unretainedScope = scope.map { .passUnretained($0) }
    self.graph = graph
    rest = nil
    self.isDeep = isDeep
    self.isWithinClaim = isWithinClaim
  }

  /// The scope in which the look-up takes place; nil: none but the container.
  var scope: InstanceStore? {
    get { unretainedScope?.takeUnretainedValue() }
    set { unretainedScope = newValue.map { .passUnretained($0) } }
  }

  /// What the look-up brings along; nil where it brings nothing.
  var arguments: RuntimeArguments? {
    get { rest?.arguments }
    set { if newValue !== arguments { rest = Rest(newValue, prepared, work) } }
  }

  /// The instances that were made ahead of the builder; nil where its arguments make what they need.
  var prepared: PreparedInstances? {
    get { rest?.prepared }
    set { if newValue !== prepared { rest = Rest(arguments, newValue, work) } }
  }

  /// What is being made, and needs what is looked up; nil where that was not noted.
  var work: Work? {
    get { rest?.work }
    set { if newValue !== work { rest = Rest(arguments, prepared, newValue) } }
  }

  /// The same look-up with something changed.
  func with(_ change: (inout Resolution) -> Void) -> Resolution {
    var resolution = self
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
