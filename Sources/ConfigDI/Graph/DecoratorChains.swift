// SPDX-License-Identifier: Apache-2.0

/// The decorator chains of all services: the faults of decorators, and the type that look-ups of a service receive.
///
/// A decorator with a fault or of an unknown type is skipped: the next one is checked against what it would wrap.
struct DecoratorChains {
  /// A fault of a decorator.
  enum Fault {
    /// The type has no decorated argument, or several. The associated value is their number.
    case notOneDecorated(Int)
    /// The decorated argument requires a name that the wrapped type does not provide.
    case doesNotFit(wanted: String, RegisteredType)
    /// The type does not provide these names, under which the service can be looked up.
    case hides([String])
  }

  /// The faults, ascending by the number of the decorator's holder.
  private(set) var faults: [(holder: Int, fault: Fault)] = []
  /// The type that look-ups of a decorated service receive, by the number of the service. No entry if it is not known.
  private(set) var outermost: [Int: RegisteredType] = [:]
  /// A cache of the names that a type hides.
  private var hidden: [Wrapping: [String]] = [:]

  /// A type that wraps a source of provided names.
  private struct Wrapping: Hashable {
    /// The source of the names: a service with `provides`, or its type.
    enum Inner: Hashable {
      case service(Int)
      case type(ObjectIdentifier)
    }

    /// The source of the names.
    let inner: Inner
    /// The type that wraps it.
    let outer: ObjectIdentifier
  }

  /// The maximum number of names that a message shows.
  private static let shownNames = 16

  /// Checks the decorators of a module. The holders of one service's decorators must be consecutive, innermost first.
  ///
  /// - Complexity: Linear in decorators and in the provided names of types.
  init(_ definition: ModuleDefinition, _ holders: [Holder]) {
    // The holders of services come first.
    for number in holders.indices.dropFirst(definition.services.count) {
      let holder = holders[number]
      guard case .decorator(let service, _) = holder.kind, let type = holder.registered else { continue }
      let inner = outermost[service] ?? holders[service].registered
      if let fault = fault(of: type, around: inner, of: service, in: definition, holders) {
        faults.append((number, fault))
      } else {
        outermost[service] = type
      }
    }
  }

  /// Returns the fault of a decorator, or `nil` if it has none.
  private mutating func fault(
    of type: RegisteredType, around inner: RegisteredType?, of service: Int, in definition: ModuleDefinition,
    _ holders: [Holder]
  ) -> Fault? {
    guard type.decorated.count == 1 else { return .notOneDecorated(type.decorated.count) }
    if let inner, !inner.provides(type.decorated[0]) {
      return .doesNotFit(wanted: type.decorated[0], inner)
    }
    // If the service's type is not known, its `provides` may be wrong, too.
    guard let own = holders[service].registered else { return nil }
    let said = definition.services[service].provides
    let wrapping = Wrapping(
      inner: said == nil ? .type(ObjectIdentifier(own)) : .service(service), outer: ObjectIdentifier(type))
    let names = hidden[wrapping] ?? DecoratorChains.names(promised: said, by: own, hiddenBy: type, definition.names)
    hidden[wrapping] = names
    return names.isEmpty ? nil : .hides(names)
  }

  /// Returns the provided names of a service that a wrapping type does not provide, up to `shownNames`.
  private static func names(
    promised said: [Token]?, by own: RegisteredType, hiddenBy type: RegisteredType, _ table: NameTable
  ) -> [String] {
    guard let said else {
      return Array(own.descriptor.provides.lazy.filter { !type.provides($0) }.prefix(shownNames))
    }
    return Array(
      said.lazy.map { table[$0.name] }
        .filter { own.provides($0) && !type.provides($0) }
        .prefix(shownNames))
  }
}
