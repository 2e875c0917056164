// SPDX-License-Identifier: Apache-2.0

/// A registered type of a plan, with what linking asks of it for each of its slots.
final class LinkedType {
  /// The registered type.
  let registration: Registration
  /// For each argument, whether its instance is not needed to build the slot's.
  let isPutOff: [Bool]
  /// The types of the run-time arguments, in order.
  private let parameters: [Any.Type]
  /// What slots have in common that decorate nothing and answer for all types.
  private let plainShape: SlotShape

  /// A registered type.
  init(_ registration: Registration) {
    self.registration = registration
    isPutOff = registration.descriptor.arguments.map(\.isPutOff)
    parameters = zip(registration.descriptor.arguments, registration.argumentTypes).compactMap { argument, type in
      if case .runtime = argument.kind { type } else { nil }
    }
    plainShape = SlotShape(provided: registration.provided, parameters: parameters, calling: registration.calling)
  }

  /// The shape of a slot of the type.
  ///
  /// - Parameters:
  ///   - promised: the names of the types by which code may look the service up; nil: all that `base` provides.
  ///   - base: the registered type of the service itself.
  ///   - isDecorator: whether the slot is a decorator.
  ///   - others: the types of the run-time arguments that what is decorated takes.
  func shape(
    providing promised: [String]?, of base: LinkedType, isDecorator: Bool, behind others: [Any.Type]
  ) -> SlotShape {
    if !isDecorator, promised == nil { return plainShape }
    let promised = promised ?? base.registration.provided.map(\.name)
    return SlotShape(
      decorator: isDecorator ? registration.descriptor.name : nil, provided: registration.provided,
      answers: registration.provided.map { promised.contains($0.name) }, parameters: others + parameters,
      calling: registration.calling)
  }
}

/// The registered types of a plan's slots and decorators.
struct LinkedTypes {
  /// The type of each service and behind it those of its decorators, from the inside out.
  private(set) var inOrder: [LinkedType] = []
  /// How many cells the slots have.
  private(set) var cellCount = 0
  /// The types by name.
  private var byName: [String: LinkedType] = [:]

  /// The types of a plan.
  ///
  /// - Throws: `WiringFailure` where one is not registered.
  init(of plan: CompiledPlan, in registry: Registry) throws(WiringFailure) {
    inOrder.reserveCapacity(plan.slots.count)
    for slot in plan.slots {
      try add(slot.typeName, of: registry)
      for decorator in slot.decorators { try add(decorator.typeName, of: registry) }
    }
  }

  /// Adds the type of a slot.
  private mutating func add(_ name: String, of registry: Registry) throws(WiringFailure) {
    let type: LinkedType
    if let known = byName[name] {
      type = known
    } else {
      guard let registration = registry.registration(named: name) else { throw .typeMissing(name) }
      type = LinkedType(registration)
      byName[name] = type
    }
    inOrder.append(type)
    cellCount += type.registration.provided.count
  }
}
