// SPDX-License-Identifier: Apache-2.0

/// One service of a container.
struct Slot: Sendable {
  /// The service's id.
  let id: String
  /// Where the service is defined.
  let origin: Origin
  /// Whether one instance is kept.
  let isShared: Bool
  /// Whether code may look the service up.
  let isPrivate: Bool
  /// The types that the builder's products provide, in the registration's order: one cell each.
  let provided: [Registration.Provided]
  /// For each of these types, whether code may look the service up by it.
  let answers: [Bool]
  /// The cell of the first of these types.
  let firstCell: Int
  /// The slots whose instances the arguments need, in the arguments' order.
  let dependencies: [Int]
  /// Whether a kept instance is needed, directly or through instances that are not kept.
  let needsShared: Bool
  /// Whether instances stand on so many that are not kept that making them by recursion could exhaust the stack.
  let isDeep: Bool
}

/// One type of a slot, by number.
struct SlotType: Hashable, Sendable {
  /// The slot.
  let slot: Int
  /// The place of the type among those that the slot provides.
  let index: Int
}

/// The builder of a slot, linked.
struct Workplace: Sendable {
  /// The builder.
  let builder: any LinkedBuilder
  /// What has to be made before the builder is called, in the order in which its arguments ask; usually nothing.
  let preparations: [SlotType]
  /// The makers that the slot's cells point to; none for a kept instance.
  let makers: [AnyInstance]
}
