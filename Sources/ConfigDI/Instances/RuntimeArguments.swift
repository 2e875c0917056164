// SPDX-License-Identifier: Apache-2.0

/// The run-time arguments of a look-up, in the order of the builder's parameters; at least one.
@usableFromInline struct RuntimeArguments: Sendable {
  /// A value and its static type, which may be a protocol or a superclass of the value's type.
  @usableFromInline struct Argument: Sendable {
    let value: any Sendable
    let type: Any.Type

    @usableFromInline init(_ value: any Sendable, as type: Any.Type) {
      self.value = value
      self.type = type
    }
  }

  private let all: ContiguousArray<Argument>

  /// Creates arguments from values; `nil` if there are none.
  @inlinable init?<each Value: Sendable>(_ values: repeat each Value) {
    var all: ContiguousArray<Argument> = []
    repeat all.append(Argument(each values, as: (each Value).self))
    self.init(all)
  }

  /// Creates arguments; `nil` if there are none.
  @usableFromInline init?(_ all: ContiguousArray<Argument>) {
    if all.isEmpty { return nil }
    self.all = all
  }

  var types: [Any.Type] { all.map(\.type) }

  /// Returns whether the arguments have exactly the given types.
  func are(_ types: [Any.Type]) -> Bool {
    types.count == all.count && types.indices.allSatisfy { types[$0] == all[$0].type }
  }

  /// Returns the value at an index.
  ///
  /// - Throws: `WiringFailure` if there is no value of the type.
  func value<Value>(_ type: Value.Type, at place: Int) throws(WiringFailure) -> Value {
    guard all.indices.contains(place), all[place].type == type else { throw .runtimeArgumentMissing }
    let value = all[place].value
    if Swift.type(of: value) == type { return unchecked(value, as: type) }
    switch value {
    case let value as Value: return value
    default: throw .runtimeArgumentMissing
    }
  }

  /// Whether the values have the same dynamic types as others. `AnyHashable` equates numbers of different types.
  fileprivate func haveTypes(of others: RuntimeArguments) -> Bool {
    all.elementsEqual(others.all) { Swift.type(of: $0.value) == Swift.type(of: $1.value) }
  }

  /// The types of the values that are not `Hashable`, which cannot be part of a key.
  var unhashableTypes: [Any.Type] { all.filter { !($0.value is AnyHashable) }.map(\.type) }

  /// The values as hashable parts of a key; `nil` if one of them is not `Hashable`.
  fileprivate var parts: [AnyHashable]? {
    let parts = all.compactMap { $0.value as? AnyHashable }
    return parts.count == all.count ? parts : nil
  }
}

extension Registration {
  func takes(_ arguments: RuntimeArguments?) -> Bool {
    guard let arguments else { return parameters.isEmpty }
    return arguments.are(parameters)
  }
}

/// A list of run-time arguments under which an instance of a service is kept.
///
/// A store compares keys by identity, so that no `==` of the application runs under its lock. Each distinct list of
/// values has one key object, which `InstanceStore.key(of:)` finds by comparing the values without the lock.
final class ArgumentKey: InstanceKey {
  let registration: Registration?
  private let arguments: RuntimeArguments
  let hash: Int

  /// Creates the key of a service and its arguments; `nil` if one of them is not `Hashable`.
  init?(_ arguments: RuntimeArguments, of registration: Registration) {
    guard let parts = arguments.parts else { return nil }
    self.registration = registration
    self.arguments = arguments
    hash = parts.hashValue
  }

  /// Returns whether the values are equal, and of the same types. Calls code of the application.
  func equals(_ other: ArgumentKey) -> Bool {
    registration === other.registration && hash == other.hash && arguments.haveTypes(of: other.arguments)
      && arguments.parts == other.arguments.parts
  }
}
