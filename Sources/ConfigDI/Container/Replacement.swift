// SPDX-License-Identifier: Apache-2.0

/// Why a service was not replaced.
package struct ReplacementError: Error, CustomStringConvertible {
  package let description: String
}

extension Container {
  /// Has an instance answer wherever a service would have, for a test.
  ///
  /// The instance stands for the service with its decorators, and lives as long as the service's own would.
  ///
  /// - Throws: `ReplacementError` where the container itself has no service of the name, where the instance is not each of the
  ///   types by which it is looked up, and where the service, or something that may hold an instance of it, is built already.
  package func replace<Service: Sendable>(
    named name: String, with instance: Service, origin: Origin
  ) throws(ReplacementError) {
    let services = state.directory.ownRegistrations.map(\.registration)
    let candidates = services.filter { ScalarString($0.id) == ScalarString(name) }
    guard let old = candidates.first else {
      let help = SuggestionIndex.clause(suggestions(for: name, among: services.map(\.id)))
      throw ReplacementError(
        description: "service \"\(name)\" cannot be replaced: the container has no such service\(help)")
    }
    if candidates.count > 1 {
      throw ReplacementError(
        description: "service \"\(name)\" cannot be replaced: \(candidates.count) registrations have this name")
    }
    let types = try old.providedTypes(of: instance)
    let new = Registration(
      home: state, name: old.name, product: Factory(.anywhere { _ in instance }, types: types), keeping: old.keeping,
      parameters: old.parameters, origin: origin, traits: old.traits.union(.isSendable).subtracting(.isGiven),
      answering: old.answering)
    let (holder, held) = state.directory.write { tables in
      let built = state.store.builtRegistrations
      let holder = tables.holder(of: old, among: Set(built.map(\.registration)))
      if holder == nil { tables.replace(old, by: new) }
      return (holder, built)
    }
    // Their users may have let them go meanwhile. So they are released without the lock.
    withExtendedLifetime(held) {}
    guard let holder else { return }
    throw ReplacementError(
      description: holder === old
        ? "service \"\(name)\" cannot be replaced: it was built already; replace it before the first look-up"
        : "service \"\(name)\" cannot be replaced: service \"\(holder.id)\" was built already, and holds an instance of it"
    )
  }
}

extension Registration {
  /// The types by which the service is looked up, as those of another product.
  ///
  /// - Throws: `ReplacementError` where an instance is not one of them.
  fileprivate func providedTypes<Service: Sendable>(
    of instance: Service
  ) throws(ReplacementError) -> [ProvidedType<Service>] {
    var types: [ProvidedType<Service>] = []
    var missing: [String] = []
    for index in 0..<product.typeCount {
      let type = product.type(index)
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

/// A type that an instance is; nil where it is not.
private func provided<Wanted, Service: Sendable>(_ type: Wanted.Type, by instance: Service) -> ProvidedType<Service>? {
  guard let wanted = instance as? Wanted else { return nil }
  let held = Hold(wanted)
  // The service's only instance is the one that was converted.
  return .type(type) { _ in held.value }
}

extension DirectoryTables {
  /// What is built, or being built, and may hold an instance of a service: the service itself, or one that declares to need it,
  /// directly or by way of services that are not kept; nil where there is none.
  ///
  /// - Parameter built: what is built, or being built.
  fileprivate func holder(of registration: Registration, among built: Set<ObjectIdentifier>) -> Registration? {
    var consumers: [ObjectIdentifier: [Registration]] = [:]
    for consumer in cells.map(\.registration) + decorated {
      if let wrapped = consumer.wrapped { consumers[ObjectIdentifier(wrapped), default: []].append(consumer) }
      for place in consumer.inputs?.suppliers.flatMap(\.targets) ?? []
      where place.home === consumer.home && cells.indices.contains(place.number) {
        consumers[ObjectIdentifier(cells[place.number].registration), default: []].append(consumer)
      }
    }
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(registration)]
    var open = [registration]
    while let next = open.popLast() {
      if built.contains(ObjectIdentifier(next)) { return next }
      // What is kept and not there yet is held by nobody.
      guard next === registration || !next.keeping.isDisposing else { continue }
      for consumer in consumers[ObjectIdentifier(next)] ?? [] where seen.insert(ObjectIdentifier(consumer)).inserted {
        open.append(consumer)
      }
    }
    return nil
  }

  /// Has a registration take all cells of another one over, whose types it has in the same order.
  fileprivate mutating func replace(_ old: Registration, by new: Registration) {
    for place in cells.indices where cells[place].registration === old {
      cells[place] = Cell(new, index: cells[place].index)
    }
    old.setReplaced()
  }
}

extension InstanceStore {
  /// The registrations of which there is an instance, or a build, in this store or one that was opened in it; with each the object,
  /// where only its users keep it.
  fileprivate var builtRegistrations: [(registration: ObjectIdentifier, object: AnyObject?)] {
    withInner.flatMap { store in
      store.state.withLock { state in
        Hold(
          state.slots.values.compactMap { slot -> (registration: ObjectIdentifier, object: AnyObject?)? in
            guard let registration = slot.key?.registration else { return nil }
            guard case .object(let unowned) = slot else { return (ObjectIdentifier(registration), nil) }
            // One that is gone is held by nobody.
            return unowned.object.map { (ObjectIdentifier(registration), $0) }
          })
      }.value
    }
  }
}
