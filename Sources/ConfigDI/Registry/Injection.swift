// SPDX-License-Identifier: Apache-2.0

/// The arguments of an instance, and the builder that takes them.
///
/// A `Resolvable` type declares one.
public final class Injection<Product>: Sendable {
  // A class, so that it is one pointer: each `Resolvable` type returns one, and the code for that is in the client.

  /// The arguments, in the order in which the builder requests them.
  let arguments: [any AnyArgument]
  /// The builder, which requests the arguments from its call.
  let builder: Builder<Product>
  /// The types by which instances are looked up; empty for the product's own type.
  let types: [ProvidedType<Product>]
  /// Releases the resources of an instance.
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

  /// Creates an injection with a synchronous builder.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance from its arguments. May be called from any thread, and from several at once.
  public convenience init<each Input>(
    _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @Sendable (repeat each Input) throws -> Product
  ) {
    self.init([any AnyArgument](repeat each arguments), builder: .calling(build))
  }

  /// Creates an injection with a synchronous builder that has no arguments. A call with an empty pack takes twice the
  /// time.
  public convenience init(build: @escaping @Sendable () throws -> Product) {
    self.init([], builder: .anywhere { _, _ in try build() })
  }

  /// Creates an injection with an async builder.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance from its arguments.
  public convenience init<each Input>(
    _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @Sendable (repeat each Input) async throws -> Product
  ) {
    self.init([any AnyArgument](repeat each arguments), builder: .awaiting(build))
  }

  /// Creates an injection with a builder that is called on the main actor.
  ///
  /// - Parameters:
  ///   - actor: the main actor.
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance from its arguments.
  public convenience init<each Input>(
    on actor: MainActor, _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) throws -> Product
  ) where Product: Sendable {
    self.init([any AnyArgument](repeat each arguments), builder: .callingOnMainActor(build))
  }

  /// Creates an injection with an async builder that is called on the main actor.
  ///
  /// - Parameters:
  ///   - actor: the main actor.
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance from its arguments.
  public convenience init<each Input>(
    on actor: MainActor, _ arguments: repeat __owned BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) async throws -> Product
  ) where Product: Sendable {
    self.init(
      [any AnyArgument](repeat each arguments),
      builder: .awaited { service, call in try await awaitOnMainActor(build, service, call) })
  }
}

extension Injection {
  /// Returns the same injection with the types by which instances are looked up if a registration gives none.
  ///
  /// - Parameter types: the types; the product's own is not included by itself.
  public func providing(_ types: ProvidedType<Product>...) -> Injection {
    Injection(arguments, builder: builder, types: types, onDispose: onDispose)
  }

  /// Returns the same injection with a dispose action, for registrations that give none.
  ///
  /// - Parameter action: called with an instance when the container or scope that caches it disposes of it.
  public func disposing(_ action: @escaping @Sendable (Product) -> Void) -> Injection {
    Injection(arguments, builder: builder, types: types, onDispose: action)
  }
}

// Builders that call a closure with the declared arguments.
extension Builder {
  static func calling<each Input>(_ build: @escaping @Sendable (repeat each Input) throws -> Product) -> Builder {
    .anywhere { service, call in
      var place = -1
      return try build(repeat try call.next((each Input).self, after: &place, of: service))
    }
  }

  static func callingOnMainActor<each Input>(
    _ build: @escaping @MainActor @Sendable (repeat each Input) throws -> Product
  ) -> Builder {
    .onMainActor { service, call in
      var place = -1
      return try build(repeat try call.next((each Input).self, after: &place, of: service))
    }
  }

  static func awaiting<each Input>(
    _ build: @escaping @Sendable (repeat each Input) async throws -> Product
  ) -> Builder {
    .awaited { service, call in
      var place = -1
      // Passed on to the builder, and used by nothing else.
      nonisolated(unsafe) let inputs = (repeat try call.next((each Input).self, after: &place, of: service))
      return try await build(repeat each inputs)
    }
  }
}

@MainActor private func awaitOnMainActor<Product: Sendable, each Input>(
  _ build: @MainActor @Sendable (repeat each Input) async throws -> Product, _ service: Registration,
  _ call: BuilderCall
) async throws -> Product {
  var place = -1
  let inputs = (repeat try call.next((each Input).self, after: &place, of: service))
  return try await build(repeat each inputs)
}

extension BuilderCall {
  /// Returns the next declared argument of a service.
  ///
  /// - Parameters:
  ///   - type: the type with which the argument was declared.
  ///   - place: the index of the previous argument, from 0; -1 before the first. Incremented.
  fileprivate func next<Input>(_ type: Input.Type, after place: inout Int, of service: Registration) throws -> Input {
    place &+= 1
    if let inputs, inputs[place] !== AnyInstance.callPlaceholder { return inputs[place].value(as: type) }
    guard let suppliers = service.suppliers else { throw WiringFailure.nothingSupplied }
    return try suppliers[place].value(as: type, for: service, self)
  }
}

extension [any AnyArgument] {
  fileprivate init<each Input>(_ arguments: repeat __owned BuilderArgument<each Input>) {
    self = []
    for argument in repeat each arguments { append(argument) }
  }
}
