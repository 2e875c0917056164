// SPDX-License-Identifier: Apache-2.0
#if Macros
  /// Makes a class, structure or actor `Resolvable` by its initializer.
  ///
  /// Each parameter becomes an argument with the parameter's label as key: a datum where the type converts from one, a
  /// service otherwise. A default of the initializer is used where a file or a container has nothing to give. A type
  /// without initializer gets one from its stored properties that have no value. Of several initializers `@Injectable`
  /// marks the one to use.
  ///
  /// ```swift
  /// @Resolvable final class SMTPMailer: Mailer {
  ///   init(host: String, port: Int = 25, logger: any Logger) { ... }
  /// }
  ///
  /// @Resolvable(runtime: "user", secrets: "token") struct Session {
  ///   let user: UserID
  ///   let token: String
  ///   let store: any Store
  /// }
  ///
  /// @Resolvable(as: (any Store).self, (any HealthCheck).self, keys: ["url": "address"], onDispose: "close")
  /// final class SQLStore: Store, HealthCheck { ... }
  ///
  /// registry.add(SMTPMailer.self)
  /// ```
  ///
  /// - Parameters:
  ///   - types: the types by which instances are looked up where a registration names none; without them the type's own.
  ///     The compiler checks each.
  ///   - asItself: whether these types and the type's own; the attribute of a type cannot name the type.
  ///   - keys: what files call parameters that are to have another key than their name.
  ///   - runtime: the parameters that each look-up brings along.
  ///   - secrets: the parameters that may receive a secret; data only.
  ///   - decorates: the parameters that receive the instance which a decorator wraps.
  ///   - onDispose: the method without arguments that gives back what an instance holds, when the container or scope that keeps
  ///     it is done with it. It neither throws nor is `async`, and belongs to no actor.
  ///   - registered: whether the function that the build plugin `ConfigDIRegistrationsPlugin` writes registers the type. The macro
  ///     does not use it.
  @attached(member, conformances: Resolvable, names: named(init), named(injection))
  @attached(extension, conformances: Resolvable)
  public macro Resolvable(
    as types: Any.Type..., asItself: Bool = false, keys: KeyValuePairs<String, String> = [:], runtime: String...,
    secrets: String..., decorates: String..., onDispose: String? = nil, registered: Bool = true
  ) =
    #externalMacro(module: "ConfigDIMacros", type: "ResolvableMacro")

  /// Marks the initializer that `@Resolvable` uses, where a type has several.
  ///
  /// ```swift
  /// @Resolvable final class Store {
  ///   @Injectable init(path: String) { ... }
  ///   init(copying other: Store) { ... }
  /// }
  /// ```
  @attached(peer)
  public macro Injectable() = #externalMacro(module: "ConfigDIMacros", type: "InjectableMacro")
#endif
