// SPDX-License-Identifier: Apache-2.0

/// One service of a container, or one of the layers of a decorated service: the service itself and each decorator but the
/// outermost are slots of their own, which are made anew for the one around them.
struct Slot: Sendable {
  /// The service's id.
  let id: String
  /// The registered type of the decorator; nil where the slot is the service itself.
  let decorator: String?
  /// Where the service is defined.
  let origin: Origin
  /// Who keeps an instance.
  let keeping: Keeping
  /// Whether code may look the service up.
  let isPrivate: Bool
  /// Whether the slot stands within a decorator, so that nothing but that reaches it.
  let isDecorated: Bool
  /// The types that the builder's products provide, in the registration's order: one cell each.
  let provided: [Registration.Provided]
  /// For each of these types, whether code may look the service up by it.
  let answers: [Bool]
  /// The cell of the first of these types.
  let firstCell: Int
  /// The types of the values that a look-up has to bring along, in order.
  let parameters: [Any.Type]
  /// The slots whose instances the arguments need, in the arguments' order.
  let dependencies: [Int]
  /// Whether a kept instance is needed, directly or through instances that are not kept.
  let needsKept: Bool
  /// Whether instances stand on so many that are not kept that making them by recursion could exhaust the stack.
  let isDeep: Bool
  /// The place that knows the instance which its users keep; nil for other slots, and with run-time arguments.
  let place: SoleInstance?
  /// Whether the instance, or one that it needs, is shared within a look-up.
  var opensGraph = false

  /// Whether an instance is found in the cells once it is built.
  var isInCells: Bool { keeping == .container && parameters.isEmpty }
}

/// Who keeps the instances of a slot.
enum Keeping: Equatable, Sendable {
  /// Nobody: each use makes a new one.
  case nobody
  /// The container.
  case container
  /// Whoever uses them, and while a look-up runs that look-up.
  case users
  /// The look-up that needs them.
  case lookUp
  /// The open scope at a level.
  case scope(Int)

  /// What a lifetime says.
  ///
  /// - Parameter hasArguments: whether a look-up brings values along. Such a service is never needed by another one within a
  ///   look-up, so that there is nobody to share it with.
  init(_ lifetime: Lifetime, hasArguments: Bool) {
    switch lifetime {
    case .shared: self = .container
    case .weak: self = .users
    case .transient: self = .nobody
    case .graph: self = hasArguments ? .nobody : .lookUp
    case .scope(let level): self = .scope(level)
    }
  }
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
  /// The makers that the slot's cells point to; none where they point to instances.
  let makers: [AnyInstance]
}
