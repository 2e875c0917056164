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
    let known = [AnyArgument](repeat each arguments)
    self.arguments = known
    link = { source in .anywhere(make(try Suppliers(of: known, from: source))) }
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
    let known = [AnyArgument](repeat each arguments)
    self.arguments = known
    link = { source in
      let suppliers = try Suppliers(of: known, from: source)
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
    let known = [AnyArgument](repeat each arguments)
    self.arguments = known
    link = { source in
      let suppliers = try Suppliers(of: known, from: source)
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
    let known = [AnyArgument](repeat each arguments)
    self.arguments = known
    link = { source in
      let suppliers = try Suppliers(of: known, from: source)
      return .awaited { resolution in
        var place = 0
        // Handed on to the builder, and used by nobody else.
        nonisolated(unsafe) let inputs = (repeat try suppliers.supply((each Input).self, at: &place, resolution))
        return try await build(repeat each inputs)
      }
    }
  }
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
  /// The argument's `Supplier`, from where arguments come from. Throws `WiringFailure`.
  ///
  /// A closure that knows the type, as to look at each of a pack anew for every service takes ten times as long.
  let supplier: @Sendable (any ArgumentSource) throws -> AnyObject
}

extension [AnyArgument] {
  /// What is known of some arguments.
  fileprivate init<each Input>(_ arguments: repeat BuilderArgument<each Input>) {
    self = []
    for argument in repeat each arguments {
      append(
        AnyArgument(
          descriptor: argument.descriptor, namedType: argument.namedType, mismatch: argument.mismatch,
          supplier: { try $0.supplier(of: argument) }))
    }
  }
}
