// SPDX-License-Identifier: Apache-2.0

/// What decorators make of services: what is wrong with each of them, and what those receive who ask for a service.
///
/// A decorator about which something is reported, by its type or by its fault, takes no further part: the next one wraps what it
/// would have wrapped.
struct DecoratorChains {
  /// What is wrong with a decorator.
  enum Fault {
    /// Its type declares no decorated argument, or several.
    case notOneDecorated(Int)
    /// It wraps something else than what the type inside of it provides.
    case doesNotFit(wanted: String, RegisteredType)
    /// It does not provide some names by which its service is looked up.
    case hides([String])
  }

  /// The faults, by the number of the holder, ascending.
  private(set) var faults: [(holder: Int, fault: Fault)] = []
  /// The type of what those receive who ask for a decorated service, where it is known.
  private(set) var outermost: [Int: RegisteredType] = [:]
  /// What was found before of the names that a type hides.
  private var hidden: [Wrapping: [String]] = [:]

  /// A type around what promises some names.
  private struct Wrapping: Hashable {
    /// Who promises: a service that says it, or a type.
    enum Inner: Hashable {
      case service(Int)
      case type(ObjectIdentifier)
    }

    /// What promises.
    let inner: Inner
    /// The type around it.
    let outer: ObjectIdentifier
  }

  /// How many names a message shows.
  private static let shownNames = 16

  /// The decorators of a module, whose holders follow one another from the innermost.
  ///
  /// - Complexity: linear in decorators and in what types provide.
  init(_ definition: ModuleDefinition, _ holders: [Holder]) {
    // The services come first.
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

  /// What is wrong with a decorator of a service, or nil.
  private mutating func fault(
    of type: RegisteredType, around inner: RegisteredType?, of service: Int, in definition: ModuleDefinition,
    _ holders: [Holder]
  ) -> Fault? {
    guard type.decorated.count == 1 else { return .notOneDecorated(type.decorated.count) }
    if let inner, !inner.provides(type.decorated[0]) {
      return .doesNotFit(wanted: type.decorated[0], inner)
    }
    // What a service of an unknown type says of itself may be wrong, too.
    guard let own = holders[service].registered else { return nil }
    let said = definition.services[service].provides
    let wrapping = Wrapping(
      inner: said == nil ? .type(ObjectIdentifier(own)) : .service(service), outer: ObjectIdentifier(type))
    let names = hidden[wrapping] ?? DecoratorChains.names(promised: said, by: own, hiddenBy: type, definition.names)
    hidden[wrapping] = names
    return names.isEmpty ? nil : .hides(names)
  }

  /// The names by which a service is looked up and which a type around it does not provide; of very many the first.
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
