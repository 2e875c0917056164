// SPDX-License-Identifier: Apache-2.0

// What is made stands before its arguments, and says their types. The forms for one type are disfavored: where a closure
// without parameters stands behind the call, it fits those of `Registry+Add.swift` as well, which call it faster.

extension Registry {
  /// Registers a type that module files can name, by its initializer.
  ///
  /// The types of the arguments are those of the initializer's parameters; an argument says where its value stands in a file.
  /// There is one argument for each parameter, also for one with a default, which stands in the argument:
  ///
  /// ```swift
  /// registry.add(
  ///   "SMTPMailer", as: (any Mailer).self, SMTPMailer.init,
  ///   .value("host"), .value("port", default: 25), .service("logger"))
  /// registry.add("Clock", SystemClock.init)
  /// ```
  ///
  /// Of several initializers the number of arguments decides, or the labels: `SMTPMailer.init(host:port:logger:)`. Instead of
  /// an initializer any function can stand here, and a closure that says the types of its parameters.
  ///
  /// An argument too few or too many the compiler calls "no exact matches in call to instance method 'add'". For `value` at a
  /// parameter whose type does not convert from a datum it says "contextual member reference to static method 'value' requires
  /// 'Self' constraint": the parameter wants a `service`. A default or a product of another type it names as such.
  ///
  /// - Parameters:
  ///   - name: the name in module files, unique in the registry.
  ///   - type: the type by which instances are looked up, without it the product's own. The compiler checks that the
  ///     product is one.
  ///   - initializer: makes an instance of its arguments.
  ///   - arguments: the arguments, in the order of the initializer's parameters.
  ///   - deprecated: what to use instead, where the type is deprecated.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  @_disfavoredOverload
  public mutating func add<Product: Sendable, each Input>(
    _ name: String, as type: Product.Type = Product.self,
    _ initializer: @escaping @Sendable (repeat each Input) throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, [.itself], isSendable: true, deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }

  /// Registers a type that module files can name and whose instances are not `Sendable`, by its initializer.
  ///
  /// A module that gives such a service the scope `shared`, `weak` or a named one is refused when it is loaded.
  /// The other parameters are those of the form for `Sendable` instances.
  ///
  /// - Parameter sharedSafely: whether threads may share an instance although the compiler cannot tell.
  @_disfavoredOverload
  public mutating func add<Product, each Input>(
    _ name: String, as type: Product.Type = Product.self,
    _ initializer: @escaping @Sendable (repeat each Input) throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, sharedSafely: Bool = false, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, [.itself], isSendable: sharedSafely, deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }

  /// Registers a type that module files can name, by an initializer that is awaited.
  ///
  /// Such a service, and each that needs it, is looked up with `resolveAsync`; a look-up that does not await throws, unless an
  /// instance is kept and built already.
  ///
  /// The parameters are those of the form whose initializer is not awaited.
  @_disfavoredOverload
  public mutating func add<Product: Sendable, each Input>(
    _ name: String, as type: Product.Type = Product.self,
    _ initializer: @escaping @Sendable (repeat each Input) async throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, [.itself], isSendable: true, deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }

  /// Registers a type that module files can name, by an initializer that is called on the main actor.
  ///
  /// ```swift
  /// registry.add("MainWindow", on: MainActor.shared, MainWindow.init, .service("store"))
  /// ```
  ///
  /// The other parameters are those of the form whose initializer is called anywhere.
  ///
  /// - Parameter actor: the main actor.
  @_disfavoredOverload
  public mutating func add<Product: Sendable, each Input>(
    _ name: String, as type: Product.Type = Product.self, on actor: MainActor,
    _ initializer: @escaping @MainActor @Sendable (repeat each Input) throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, [.itself], isSendable: true, deprecated, fileID, line, onDispose,
      Injection(on: actor, repeat each arguments, build: initializer))
  }
}

extension Registry {
  /// Registers a type whose instances can be looked up by several types.
  ///
  /// ```swift
  /// registry.add("SMTPMailer", as: { ($0 as any Mailer, $0 as any HealthCheck, $0) }, SMTPMailer.init, .value("host"))
  /// ```
  ///
  /// The types are named by a closure, as only a conversion that stands in the code is checked by the compiler: Swift has no way
  /// to say of two type parameters that one converts to the other.
  ///
  /// - Parameters:
  ///   - name: the name in module files, unique in the registry.
  ///   - types: gives a product as each of the types by which instances are looked up.
  ///   - initializer: makes an instance of its arguments.
  ///   - arguments: the arguments, in the order of the initializer's parameters.
  ///   - deprecated: what to use instead, where the type is deprecated.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  public mutating func add<Product: Sendable, each Input, each Service>(
    _ name: String, as types: @escaping @Sendable (Product) -> (repeat each Service),
    _ initializer: @escaping @Sendable (repeat each Input) throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, ProvidedType.types(of: types), isSendable: true, deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }

  /// Registers a type whose instances can be looked up by several types, and are not `Sendable`.
  ///
  /// A module that gives such a service the scope `shared`, `weak` or a named one is refused when it is loaded.
  /// The other parameters are those of the form with several types for `Sendable` instances.
  ///
  /// - Parameter sharedSafely: whether threads may share an instance although the compiler cannot tell.
  public mutating func add<Product, each Input, each Service>(
    _ name: String, as types: @escaping @Sendable (Product) -> (repeat each Service),
    _ initializer: @escaping @Sendable (repeat each Input) throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, sharedSafely: Bool = false, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, ProvidedType.types(of: types), isSendable: sharedSafely, deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }

  /// Registers a type whose instances can be looked up by several types, by an initializer that is awaited.
  ///
  /// The parameters are those of the form with several types whose initializer is not awaited.
  public mutating func add<Product: Sendable, each Input, each Service>(
    _ name: String, as types: @escaping @Sendable (Product) -> (repeat each Service),
    _ initializer: @escaping @Sendable (repeat each Input) async throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, ProvidedType.types(of: types), isSendable: true, deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }
}
