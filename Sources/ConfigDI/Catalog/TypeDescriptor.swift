// SPDX-License-Identifier: Apache-2.0

/// What is known of one registered type: enough to check a module file without the application.
public struct TypeDescriptor: Hashable, Sendable {
  /// What kind of Swift type a builder makes.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case `class`
    case `struct`
    case `enum`
    case actor
    /// A product whose declared type is a protocol.
    case any
  }

  /// The name that module files use.
  public var name: String
  /// The names of the types that an instance can be looked up by, ascending.
  public var provides: [String]
  /// What kind of Swift type the builder makes.
  public var kind: Kind
  /// Whether an instance may be shared across threads.
  public var isSendable: Bool
  /// Whether the builder is asynchronous.
  public var isAsync: Bool
  /// Whether the application gives the instances, so that there is no builder.
  public var isGiven: Bool
  /// Whether the builder is called on the main actor.
  public var isOnMainActor: Bool
  /// How code in Swift names the type by which an instance is looked up, of several the first that was registered: `any
  /// App.Logger`. Nil where that is not known, or no other file can name it.
  public var swiftType: String?
  /// What to use instead, or nil where the type is not deprecated.
  public var deprecated: String?
  /// Where the type was registered, as `file:line`, or `file` in a catalog without lines.
  public var source: String
  /// The arguments of the builder, in its order.
  public var arguments: [ArgumentDescriptor]

  /// A registered type.
  public init(
    name: String, provides: [String], kind: Kind = .class, isSendable: Bool = true, isAsync: Bool = false,
    isGiven: Bool = false, deprecated: String? = nil, source: String = "", arguments: [ArgumentDescriptor] = [],
    isOnMainActor: Bool = false, swiftType: String? = nil
  ) {
    self.name = name
    self.provides = provides
    self.kind = kind
    self.isSendable = isSendable
    self.isAsync = isAsync
    self.isGiven = isGiven
    self.deprecated = deprecated
    self.source = source
    self.arguments = arguments
    self.isOnMainActor = isOnMainActor
    self.swiftType = swiftType
  }
}

/// One argument of a registered builder.
public struct ArgumentDescriptor: Hashable, Sendable {
  /// What an argument receives.
  public enum Kind: Hashable, Sendable {
    /// A datum of the file's `values`.
    case value(ValueType)
    /// A service, or several, by the name of the type they provide.
    case service(type: String, wrapper: Wrapper)
    /// The instance that a decorator wraps, by the name of its type.
    case decorated(type: String)
    /// A value that the look-up brings along, by the name of its type.
    case runtime(type: String, isHashable: Bool)
    /// What opens a named scope of the container.
    case scope(String)
    /// What looks services up in the container.
    case resolver
  }

  /// How a service argument receives its services.
  public enum Wrapper: String, Hashable, Sendable, CaseIterable {
    /// The instance itself.
    case direct
    /// Built at first access.
    case lazy
    /// Built at each access.
    case provider
    /// Several, in order.
    case list
    /// Several, by key.
    case map
  }

  /// The key under which `inject` or `values` names the argument.
  public var key: String
  /// What the argument receives.
  public var kind: Kind
  /// Whether the argument may stay away without a default.
  public var isOptional: Bool
  /// The value where the file gives none, or nil.
  public var defaultValue: Value?
  /// Whether there is a default; a default that no `Value` can express has no `defaultValue`.
  public var hasDefault: Bool
  /// Whether the argument may receive a secret.
  public var isSecret: Bool
  /// How code in Swift names the type of a run-time argument; nil for other kinds, and where that is not known.
  public var swiftType: String?

  /// One argument of a builder.
  public init(
    key: String, kind: Kind, isOptional: Bool = false, defaultValue: Value? = nil, hasDefault: Bool? = nil,
    isSecret: Bool = false, swiftType: String? = nil
  ) {
    self.key = key
    self.kind = kind
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.hasDefault = hasDefault ?? (defaultValue != nil)
    self.isSecret = isSecret
    self.swiftType = swiftType
  }
}

/// All types that an application registers.
public struct Catalog: Hashable, Sendable {
  /// The types, ascending by name.
  public var types: [TypeDescriptor]

  /// A catalog of the given types, which are put in ascending order.
  public init(types: [TypeDescriptor]) {
    self.types = types.sorted { $0.name < $1.name }
  }
}
