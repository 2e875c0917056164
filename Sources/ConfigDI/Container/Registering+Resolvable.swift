// SPDX-License-Identifier: Apache-2.0

extension Registering {
  /// Registers a type that says itself how it is made.
  ///
  /// What its initializer needs is looked up by type; a parameter with a default receives that where nothing is registered
  /// for its type, and one that is optional nil. Run-time arguments come from the look-up.
  ///
  /// ```swift
  /// container.register(ComplexObject.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - types: the types by which instances are looked up; none stands for the type's own.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  public func register<Service: Resolvable & Sendable>(
    _ type: Service.Type, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    lifetime: ServiceLifetime = .shared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) where Service.Injected == Service {
    register(CodeService(name, lifetime, fileID, line, as: types, onDispose: onDispose, Service.injection))
  }

  /// Registers a type that says itself how it is made, and whose instances are not `Sendable`.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - types: the types by which instances are looked up; none stands for the type's own.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - lifetime: how long an instance lives.
  public func register<Service: Resolvable>(
    _ type: Service.Type, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    lifetime: UnsharedLifetime, fileID: String = #fileID, line: Int = #line
  ) where Service.Injected == Service {
    register(CodeService(name, lifetime.lifetime, fileID, line, as: types, onDispose: nil, Service.injection))
  }
}

extension Resolver {
  /// A new instance of a type that says itself how it is made, of what is looked up here.
  ///
  /// ```swift
  /// container.register((any ComplexProtocol).self) { try $0(ComplexObject.self) }
  /// ```
  ///
  /// - Throws: what its initializer or a look-up throws; `ResolutionError` where it wants run-time arguments, has to be
  ///   awaited, or to be made on the main actor, and this is elsewhere.
  public func callAsFunction<Service: Resolvable>(_ type: Service.Type) throws -> Service.Injected {
    let builder = TypedBuilder(
      make: try Service.injection.link(LookedUpArguments(core)),
      handling: ProductHandling(provided: [.itself], onDispose: nil), mainActor: core.mainActor)
    do {
      return try builder.product(resolution)
    } catch let error as CallingFailure {
      throw ResolutionError.notCallable(TypeName.name(of: type), error)
    }
  }
}

extension CodeService {
  /// A service that says itself how it is made.
  fileprivate init(
    _ name: String?, _ lifetime: ServiceLifetime, _ fileID: String, _ line: Int,
    as types: [ProvidedType<Product>], onDispose: (@Sendable (Product) -> Void)?, _ injection: Injection<Product>
  ) {
    let parameters = injection.arguments.compactMap { argument -> Any.Type? in
      if case .runtime = argument.descriptor.kind { argument.namedType } else { nil }
    }
    self.init(
      name, lifetime, fileID, line, as: types, parameters: parameters, onDispose: onDispose, looksUp: true
    ) { core in
      do {
        return try injection.link(LookedUpArguments(core))
      } catch {
        return .anywhere { _ in throw error }
      }
    }
  }
}

/// Arguments that are looked up by their types.
private final class LookedUpArguments: ArgumentSource {
  /// Where to look up.
  private let core: Core
  /// The place of the next run-time argument.
  private var nextRuntime = 0

  /// Arguments that are looked up in a container, which outlives their suppliers.
  init(_ core: Core) { self.core = core }

  func supplier<Input>(of argument: BuilderArgument<Input>) throws -> Supplier<Input> {
    if case .runtime = argument.descriptor.kind {
      let place = nextRuntime
      nextRuntime += 1
      return ComputedSupplier { resolution in
        guard let value = resolution.arguments?.value(at: place, as: Input.self) else {
          throw WiringFailure.runtimeArgumentMissing
        }
        return value
      }
    }
    let absent = argument.descriptor.isOptional || argument.descriptor.hasDefault
    let fallback = absent ? try argument.link(.absent, NoServices(core)) : nil
    return ComputedSupplier { [unowned(unsafe) core] resolution in
      let resolver = Resolver(core, resolution)
      guard let fallback else { return try resolver.resolve(Input.self) }
      if let found = try resolver.resolvePresent(Input.self) { return found }
      return try fallback.supply(resolution)
    }
  }
}

extension Resolver {
  /// A service, or nil where nothing is registered for it; of an optional type where nothing is for what it wraps.
  fileprivate func resolvePresent<Service>(_ type: Service.Type) throws(ResolutionError) -> Service? {
    if let optional = type as? any OptionalForm.Type { return try optional.present(in: self) as? Service }
    if let collection = type as? any CollectionForm.Type, try core.isEmpty(collection) { return nil }
    return try resolveOptional(type)
  }
}

extension Core {
  /// Whether neither a service answers for just this type nor one for what it is made of.
  ///
  /// - Throws: `ResolutionError` where several could be meant, or want other arguments, or the container was disposed of.
  fileprivate func isEmpty(_ type: any CollectionForm.Type) throws(ResolutionError) -> Bool {
    try look { resolution throws(ResolutionError) in
      guard try target(type, Request(named: nil, in: resolution)) == nil else { return false }
      return !providers(of: ObjectIdentifier(type.sought)).contains { $0.slot.parameters.isEmpty }
    }
  }
}

/// An optional type.
protocol OptionalForm {
  /// What is registered for the wrapped type, as the optional; nil where nothing is.
  static func present(in resolver: Resolver) throws(ResolutionError) -> Any?
}

extension Optional: OptionalForm {
  static func present(in resolver: Resolver) throws(ResolutionError) -> Any? {
    try resolver.resolveOptional(Wrapped.self).map { Self.some($0) as Any }
  }
}

/// Links arguments to which nothing is given.
private struct NoServices: ServiceLinker {
  /// The container.
  private let core: Core

  /// Links arguments of a container's service.
  init(_ core: Core) { self.core = core }

  func supplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service> {
    throw .wrongOrder(TypeName.name(of: type))
  }

  func optionalSupplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service?> {
    throw .wrongOrder(TypeName.name(of: type))
  }

  func decorated<Service>(as type: Service.Type) throws(WiringFailure) -> Supplier<Service> { throw .nothingDecorated }

  func runtime<Argument>(as type: Argument.Type) -> Supplier<Argument> {
    ComputedSupplier { _ in throw WiringFailure.runtimeArgumentMissing }
  }

  var mainActor: MainActorRunner { core.mainActor }
}
