// SPDX-License-Identifier: Apache-2.0

/// What a look-up brings along for a builder, in the order of the builder's run-time arguments.
@usableFromInline final class RuntimeArguments: Sendable {
  /// The values, each held as its static type.
  let values: [AnyInstance]
  /// The static types of the values.
  let types: [Any.Type]

  /// Some values.
  init<each Argument>(_ arguments: repeat each Argument) {
    var values: [AnyInstance] = []
    var types: [Any.Type] = []
    for argument in repeat each arguments { RuntimeArguments.append(argument, to: &values, &types) }
    self.values = values
    self.types = types
  }

  /// Appends a value as its static type.
  private static func append<Argument>(
    _ argument: Argument, to values: inout [AnyInstance], _ types: inout [Any.Type]
  ) {
    values.append(Instance<Argument>(argument))
    types.append(Argument.self)
  }

  /// The value at a place, or nil where there is none of the type.
  func value<Argument>(at place: Int, as type: Argument.Type) -> Argument? {
    values.indices.contains(place) ? (values[place] as? Instance<Argument>)?.value : nil
  }

  /// The values as a key, or nil where one of them is not `Hashable`.
  var key: ArgumentKey? {
    let parts = values.compactMap(\.hashable)
    return parts.count == values.count ? ArgumentKey(parts) : nil
  }
}

/// A tuple of values by which instances are kept.
struct ArgumentKey: Equatable, @unchecked Sendable {
  // Unchecked, as `AnyHashable` is not `Sendable`; the values are compared, and never changed.

  /// The values.
  private let parts: [AnyHashable]
  /// Their hash, which is worked out once, and without a lock: hashing may run code of the application.
  let hash: Int

  /// Some values.
  init(_ parts: [AnyHashable]) {
    self.parts = parts
    hash = parts.hashValue
  }
}
