// SPDX-License-Identifier: Apache-2.0

// Each form exists twice, for `Sendable` products and for others: conformance to `Sendable` cannot be tested at run
// time, but the compiler prefers the form for `Sendable` products if it applies. Nothing here is inlinable: the
// client's closure is called by the library, and 200 calls of `add` compile in a few seconds.

extension Registry {
  /// Registers a type that module files can name.
  ///
  /// The builder makes a new instance at each call; the module file determines the lifetime of instances.
  ///
  /// ```swift
  /// registry.add("FileStore", as: (any Store).self, .value("path", String.self)) { path in FileStore(path: path) }
  /// registry.add("Clock") { Clock() }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name in module files, unique in the registry.
  ///   - type: the type by which instances are looked up; by default the product's own. The compiler checks that the
  ///     builder's product converts to it.
  ///   - arguments: the arguments, in the order of the builder's parameters.
  ///   - deprecated: what to use instead, if the type is deprecated.
  ///   - onDispose: releases the resources of an instance when the container or scope that caches it disposes of it,
  ///     unless the service is `weak` or `graph`.
  ///   - build: makes an instance from its arguments. May be called from any thread, and from several at once.
  public mutating func add<Product: Sendable, each Input>(
    _ name: String, as type: Product.Type = Product.self, _ arguments: repeat __owned BuilderArgument<each Input>,
    deprecated: String? = nil, onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (repeat each Input) throws -> Product
  ) {
    insert(name, deprecated, fileID, line, onDispose, Injection(repeat each arguments, build: build))
  }

  /// Registers a type that module files can name, and whose instances are not `Sendable`.
  ///
  /// A module that gives such a service the scope `shared`, `weak` or a named one is refused when it is loaded. The
  /// other parameters are those of the form for `Sendable` instances.
  ///
  /// - Parameter sharedSafely: whether threads may share an instance although the compiler cannot verify it.
  public mutating func add<Product, each Input>(
    _ name: String, as type: Product.Type = Product.self, _ arguments: repeat __owned BuilderArgument<each Input>,
    sharedSafely: Bool = false, deprecated: String? = nil, onDispose: (@Sendable (Product) -> Void)? = nil,
    fileID: String = #fileID, line: Int = #line, build: @escaping @Sendable (repeat each Input) throws -> Product
  ) {
    insert(
      name, isSendable: sharedSafely, deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: build))
  }

  /// Registers a type that module files can name, and whose builder has no arguments.
  ///
  /// The parameters are those of the form whose builder has arguments.
  public mutating func add<Product: Sendable>(
    _ name: String, as type: Product.Type = Product.self, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable () throws -> Product
  ) {
    insert(name, deprecated, fileID, line, onDispose, Injection(build: build))
  }

  /// Registers a type that module files can name, whose builder has no arguments, and whose instances are not
  /// `Sendable`.
  ///
  /// The parameters are those of the form whose builder has arguments.
  public mutating func add<Product>(
    _ name: String, as type: Product.Type = Product.self, sharedSafely: Bool = false, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable () throws -> Product
  ) {
    insert(name, isSendable: sharedSafely, deprecated, fileID, line, onDispose, Injection(build: build))
  }
}

extension Registry {
  /// Registers a type that module files can name, and whose builder is async.
  ///
  /// Such a service, and each that needs it, is looked up with `resolveAsync`; a synchronous look-up throws unless an
  /// instance is cached.
  ///
  /// ```swift
  /// registry.add("Database", .value("url", URL.self)) { url in try await Database.connect(to: url) }
  /// ```
  ///
  /// The parameters are those of the form with a synchronous builder.
  public mutating func add<Product: Sendable, each Input>(
    _ name: String, as type: Product.Type = Product.self, _ arguments: repeat __owned BuilderArgument<each Input>,
    deprecated: String? = nil, onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (repeat each Input) async throws -> Product
  ) {
    insert(name, deprecated, fileID, line, onDispose, Injection(repeat each arguments, build: build))
  }

  /// Registers a type that module files can name, and whose builder is called on the main actor.
  ///
  /// Such a service, and each that needs it, is looked up on the main actor, or with `resolveAsync` from anywhere.
  ///
  /// ```swift
  /// registry.add("MainWindow", on: MainActor.shared, .service("store", (any Store).self)) { store in
  ///   MainWindow(store: store)
  /// }
  /// ```
  ///
  /// The other parameters are those of the form whose builder is called anywhere. `onDispose` is called on the thread
  /// that disposes of the instance.
  ///
  /// - Parameter actor: the main actor.
  public mutating func add<Product: Sendable, each Input>(
    _ name: String, as type: Product.Type = Product.self, on actor: MainActor,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line,
    build: @escaping @MainActor @Sendable (repeat each Input) throws -> Product
  ) {
    insert(name, deprecated, fileID, line, onDispose, Injection(on: actor, repeat each arguments, build: build))
  }
}

extension Registry {
  /// Registers a type at a place in the code.
  mutating func insert<Product>(
    _ name: String, types: [ProvidedType<Product>] = [], isSendable: Bool = true, isGiven: Bool = false,
    _ deprecated: String?, _ fileID: String, _ line: Int, _ onDispose: (@Sendable (Product) -> Void)?,
    _ injection: Injection<Product>
  ) {
    insert(
      BuildableType(
        name, types, isSendable: isSendable, isGiven: isGiven, deprecated: deprecated,
        origin: Origin(file: fileID, line: line), onDispose: onDispose, injection))
  }
}
