// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The definition of one service, by a module file or by code. Immutable.
@usableFromInline final class Registration: Sendable {
  /// The container in which the service is registered, and in which its builder looks up.
  let home: ContainerState
  /// The name; `nil` if code gave none.
  let name: String?
  /// The factory of the products, with the types by which they are looked up.
  let factory: any AnyFactory
  /// The suppliers of the builder's declared arguments, in order, each a `Supplier` of its type; `nil` if the builder
  /// declares none.
  let suppliers: [any AnySupplier]?
  /// The lifetime of an instance. A wrapped service is `transient`, unless its instances are given: it is built for
  /// each instance of its decorator.
  let keeping: Keeping
  /// The types of the run-time arguments, in order.
  let parameters: [Any.Type]
  let origin: Origin
  let traits: Traits
  /// For each type of the product, whether look-ups by the type find the service; `nil` if all do.
  let answering: [Bool]?
  /// The name of the decorator; `nil` for the service itself.
  let decorator: String?
  /// The service or decorator whose instances this decorator wraps; `nil` for the service itself.
  let wrapped: Registration?
  /// The most demanding calling requirement of its builder and of the builders that it wraps.
  let calling: Calling
  /// Whether its instance passes to the next container of a reload if the service stays the same.
  let survivesReload: Bool
  /// The number of its cells that other services have not taken over.
  private let openCells: Atomic<Int32>
  /// Whether instances may hold more than the service declares to need, if no record of a reload tells.
  private let isUndeclared = Atomic(false)
  /// The maximum depth of nested builders for an instance and its declared dependencies; 1 in code, where it is
  /// unknown.
  let depth: Int
  /// The number of builders in which it was registered: one more than that of the service whose builder has registered
  /// it; 0 if no builder did.
  let nesting: Int

  /// The flags of a registration.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    static let isFromModule = Traits(rawValue: 1)
    /// It can be injected, but not looked up by its id or a type.
    static let isPrivate = Traits(rawValue: 2)
    /// Threads may share an instance.
    static let isSendable = Traits(rawValue: 4)
    /// A decorator wraps it, and only that decorator receives its instances.
    static let isDecorated = Traits(rawValue: 8)
    /// The application gives the instances.
    static let isGiven = Traits(rawValue: 16)
    /// Its builder takes values that are declared secret.
    static let takesSecrets = Traits(rawValue: 32)
    /// Code has registered an instance, which its builder returns.
    static let isInstance = Traits(rawValue: 64)
  }

  /// Creates a registration.
  ///
  /// With run-time arguments the scope `graph` becomes `transient`: a consumer within the look-up cannot know which
  /// arguments others have passed.
  init(
    home: ContainerState, name: String?, factory: any AnyFactory, suppliers: [any AnySupplier]? = nil,
    keeping: Keeping, ofService lifetime: Keeping? = nil, parameters: [Any.Type], origin: Origin, traits: Traits,
    answering: [Bool]? = nil,
    decorator: String? = nil, wrapping wrapped: Registration? = nil, depth: Int = 1, nesting: Int = 0
  ) {
    self.home = home
    self.name = name
    if home.observers.isEmpty {
      self.factory = factory
    } else {
      let service = ObservedService(
        id: name ?? TypeName.name(of: factory.productType), decorator: decorator, origin: origin,
        isShared: (lifetime ?? keeping) == .shared,
        takesSecrets: traits.contains(.takesSecrets), type: factory.productType)
      self.factory = factory.observed(by: home.observers, as: service)
    }
    self.suppliers = suppliers
    self.keeping = keeping == .graph && !parameters.isEmpty ? .transient : keeping
    self.parameters = parameters
    self.origin = origin
    self.traits = traits
    self.answering = answering
    self.decorator = decorator
    self.wrapped = wrapped
    survivesReload = keeping == .shared && parameters.isEmpty && home.generation != nil
    calling = max(factory.calling, wrapped?.calling ?? .anywhere)
    self.depth = depth
    self.nesting = nesting
    openCells = Atomic(Int32(factory.typeCount))
  }

  /// Whether an instance may hold any instance that was built before it, not only those that the service declares to need.
  var hasUndeclaredParts: Bool {
    survivesReload ? home.generation?.known(self)?.hasUndeclaredParts == true : isUndeclared.load(ordering: .acquiring)
  }

  func setHasUndeclaredParts() {
    if survivesReload {
      home.generation?.kept(self).setHasUndeclaredParts()
    } else {
      isUndeclared.store(true, ordering: .releasing)
    }
  }

  /// Returns whether look-ups by the type at an index, among those of the product, find the service.
  func answers(ofType index: Int) -> Bool { answering?[index] ?? true }
  /// The id: the name, or the name of the product's type if there is none.
  var id: String { name ?? TypeName.name(of: factory.productType) }
  /// What distinguishes the services of one type. A service of a child hides those of parents with the same identity.
  enum Identity: Hashable {
    case name(ScalarString)
    /// Without a name: the types of the product and the run-time arguments.
    case types([ObjectIdentifier])
  }
  var identity: Identity {
    name.map { .name(ScalarString($0)) } ?? .types([ObjectIdentifier(factory.productType)] + signature)
  }
  /// Whether code has registered it without a name, so that it takes precedence over all others for its types.
  var isUnnamed: Bool { name == nil }
  /// Whether other services have taken over all its cells, so that no look-up would find a new instance.
  var isReplaced: Bool { openCells.load(ordering: .acquiring) == 0 }
  /// Records that another service has taken over one of its cells.
  ///
  /// - Returns: whether it was the last one. Then the caller disposes of its instances.
  func loseCell() -> Bool { openCells.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
  /// Records that a registration, which has no cells yet, has taken over all its cells.
  func passCells(to successor: Registration) {
    successor.openCells.store(openCells.exchange(0, ordering: .acquiringAndReleasing), ordering: .releasing)
  }
  var signature: [ObjectIdentifier] { parameters.map { ObjectIdentifier($0) } }
  /// Whether an awaiting look-up starts a task that builds it: if its builder has to be awaited, or the builder of a
  /// service that it wraps and that must not be built twice.
  var isBuiltInTask: Bool { factory.calling == .awaited || (calling == .awaited && keeping.isDisposing) }
}

