// SPDX-License-Identifier: Apache-2.0

/// What the declared arguments of a builder receive, in the order of its parameters.
struct Inputs: @unchecked Sendable {
  // Unchecked: suppliers have no variables, and hold only what is `Sendable`, or nil; as they are a class with subclasses, the
  // compiler does not see it.

  /// For each argument a `Supplier` of its type.
  let suppliers: [AnySupplier]

  /// The suppliers of a builder.
  init(_ suppliers: [AnySupplier]) { self.suppliers = suppliers }
}

/// A cell of a container.
struct CellPlace: Sendable {
  let home: ContainerState
  let number: Int

  /// A cell of a container.
  init(_ home: ContainerState, _ number: Int) {
    self.home = home
    self.number = number
  }
}

/// A supplier of any type.
class AnySupplier {
  /// The cells of the services whose instances the argument receives or is put together of, whichever these are by then; none
  /// where it is not made of such instances.
  var targets: [CellPlace] { [] }
  /// Whether the argument is looked up in a way that may have to await.
  var mayAwait: Bool { false }
  /// Whether the call of the builder brings the argument, so that it is not there before.
  var comesWithCall: Bool { false }

  /// The argument.
  ///
  /// - Parameter parts: an instance of each target.
  /// - Throws: what the argument's own look-up throws, where it has no targets.
  func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance {
    throw WiringFailure.nothingSupplied
  }

  /// The argument, with builders awaited; nil where it has targets, or there is nothing to await.
  ///
  /// - Throws: what the argument's own look-up throws.
  func awaitedValue(for call: BuilderCall, isolation: isolated (any Actor)?) async throws -> AnyInstance? { nil }
}

/// Gives an argument of a builder its value, each time the builder is called.
class Supplier<Input>: AnySupplier {
  /// The value for a call. Each subclass has its own.
  ///
  /// - Throws: what the look-up for the argument throws.
  func value(for call: BuilderCall) throws -> Input { throw WiringFailure.nothingSupplied }

  override func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance {
    Instance<Input>(try value(for: call))
  }
}

/// A supplier of the same value at each call.
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
  /// The service, where it is made anew for each argument or an open scope keeps it: the cell is not read then as long as no other
  /// one has replaced it. Left to the cell are services that are looked up by other types than their own, which may be taken over
  /// one by one, and deep ones: to release a long chain of services that hold each other would overflow the stack.
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

/// A supplier of what another one gives, as an optional.
final class OptionalSupplier<Wrapped>: Supplier<Wrapped?> {
  private let wrapped: Supplier<Wrapped>

  init(_ wrapped: Supplier<Wrapped>) { self.wrapped = wrapped }

  override var targets: [CellPlace] { wrapped.targets }

  override func value(for call: BuilderCall) throws -> Wrapped? { try wrapped.value(for: call) }

  override func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance {
    Instance<Wrapped?>(try wrapped.value(of: parts, for: call).value(as: Wrapped.self))
  }
}

/// A supplier of what several suppliers give, put together.
final class CombiningSupplier<Element, Input>: Supplier<Input> {
  /// The suppliers of the elements.
  private let elements: [Supplier<Element>]
  /// Puts the elements together.
  private let combine: @Sendable ([Element]) -> Input

  /// A supplier of what several suppliers give, which a closure puts together.
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

/// A supplier of what a closure gives.
final class ComputedSupplier<Input>: Supplier<Input> {
  /// Looks the argument up with builders awaited.
  typealias Awaiting = @Sendable (BuilderCall, isolated (any Actor)?) async throws -> Input

  /// Gives the value.
  private let compute: Maker<Input>
  /// Gives the same with builders awaited; nil where there is nothing to await.
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
