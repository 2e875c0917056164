// SPDX-License-Identifier: Apache-2.0

/// How an instance is made: the arguments, and the closure that takes them.
///
/// What a `Resolvable` type says of itself.
public struct Injection<Product>: Sendable {
  /// What there is to know, behind one pointer: each type that says how it is made returns one, and the code for that is the
  /// client's.
  private let content: Content

  /// What there is to know of how an instance is made.
  private final class Content: Sendable {
    /// What is known of the arguments, in the order of the closure's parameters.
    let arguments: [AnyArgument]
    /// The builder, which asks its call for the arguments.
    let builder: Builder<Product>
    /// The types by which instances are looked up; none stands for the product's own.
    let types: [ProvidedType<Product>]
    /// Gives back what an instance holds.
    let onDispose: (@Sendable (Product) -> Void)?

    /// The content of an injection.
    init(
      _ arguments: [AnyArgument], _ builder: Builder<Product>, _ types: [ProvidedType<Product>],
      _ onDispose: (@Sendable (Product) -> Void)?
    ) {
      self.arguments = arguments
      self.builder = builder
      self.types = types
      self.onDispose = onDispose
    }
  }

  /// What is known of the arguments, in the order of the closure's parameters.
  var arguments: [AnyArgument] { content.arguments }
  /// The builder, which asks its call for the arguments.
  var builder: Builder<Product> { content.builder }
  /// The types by which instances are looked up; none stands for the product's own.
  var types: [ProvidedType<Product>] { content.types }
  /// Gives back what an instance holds.
  var onDispose: (@Sendable (Product) -> Void)? { content.onDispose }

  /// An instance that a builder makes.
  ///
  /// - Parameters:
  ///   - arguments: what is known of the arguments, in the order in which the builder asks for them.
  ///   - types: the types by which instances are looked up; none stands for the product's own.
  init(
    _ arguments: [AnyArgument], builder: Builder<Product>, types: [ProvidedType<Product>] = [],
    onDispose: (@Sendable (Product) -> Void)? = nil
  ) {
    content = Content(arguments, builder, types, onDispose)
  }

  /// An instance that is made at once.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments. May be called from any thread, and from several at once.
  public init<each Input>(
    _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @Sendable (repeat each Input) throws -> Product
  ) {
    self.init(
      [AnyArgument](repeat each arguments),
      builder: .anywhere { call in
        var place = -1
        return try build(repeat try call.next((each Input).self, after: &place))
      })
  }

  /// An instance that is made at once, of nothing. To call the closure by way of an empty pack would take twice the time.
  public init(build: @escaping @Sendable () throws -> Product) {
    self.init([], builder: .anywhere { _ in try build() })
  }

  /// An instance that is awaited.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments.
  public init<each Input>(
    _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @Sendable (repeat each Input) async throws -> Product
  ) {
    self.init(
      [AnyArgument](repeat each arguments),
      builder: .awaited { call in
        var place = -1
        // Handed on to the builder, and used by nothing else.
        nonisolated(unsafe) let inputs = (repeat try call.next((each Input).self, after: &place))
        return try await build(repeat each inputs)
      })
  }

  /// An instance that is made on the main actor.
  ///
  /// - Parameters:
  ///   - actor: the main actor.
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments.
  public init<each Input>(
    on actor: MainActor, _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) throws -> Product
  ) {
    self.init(
      [AnyArgument](repeat each arguments),
      builder: .onMainActor { call in
        var place = -1
        return try build(repeat try call.next((each Input).self, after: &place))
      })
  }

  /// An instance that is awaited on the main actor.
  ///
  /// - Parameters:
  ///   - actor: the main actor.
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments.
  public init<each Input>(
    on actor: MainActor, _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) async throws -> Product
  ) where Product: Sendable {
    self.init(
      [AnyArgument](repeat each arguments),
      builder: .awaited { call in try await awaitOnMainActor(build, call) })
  }
}

extension Injection {
  /// The same, with the types by which instances are looked up where a registration names none.
  ///
  /// - Parameter types: the types; the product's own is one of them only where it stands there.
  public func providing(_ types: ProvidedType<Product>...) -> Injection {
    Injection(arguments, builder: builder, types: types, onDispose: onDispose)
  }

  /// The same, with what gives back what an instance holds, where a registration says nothing else.
  ///
  /// - Parameter action: called with an instance when the container or scope that keeps it is done with it.
  public func disposing(_ action: @escaping @Sendable (Product) -> Void) -> Injection {
    Injection(arguments, builder: builder, types: types, onDispose: action)
  }
}

/// Calls a builder of the main actor with its declared arguments.
@MainActor private func awaitOnMainActor<Product: Sendable, each Input>(
  _ build: @MainActor @Sendable (repeat each Input) async throws -> Product, _ call: BuilderCall
) async throws -> Product {
  var place = -1
  let inputs = (repeat try call.next((each Input).self, after: &place))
  return try await build(repeat each inputs)
}

extension BuilderCall {
  /// The next declared argument.
  ///
  /// - Parameter place: the place of the one before, which is moved on.
  /// - Throws: what the look-up for the argument throws.
  @inline(__always) func next<Input>(_ type: Input.Type, after place: inout Int) throws -> Input {
    place &+= 1
    return try input(type, at: place)
  }
}

/// Supplies arguments of builders that code registers.
protocol ArgumentLookUp {
  /// The supplier of an argument.
  ///
  /// - Parameter place: the place of a run-time argument among those.
  func supplier<Input>(of argument: BuilderArgument<Input>, runtimePlace place: Int) -> Supplier<Input>
}

/// What is known of an argument without its type.
struct AnyArgument: Sendable {
  /// The argument as the catalog shows it.
  let descriptor: ArgumentDescriptor
  /// The Swift type that the descriptor names; nil for a datum.
  let namedType: Any.Type?
  /// Why a value of a file does not convert, or nil where it does.
  let mismatch: @Sendable (Value) -> ValueMismatch?
  /// The argument's `Supplier`, by what a plan gives. Throws `WiringFailure`.
  let link: @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> AnySupplier
  /// The argument's `Supplier` where code registers the builder, by the place of a run-time argument among those.
  let lookUp: @Sendable (any ArgumentLookUp, Int) -> AnySupplier

  /// What is known of an argument.
  init<Input>(_ argument: BuilderArgument<Input>) {
    descriptor = argument.descriptor
    namedType = argument.namedType
    mismatch = argument.mismatch
    link = { try argument.link($0, $1) }
    lookUp = { $0.supplier(of: argument, runtimePlace: $1) }
  }

  /// Whether the look-up brings the argument along.
  var isRuntime: Bool { if case .runtime = descriptor.kind { true } else { false } }
}

extension [AnyArgument] {
  /// What is known of some arguments.
  fileprivate init<each Input>(_ arguments: repeat __owned BuilderArgument<each Input>) {
    self = []
    for argument in repeat each arguments { append(AnyArgument(argument)) }
  }
}
