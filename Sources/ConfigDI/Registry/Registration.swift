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
  /// Links the builder's arguments to what a plan gives them. Throws `WiringFailure`.
  let link: @Sendable ([CompiledPlan.Argument], any ServiceLinker) throws -> any LinkedBuilder
  /// Why a value of a file does not convert for the argument at a place, or nil where it does.
  let mismatch: @Sendable (_ argument: Int, Value) -> ValueMismatch?
}

extension Registration {
  /// A registered type whose builder has arguments.
  init<Product, each Input>(
    name: String, as types: [ProvidedType<Product>], isSendable: Bool, deprecated: String?, origin: Origin,
    arguments: (repeat BuilderArgument<each Input>), build: @escaping @Sendable (repeat each Input) throws -> Product
  ) {
    var descriptors: [ArgumentDescriptor] = []
    var argumentTypes: [Any.Type?] = []
    var checks: [@Sendable (Value) -> ValueMismatch?] = []
    for argument in repeat each arguments {
      descriptors.append(argument.descriptor)
      argumentTypes.append(argument.namedType)
      checks.append(argument.mismatch)
    }
    self.init(
      name: name, as: types, isSendable: isSendable, deprecated: deprecated, origin: origin, arguments: descriptors,
      argumentTypes: argumentTypes, checks: checks
    ) { given, linker in
      var rest = given[...]
      /// Links the next argument.
      func supplier<Next>(_ argument: BuilderArgument<Next>) throws -> Supplier<Next> {
        try argument.link(rest.removeFirst(), linker)
      }
      let suppliers = (repeat try supplier(each arguments))
      return { resolution in try build(repeat try (each suppliers)(resolution)) }
    }
  }

  /// A registered type whose builder has no arguments. Calling it by way of an empty pack would take twice the time.
  init<Product>(
    name: String, as types: [ProvidedType<Product>], isSendable: Bool, deprecated: String?, origin: Origin,
    build: @escaping @Sendable () throws -> Product
  ) {
    self.init(
      name: name, as: types, isSendable: isSendable, deprecated: deprecated, origin: origin, arguments: [],
      argumentTypes: [], checks: []
    ) { _, _ in { _ in try build() } }
  }

  /// A registered type.
  ///
  /// - Parameters:
  ///   - types: the types that a product provides; none stands for the product's own.
  ///   - argumentTypes: for each argument the Swift type that its descriptor names; nil for a datum.
  ///   - checks: for each argument, why a value of a file does not convert.
  ///   - link: links the builder to what a plan gives its arguments, which are as many as it wants.
  private init<Product>(
    name: String, as types: [ProvidedType<Product>], isSendable: Bool, deprecated: String?, origin: Origin,
    arguments: [ArgumentDescriptor], argumentTypes: [Any.Type?], checks: [@Sendable (Value) -> ValueMismatch?],
    link: @escaping @Sendable ([CompiledPlan.Argument], any ServiceLinker) throws -> Maker<Product>
  ) {
    let types = types.isEmpty ? [.itself] : types
    provided = types.map { Provided(type: $0.type, name: TypeName.name(of: $0.type)) }
    self.argumentTypes = argumentTypes
    descriptor = TypeDescriptor(
      name: name, provides: provided.map(\.name).sorted(), kind: TypeDescriptor.Kind(of: Product.self),
      isSendable: isSendable, deprecated: deprecated, source: origin.description, arguments: arguments)
    self.origin = origin
    mismatch = { index, value in checks.indices.contains(index) ? checks[index](value) : nil }
    self.link = { given, linker in
      guard given.count == checks.count else { throw WiringFailure.wrongArgumentCount }
      return TypedBuilder(make: try link(given, linker), provided: types)
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
