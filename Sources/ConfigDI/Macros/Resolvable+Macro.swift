// SPDX-License-Identifier: Apache-2.0
#if Macros
  /// Makes a class, structure or actor `Resolvable` by its initializer.
  ///
  /// Each parameter becomes an argument with the parameter's label as key: a value if the type converts from one,
  /// or else a service. A default of the initializer is used if a file or a container has no value. A type without
  /// initializer gets one for its stored properties that have no value. If there are several initializers,
  /// `@Injectable` marks the one to use.
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
  ///   - types: the types by which instances are looked up if a registration gives none; by default the type itself.
  ///     The compiler checks each.
  ///   - asItself: whether the type itself is added to these types, which cannot include it: the attribute of a type
  ///     cannot name the type.
  ///   - keys: the keys in files of parameters whose key is not their name.
  ///   - runtime: the parameters whose values each look-up passes.
  ///   - secrets: the parameters that may receive a secret; data only.
  ///   - decorates: the parameters that receive the instance that a decorator wraps.
  ///   - onDispose: the name of a method without arguments that releases the resources of an instance when the
  ///     container or scope that caches it disposes of it, unless the service is `weak` or `graph`. It is neither
  ///     throwing nor `async`, and belongs to no actor.
  ///   - registered: whether the function that the build plugin `ConfigDIRegistrationsPlugin` writes registers the
  ///     type. The macro does not use it.
  @attached(member, conformances: Resolvable, names: named(init), named(injection))
  @attached(extension, conformances: Resolvable)
  public macro Resolvable(
    as types: Any.Type..., asItself: Bool = false, keys: KeyValuePairs<String, String> = [:], runtime: String...,
    secrets: String..., decorates: String..., onDispose: String? = nil, registered: Bool = true
  ) =
    #externalMacro(module: "ConfigDIMacros", type: "ResolvableMacro")

  /// Marks the initializer that `@Resolvable` uses in a type with several.
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
