// SPDX-License-Identifier: Apache-2.0

/// How an instance is made: the arguments, and the closure that takes them.
///
/// What a `Resolvable` type says of itself.
public struct Injection<Product>: Sendable {
  /// Where the closure has to be called.
  let calling: Calling
  /// What is known of the arguments, in the order of the closure's parameters.
  let arguments: [AnyArgument]
  /// Gives the maker of products, whose arguments come from a source. Throws `WiringFailure`.
  let link: @Sendable (any ArgumentSource) throws -> Make<Product>

  /// An instance that is made at once.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments. May be called from any thread, and from several at once.
  @inlinable public init<each Input>(
    _ arguments: repeat BuilderArgument<each Input>, build: @escaping @Sendable (repeat each Input) throws -> Product
  ) {
    self.init(of: repeat each arguments) { suppliers in
      { resolution in
        var place = 0
        return try build(repeat try suppliers.supply((each Input).self, at: &place, resolution))
      }
    }
  }

  /// An instance that is made at once.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - make: gives the maker of products, whose arguments come from suppliers.
  @usableFromInline init<each Input>(
    of arguments: repeat BuilderArgument<each Input>, making make: @escaping @Sendable (Suppliers) -> Maker<Product>
  ) {
    calling = .anywhere
    self.arguments = [AnyArgument](repeat each arguments)
    link = { source in .anywhere(make(try Suppliers(of: repeat each arguments, from: source))) }
  }

  /// An instance that is made at once, of nothing. Calling it by way of an empty pack would take twice the time.
  public init(build: @escaping @Sendable () throws -> Product) {
    calling = .anywhere
    arguments = []
    link = { _ in .anywhere { _ in try build() } }
  }

  /// An instance that is awaited.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments.
  public init<each Input>(
    _ arguments: repeat BuilderArgument<each Input>,
    build: @escaping @Sendable (repeat each Input) async throws -> Product
  ) {
    calling = .awaited
    self.arguments = [AnyArgument](repeat each arguments)
    link = { source in
      let suppliers = try Suppliers(of: repeat each arguments, from: source)
      return .awaited { resolution in
        var place = 0
        // Handed on to the builder, and used by nobody else.
        nonisolated(unsafe) let inputs = (repeat try suppliers.supply((each Input).self, at: &place, resolution))
        return try await build(repeat each inputs)
      }
    }
  }

  /// An instance that is made on the main actor.
  ///
  /// - Parameters:
  ///   - actor: the main actor.
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments.
  public init<each Input>(
    on actor: MainActor, _ arguments: repeat BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) throws -> Product
  ) {
    calling = .onMainActor
    self.arguments = [AnyArgument](repeat each arguments)
    link = { source in
      let suppliers = try Suppliers(of: repeat each arguments, from: source)
      return .onMainActor { resolution in
        var place = 0
        return try build(repeat try suppliers.supply((each Input).self, at: &place, resolution))
      }
    }
  }

  /// An instance that is awaited on the main actor.
  ///
  /// - Parameters:
  ///   - actor: the main actor.
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments.
  public init<each Input>(
    on actor: MainActor, _ arguments: repeat BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) async throws -> Product
  ) where Product: Sendable {
    calling = .awaited
    self.arguments = [AnyArgument](repeat each arguments)
    link = { source in
      let suppliers = try Suppliers(of: repeat each arguments, from: source)
      return .awaited { resolution in
        var place = 0
        // Handed on to the builder, and used by nobody else.
        nonisolated(unsafe) let inputs = (repeat try suppliers.supply((each Input).self, at: &place, resolution))
        return try await build(repeat each inputs)
      }
    }
  }
}

/// The suppliers of a builder's arguments.
///
/// In a list and not in a tuple, whose type would be looked up at each call; in memory of their own, so that a call need not
/// retain what it passes by.
@usableFromInline final class Suppliers: @unchecked Sendable {
  // Unchecked for the pointer to what never changes.

  /// The suppliers, each a `HeldSupplier` of the argument's type.
  @usableFromInline let suppliers: UnsafeMutableBufferPointer<Unmanaged<AnyObject>>

  /// The suppliers of some arguments.
  ///
  /// - Throws: `WiringFailure` where an argument does not go with what it is given.
  init<each Input>(of arguments: repeat BuilderArgument<each Input>, from source: any ArgumentSource) throws {
    var suppliers: [AnyObject] = []
    for argument in repeat each arguments { suppliers.append(HeldSupplier(try source.supplier(of: argument))) }
    self.suppliers = .allocate(capacity: suppliers.count)
    _ = self.suppliers.initialize(fromContentsOf: suppliers.map { Unmanaged.passRetained($0) })
  }

  deinit {
    for supplier in suppliers { supplier.release() }
    suppliers.deallocate()
  }

  /// The next argument.
  ///
  /// - Parameter place: its place, which is moved on. The argument there must be of the given type.
  @inlinable func supply<Input>(
    _ type: Input.Type, at place: inout Int, _ resolution: borrowing Resolution
  ) throws -> Input {
    let supplier = suppliers[place]
    place += 1
    return try supplier._withUnsafeGuaranteedRef {
      try unsafeDowncast($0, to: HeldSupplier<Input>.self).supply(resolution)
    }
  }
}

/// A supplier as an object.
@usableFromInline final class HeldSupplier<Input>: Sendable {
  /// The supplier.
  @usableFromInline let supply: Supplier<Input>

  /// Holds a supplier.
  init(_ supply: @escaping Supplier<Input>) { self.supply = supply }
}

/// Where the arguments of an injection come from.
protocol ArgumentSource: AnyObject {
  /// A supplier of the next argument, in their order.
  ///
  /// - Throws: `WiringFailure` where the argument does not go with what it is given.
  func supplier<Input>(of argument: BuilderArgument<Input>) throws -> Supplier<Input>
}

/// The arguments that a plan gives a builder.
final class PlannedArguments: ArgumentSource {
  /// What the plan gives, as far as it is left.
  private var rest: ArraySlice<CompiledPlan.Argument>
  /// Gives access to services.
  private let linker: any ServiceLinker

  /// What a plan gives, which is as much as there are arguments.
  init(_ given: [CompiledPlan.Argument], _ linker: any ServiceLinker) {
    rest = given[...]
    self.linker = linker
  }

  func supplier<Input>(of argument: BuilderArgument<Input>) throws -> Supplier<Input> {
    try argument.link(rest.removeFirst(), linker)
  }
}

/// What is known of an argument without its type.
struct AnyArgument: Sendable {
  /// The argument as the catalog shows it.
  let descriptor: ArgumentDescriptor
  /// The Swift type that the descriptor names; nil for a datum.
  let namedType: Any.Type?
  /// Why a value of a file does not convert, or nil where it does.
  let mismatch: @Sendable (Value) -> ValueMismatch?
}

extension [AnyArgument] {
  /// What is known of some arguments.
  fileprivate init<each Input>(_ arguments: repeat BuilderArgument<each Input>) {
    self = []
    for argument in repeat each arguments {
      append(
        AnyArgument(
          descriptor: argument.descriptor, namedType: argument.namedType, mismatch: argument.mismatch))
    }
  }
}
