// SPDX-License-Identifier: Apache-2.0

extension BuilderArgument {
  /// An argument that receives one service or several, listed under `inject`.
  ///
  /// The type determines what the argument receives: a type that a service provides receives that service; an optional
  /// the service or `nil`; an array several services in their order; a dictionary with `String` keys several services
  /// by key; a `Lazy` looks up the service at its first use, and a `Provider` or an `Isolated` at each use.
  ///
  /// These forms nest, as in `[Lazy<T>]`, `[T]?` or `Lazy<[String: T]>`. The file gives a list if the outermost
  /// collection is an array, a map if it is a dictionary, and otherwise one service.
  /// The check of a module for cycles and lifetimes takes a list or map in a `Lazy` or `Provider` for a direct one.
  ///
  /// - Parameters:
  ///   - key: the key under `inject`.
  ///   - type: the type that the service provides, or a form of it.
  public static func service(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument {
    // Tested at run time, since the compiler does not choose well among overloads for one element of a pack. Only for
    // generic types: the test of another type searches the conformances of the whole program.
    if TypeName.isGeneric(type), let form = type as? any ServiceForm.Type,
      let argument = form.argument(key: key) as? BuilderArgument
    {
      return argument
    }
    return BuilderArgument(key: key, service: Input.self, wrapper: .direct) { given, linker in
      guard case .service(let slot) = given else { throw WiringFailure.wrongArgument(key: key) }
      let (cell, registration) = try linker.needed(slot, as: Input.self)
      return Supplier(cell, registration)
    }
  }

  convenience init(
    key: String, service type: Any.Type, wrapper: ArgumentDescriptor.Wrapper, isOptional: Bool = false,
    link: @escaping @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>
  ) {
    self.init(
      key: key, kind: .service(type: TypeName.name(of: type), wrapper: wrapper), namedType: type,
      isOptional: isOptional, wanted: "a service", link: link)
  }

  /// The form in which a service argument receives services from a file.
  var wrapper: ArgumentDescriptor.Wrapper {
    if case .service(_, let wrapper) = descriptor.kind { wrapper } else { .direct }
  }
}

/// A type of argument that receives services in another form than directly.
protocol ServiceForm {
  /// Returns a `BuilderArgument` of this type.
  static func argument(key: String) -> any AnyArgument
}

extension Optional: ServiceForm {
  static func argument(key: String) -> any AnyArgument {
    let wrapped = BuilderArgument<Wrapped>.service(key)
    return BuilderArgument<Wrapped?>(
      key: key, service: wrapped.namedType ?? Wrapped.self, wrapper: wrapped.wrapper, isOptional: true
    ) { given, linker in
      if case .absent = given { return Supplier { _ in nil } }
      return Supplier(optional: try wrapped.link(given, linker))
    }
  }
}

extension Array: ServiceForm {
  static func argument(key: String) -> any AnyArgument {
    let element = BuilderArgument<Element>.service(key)
    return BuilderArgument<[Element]>(key: key, service: element.namedType ?? Element.self, wrapper: .list) {
      given, linker in
      Supplier(try given.services(key, linker).map { try element.link(.service($0.slot), linker) }) { $0 }
    }
  }
}

extension Dictionary: ServiceForm where Key == String {
  static func argument(key: String) -> any AnyArgument {
    let element = BuilderArgument<Value>.service(key)
    return BuilderArgument<[String: Value]>(key: key, service: element.namedType ?? Value.self, wrapper: .map) {
      given, linker in
      let services = try given.services(key, linker)
      let keys = services.map(\.key)
      return Supplier(try services.map { try element.link(.service($0.slot), linker) }) { elements in
        Dictionary(zip(keys, elements)) { _, last in last }
      }
    }
  }
}

extension CompiledPlan.Argument {
  /// Returns the services that a plan has for an argument, with the keys of a map, or else their ids.
  ///
  /// - Throws: `WiringFailure` if the argument has something else.
  func services(
    _ key: String, _ linker: any ServiceLinker
  ) throws(WiringFailure) -> [(key: String, slot: Int)] {
    switch self {
    case .absent: []
    case .service(let slot): [(linker.id(of: slot), slot)]
    case .services(let slots): slots.map { (linker.id(of: $0), $0) }
    case .keyedServices(let slots): slots.map { ($0.key, $0.slot) }
    case .decorated, .runtime, .value: throw .wrongArgument(key: key)
    }
  }
}
