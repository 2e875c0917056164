// SPDX-License-Identifier: Apache-2.0

/// The reason why a service was not replaced.
package struct ReplacementError: Error, CustomStringConvertible {
  package let description: String
}

extension Container {
  /// Replaces a service by an instance in all look-ups and arguments, for a test.
  ///
  /// The instance replaces the service together with its decorators, and has the service's scope.
  ///
  /// - Throws: `ReplacementError` if this container itself has no service of the name, if the instance does not provide
  ///   each of the types by which the service is looked up, or if the service, or something that may hold an instance
  ///   of it, is already built.
  package func replace<Service: Sendable>(
    named name: String, with instance: Service, origin: Origin
  ) throws(ReplacementError) {
    let services = state.directory.ownRegistrations.map(\.registration)
    let candidates = services.filter { ScalarString($0.id) == ScalarString(name) }
    guard let old = candidates.first else {
      if state.directory.isClosed {
        throw ReplacementError(description: "service \"\(name)\" cannot be replaced: the container was disposed of")
      }
      let isOfParent = state.parent.map { !$0.directory.cells(named: name).isEmpty } ?? false
      let help =
        isOfParent
        ? "; replace it in the parent" : SuggestionIndex.clause(suggestions(for: name, among: services.map(\.id)))
      throw ReplacementError(
        description: "service \"\(name)\" cannot be replaced: the container has no such service\(help)")
    }
    if candidates.count > 1 {
      throw ReplacementError(
        description: "service \"\(name)\" cannot be replaced: \(candidates.count) registrations have this name")
    }
    let types = try old.providedTypes(of: instance)
    let new = Registration(
      home: state, name: old.name,
      factory: Factory(.anywhere { _, _ in instance }, types: types, standingFor: old.factory.productType),
      keeping: old.keeping,
      parameters: old.parameters, origin: origin,
      traits: old.traits.union([.isSendable, .isInstance]).subtracting([.isGiven, .isFromModule]),
      answering: old.answering)
    let (holder, held) = state.directory.write { tables in
      // A look-up that has arguments ready, but no build in flight, looks them up again.
      for store in state.store.withInner { store.supersedeArguments() }
      let built = state.store.builtRegistrations
      let children = state.store.withInner.compactMap(\.directory).filter { $0 !== state.directory }
      let holder = tables.holder(of: old, among: Set(built.map(\.registration)), children)
      if holder == nil { tables.replace(old, by: new) }
      return (holder, (built, children))
    }
    // These may be the last references to the objects, so they are released without the lock.
    withExtendedLifetime(held) {}
    guard let holder else { return }
    let reason =
      if holder !== old {
        "service \"\(holder.id)\" was built already, and holds an instance of it"
      } else if old.traits.contains(.isGiven) {
        "its instance was given; give another one instead"
      } else {
        "it was built already; replace it before the first look-up"
      }
    throw ReplacementError(description: "service \"\(name)\" cannot be replaced: \(reason)")
  }
}

extension Registration {
  /// Returns the types by which the service is looked up, as types of another product.
  ///
  /// - Throws: `ReplacementError` if the instance does not provide one of them.
  fileprivate func providedTypes<Service: Sendable>(
    of instance: Service
  ) throws(ReplacementError) -> [ProvidedType<Service>] {
    var types: [ProvidedType<Service>] = []
    var missing: [String] = []
    for index in 0..<factory.typeCount {
      let type = factory.type(index)
      if let provided = provided(type, by: instance) {
        types.append(provided)
      } else {
        missing.append("\"\(TypeName.name(of: type))\"")
      }
    }
    if missing.isEmpty { return types }
    throw ReplacementError(
      description: "service \"\(id)\" cannot be replaced: "
        + "\"\(TypeName.name(of: Service.self))\" does not provide \(missing.joined(separator: ", "))")
  }
}

/// Returns the conversion of an instance to a type; `nil` if the instance is not of the type.
private func provided<Wanted, Service: Sendable>(_ type: Wanted.Type, by instance: Service) -> ProvidedType<Service>? {
  guard let wanted = instance as? Wanted else { return nil }
  let held = Transferred(wanted)
  // Returns the converted instance: it is the only one of the service.
  return .type(type) { _ in held.value }
}

extension DirectoryTables {
  /// Returns a service that is built, or in flight, and may hold an instance of the given service: itself, or a service
  /// that declares to need it, directly or through services that are not cached; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - built: the registrations that have an instance, or a build in flight.
  ///   - children: the directories of all containers below this one, which have the same lock.
  fileprivate func holder(
    of registration: Registration, among built: Set<ObjectIdentifier>, _ children: [Directory]
  ) -> Registration? {
    func services(of tables: DirectoryTables) -> [Registration] { tables.cells.map(\.registration) + tables.decorated }
    var consumers: [ObjectIdentifier: [Registration]] = [:]
    for consumer in services(of: self) + children.flatMap({ services(of: $0.pointer.pointee) }) {
      if let wrapped = consumer.wrapped { consumers[ObjectIdentifier(wrapped), default: []].append(consumer) }
      for place in consumer.suppliers?.flatMap(\.targets) ?? [] {
        let cells = place.home === registration.home ? cells : place.home.directory.pointer.pointee.cells
        guard cells.indices.contains(place.number) else { continue }
        consumers[ObjectIdentifier(cells[place.number].registration), default: []].append(consumer)
      }
    }
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(registration)]
    var open = [registration]
    while let next = open.popLast() {
      if built.contains(ObjectIdentifier(next)) { return next }
      // A cached service that is not built yet holds nothing, and nothing holds it.
      guard next === registration || !next.keeping.isDisposing else { continue }
      for consumer in consumers[ObjectIdentifier(next)] ?? [] where seen.insert(ObjectIdentifier(consumer)).inserted {
        open.append(consumer)
      }
    }
    return nil
  }

  /// Moves all cells of a registration to another one, which has the same types in the same order.
  fileprivate mutating func replace(_ old: Registration, by new: Registration) {
    for place in cells.indices where cells[place].registration === old {
      cells[place] = Cell(new, index: cells[place].index)
    }
    old.passCells(to: new)
  }
}

extension InstanceStore {
  /// The registrations that have an instance, or a build in flight, in this store or in a store opened in it; each with
  /// its object if the store keeps only a weak reference.
  fileprivate var builtRegistrations: [(registration: ObjectIdentifier, object: AnyObject?)] {
    withInner.flatMap { store in
      store.state.take { state in
        state.slots.values.compactMap { slot -> (registration: ObjectIdentifier, object: AnyObject?)? in
          guard let registration = slot.key?.registration else { return nil }
          guard case .object(let unowned) = slot else { return (ObjectIdentifier(registration), nil) }
          // An object that is gone is held by nothing. A live one is returned, to be released without the lock.
          return unowned.object.map { (ObjectIdentifier(registration), $0) }
        }
      }
    }
  }
}
