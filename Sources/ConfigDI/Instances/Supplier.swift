// SPDX-License-Identifier: Apache-2.0

/// The suppliers of the declared arguments of a builder, in the order of its parameters.
struct Inputs: @unchecked Sendable {
  // Unchecked: suppliers have no mutable state and hold only `Sendable` values, or `nil`. The compiler cannot check
  // this, since they are a class with subclasses.

  /// A `Supplier` of its type for each argument.
  let suppliers: [AnySupplier]

  /// Creates the suppliers of a builder.
  init(_ suppliers: [AnySupplier]) { self.suppliers = suppliers }
}

/// A cell of a container.
struct CellPlace: Sendable {
  let home: ContainerState
  let number: Int

  /// Creates a reference to a cell.
  init(_ home: ContainerState, _ number: Int) {
    self.home = home
    self.number = number
  }
}

/// A supplier of any type.
class AnySupplier {
  /// The cells whose instances the argument consists of, with the registrations that they have at the call; empty if
  /// the argument does not consist of instances.
  var targets: [CellPlace] { [] }
  /// Whether the look-up of the argument may have to await.
  var mayAwait: Bool { false }
  /// Whether the argument comes with the call of the builder, so that it cannot be looked up before.
  var comesWithCall: Bool { false }

  /// Returns the argument.
  ///
  /// - Parameter parts: an instance of each target.
  /// - Throws: the error of the argument's own look-up, if it has no targets.
  func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance {
    throw WiringFailure.nothingSupplied
  }

  /// Returns the argument. Awaits builders. `nil` if the argument has targets, or nothing has to be awaited.
  ///
  /// - Throws: the error of the argument's own look-up.
  func awaitedValue(for call: BuilderCall, isolation: isolated (any Actor)?) async throws -> AnyInstance? { nil }
}

/// A supplier of an argument of type `Input`. It is asked at each call of the builder.
class Supplier<Input>: AnySupplier {
  /// Returns the value for a call. Each subclass overrides it.
  ///
  /// - Throws: the error of the look-up for the argument.
  func value(for call: BuilderCall) throws -> Input { throw WiringFailure.nothingSupplied }

  override func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance {
    Instance<Input>(try value(for: call))
  }
}

/// A supplier of the same value for each call.
final class ConstantSupplier<Input>: Supplier<Input> {
  private let constant: Input

  init(_ constant: Input) { self.constant = constant }

  override func value(for call: BuilderCall) throws -> Input { constant }
}

/// A supplier of the service of a cell, whose type is `Input`.
final class CellSupplier<Input>: Supplier<Input> {
  /// The container of the cell.
  private let home: ContainerState
  private let cell: Int
  /// The service, if each look-up builds it directly or a scope keeps it. The cell is read only after it was replaced.
  /// `nil` for a service with several types, whose cells may be taken over one by one, and for a deep one: releasing a
  /// long chain of services that retain each other would overflow the stack.
  private let known: Registration?

  init(_ cell: CellPlace, _ registration: Registration) {
    home = cell.home
    self.cell = cell.number
    let isRead: Bool =
      switch registration.keeping {
      case .transient: !registration.isMadeAtOnce
      case .scope: false
      case .shared, .weak, .graph, .missingScope: true
      }
    let isShallow = registration.depth <= ContainerState.greatestRecursion
    known = !isRead && isShallow && registration.product.isOwnType ? registration : nil
  }

  override var targets: [CellPlace] { [CellPlace(home, cell)] }

  override func value(for call: BuilderCall) throws -> Input {
    let resolution = call.resolution.withoutArguments
    if let known, !known.isReplaced {
      if case .transient = known.keeping { return try known.make(typed(known.product, Input.self), resolution) }
      if let product = try home.product(known, in: cell, resolution) { return product.value(as: Input.self) }
    }
    return try home.service(Input.self, in: cell, resolution)
  }

  override func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance { parts[0] }
}

/// A supplier of another supplier's value, as an optional.
final class OptionalSupplier<Wrapped>: Supplier<Wrapped?> {
  private let wrapped: Supplier<Wrapped>

  init(_ wrapped: Supplier<Wrapped>) { self.wrapped = wrapped }

  override var targets: [CellPlace] { wrapped.targets }

  override func value(for call: BuilderCall) throws -> Wrapped? { try wrapped.value(for: call) }

  override func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance {
    Instance<Wrapped?>(try wrapped.value(of: parts, for: call).value(as: Wrapped.self))
  }
}

/// A supplier that combines the values of several suppliers.
final class CombiningSupplier<Element, Input>: Supplier<Input> {
  /// The suppliers of the elements.
  private let elements: [Supplier<Element>]
  /// Combines the elements.
  private let combine: @Sendable ([Element]) -> Input

  /// Creates a supplier that combines the values of other suppliers with a closure.
  init(_ elements: [Supplier<Element>], _ combine: @escaping @Sendable ([Element]) -> Input) {
    self.elements = elements
    self.combine = combine
  }

  override var targets: [CellPlace] { elements.flatMap(\.targets) }

  override func value(for call: BuilderCall) throws -> Input {
    combine(try elements.map { try $0.value(for: call) })
  }

  override func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance {
    var rest = parts[...]
    let values = try elements.map { element in
      let own = rest.prefix(element.targets.count)
      rest = rest.dropFirst(own.count)
      return try element.value(of: Array(own), for: call).value(as: Element.self)
    }
    return Instance<Input>(combine(values))
  }
}

/// A supplier of the result of a closure.
final class ComputedSupplier<Input>: Supplier<Input> {
  /// Looks up the argument. Awaits builders.
  typealias Awaiting = @Sendable (BuilderCall, isolated (any Actor)?) async throws -> Input

  /// Computes the value.
  private let compute: Maker<Input>
  /// Computes the value and awaits builders; `nil` if nothing has to be awaited.
  private let awaiting: Awaiting?

  override var comesWithCall: Bool { isOfCall }

  private let isOfCall: Bool

  init(comesWithCall: Bool = false, _ compute: @escaping Maker<Input>, awaiting: Awaiting? = nil) {
    isOfCall = comesWithCall
    self.compute = compute
    self.awaiting = awaiting
  }

  override var mayAwait: Bool { awaiting != nil }

  override func value(for call: BuilderCall) throws -> Input { try compute(call) }

  override func awaitedValue(for call: BuilderCall, isolation: isolated (any Actor)?) async throws -> AnyInstance? {
    guard let awaiting else { return nil }
    return Instance<Input>(try await awaiting(call, isolation))
  }
}
