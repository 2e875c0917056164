// SPDX-License-Identifier: Apache-2.0

// The forms for a service that is looked up by several types.

extension Registering {
  /// Registers a service that a closure builds, and that is looked up by several types: one instance answers for all of them.
  ///
  /// A later registration for one of the types takes that one over; for the others the service goes on to answer.
  ///
  /// ```swift
  /// container.register(
  ///   FileStore.self, as: [.type((any Reader).self) { $0 }, .type((any Writer).self) { $0 }]
  /// ) { FileStore() }
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type that the closure makes.
  ///   - types: the types by which instances are looked up. The compiler checks that a product is each of them.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  ///   - build: makes an instance. May be called from any thread, and from several at once.
  public func register<Product: Sendable>(
    _ product: Product.Type, as types: [ProvidedType<Product>], named name: String? = nil,
    lifetime: ServiceLifetime = .shared, onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable () throws -> Product
  ) {
    register(
      CodeService(name, lifetime, fileID, line, as: types, onDispose: onDispose, looksUp: false) { _ in
        .anywhere { _ in try build() }
      })
  }

  /// Registers a service that a closure builds, which looks up what it needs and may want run-time arguments, and that is
  /// looked up by several types.
  ///
  /// - Parameters:
  ///   - product: the type that the closure makes.
  ///   - types: the types by which instances are looked up. The compiler checks that a product is each of them.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments. May be called from any thread, and from
  ///     several at once.
  public func register<Product: Sendable, each Argument>(
    _ product: Product.Type, as types: [ProvidedType<Product>], named name: String? = nil,
    lifetime: ServiceLifetime = .shared, onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Product
  ) {
    register(
      CodeService(
        name, lifetime, fileID, line, as: types, onDispose: onDispose, arguments: repeat (each Argument).self
      ) { core in
        .anywhere { [unowned(unsafe) core] resolution in
          var arguments = resolution.remainingArguments
          return try build(Resolver(core, resolution), repeat try arguments.next(as: (each Argument).self))
        }
      })
  }

  /// Registers a service that is not `Sendable`, that a closure builds, and that is looked up by several types.
  ///
  /// - Parameters:
  ///   - product: the type that the closure makes.
  ///   - types: the types by which instances are looked up. The compiler checks that a product is each of them.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - lifetime: how long an instance lives.
  ///   - build: makes an instance. May be called from any thread, and from several at once.
  public func register<Product>(
    _ product: Product.Type, as types: [ProvidedType<Product>], named name: String? = nil, lifetime: UnsharedLifetime,
    fileID: String = #fileID, line: Int = #line, build: @escaping @Sendable () throws -> Product
  ) {
    register(
      CodeService(name, lifetime.lifetime, fileID, line, as: types, onDispose: nil, looksUp: false) { _ in
        .anywhere { _ in try build() }
      })
  }

  /// Registers a service that is not `Sendable`, that a closure builds, which looks up what it needs and may want run-time
  /// arguments, and that is looked up by several types.
  ///
  /// - Parameters:
  ///   - product: the type that the closure makes.
  ///   - types: the types by which instances are looked up. The compiler checks that a product is each of them.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - lifetime: how long an instance lives.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments. May be called from any thread, and from
  ///     several at once.
  public func register<Product, each Argument>(
    _ product: Product.Type, as types: [ProvidedType<Product>], named name: String? = nil, lifetime: UnsharedLifetime,
    fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Product
  ) {
    register(
      CodeService(
        name, lifetime.lifetime, fileID, line, as: types, onDispose: nil, arguments: repeat (each Argument).self
      ) { core in
        .anywhere { [unowned(unsafe) core] resolution in
          var arguments = resolution.remainingArguments
          return try build(Resolver(core, resolution), repeat try arguments.next(as: (each Argument).self))
        }
      })
  }

  /// Registers a service whose builder is awaited, and that is looked up by several types.
  ///
  /// - Parameters:
  ///   - product: the type that the closure makes.
  ///   - types: the types by which instances are looked up. The compiler checks that a product is each of them.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  ///   - build: makes an instance.
  public func register<Product: Sendable>(
    _ product: Product.Type, as types: [ProvidedType<Product>], named name: String? = nil,
    lifetime: ServiceLifetime = .shared, onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable () async throws -> Product
  ) {
    register(
      CodeService(name, lifetime, fileID, line, as: types, onDispose: onDispose, looksUp: false) { _ in
        .awaited { _ in try await build() }
      })
  }

  /// Registers a service whose builder is awaited, looks up what it needs and may want run-time arguments, and that is looked
  /// up by several types.
  ///
  /// - Parameters:
  ///   - product: the type that the closure makes.
  ///   - types: the types by which instances are looked up. The compiler checks that a product is each of them.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments.
  public func register<Product: Sendable, each Argument: Sendable>(
    _ product: Product.Type, as types: [ProvidedType<Product>], named name: String? = nil,
    lifetime: ServiceLifetime = .shared, onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (Resolver, repeat each Argument) async throws -> Product
  ) {
    register(
      CodeService(
        name, lifetime, fileID, line, as: types, onDispose: onDispose, arguments: repeat (each Argument).self
      ) { core in
        .awaited { [unowned(unsafe) core] resolution in
          var arguments = resolution.remainingArguments
          return try await build(Resolver(core, resolution), repeat try arguments.next(as: (each Argument).self))
        }
      })
  }

  /// Registers a service whose builder is called on the main actor, and that is looked up by several types.
  ///
  /// - Parameters:
  ///   - product: the type that the closure makes.
  ///   - types: the types by which instances are looked up. The compiler checks that a product is each of them.
  ///   - actor: the main actor.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it; called on
  ///     the thread on which that happens.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments.
  public func register<Product: Sendable, each Argument: Sendable>(
    _ product: Product.Type, as types: [ProvidedType<Product>], on actor: MainActor, named name: String? = nil,
    lifetime: ServiceLifetime = .shared, onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Product
  ) {
    register(
      CodeService(
        name, lifetime, fileID, line, as: types, onDispose: onDispose, arguments: repeat (each Argument).self
      ) { core in
        .onMainActor { [unowned(unsafe) core] resolution in
          var arguments = resolution.remainingArguments
          return try build(Resolver(core, resolution), repeat try arguments.next(as: (each Argument).self))
        }
      })
  }
}
