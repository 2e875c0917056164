// SPDX-License-Identifier: Apache-2.0

// Each form stands twice, for services that are `Sendable`, with every lifetime, and for others, with those by which no two
// threads share an instance: that a service is shared safely is checked when the registration is compiled.

/// How long an instance of a service lives that code registers, and who shares it.
public struct ServiceLifetime: Hashable, Sendable {
  /// What the lifetime is.
  let kind: Kind

  /// What there is.
  enum Kind: Hashable {
    /// One of those without a name.
    case plain(Lifetime)
    /// The open scope of a name.
    case scope(String)
  }

  /// One instance a container.
  public static let shared = ServiceLifetime(kind: .plain(.shared))
  /// One instance as long as someone else holds it. It must be an instance of a class.
  public static let weak = ServiceLifetime(kind: .plain(.weak))
  /// A new instance each time.
  public static let transient = ServiceLifetime(kind: .plain(.transient))
  /// One instance an outermost look-up.
  public static let graph = ServiceLifetime(kind: .plain(.graph))

  /// One instance an open scope of the given name.
  public static func scope(_ name: String) -> ServiceLifetime { ServiceLifetime(kind: .scope(name)) }
}

extension ServiceLifetime: CustomStringConvertible {
  /// The lifetime's word in a module file; that of a scope is its name.
  public var description: String {
    switch kind {
    case .plain(let lifetime): lifetime.word(in: [])
    case .scope(let name): name
    }
  }
}

/// How long an instance of a service lives that no two threads may share.
public struct UnsharedLifetime: Hashable, Sendable {
  /// The lifetime.
  let lifetime: ServiceLifetime

  /// A new instance each time.
  public static let transient = UnsharedLifetime(lifetime: .transient)
  /// One instance an outermost look-up.
  public static let graph = UnsharedLifetime(lifetime: .graph)
}

extension Registering {
  /// Registers a service that a closure builds.
  ///
  /// Under the same type and name a registration takes the place of an older one; what was built already keeps what it was
  /// given. Code may register at any time, also a service in the place of one from a module file, by its name.
  ///
  /// ```swift
  /// container.register((any Logger).self) { ConsoleLogger() }
  /// container.register((any Logger).self, named: "audit", lifetime: .transient) { FileLogger() }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which instances are looked up, without it the closure's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  ///   - build: makes an instance. May be called from any thread, and from several at once.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, lifetime: ServiceLifetime = .shared,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable () throws -> Service
  ) {
    register(
      CodeService(name, lifetime, fileID, line, onDispose: onDispose, looksUp: false) { _ in
        .anywhere { _ in try build() }
      })
  }

  /// Registers a service that a closure builds, which looks up what it needs and may want run-time arguments.
  ///
  /// ```swift
  /// container.register { Greeter(logger: try $0.resolve()) }
  /// container.register(lifetime: .transient) { (resolver, user: UserID) in
  ///   Session(user: user, store: try resolver.resolve())
  /// }
  /// let session = try container.resolve(Session.self, arguments: UserID(7))
  /// ```
  ///
  /// Services of one type that want different run-time arguments stand side by side. With a lifetime that keeps instances
  /// there is one for each tuple of values, which must be `Hashable`.
  ///
  /// - Parameters:
  ///   - type: the type by which instances are looked up, without it the closure's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments. May be called from any thread, and from
  ///     several at once.
  public func register<Service: Sendable, each Argument>(
    _ type: Service.Type = Service.self, named name: String? = nil, lifetime: ServiceLifetime = .shared,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    register(
      CodeService(name, lifetime, fileID, line, onDispose: onDispose, arguments: repeat (each Argument).self) { core in
        .anywhere { [unowned(unsafe) core] resolution in
          var arguments = resolution.remainingArguments
          return try build(Resolver(core, resolution), repeat try arguments.next(as: (each Argument).self))
        }
      })
  }

  /// Registers a service that is not `Sendable`, and that a closure builds.
  ///
  /// - Parameters:
  ///   - type: the type by which instances are looked up, without it the closure's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - lifetime: how long an instance lives.
  ///   - build: makes an instance. May be called from any thread, and from several at once.
  public func register<Service>(
    _ type: Service.Type = Service.self, named name: String? = nil, lifetime: UnsharedLifetime,
    fileID: String = #fileID, line: Int = #line, build: @escaping @Sendable () throws -> Service
  ) {
    register(
      CodeService<Service>(name, lifetime.lifetime, fileID, line, onDispose: nil, looksUp: false) { _ in
        .anywhere { _ in try build() }
      })
  }

  /// Registers a service that is not `Sendable`, and that a closure builds, which looks up what it needs and may want
  /// run-time arguments.
  ///
  /// - Parameters:
  ///   - type: the type by which instances are looked up, without it the closure's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - lifetime: how long an instance lives.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments. May be called from any thread, and from
  ///     several at once.
  public func register<Service, each Argument>(
    _ type: Service.Type = Service.self, named name: String? = nil, lifetime: UnsharedLifetime,
    fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    register(
      CodeService<Service>(
        name, lifetime.lifetime, fileID, line, onDispose: nil, arguments: repeat (each Argument).self
      ) { core in
        .anywhere { [unowned(unsafe) core] resolution in
          var arguments = resolution.remainingArguments
          return try build(Resolver(core, resolution), repeat try arguments.next(as: (each Argument).self))
        }
      })
  }

  /// Registers a service that is not known to be `Sendable`, and that threads may share all the same, as the caller knows.
  ///
  /// - Parameters:
  ///   - type: the type by which instances are looked up, without it the closure's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - lifetime: how long an instance lives.
  ///   - sharedSafely: true; it says that threads may share an instance. With false the program stops.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments. May be called from any thread, and from
  ///     several at once.
  public func register<Service, each Argument>(
    _ type: Service.Type = Service.self, named name: String? = nil, lifetime: ServiceLifetime = .shared,
    sharedSafely: Bool, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    precondition(sharedSafely, "`sharedSafely` must be true; without it only `transient` and `graph` are safe")
    register(
      CodeService(name, lifetime, fileID, line, onDispose: onDispose, arguments: repeat (each Argument).self) { core in
        .anywhere { [unowned(unsafe) core] resolution in
          var arguments = resolution.remainingArguments
          return try build(Resolver(core, resolution), repeat try arguments.next(as: (each Argument).self))
        }
      })
  }

  /// Registers an instance that is there already.
  ///
  /// ```swift
  /// container.register(instance: Settings.current)
  /// container.register((any Logger).self, instance: logger)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which the instance is looked up, without it its own.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - onDispose: gives back what the instance holds, when the container is disposed of or reset after it was looked up.
  ///   - instance: the instance.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil,
    onDispose: (@Sendable (Service) -> Void)? = nil, instance: Service, fileID: String = #fileID, line: Int = #line
  ) {
    register(type, named: name, onDispose: onDispose, fileID: fileID, line: line) { instance }
  }

  /// Registers a shared service by the expression that makes it, which is evaluated at the first look-up.
  ///
  /// ```swift
  /// container.register(dependency: SystemClock())
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which the instance is looked up, without it the expression's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - dependency: the expression.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil,
    dependency: @escaping @autoclosure @Sendable () throws -> Service, fileID: String = #fileID, line: Int = #line
  ) {
    register(type, named: name, fileID: fileID, line: line, build: dependency)
  }
}
