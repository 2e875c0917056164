// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What a module file or code says of one service. Immutable.
@usableFromInline final class Registration: Sendable {
  /// The container in which the service is registered, and in which its builder looks up.
  let home: ContainerState
  /// The name; nil where code gave none.
  let name: String?
  /// Makes products, and knows the types by which they are looked up.
  let product: any AnyFactory
  /// What the declared arguments of the builder receive; nil where it declares none.
  let inputs: Inputs?
  /// How long an instance lives. What a decorator wraps is made for each instance of the decorator.
  let keeping: Keeping
  /// How long an instance of the whole service lives, with all decorators: as long as `keeping` says where none wraps this.
  let lifetime: Keeping
  /// The types of the run-time arguments, in order.
  let parameters: [Any.Type]
  /// Where the service is defined.
  let origin: Origin
  /// What else is known.
  let traits: Traits
  /// For each type of the product whether it answers for the service; nil where all do.
  let answering: [Bool]?
  /// The name of the decorator that this is; nil for a service itself.
  let decorator: String?
  /// The service, or the decorator, whose instances this decorator wraps; nil for a service itself.
  let wrapped: Registration?
  /// Where its builder and those of what it wraps have to be called: the most demanding of them.
  let calling: Calling
  /// Whether its instance passes to the next container of a reload, where the service stays the same.
  let passesOn: Bool
  /// How many builders call each other at most while an instance and all that it declares to need is built; 1 in code, where
  /// that is not known.
  let depth: Int
  private let replaced = Atomic(false)

  /// What else is known of a registration.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    /// A module defines it, not code.
    static let isFromModule = Traits(rawValue: 1)
    /// It can be injected, but not looked up by its id or a type.
    static let isPrivate = Traits(rawValue: 2)
    /// Threads may share an instance.
    static let isSendable = Traits(rawValue: 4)
    /// A decorator wraps it: only that decorator receives its instances.
    static let isDecorated = Traits(rawValue: 8)
    /// The application gives the instances.
    static let isGiven = Traits(rawValue: 16)
    /// Its builder takes values that are declared secret.
    static let takesSecrets = Traits(rawValue: 32)
    /// Code has registered an instance, which its builder gives.
    static let isInstance = Traits(rawValue: 64)
  }

  /// A registration.
  ///
  /// With run-time arguments the scope `graph` comes to `transient`: nobody within the look-up could know which arguments others
  /// have brought.
  init(
    home: ContainerState, name: String?, product: any AnyFactory, inputs: Inputs? = nil, keeping: Keeping,
    ofService lifetime: Keeping? = nil, parameters: [Any.Type], origin: Origin, traits: Traits,
    answering: [Bool]? = nil,
    decorator: String? = nil, wrapping wrapped: Registration? = nil, depth: Int = 1
  ) {
    self.home = home
    self.name = name
    if let observers = home.observers {
      let service = ObservedService(
        id: name ?? TypeName.name(of: product.productType), decorator: decorator, origin: origin,
        isShared: (lifetime ?? keeping) == .shared,
        takesSecrets: traits.contains(.takesSecrets), type: product.productType)
      self.product = product.observed(by: observers, as: service)
    } else {
      self.product = product
    }
    self.inputs = inputs
    self.lifetime = lifetime ?? keeping
    self.keeping = keeping == .graph && !parameters.isEmpty ? .transient : keeping
    self.parameters = parameters
    self.origin = origin
    self.traits = traits
    self.answering = answering
    self.decorator = decorator
    self.wrapped = wrapped
    passesOn = keeping == .shared && parameters.isEmpty && home.generation != nil
    calling = max(product.calling, wrapped?.calling ?? .anywhere)
    self.depth = depth
  }

  /// Whether the service is looked up by the type at a place among those of the product.
  func answers(ofType index: Int) -> Bool { answering?[index] ?? true }
  /// The id: the name, or where there is none the name of the product's type.
  var id: String { name ?? TypeName.name(of: product.productType) }
  /// Whether it has the id of another one, without the names of their types.
  func hasIDOf(_ other: Registration) -> Bool {
    name == other.name && (name != nil || product.productType == other.product.productType)
  }
  /// Whether code has registered it without a name, so that it answers for its types before all others.
  var isUnnamed: Bool { name == nil }
  /// Whether others have taken all of its cells, so that no look-up finds what would be built of it.
  var isReplaced: Bool { replaced.load(ordering: .acquiring) }
  /// Notes that others have taken all of its cells. Called before what was built of it is taken out of the stores.
  func setReplaced() { replaced.store(true, ordering: .releasing) }
  /// The identities of the run-time arguments' types, in order.
  var signature: [ObjectIdentifier] { parameters.map { ObjectIdentifier($0) } }
  /// Whether a look-up that awaits has a task build it: where the builder has to be awaited, or that of something which it wraps
  /// and which must not be built twice.
  var isBuiltInTask: Bool { product.calling == .awaited || (calling == .awaited && keeping.isDisposing) }
  /// Whether each look-up makes a new instance at once, without awaiting.
  var isMadeAtOnce: Bool { keeping == .transient && product.calling == .anywhere }
}

