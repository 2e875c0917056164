// SPDX-License-Identifier: Apache-2.0

/// A cell of a container.
struct CellReference: Sendable {
  let home: ContainerState
  let number: Int

  init(_ home: ContainerState, _ number: Int) {
    self.home = home
    self.number = number
  }
}

/// Supplies an argument of a builder. It is asked at each call of the builder.
protocol AnySupplier: AnyObject, Sendable {
  /// The cells whose instances the argument consists of, with the registrations that they have at the call; empty if
  /// the argument does not consist of instances.
  var targets: [CellReference] { get }
  /// Whether the look-up of the argument may have to await.
  var mayAwait: Bool { get }
  /// Whether the argument comes with the call of the builder, so that it cannot be looked up before.
  var isCallArgument: Bool { get }

  /// Returns the argument for a call.
  ///
  /// - Parameter type: the type of the argument, which `Supplier` checks when the argument is declared.
  func value<Input>(as type: Input.Type, for service: Registration, _ call: BuilderCall) throws -> Input

  /// Returns the argument.
  ///
  /// - Parameter parts: an instance of each target.
  /// - Throws: the error of the argument's own look-up, if it has no targets.
  func value(of parts: [AnyInstance], for service: Registration, _ call: BuilderCall) throws -> AnyInstance

  /// Returns the argument. Awaits builders. `nil` if the argument has targets, or nothing has to be awaited.
  func awaitedValue(
    for service: Registration, _ call: BuilderCall, isolation: isolated (any Actor)?
  ) async throws -> AnyInstance?
}

extension AnySupplier {
  var targets: [CellReference] { [] }
  var mayAwait: Bool { false }
  var isCallArgument: Bool { false }
  func awaitedValue(
    for service: Registration, _ call: BuilderCall, isolation: isolated (any Actor)?
  ) async throws -> AnyInstance? { nil }
}

/// A supplier of an argument of type `Input`.
struct Supplier<Input>: Sendable {
  let untyped: any AnySupplier

  /// Creates a supplier of the service of a cell, whose type is `Input`.
  ///
  /// - Parameter registration: the service; `nil` to read it from the cell at each call, which takes a little longer.
  init(_ cell: CellReference, _ registration: Registration? = nil) {
    untyped = ServiceSupplier(cell, registration)
  }

  /// Creates a supplier of another supplier's value, as an optional.
  init<Wrapped>(optional wrapped: Supplier<Wrapped>) where Input == Wrapped? {
    untyped = OptionalSupplier<Wrapped>(wrapped.untyped)
  }

  init(constant: Input) where Input: Sendable { untyped = ConstantSupplier(Instance(constant)) }

  /// Creates a supplier of the result of a closure, or of a value that is assembled from the instances of some cells.
  init(
    isCallArgument: Bool = false, of targets: [CellReference] = [], _ make: @escaping BuilderFunction<Input>,
    assemble: ComputedSupplier<Input>.Assembling? = nil, awaiting: ComputedSupplier<Input>.Awaiting? = nil
  ) {
    untyped = ComputedSupplier(
      isCallArgument: isCallArgument, of: targets, make, assemble: assemble, awaiting: awaiting)
  }
}

/// A supplier of the service that a cell has at the call. Not generic: the runtime would need a class for each type of
/// argument.
private final class ServiceSupplier: AnySupplier {
  /// The cell, whose type is that of the argument.
  private let cell: CellReference
  /// The service, if each look-up builds it or a scope keeps it. The cell is read only if it was replaced. `nil` if the
  /// cell is read at each call.
  private let known: Registration?

  /// Creates a supplier.
  ///
  /// A service with several types, whose cells may be taken over one by one, is not remembered, and neither is a deep
  /// one: releasing a long chain of services that retain each other would overflow the stack.
  init(_ cell: CellReference, _ registration: Registration?) {
    self.cell = cell
    guard let registration, registration.depth <= ContainerState.recursionLimit, registration.factory.typeCount == 1
    else {
      known = nil
      return
    }
    switch registration.keeping {
    case .transient, .scope: known = registration
    case .shared, .weak, .graph, .missingScope: known = nil
    }
  }

