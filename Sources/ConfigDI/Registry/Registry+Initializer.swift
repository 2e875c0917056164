// SPDX-License-Identifier: Apache-2.0

// The initializer precedes its arguments and determines their types. The forms for one type are disfavored: with a
// trailing closure without parameters those of `Registry+Add.swift`, which call it faster, fit as well.

extension Registry {
  /// Registers a type that module files can name, by its initializer.
  ///
  /// The types of the arguments are those of the initializer's parameters; an argument gives the key of its value in a
  /// file. There is one argument for each parameter, even for one with a default value, which is repeated in the
  /// argument:
  ///
  /// ```swift
  /// registry.add(
  ///   "SMTPMailer", as: (any Mailer).self, SMTPMailer.init,
  ///   .value("host"), .value("port", default: 25), .service("logger"))
  /// registry.add("Clock", SystemClock.init)
  /// ```
  ///
  /// Of several initializers the number of arguments selects one, or the labels do:
  /// `SMTPMailer.init(host:port:logger:)`. Instead of an initializer you can pass any function, or a closure that
  /// declares the types of its parameters.
  ///
  /// If there are too few or too many arguments, the compiler reports "no exact matches in call to instance method
  /// 'add'". If `value` is used for a parameter whose type does not convert from a value, it reports "contextual member
  /// reference to static method 'value' requires 'Self' constraint": use `service`. A default or a product of a wrong
  /// type is reported as such.
  ///
  /// - Parameters:
  ///   - name: the name in module files, unique in the registry.
  ///   - type: the type by which instances are looked up; by default the product's own. The compiler checks that the
  ///     product converts to it.
  ///   - initializer: makes an instance from its arguments.
  ///   - arguments: the arguments, in the order of the initializer's parameters.
  ///   - deprecated: what to use instead, if the type is deprecated.
  ///   - onDispose: releases the resources of an instance when the container or scope that caches it disposes of it,
  ///     unless the service is `weak` or `graph`.
  @_disfavoredOverload
  public mutating func add<Product: Sendable, each Input>(
    _ name: String, as type: Product.Type = Product.self,
    _ initializer: @escaping @Sendable (repeat each Input) throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(name, deprecated, fileID, line, onDispose, Injection(repeat each arguments, build: initializer))
  }

  /// Registers a type that module files can name and whose instances are not `Sendable`, by its initializer.
  ///
  /// A module that gives such a service the scope `shared`, `weak` or a named one is refused when it is loaded. The
  /// other parameters are those of the form for `Sendable` instances.
  ///
  /// - Parameter sharedSafely: whether threads may share an instance although the compiler cannot verify it.
  @_disfavoredOverload
  public mutating func add<Product, each Input>(
    _ name: String, as type: Product.Type = Product.self,
    _ initializer: @escaping @Sendable (repeat each Input) throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, sharedSafely: Bool = false, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, isSendable: sharedSafely, deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }

  /// Registers a type that module files can name, by an async initializer.
  ///
  /// Such a service, and each that needs it, is looked up with `resolveAsync`; a synchronous look-up throws unless an
  /// instance is cached.
  ///
  /// The parameters are those of the form with a synchronous initializer.
  @_disfavoredOverload
  public mutating func add<Product: Sendable, each Input>(
    _ name: String, as type: Product.Type = Product.self,
    _ initializer: @escaping @Sendable (repeat each Input) async throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(name, deprecated, fileID, line, onDispose, Injection(repeat each arguments, build: initializer))
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
    insert(name, deprecated, fileID, line, onDispose, Injection(on: actor, repeat each arguments, build: initializer))
  }
}

extension Registry {
  /// Registers a type whose instances can be looked up by several types.
  ///
  /// ```swift
  /// registry.add("SMTPMailer", as: { ($0 as any Mailer, $0 as any HealthCheck, $0) }, SMTPMailer.init, .value("host"))
  /// ```
  ///
  /// The types are given by a closure, as the compiler checks only a conversion that is written in code: in Swift a
  /// constraint cannot express that one type parameter converts to another.
  ///
  /// - Parameters:
  ///   - name: the name in module files, unique in the registry.
  ///   - types: returns a product as each of the types by which instances are looked up.
  ///   - initializer: makes an instance from its arguments.
  ///   - arguments: the arguments, in the order of the initializer's parameters.
  ///   - deprecated: what to use instead, if the type is deprecated.
  ///   - onDispose: releases the resources of an instance when the container or scope that caches it disposes of it,
  ///     unless the service is `weak` or `graph`.
  public mutating func add<Product: Sendable, each Input, each Service>(
    _ name: String, as types: @escaping @Sendable (Product) -> (repeat each Service),
    _ initializer: @escaping @Sendable (repeat each Input) throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, types: ProvidedType.types(of: types), deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }

  /// Registers a type whose instances can be looked up by several types, and are not `Sendable`.
  ///
  /// A module that gives such a service the scope `shared`, `weak` or a named one is refused when it is loaded. The
  /// other parameters are those of the form with several types for `Sendable` instances.
  ///
  /// - Parameter sharedSafely: whether threads may share an instance although the compiler cannot verify it.
  public mutating func add<Product, each Input, each Service>(
    _ name: String, as types: @escaping @Sendable (Product) -> (repeat each Service),
    _ initializer: @escaping @Sendable (repeat each Input) throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, sharedSafely: Bool = false, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, types: ProvidedType.types(of: types), isSendable: sharedSafely, deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }

  /// Registers a type whose instances can be looked up by several types, by an async initializer.
  ///
  /// The parameters are those of the form with several types and a synchronous initializer.
  public mutating func add<Product: Sendable, each Input, each Service>(
    _ name: String, as types: @escaping @Sendable (Product) -> (repeat each Service),
    _ initializer: @escaping @Sendable (repeat each Input) async throws -> Product,
    _ arguments: repeat __owned BuilderArgument<each Input>, deprecated: String? = nil,
    onDispose: (@Sendable (Product) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    insert(
      name, types: ProvidedType.types(of: types), deprecated, fileID, line, onDispose,
      Injection(repeat each arguments, build: initializer))
  }
}
