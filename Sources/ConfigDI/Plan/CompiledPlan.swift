// SPDX-License-Identifier: Apache-2.0

/// The services that a container builds, as slots that refer to one another by number. Made only of a validated graph.
package struct CompiledPlan: Sendable {
  /// One service.
  package struct Slot: Sendable {
    /// The service's id.
    package var id: String
    /// The name of the registered type.
    package var typeName: String
    /// How long an instance lives.
    package var lifetime: Lifetime
    /// Whether the service is hidden from look-ups by code.
    package var isPrivate: Bool
    /// Whether the module says that the service is built when the container starts.
    package var isEager = false
    /// Whether the type declares a secret argument, or a value for the service contains a secret.
    package var takesSecrets = false
    /// The names of the types by which look-ups find the service; `nil` for all that the registered type provides.
    package var provides: [String]?
    /// The content of each argument of the registered type, in the order in which the type declares them.
    package var arguments: [Argument]
    /// The decorators of an instance, innermost first.
    package var decorators: [Decorator] = []
    /// The place where the service is defined.
    package var origin: Origin
  }

  /// A decorator of the instances of a slot. Users of the slot get the instance of the outermost decorator.
  package struct Decorator: Sendable {
    /// The name of the registered type.
    package var typeName: String
    /// Whether the type declares a secret argument, or a value for the decorator contains a secret.
    package var takesSecrets = false
    /// The content of each argument of the registered type, in the order in which the type declares them.
    package var arguments: [Argument]
  }

  /// The content of an argument.
  package enum Argument: Sendable {
    /// Nothing: the argument has its default or `nil`.
    case absent
    /// The instance that the decorator wraps.
    case decorated
    /// A run-time argument, which the look-up passes.
    case runtime
    /// A value of the argument's type.
    case value(Value)
    /// The instance of a slot: directly, as `Lazy` or as `Provider`, depending on the declared argument.
    case service(Int)
    /// The instances of several slots, in order.
    case services([Int])
    /// The instances of several slots, by key.
    case keyedServices([KeyedSlot])
  }

  /// A slot under a key.
  package struct KeyedSlot: Sendable {
    /// The key in a map argument or of a tag, the alias, or the provided name that is bound.
    package var key: String
    /// The slot.
    package var slot: Int
  }

  /// The services with a tag. Empty for a tag that is only declared, or used only by disabled services.
  package struct Tag: Sendable {
    /// The name of the tag.
    package var name: String
    /// The slots and their keys, in the order of the tag.
    package var members: [KeyedSlot]
  }

  /// The slots. A slot comes after all slots whose instances it needs to be built; it does not need those behind `Lazy`
  /// and `Provider`.
  package var slots: [Slot]
  /// The aliases: other names by which code can look up services.
  package var aliases: [KeyedSlot]
  /// The bindings: for provided names, the services that answer look-ups by type.
  package var bindings: [KeyedSlot]
  /// The slots that are built when the container starts, in the order of building.
  package var start: [Int]
  /// The named scopes, outermost first. The number in `Lifetime.scope` is an index in this array.
  package var scopes: [String] = []
  /// The tags, in no particular order.
  package var tags: [Tag] = []
}

/// The place where a service is defined, in a module file or in Swift.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// The file, as shown in messages.
  public var file: String
  /// The line, from 1; 0 for a file without lines.
  public var line: Int
  /// The column, from 1; 0 if it is not known.
  public var column: Int

  /// Creates an origin.
  public init(file: String, line: Int, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  public var description: String {
    line == 0 ? file : column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
  }
}
