// SPDX-License-Identifier: Apache-2.0

extension BuilderArgument {
  /// One or several services that stand under `inject`.
  ///
  /// What the argument receives, its type says: a type that a service provides the service itself, the optional of one the
  /// service or nil, an array several services in their order, a dictionary with `String` keys several by key; a `Lazy` the
  /// service at its first use, and a `Provider` at each. An array or a dictionary may also be one of `Lazy`, `Provider` or
  /// `Isolated`.
  ///
  /// - Parameters:
  ///   - key: the key under `inject`.
  ///   - type: the type that the service provides, or one of these forms of it.
  public static func service(_ key: String, _ type: Input.Type = Input.self) -> BuilderArgument {
    // A question at run time, since the compiler does not choose well among overloads for one element of a pack. Asked of
    // generic types alone: to ask it of another one searches the conformances of the whole program.
    if TypeName.isGeneric(type), let form = type as? any ServiceForm.Type,
      let argument = form.argument(key: key) as? BuilderArgument
    {
      return argument
    }
    return BuilderArgument(key: key, service: type, wrapper: .direct) { given, linker in
      guard case .service(let slot) = given else { throw WiringFailure.wrongArgument(key: key) }
      let (cell, registration) = try linker.needed(slot, as: type)
      return CellSupplier(cell, registration)
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
  /// Whether the argument's service is looked up after its owner was built.
  var isDeferred: Bool {
    switch kind {
    case .service(_, .lazy), .service(_, .provider): true
    default: false
    }
  }
}

/// A type of argument that receives services otherwise than directly.
protocol ServiceForm {
  /// A `BuilderArgument` of this type.
  static func argument(key: String) -> Any
}

/// A form that looks its service up later.
protocol DeferredForm: ServiceForm {
  /// The type of the service.
  static var deferredType: Any.Type { get }
  /// How the catalog calls the form.
  static var wrapper: ArgumentDescriptor.Wrapper { get }
  /// What a builder receives for the service of a cell, in its look-up.
  static var deferred: @Sendable (CellPlace, Resolution) -> Self { get }
}

extension DeferredForm {
  static func argument(key: String) -> Any { DeferredArguments(key, deferredType, wrapper, deferred).single }
  /// The arguments of this form.
  fileprivate static func arguments(key: String, wrapper: ArgumentDescriptor.Wrapper) -> any AnyDeferredArguments {
    DeferredArguments(key, deferredType, wrapper, deferred)
  }
}

/// The arguments of a deferred form, without its type.
private protocol AnyDeferredArguments {
  /// A `BuilderArgument` of the form of one service or nil.
  var optional: Any { get }
  /// A `BuilderArgument` of the form of several services.
  var list: Any { get }
  /// A `BuilderArgument` of the form of several services by key.
  var map: Any { get }
}

/// The arguments that receive a deferred form of one or several services.
private struct DeferredArguments<Form>: AnyDeferredArguments {
  private let key: String
  private let type: Any.Type
  private let wrapper: ArgumentDescriptor.Wrapper
  private let form: @Sendable (CellPlace, Resolution) -> Form

  /// The arguments of a key.
  init(
    _ key: String, _ type: Any.Type, _ wrapper: ArgumentDescriptor.Wrapper,
    _ form: @escaping @Sendable (CellPlace, Resolution) -> Form
  ) {
    self.key = key
    self.type = type
    self.wrapper = wrapper
    self.form = form
  }

  /// An argument of the form of one service.
  var single: BuilderArgument<Form> {
    BuilderArgument(key: key, service: type, wrapper: wrapper) { [key, type, form] given, linker in
      guard case .service(let slot) = given else { throw WiringFailure.wrongArgument(key: key) }
      let cell = try linker.cell(of: slot, as: type)
      return ComputedSupplier { call in form(cell, call.resolution) }
    }
  }

  var optional: Any {
    BuilderArgument<Form?>(key: key, service: type, wrapper: wrapper, isOptional: true) {
      [key, type, form] given, linker in
      if case .absent = given { return ConstantSupplier(nil) }
      guard case .service(let slot) = given else { throw WiringFailure.wrongArgument(key: key) }
      let cell = try linker.cell(of: slot, as: type)
      return ComputedSupplier { call in form(cell, call.resolution) }
    }
  }

  var list: Any {
    BuilderArgument<[Form]>(key: key, service: type, wrapper: .list) { [key, type, form] given, linker in
      guard case .services(let slots) = given else { throw WiringFailure.wrongArgument(key: key) }
      let cells = try slots.map { try linker.cell(of: $0, as: type) }
      return ComputedSupplier { call in cells.map { form($0, call.resolution) } }
    }
  }

  var map: Any {
    BuilderArgument<[String: Form]>(key: key, service: type, wrapper: .map) { [key, type, form] given, linker in
      guard case .keyedServices(let slots) = given else { throw WiringFailure.wrongArgument(key: key) }
      let cells = try slots.map { ($0.key, try linker.cell(of: $0.slot, as: type)) }
      return ComputedSupplier { call in
        Dictionary(cells.map { ($0.0, form($0.1, call.resolution)) }) { _, last in last }
      }
    }
  }
}

extension Optional: ServiceForm {
  static func argument(key: String) -> Any {
    if let form = Wrapped.self as? any DeferredForm.Type {
      return form.arguments(key: key, wrapper: form.wrapper).optional
    }
    return BuilderArgument<Wrapped?>(key: key, service: Wrapped.self, wrapper: .direct, isOptional: true) {
      given, linker in
      switch given {
      case .absent: return ConstantSupplier(nil)
      case .service(let slot):
        return CombiningSupplier([Target.cell(try linker.needed(slot, as: Wrapped.self).0)]) {
          $0[0].value(as: Wrapped.self)
        }
      default: throw WiringFailure.wrongArgument(key: key)
      }
    }
  }
}

extension Array: ServiceForm {
  static func argument(key: String) -> Any {
    if let form = Element.self as? any DeferredForm.Type { return form.arguments(key: key, wrapper: .list).list }
    return BuilderArgument<[Element]>(key: key, service: Element.self, wrapper: .list) { given, linker in
      guard case .services(let slots) = given else { throw WiringFailure.wrongArgument(key: key) }
      return CombiningSupplier(try slots.map { .cell(try linker.needed($0, as: Element.self).0) }) { parts in
        parts.map { $0.value(as: Element.self) }
      }
    }
  }
}

extension Dictionary: ServiceForm where Key == String {
  static func argument(key: String) -> Any {
    if let form = Value.self as? any DeferredForm.Type { return form.arguments(key: key, wrapper: .map).map }
    return BuilderArgument<[String: Value]>(key: key, service: Value.self, wrapper: .map) { given, linker in
      guard case .keyedServices(let slots) = given else { throw WiringFailure.wrongArgument(key: key) }
      let keys = slots.map(\.key)
      return CombiningSupplier(try slots.map { .cell(try linker.needed($0.slot, as: Value.self).0) }) { parts in
        Dictionary(zip(keys, parts).map { ($0, $1.value(as: Value.self)) }) { _, last in last }
      }
    }
  }
}
