// SPDX-License-Identifier: Apache-2.0

/// The run-time arguments of a look-up, in the order of the builder's parameters; at least one.
@usableFromInline struct RuntimeArguments: Sendable {
  /// The values, each as its static type.
  let values: ContiguousArray<AnyInstance>

  /// Some values; nil where there are none.
  @inlinable init?<each Argument: Sendable>(_ arguments: repeat each Argument) {
    var values: ContiguousArray<AnyInstance> = []
    for argument in repeat each arguments { values.append(Instance(argument)) }
    self.init(values)
  }

  /// Some values; nil where there are none.
  @usableFromInline init?(_ values: ContiguousArray<AnyInstance>) {
    if values.isEmpty { return nil }
    self.values = values
  }

  /// The static types of the values.
  var types: [Any.Type] { values.map(\.type) }

  /// Whether there is a value of a type at a place.
  func has(_ type: Any.Type, at place: Int) -> Bool { values.indices.contains(place) && values[place].type == type }

  /// The values as parts of a key; nil where one of them is not `Hashable`.
  fileprivate var parts: [AnyHashable]? {
    let parts = values.compactMap(\.hashable)
    return parts.count == values.count ? parts : nil
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
final class ArgumentKey: InstanceKey {
  /// The service.
  let registration: Registration?
  /// The values.
  private let arguments: RuntimeArguments
  /// Their hash.
  let hash: Int

  /// Some values for a service; nil where one of them is not `Hashable`.
  init?(_ arguments: RuntimeArguments, of registration: Registration) {
    guard let parts = arguments.parts else { return nil }
    self.registration = registration
    self.arguments = arguments
    hash = parts.hashValue
  }

  /// Whether the values are equal. Calls code of the application.
  func equals(_ other: ArgumentKey) -> Bool {
    registration === other.registration && hash == other.hash && arguments.parts == other.arguments.parts
  }
}
