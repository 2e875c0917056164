// SPDX-License-Identifier: Apache-2.0

extension BuilderArgument {
  /// An argument that receives one service or several, listed under `inject`.
  ///
  /// The type determines what the argument receives: a type that a service provides receives that service; an optional
  /// the service or `nil`; an array several services in their order; a dictionary with `String` keys several services
  /// by key; a `Lazy` looks up the service at its first use, and a `Provider` at each use. The elements of an array or
  /// a dictionary may also be `Lazy`, `Provider` or `Isolated`.
  ///
  /// - Parameters:
  ///   - key: the key under `inject`.
  ///   - type: the type that the service provides, or one of these forms of it.
  public static func service(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument {
    // Tested at run time, since the compiler does not choose well among overloads for one element of a pack. Only for
    // generic types: the test of another type searches the conformances of the whole program.
    if TypeName.isGeneric(type), let form = type as? any ServiceForm.Type,
      let argument = form.argument(key: key) as? BuilderArgument
    {
      return argument
    }
    return direct(key)
  }

  /// Returns the argument for the element of an optional, a list or a map: a service, or a deferred look-up of one, but
  /// no form of several services.
  fileprivate static func element(_ key: String) -> BuilderArgument {
    deferredForm?.argument(key: key) as? BuilderArgument ?? direct(key)
  }

  /// The input type as a form that looks up its service later; `nil` for a service itself.
  fileprivate static var deferredForm: (any DeferredForm.Type)? {
    TypeName.isGeneric(Input.self) ? Input.self as? any DeferredForm.Type : nil
  }

  /// Returns an argument that receives the service itself.
  private static func direct(_ key: String) -> BuilderArgument {
    BuilderArgument(key: key, service: Input.self, wrapper: .direct) { given, linker in
      guard case .service(let slot) = given else { throw WiringFailure.wrongArgument(key: key) }
      let (cell, registration) = try linker.needed(slot, as: Input.self)
      return Supplier(cell, registration)
    }
  }

  fileprivate static func deferred(
    _ key: String, _ type: Any.Type, _ wrapper: ArgumentDescriptor.Wrapper,
    _ form: @escaping @Sendable (CellReference, BuilderCall) -> Input
  ) -> BuilderArgument {
    BuilderArgument(key: key, service: type, wrapper: wrapper) { given, linker in
      guard case .service(let slot) = given else { throw WiringFailure.wrongArgument(key: key) }
      let cell = try linker.cell(of: slot, as: type)
      return Supplier { call in form(cell, call) }
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
}

/// A type of argument that receives services in another form than directly.
protocol ServiceForm {
  /// Returns a `BuilderArgument` of this type.
  static func argument(key: String) -> any AnyArgument
}

/// A form that looks up its service later.
protocol DeferredForm: ServiceForm {
  static var deferredType: Any.Type { get }
  /// The kind of the form in the catalog.
  static var wrapper: ArgumentDescriptor.Wrapper { get }
  /// Makes the form for the service of a cell and a call of a builder.
  static var deferred: @Sendable (CellReference, BuilderCall) -> Self { get }
}

extension DeferredForm {
  static func argument(key: String) -> any AnyArgument {
    BuilderArgument<Self>.deferred(key, deferredType, wrapper, deferred)
  }
}

extension Optional: ServiceForm {
  static func argument(key: String) -> any AnyArgument {
    let element = BuilderArgument<Wrapped>.element(key)
    let wrapper = BuilderArgument<Wrapped>.deferredForm?.wrapper ?? .direct
    return BuilderArgument<Wrapped?>(
      key: key, service: element.namedType ?? Wrapped.self, wrapper: wrapper, isOptional: true
    ) { given, linker in
      if case .absent = given { return Supplier { _ in nil } }
      return Supplier(optional: try element.link(given, linker))
    }
  }
}

extension Array: ServiceForm {
  static func argument(key: String) -> any AnyArgument {
    let element = BuilderArgument<Element>.element(key)
    return BuilderArgument<[Element]>(key: key, service: element.namedType ?? Element.self, wrapper: .list) {
      given, linker in
      guard case .services(let slots) = given else { throw WiringFailure.wrongArgument(key: key) }
      return Supplier(try slots.map { try element.link(.service($0), linker) }) { $0 }
    }
  }
}

extension Dictionary: ServiceForm where Key == String {
  static func argument(key: String) -> any AnyArgument {
    let element = BuilderArgument<Value>.element(key)
    return BuilderArgument<[String: Value]>(key: key, service: element.namedType ?? Value.self, wrapper: .map) {
      given, linker in
      guard case .keyedServices(let slots) = given else { throw WiringFailure.wrongArgument(key: key) }
      let keys = slots.map(\.key)
      return Supplier(try slots.map { try element.link(.service($0.slot), linker) }) { elements in
        Dictionary(zip(keys, elements)) { _, last in last }
      }
    }
  }
}
