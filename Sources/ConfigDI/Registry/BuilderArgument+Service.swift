// SPDX-License-Identifier: Apache-2.0

extension BuilderArgument {
  /// One or several services that stand under `inject`.
  ///
  /// What the argument receives, its type says: a type that a service provides the service itself, the optional of one the
  /// service or nil, an array several services in their order, a dictionary with `String` keys several by key; a `Lazy` the
  /// service at its first use, and a `Provider` at each.
  ///
  /// - Parameters:
  ///   - key: the key under `inject`.
  ///   - type: the type that the service provides, or its optional, array, dictionary, `Lazy` or `Provider`.
  public static func service(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument {
    // A question at run time, since the compiler does not choose well among overloads for one element of a pack.
    if let form = type as? any ServiceForm.Type, let argument = form.argument(key: key) as? BuilderArgument {
      return argument
    }
    return BuilderArgument(key: key, service: type, wrapper: .direct) { given, linker in
      guard case .service(let slot) = given else { throw WiringFailure.wrongArgument(key: key) }
      return try linker.supplier(of: slot, as: type)
    }
  }

  /// An argument that receives services.
  init(
    key: String, service type: Any.Type, wrapper: ArgumentDescriptor.Wrapper, isOptional: Bool = false,
    link: @escaping @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>
  ) {
    descriptor = ArgumentDescriptor(
      key: key, kind: .service(type: TypeName.name(of: type), wrapper: wrapper), isOptional: isOptional)
    namedType = type
    self.link = link
    mismatch = { ValueMismatch(expected: "a service", found: $0) }
  }
}

extension ArgumentDescriptor {
  /// Whether the argument's service is not needed to build its owner.
  var isPutOff: Bool {
    switch kind {
    case .service(_, .lazy), .service(_, .provider): true
    default: false
    }
  }
}

extension BuilderArgument {
  /// The same argument, received as something else.
  func map<Other>(_ convert: @escaping @Sendable (Input) -> Other) -> BuilderArgument<Other> {
    BuilderArgument<Other>(
      descriptor: descriptor, namedType: namedType,
      link: { [link] given, linker in
        let supplier = try link(given, linker)
        return ComputedSupplier { resolution in convert(try supplier.supply(resolution)) }
      }, mismatch: mismatch)
  }

  /// The same argument, which is nil where a file gives none.
  fileprivate var optional: BuilderArgument<Input?> {
    var descriptor = descriptor
    descriptor.isOptional = true
    return BuilderArgument<Input?>(
      descriptor: descriptor, namedType: namedType,
      link: { [link] given, linker in
        if case .absent = given { return ConstantSupplier(nil) }
        let supplier = try link(given, linker)
        return ComputedSupplier { resolution in try supplier.supply(resolution) }
      }, mismatch: mismatch)
  }
}

/// A type of argument that receives services otherwise than directly.
protocol ServiceForm {
  /// An `Argument` of this type.
  static func argument(key: String) -> Any
}

extension Optional: ServiceForm {
  static func argument(key: String) -> Any {
    if let form = Wrapped.self as? any ServiceForm.Type,
      let argument = form.argument(key: key) as? BuilderArgument<Wrapped>, argument.descriptor.isPutOff
    {
      return argument.optional
    }
    return BuilderArgument<Wrapped?>(key: key, service: Wrapped.self, wrapper: .direct, isOptional: true) {
      given, linker in
      switch given {
      case .absent: return ConstantSupplier(nil)
      case .service(let slot): return try linker.optionalSupplier(of: slot, as: Wrapped.self)
      default: throw WiringFailure.wrongArgument(key: key)
      }
    }
  }
}

extension Array: ServiceForm {
  static func argument(key: String) -> Any {
    BuilderArgument<[Element]>(key: key, service: Element.self, wrapper: .list) { given, linker in
      guard case .services(let slots) = given else { throw WiringFailure.wrongArgument(key: key) }
      let suppliers = try slots.map { try linker.supplier(of: $0, as: Element.self) }
      return ComputedSupplier { resolution in
        var services: [Element] = []
        services.reserveCapacity(suppliers.count)
        for supplier in suppliers { services.append(try supplier.supply(resolution)) }
        return services
      }
    }
  }
}

extension Dictionary: ServiceForm where Key == String {
  static func argument(key: String) -> Any {
    BuilderArgument<[String: Value]>(key: key, service: Value.self, wrapper: .map) { given, linker in
      guard case .keyedServices(let slots) = given else { throw WiringFailure.wrongArgument(key: key) }
      let suppliers = try slots.map { ($0.key, try linker.supplier(of: $0.slot, as: Value.self)) }
      return ComputedSupplier { resolution in
        var services: [String: Value] = Dictionary(minimumCapacity: suppliers.count)
        for (key, supplier) in suppliers { services[key] = try supplier.supply(resolution) }
        return services
      }
    }
  }
}
