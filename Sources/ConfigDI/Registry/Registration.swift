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
  /// A registered type.
  init<Product>(_ head: RegistrationHead<Product>, _ injection: Injection<Product>) {
    let types = head.types.isEmpty ? [.itself] : head.types
    provided = types.map { Provided(type: $0.type, name: TypeName.name(of: $0.type)) }
    argumentTypes = injection.arguments.map(\.namedType)
    descriptor = TypeDescriptor(
      name: head.name, provides: provided.map(\.name).sorted(), kind: TypeDescriptor.Kind(of: Product.self),
      isSendable: head.isSendable, deprecated: head.deprecated, source: head.origin.description,
      arguments: injection.arguments.map(\.descriptor))
    origin = head.origin
    calling = injection.calling
    mismatch = { [arguments = injection.arguments] index, value in
      arguments.indices.contains(index) ? arguments[index].mismatch(value) : nil
    }
    let handling = ProductHandling(provided: types, onDispose: head.onDispose)
    link = { given, linker in
      guard given.count == injection.arguments.count else { throw WiringFailure.wrongArgumentCount }
      return TypedBuilder(
        make: try injection.link(PlannedArguments(given, linker)), handling: handling, mainActor: linker.mainActor)
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
