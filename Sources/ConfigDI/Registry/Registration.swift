// SPDX-License-Identifier: Apache-2.0

/// A registered type: what the catalog says of it, and how its builder is linked.
struct Registration: Sendable {
  /// One of the types that a product provides.
  struct Provided: Sendable {
    /// The type.
    let type: Any.Type
    /// The name of the type in module files.
    var name: String

    /// The identity of the type.
    var id: ObjectIdentifier { ObjectIdentifier(type) }
  }

  /// What the catalog says of the type.
  private(set) var descriptor: TypeDescriptor
  /// Where `add` was called.
  let origin: Origin
  /// The types that a product provides, in the order of the registration.
  private(set) var provided: [Provided]
  /// For each argument the Swift type that its descriptor names; nil for a datum.
  let argumentTypes: [Any.Type?]
  /// Where the builder has to be called.
  let calling: Calling
  /// Links the builder's arguments to what a plan gives them. Throws `WiringFailure`.
  let link: @Sendable ([CompiledPlan.Argument], any ServiceLinker) throws -> any LinkedBuilder
  /// Why a value of a file does not convert for the argument at a place, or nil where it does.
  let mismatch: @Sendable (_ argument: Int, Value) -> ValueMismatch?
}

/// What is said of a registered type besides its arguments.
struct RegistrationHead<Product>: Sendable {
  /// The name in module files.
  let name: String
  /// The types that a product provides; none stands for the product's own.
  let types: [ProvidedType<Product>]
  /// Whether threads may share an instance.
  let isSendable: Bool
  /// What to use instead, where the type is deprecated.
  let deprecated: String?
  /// Where the type is registered.
  let origin: Origin
  /// Gives back what a product holds; nil where it holds nothing of the kind.
  let onDispose: (@Sendable (Product) -> Void)?
}

extension Registration {
  /// A registered type whose builder has arguments.
  init<Product, each Input>(
    _ head: RegistrationHead<Product>, arguments: (repeat BuilderArgument<each Input>),
    build: @escaping @Sendable (repeat each Input) throws -> Product
  ) {
    let faces = [AnyArgument](repeat each arguments)
    self.init(head, calling: .anywhere, faces) { given, linker in
      var rest = given[...]
      /// Links the next argument.
      func supplier<Next>(_ argument: BuilderArgument<Next>) throws -> Supplier<Next> {
        try argument.link(rest.removeFirst(), linker)
      }
      let suppliers = (repeat try supplier(each arguments))
      return .anywhere { resolution in try build(repeat try (each suppliers)(resolution)) }
    }
  }

  /// A registered type whose builder has arguments and is called on the main actor.
  init<Product, each Input>(
    _ head: RegistrationHead<Product>, arguments: (repeat BuilderArgument<each Input>),
    buildOnMainActor build: @escaping @MainActor @Sendable (repeat each Input) throws -> Product
  ) {
    let faces = [AnyArgument](repeat each arguments)
    self.init(head, calling: .onMainActor, faces) { given, linker in
      var rest = given[...]
      /// Links the next argument.
      func supplier<Next>(_ argument: BuilderArgument<Next>) throws -> Supplier<Next> {
        try argument.link(rest.removeFirst(), linker)
      }
      let suppliers = (repeat try supplier(each arguments))
      return .onMainActor { resolution in try build(repeat try (each suppliers)(resolution)) }
    }
  }

  /// A registered type whose builder has arguments and is awaited.
  init<Product, each Input>(
    _ head: RegistrationHead<Product>, arguments: (repeat BuilderArgument<each Input>),
    awaiting build: @escaping @Sendable (repeat each Input) async throws -> Product
  ) {
    let faces = [AnyArgument](repeat each arguments)
    self.init(head, calling: .awaited, faces) { given, linker in
      var rest = given[...]
      /// Links the next argument.
      func supplier<Next>(_ argument: BuilderArgument<Next>) throws -> Supplier<Next> {
        try argument.link(rest.removeFirst(), linker)
      }
      let suppliers = (repeat try supplier(each arguments))
      return .awaited { resolution in
        // Handed on to the builder, and used by nobody else.
        nonisolated(unsafe) let inputs = (repeat try (each suppliers)(resolution))
        return try await build(repeat each inputs)
      }
    }
  }

  /// A registered type whose builder has no arguments. Calling it by way of an empty pack would take twice the time.
  init<Product>(_ head: RegistrationHead<Product>, build: @escaping @Sendable () throws -> Product) {
    self.init(head, calling: .anywhere, []) { _, _ in
      .anywhere { _ in try build() }
    }
  }

  /// A registered type.
  ///
  /// - Parameter link: links the builder to what a plan gives its arguments, which are as many as it wants.
  private init<Product>(
    _ head: RegistrationHead<Product>, calling: Calling, _ arguments: [AnyArgument],
    link: @escaping @Sendable ([CompiledPlan.Argument], any ServiceLinker) throws -> Make<Product>
  ) {
    let types = head.types.isEmpty ? [.itself] : head.types
    provided = types.map { Provided(type: $0.type, name: TypeName.name(of: $0.type)) }
    argumentTypes = arguments.map(\.namedType)
    descriptor = TypeDescriptor(
      name: head.name, provides: provided.map(\.name).sorted(), kind: TypeDescriptor.Kind(of: Product.self),
      isSendable: head.isSendable, deprecated: head.deprecated, source: head.origin.description,
      arguments: arguments.map(\.descriptor))
    origin = head.origin
    self.calling = calling
    mismatch = { index, value in arguments.indices.contains(index) ? arguments[index].mismatch(value) : nil }
    self.link = { [onDispose = head.onDispose] given, linker in
      guard given.count == arguments.count else { throw WiringFailure.wrongArgumentCount }
      return TypedBuilder(
        make: try link(given, linker), provided: types, onDispose: onDispose, mainThread: linker.mainThread)
    }
  }
}

/// What is known of an argument without its type.
private struct AnyArgument: Sendable {
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

extension Registration {
  /// The Swift types that the registration names: those that a product provides and those that its arguments want.
  var namedTypes: [Any.Type] { provided.map { $0.type } + argumentTypes.compactMap { $0 } }

  /// Names every Swift type anew.
  mutating func rename(_ name: (Any.Type) -> String) {
    for index in provided.indices { provided[index].name = name(provided[index].type) }
    descriptor.provides = provided.map { $0.name }.sorted()
    for (index, type) in argumentTypes.enumerated() {
      guard let type else { continue }
      switch descriptor.arguments[index].kind {
      case .value: break
      case .service(_, let wrapper): descriptor.arguments[index].kind = .service(type: name(type), wrapper: wrapper)
      case .decorated: descriptor.arguments[index].kind = .decorated(type: name(type))
      case .runtime(_, let isHashable):
        descriptor.arguments[index].kind = .runtime(type: name(type), isHashable: isHashable)
      }
    }
  }
}
