// SPDX-License-Identifier: Apache-2.0

extension BuilderArgument {
  /// An argument that receives one service or several, listed under `inject`.
  ///
  /// The type determines what the argument receives: a type that a service provides receives that service; an optional
  /// the service or `nil`; an array several services in their order; a dictionary with `String` keys several services
  /// by key; a `Lazy` looks up the service at its first use, and a `Provider` or an `Isolated` at each use.
  ///
  /// These forms nest, as in `[Lazy<T>]`, `[T]?` or `Lazy<[String: T]>`. The file gives a list if the outermost
  /// collection is an array, a map if it is a dictionary, and otherwise one service. A service whose own type is an array
  /// cannot be given for such an argument; a value with an array can.
  /// The check of a module for cycles and lifetimes treats a list or map in a `Lazy` or `Provider` as a direct reference.
  ///
  /// - Parameters:
  ///   - key: the key under `inject`.
  ///   - type: the type that the service provides, or a form of it.
  public static func service(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument {
    // Tested at run time, since the compiler does not choose well among overloads for one element of a pack.
    let shape = ServiceShape(of: type)
    // A metatype does not change.
    let form = Transferred(shape.isForm ? type as? any ServiceForm.Type : nil)
    return BuilderArgument(
      key: key, kind: .service(type: TypeName.name(of: shape.type), wrapper: shape.wrapper), namedType: shape.type,
      isOptional: shape.isOptional, wanted: "a service"
    ) { given, linker in
      if let form = form.value { return Supplier(form, of: try FormCells(given, for: shape, key: key, linker)) }
      guard case .service(let slot) = given, let linker else { throw WiringFailure.wrongArgument(key: key) }
      let (cell, registration) = try linker.needed(slot, as: Input.self)
      return Supplier(cell, registration)
    }
  }
}

extension Supplier {
  /// Creates a supplier of a form of services.
  ///
  /// - Parameter form: the type `Input`.
  fileprivate init(_ form: any ServiceForm.Type, of given: FormCells) { untyped = form.untypedSupplier(of: given) }
}

extension ServiceForm {
  fileprivate static func untypedSupplier(of given: FormCells) -> any AnySupplier { supplier(of: given).untyped }
}
