// SPDX-License-Identifier: Apache-2.0

/// What a container builds: a slot a service, everything by number. Made only of a graph without errors.
package struct CompiledPlan: Sendable {
  /// One service.
  package struct Slot: Sendable {
    /// The service's id.
    package var id: String
    /// The name of the registered type.
    package var typeName: String
    /// How long an instance lives.
    package var lifetime: Lifetime
    /// Whether code may look the service up.
    package var isPrivate: Bool
    /// The names of the types by which the service can be looked up; nil: all that the registered type provides.
    package var provides: [String]?
    /// What each argument of the registered type receives, in the order of its descriptor.
    package var arguments: [Argument]
    /// What wraps an instance, innermost first.
    package var decorators: [Decorator] = []
    /// Where the service is defined.
    package var origin: Origin
  }

  /// What wraps the instances of a slot. Who asks for the slot gets the outermost.
  package struct Decorator: Sendable {
    /// The name of the registered type.
    package var typeName: String
    /// What each argument of the registered type receives, in the order of its descriptor.
    package var arguments: [Argument]
  }

  /// What one argument receives.
  package enum Argument: Sendable {
    /// Nothing: its default, or nil.
    case absent
    /// The instance that the decorator wraps.
    case decorated
    /// What the look-up brings along.
    case runtime
    /// A datum, which fits the argument's type.
    case value(Value)
    /// The instance of a slot: directly, lazily or through a provider, as the argument is declared.
    case service(Int)
    /// The instances of some slots, in order.
    case services([Int])
    /// The instances of some slots, by key.
    case keyedServices([KeyedSlot])
  }

  /// A slot under the key of a map argument.
  package struct KeyedSlot: Sendable {
    /// The key.
    package var key: String
    /// The slot.
    package var slot: Int
  }

  /// A name of a file by which code can look a service up.
  package struct Alias: Sendable {
    /// The alias.
    package var id: String
    /// The slot of the service that it stands for.
    package var slot: Int
  }

  /// Who answers a look-up by type.
  package struct Binding: Sendable {
    /// The provided name.
    package var provided: String
    /// The slot of the service that answers.
    package var slot: Int
  }

  /// The services that bear a tag; none where it is declared alone, or borne by services that are disabled.
  package struct Tag: Sendable {
    /// The tag.
    package var name: String
    /// The slots by the keys of a map, in the tag's order.
    package var members: [KeyedSlot]
  }

  /// The slots. A slot stands behind all whose instances its own arguments hold, those of `Lazy` and `Provider` excepted.
  package var slots: [Slot]
  /// The aliases.
  package var aliases: [Alias]
  /// The bindings.
  package var bindings: [Binding]
  /// The slots that are built when the container starts, in the order of building.
  package var start: [Int]
  /// The named scopes, outermost first. `Lifetime.scope` counts them.
  package var scopes: [String] = []
  /// The tags, in no order.
  package var tags: [Tag] = []
}

/// Where a service was defined: in a module file or in Swift.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// The file, as messages name it.
  public var file: String
  /// The line, from 1, or 0 for a file without lines.
  public var line: Int
  /// The column, from 1, or 0 where it is not known.
  public var column: Int

  /// A place in a file.
  public init(file: String, line: Int, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  public var description: String {
    line == 0 ? file : column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
  }
}