  var targets: [CellReference] { [cell] }

  func value<Input>(as type: Input.Type, for service: Registration, _ call: BuilderCall) throws -> Input {
    // A resolution that is passed on as it is need not be retained.
    guard call.resolution.arguments == nil else { return try value(as: type, call.resolution.withoutArguments) }
    return try value(as: type, call.resolution)
  }

  /// Returns the service in a look-up without run-time arguments.
  @inline(__always) private func value<Input>(as type: Input.Type, _ resolution: Resolution) throws -> Input {
    if let known, !known.isReplaced {
      if case .transient = known.keeping { return try known.make(type, 0, resolution) }
      if let product = try cell.home.product(known, in: cell.number, resolution) {
        return product.ofType(0).value(as: type)
      }
    }
    return try cell.home.service(type, in: cell.number, resolution)
  }

  func value(of parts: [AnyInstance], for service: Registration, _ call: BuilderCall) throws -> AnyInstance { parts[0] }
}

/// A supplier of the same value for each call.
private final class ConstantSupplier: AnySupplier {
  private let constant: AnyInstance

  init(_ constant: AnyInstance) { self.constant = constant }

  func value<Input>(as type: Input.Type, for service: Registration, _ call: BuilderCall) -> Input {
    constant.value(as: type)
  }

  func value(of parts: [AnyInstance], for service: Registration, _ call: BuilderCall) -> AnyInstance { constant }
}

/// A supplier of another supplier's value, as an optional.
final class OptionalSupplier<Wrapped>: AnySupplier {
  /// The other supplier, whose type is `Wrapped`.
  let wrapped: any AnySupplier

  init(_ wrapped: any AnySupplier) { self.wrapped = wrapped }

  var targets: [CellReference] { wrapped.targets }

  func value(of parts: [AnyInstance], for service: Registration, _ call: BuilderCall) throws -> AnyInstance {
    Instance<Wrapped?>(try wrapped.value(of: parts, for: service, call).value(as: Wrapped.self))
  }
}

/// A supplier of the result of a closure.
final class ComputedSupplier<Value>: AnySupplier {
  /// Looks up the argument. Awaits builders.
  typealias Awaiting = @Sendable (Registration, BuilderCall, isolated (any Actor)?) async throws -> Value
  /// Assembles the argument from an instance of each target.
  typealias Assembling = @Sendable ([AnyInstance], Registration, BuilderCall) throws -> Value

  let make: BuilderFunction<Value>
  /// Computes the value and awaits builders; `nil` if nothing has to be awaited.
  private let awaiting: Awaiting?
  let targets: [CellReference]
  /// Assembles the argument from an instance of each target; `nil` if it has none.
  private let assemble: Assembling?
  let isCallArgument: Bool

  init(
    isCallArgument: Bool, of targets: [CellReference], _ make: @escaping BuilderFunction<Value>,
    assemble: Assembling?, awaiting: Awaiting?
  ) {
    self.make = make
    self.awaiting = awaiting
    self.targets = targets
    self.assemble = assemble
    self.isCallArgument = isCallArgument
  }

  var mayAwait: Bool { awaiting != nil }

  func value(of parts: [AnyInstance], for service: Registration, _ call: BuilderCall) throws -> AnyInstance {
    guard let assemble else { return Instance<Value>(try make(service, call)) }
    return Instance<Value>(try assemble(parts, service, call))
  }

  func awaitedValue(
    for service: Registration, _ call: BuilderCall, isolation: isolated (any Actor)?
  ) async throws -> AnyInstance? {
    guard let awaiting else { return nil }
    return Instance<Value>(try await awaiting(service, call, isolation))
  }
}
