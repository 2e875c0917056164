// SPDX-License-Identifier: Apache-2.0

/// A type that module files can name: what the catalog says of it, and how its products are made.
struct BuildableType: Sendable {
  /// One of the types by which a product is looked up.
  struct Provided: Sendable {
    /// The type.
    let type: Any.Type
    /// The name of the type in module files.
    var name: String
  }

  /// What the catalog says of the type.
  private(set) var descriptor: TypeDescriptor
  /// Where `add` was called.
  let origin: Origin
  /// The types by which a product is looked up, in the order of the registration.
  private(set) var provided: [Provided]
  /// The arguments of the builder.
  let arguments: [AnyArgument]
  /// Makes products.
  let product: any AnyFactory
}

/// What is said of a registered type besides its arguments.
struct BuildableTypeHead<Product>: Sendable {
  /// The name in module files.
  let name: String
  /// The types by which products are looked up; none stands for the product's own.
  let types: [ProvidedType<Product>]
  /// Whether threads may share an instance.
  let isSendable: Bool
  /// What to use instead, where the type is deprecated.
  let deprecated: String?
  /// Where the type is registered.
  let origin: Origin
  /// The dispose action; nil where there is none.
  let onDispose: (@Sendable (Product) -> Void)?
}

extension BuildableType {
  /// A registered type.
  init<Product>(_ head: BuildableTypeHead<Product>, _ injection: Injection<Product>) {
    product = Factory(injection.builder, types: head.types, onDispose: head.onDispose)
    provided = (0..<product.typeCount).map { [product] index in
      Provided(type: product.type(index), name: TypeName.name(of: product.type(index)))
    }
    arguments = injection.arguments
    descriptor = TypeDescriptor(
      name: head.name, provides: provided.map(\.name).sorted(), kind: TypeDescriptor.Kind(of: Product.self),
      isSendable: head.isSendable, isAsync: product.calling == .awaited, deprecated: head.deprecated,
      source: head.origin.description, arguments: injection.arguments.map(\.descriptor))
    origin = head.origin
  }

  /// Why a value of a file does not convert for the argument at a place, or nil where it does.
  func mismatch(_ argument: Int, _ value: Value) -> ValueMismatch? {
    arguments.indices.contains(argument) ? arguments[argument].mismatch(value) : nil
  }

  /// The Swift types that the registration names: those by which a product is looked up and those that its arguments want.
  var namedTypes: [Any.Type] { provided.map { $0.type } + arguments.compactMap(\.namedType) }

  /// Names every Swift type anew.
  mutating func rename(_ name: (Any.Type) -> String) {
    for index in provided.indices { provided[index].name = name(provided[index].type) }
    descriptor.provides = provided.map { $0.name }.sorted()
    for (index, argument) in arguments.enumerated() {
      guard let type = argument.namedType else { continue }
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