extension Registration: InstanceKey {
  var registration: Registration? { self }
}

/// How long the instances of a service live: the internal form of `ServiceScope`.
enum Keeping: Hashable, Sendable {
  /// No longer than those who received them.
  case transient
  /// As long as the container.
  case shared
  /// As long as somebody holds them.
  case weak
  /// As long as the outermost look-up.
  case graph
  /// As long as an open scope; the number is its place among the scopes of the container, the outermost 0.
  case scope(Int)
  /// As long as a scope that the container does not have.
  case missingScope(String)

  /// Whether a container or a scope keeps the instances, and disposes of them.
  var isDisposing: Bool {
    switch self {
    case .shared, .scope: true
    case .transient, .weak, .graph, .missingScope: false
    }
  }
}

/// Where a builder has to be called, the most demanding last.
enum Calling: Comparable, Sendable {
  /// On the thread of the look-up.
  case anywhere
  /// On the main actor.
  case onMainActor
  /// In a task that awaits it.
  case awaited
}

/// What was looked up for a builder before it is called.
struct ReadyInputs: Sendable {
  /// The declared arguments, `AnyInstance.ofCall` for one that comes with the call; nil where the builder's closure asks for them,
  /// and where there are none.
  var inputs: [AnyInstance]?
  /// What a decorator wraps; nil where that is yet to be looked up.
  var wrapped: Wrapped?
  /// How often the store that keeps what is built had been reset before any of it was looked up.
  var resetCount: Int?
}

/// What a decorator wraps.
indirect enum Wrapped: Sendable {
  case product(AnyInstance)
  /// What its builder will receive, which is called when the build of the decorator is claimed.
  case ready(ReadyInputs)
}

/// What a builder is called with.
@usableFromInline struct BuilderCall: Sendable {
  /// The service that is built.
  let registration: Registration
  let resolution: Resolution
  /// The declared arguments, where they were looked up beforehand, `AnyInstance.ofCall` for one that comes with the call; nil where
  /// the builder's closure asks for them.
  let inputs: [AnyInstance]?
  /// What a decorator wraps; nil for a service itself.
  let wrapped: AnyInstance?

  init(
    _ registration: Registration, _ resolution: Resolution, inputs: [AnyInstance]? = nil, wrapped: AnyInstance? = nil
  ) {
    self.registration = registration
    self.resolution = resolution
    self.inputs = inputs
    self.wrapped = wrapped
  }

  /// The declared argument at a place.
  ///
  /// - Parameter type: the type by which the argument was declared.
  /// - Throws: what the look-up for the argument throws.
  @usableFromInline func input<Input>(_ type: Input.Type, at place: Int) throws -> Input {
    if let inputs, inputs[place] !== AnyInstance.ofCall { return inputs[place].value(as: type) }
    guard let inputs = registration.inputs else { throw WiringFailure.nothingSupplied }
    return try inputs.value(type, at: place, in: self)
  }

  /// What a decorator wraps, as the type at a place among its types.
  ///
  /// - Throws: `WiringFailure` where the call is not one of a decorator's builder, which linking excludes.
  func wrapped(ofType index: Int) throws(WiringFailure) -> AnyInstance {
    guard let wrapped else { throw .nothingDecorated }
    return wrapped.ofType(index)
  }

  /// The run-time argument at a place among those of the service.
  ///
  /// - Throws: `WiringFailure` where there is none of the type, which look-ups exclude.
  @usableFromInline func argument<Argument>(_ type: Argument.Type, at place: Int) throws -> Argument {
    guard let arguments = resolution.arguments else { throw WiringFailure.runtimeArgumentMissing }
    return try arguments.value(type, at: place)
  }
}
