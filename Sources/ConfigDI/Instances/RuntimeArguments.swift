// SPDX-License-Identifier: Apache-2.0

/// The run-time arguments of a look-up, in the order of the builder's parameters; at least one.
@usableFromInline struct RuntimeArguments: Sendable {
  /// The values, each as its static type.
  let values: ContiguousArray<AnyInstance>

  /// Some values; nil where there are none.
  init?<each Argument: Sendable>(_ arguments: repeat each Argument) {
    var values: ContiguousArray<AnyInstance> = []
    for argument in repeat each arguments { RuntimeArguments.append(argument, to: &values) }
    if values.isEmpty { return nil }
    self.values = values
  }

  /// Appends a value as its static type.
  private static func append<Argument: Sendable>(_ argument: Argument, to values: inout ContiguousArray<AnyInstance>) {
    values.append(Instance<Argument>(argument))
  }

  /// The static types of the values.
  var types: [Any.Type] { values.map(\.type) }

  /// The value at a place; nil where there is none of the type.
  func value<Argument>(_ type: Argument.Type, at place: Int) -> Argument? {
    guard values.indices.contains(place), values[place].type == type else { return nil }
    return values[place].value(as: type)
  }

  /// The values as a key of kept instances; nil where one of them is not `Hashable`.
  func key(of registration: Registration) -> ArgumentKey? {
    let parts = values.compactMap(\.hashable)
    return parts.count == values.count ? ArgumentKey(parts, of: registration) : nil
  }
}

extension Registration {
  /// Whether the builder takes just these run-time arguments.
  func takes(_ arguments: RuntimeArguments?) -> Bool {
    guard let arguments else { return parameters.isEmpty }
    return parameters.count == arguments.values.count
      && parameters.indices.allSatisfy { parameters[$0] == arguments.values[$0].type }
  }
}

/// A list of run-time arguments under which an instance of a service is kept.
///
/// A store compares keys by identity, so that no `==` of the application runs under its lock: the key of each distinct list of
/// values is one object, which `InstanceStore.key(of:)` finds by comparing outside of the lock.
final class ArgumentKey: @unchecked Sendable {
  // Unchecked: `AnyHashable` is not `Sendable`, but what it holds are run-time arguments, which are.

  /// The service.
  private let registration: Registration
  /// The values.
  private let parts: [AnyHashable]
  /// Their hash.
  let hash: Int

  /// Some values for a service.
  init(_ parts: [AnyHashable], of registration: Registration) {
    self.registration = registration
    self.parts = parts
    hash = parts.hashValue
  }

  /// Whether the values are equal. Calls code of the application.
  func equals(_ other: ArgumentKey) -> Bool {
    registration === other.registration && hash == other.hash && parts == other.parts
  }
}
