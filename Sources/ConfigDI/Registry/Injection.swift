// SPDX-License-Identifier: Apache-2.0

/// How an instance is made: the arguments, and the closure that takes them.
///
/// What a `Resolvable` type says of itself.
public final class Injection<Product>: Sendable {
  // A class, so that it is one pointer: each type that says how it is made returns one, and the code for that is the client's.

  /// The arguments, in the order in which the builder asks for them.
  let arguments: [any AnyArgument]
  /// The builder, which asks its call for the arguments.
  let builder: Builder<Product>
  /// The types by which instances are looked up; none stands for the product's own.
  let types: [ProvidedType<Product>]
  /// Gives back what an instance holds.
  let onDispose: (@Sendable (Product) -> Void)?

  init(
    _ arguments: [any AnyArgument], builder: Builder<Product>, types: [ProvidedType<Product>] = [],
    onDispose: (@Sendable (Product) -> Void)? = nil
  ) {
    self.arguments = arguments
    self.builder = builder
    self.types = types
    self.onDispose = onDispose
  }

  /// An instance that is made at once.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments. May be called from any thread, and from several at once.
  public convenience init<each Input>(
    _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @Sendable (repeat each Input) throws -> Product
  ) {
    self.init(
      [any AnyArgument](repeat each arguments),
      builder: .anywhere { call in
        var place = -1
        return try build(repeat try call.next((each Input).self, after: &place))
      })
  }

  /// An instance that is made at once, of nothing. To call the closure by way of an empty pack would take twice the time.
  public convenience init(build: @escaping @Sendable () throws -> Product) {
    self.init([], builder: .anywhere { _ in try build() })
  }

  /// An instance that is awaited.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments.
  public convenience init<each Input>(
    _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @Sendable (repeat each Input) async throws -> Product
  ) {
    self.init(
      [any AnyArgument](repeat each arguments),
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
  public convenience init<each Input>(
    on actor: MainActor, _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) throws -> Product
  ) where Product: Sendable {
    self.init(
      [any AnyArgument](repeat each arguments),
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
  public convenience init<each Input>(
    on actor: MainActor, _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) async throws -> Product
  ) where Product: Sendable {
    self.init(
      [any AnyArgument](repeat each arguments),
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

extension [any AnyArgument] {
  fileprivate init<each Input>(_ arguments: repeat __owned BuilderArgument<each Input>) {
    self = []
    for argument in repeat each arguments { append(argument) }
  }
}
