// SPDX-License-Identifier: Apache-2.0

/// A type that module files can name: its description in the catalog, and the factory of its products.
final class BuildableType: Sendable {
  /// One of the types by which a product is looked up.
  struct Provided: Sendable {
    let type: Any.Type
    /// The name of the type in module files.
    let name: String
  }

  /// The description of the type for checks.
  let descriptor: TypeDescriptor
  /// The place of the call of `add`.
  let origin: Origin
  /// The types by which a product is looked up, in the order of the registration.
  let provided: [Provided]
  let arguments: [any AnyArgument]
  let factory: any AnyFactory

  /// Creates a registered type.
  ///
  /// - Parameters:
  ///   - name: the name in module files.
  ///   - types: the types by which products are looked up; empty for the product's own type.
  ///   - isGiven: whether the application passes in the instances.
  init<Product>(
    _ name: String, _ types: [ProvidedType<Product>], isSendable: Bool, isGiven: Bool, deprecated: String?,
    origin: Origin, onDispose: (@Sendable (Product) -> Void)?, _ injection: Injection<Product>
  ) {
    let factory = Factory(injection.builder, types: types, onDispose: onDispose)
    self.factory = factory
    let provided = (0..<factory.typeCount).map { index in
      Provided(type: factory.type(index), name: TypeName.name(of: factory.type(index)))
    }
    self.provided = provided
    arguments = injection.arguments
    descriptor = TypeDescriptor(
      name: name, provides: provided.map(\.name).sorted(), kind: TypeDescriptor.Kind(forCheckOf: Product.self),
      isSendable: isSendable, isAsync: factory.calling == .awaited, isGiven: isGiven, deprecated: deprecated,
      source: origin.description, arguments: injection.arguments.map(\.descriptor))
    self.origin = origin
  }

  private init(_ other: BuildableType, _ descriptor: TypeDescriptor, providing provided: [Provided]) {
    self.descriptor = descriptor
    self.provided = provided
    (origin, arguments, factory) = (other.origin, other.arguments, other.factory)
  }
}

extension BuildableType {
  /// The descriptor for a catalog, with the parts that a check does not need.
  var descriptorForCatalog: TypeDescriptor {
    var described = descriptor
    described.kind = TypeDescriptor.Kind(of: factory.productType)
    described.isOnMainActor = factory.calling == .onMainActor
    described.swiftType = provided.first.flatMap { TypeName.swiftName(of: $0.type) }
    for (index, argument) in arguments.enumerated() where argument.isRuntime {
      described.arguments[index].swiftType = argument.namedType.flatMap(TypeName.swiftName)
    }
    return described
  }

  /// Returns why a value in a file does not convert for the argument at an index; `nil` if it does.
  func mismatch(_ argument: Int, _ value: Value) -> ValueMismatch? {
    arguments.indices.contains(argument) ? arguments[argument].mismatch(value) : nil
  }

  /// The Swift types that the registration names: those by which a product is looked up and those of the arguments.
  var namedTypes: [Any.Type] { provided.map { $0.type } + arguments.compactMap(\.namedType) }

  /// Returns the same type with other names for its Swift types.
  func renamed(_ name: (Any.Type) -> String) -> BuildableType {
    var descriptor = descriptor
    let provided = provided.map { Provided(type: $0.type, name: name($0.type)) }
    descriptor.provides = provided.map(\.name).sorted()
    for (index, argument) in arguments.enumerated() {
      guard let type = argument.namedType else { continue }
      switch descriptor.arguments[index].kind {
      case .value, .scope, .resolver: break
      case .service(_, let wrapper): descriptor.arguments[index].kind = .service(type: name(type), wrapper: wrapper)
      case .decorated: descriptor.arguments[index].kind = .decorated(type: name(type))
      case .runtime(_, let isHashable):
        descriptor.arguments[index].kind = .runtime(type: name(type), isHashable: isHashable)
      }
    }
    return BuildableType(self, descriptor, providing: provided)
  }
}