extension Registration: InstanceKey {
  var registration: Registration? { self }
}

/// The lifetime of a service's instances: the internal form of `ServiceScope`.
enum Keeping: Hashable, Sendable {
  /// As long as their consumers.
  case transient
  /// As long as the container.
  case shared
  /// As long as something retains them.
  case weak
  /// As long as the outermost look-up.
  case graph
  /// As long as an open scope, given by its index among the scopes of the container; the outermost is 0.
  case scope(Int)
  /// As long as a scope that the container does not have.
  case missingScope(String)

  /// Whether a container or a scope keeps the instances and disposes of them.
  var isDisposing: Bool {
    switch self {
    case .shared, .scope: true
    case .transient, .weak, .graph, .missingScope: false
    }
  }
}

/// Where a builder has to be called. The most demanding case is the last.
enum Calling: Comparable, Sendable {
  /// On the thread of the look-up.
  case anywhere
  case onMainActor
  /// In a task that awaits it.
  case awaited

  /// Whether this code can call the builder without `await`.
  var isPossibleHere: Bool {
    switch self {
    case .anywhere: true
    case .onMainActor: MainActor.isCurrent
    case .awaited: false
    }
  }
}

/// The values that were looked up for a builder before it is called.
struct ReadyInputs: Sendable {
  /// The declared arguments, with `AnyInstance.callPlaceholder` for one that comes with the call; `nil` if there are
  /// none, or the builder's closure looks them up.
  var inputs: [AnyInstance]?
  /// The instance that a decorator wraps, or its arguments; `nil` if they are not looked up yet.
  var wrapped: Wrapped?
  /// The reset count of the store that will keep the instance, before any of these was looked up.
  var resetCount: Int?

  /// The instance that a decorator wraps; `nil` if it is not built yet.
  var product: AnyInstance? { if case .product(let product)? = wrapped { product } else { nil } }
}

/// The service that a decorator wraps: built, or ready to be built.
indirect enum Wrapped: Sendable {
  case product(AnyInstance)
  /// The arguments of its builder, which is called when the build of the decorator is claimed.
  case ready(ReadyInputs)
}

/// The parameters of one call of a builder, besides the service that is built.
struct BuilderCall: Sendable {
  let resolution: Resolution
  /// The declared arguments that were looked up before, with `AnyInstance.callPlaceholder` for one that comes with the
  /// call; `nil` if the builder's closure looks them up.
  let inputs: [AnyInstance]?
  /// The instance that a decorator wraps; `nil` for the service itself.
  let wrapped: AnyInstance?

  init(_ resolution: Resolution, inputs: [AnyInstance]? = nil, wrapped: AnyInstance? = nil) {
    self.resolution = resolution
    self.inputs = inputs
    self.wrapped = wrapped
  }

  /// Returns the run-time argument at an index among those of the service.
  ///
  /// - Throws: `WiringFailure` if there is no argument of the type, which look-ups exclude.
  func argument<Argument>(_ type: Argument.Type, at place: Int) throws -> Argument {
    guard let arguments = resolution.arguments else { throw WiringFailure.runtimeArgumentMissing }
    return try arguments.value(type, at: place)
  }
}
