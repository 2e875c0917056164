// SPDX-License-Identifier: Apache-2.0

/// The description of a registered type, with which a module file can be checked without the application.
public struct TypeDescriptor: Hashable, Sendable {
  /// The kind of Swift type that a builder returns.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case `class`
    case `struct`
    case `enum`
    case actor
    /// A builder whose declared return type is a protocol.
    case any
  }

  /// The name in module files.
  public var name: String
  /// The names of the types by which an instance can be looked up, in ascending order.
  public var provides: [String]
  /// The kind of Swift type that the builder returns.
  public var kind: Kind
  /// Whether instances may be shared between threads.
  public var isSendable: Bool
  /// Whether the builder is asynchronous.
  public var isAsync: Bool
  /// Whether the application provides the instances, so that there is no builder.
  public var isGiven: Bool
  /// Whether the builder is called on the main actor.
  public var isOnMainActor: Bool
  /// The Swift source text of the type by which an instance is looked up, such as `any App.Logger`. If there are
  /// several, that of the first one registered. `nil` if it is not known, or if the type cannot be named in another
  /// file.
  public var swiftType: String?
  /// The text about what to use instead; `nil` if the type is not deprecated.
  public var deprecated: String?
  /// The place where the type was registered, as `file:line`, or as `file` in a catalog without lines.
  public var source: String
  /// The arguments of the builder, in order.
  public var arguments: [ArgumentDescriptor]

  /// Creates the description of a registered type.
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

/// The description of one argument of a registered builder.
public struct ArgumentDescriptor: Hashable, Sendable {
  /// The kind of value that an argument receives.
  public enum Kind: Hashable, Sendable {
    /// A value from the `values` of the module file.
    case value(ValueType)
    /// One or several services, by the name of a type that they provide.
    case service(type: String, wrapper: Wrapper)
    /// The instance that a decorator wraps, by the name of its type.
    case decorated(type: String)
    /// A run-time argument passed by the look-up, by the name of its type.
    case runtime(type: String, isHashable: Bool)
    /// A `ScopeOpener` for a named scope of the container.
    case scope(String)
    /// A `ContainerResolver`.
    case resolver
  }

  /// The form in which an argument receives services.
  public enum Wrapper: String, Hashable, Sendable, CaseIterable {
    /// The instance itself.
    case direct
    /// An instance that is built at the first access.
    case lazy
    /// An instance for each access.
    case provider
    /// Several instances, in order.
    case list
    /// Several instances, by key.
    case map
  }

  /// The key of the argument in `inject` or `values`.
  public var key: String
  /// The kind of value that the argument receives.
  public var kind: Kind
  /// Whether the argument may be absent although it has no default.
  public var isOptional: Bool
  /// The default value, or `nil`.
  public var defaultValue: Value?
  /// Whether there is a default. If no `Value` can express the default, `defaultValue` is `nil`.
  public var hasDefault: Bool
  /// Whether the argument may receive a secret.
  public var isSecret: Bool
  /// The Swift source text of the type of a run-time argument; `nil` for other kinds, or if it is not known.
  public var swiftType: String?

  /// Creates the description of an argument.
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

  /// The default value as outputs show it; `nil` also for that of a secret, since catalogs are checked in.
  package var shownDefault: Value? { isSecret ? nil : defaultValue }
}

extension ArgumentDescriptor: CustomReflectable {
  /// The properties, without the default of a secret, so that descriptions and the output of tests do not show it.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "key": key, "kind": kind, "isOptional": isOptional, "defaultValue": shownDefault as Any,
        "hasDefault": hasDefault, "isSecret": isSecret, "swiftType": swiftType as Any,
      ], displayStyle: .struct)
  }
}

/// The descriptions of all types that an application registers.
public struct Catalog: Hashable, Sendable {
  /// The types, in ascending order of their names.
  public var types: [TypeDescriptor]

  /// Creates a catalog of the given types, and sorts them.
  public init(types: [TypeDescriptor]) {
    self.types = types.sorted { $0.name < $1.name }
  }
}
