// SPDX-License-Identifier: Apache-2.0

/// The properties of one service of a container: its definition, its scope, and the types that it provides.
///
/// ```swift
/// let winner = try container.registration(of: (any Mailer).self)
/// print(winner?.id ?? "none", winner?.origin.description ?? "")  // mailer Configs/app.json:12:5
/// for service in container.registrations where !service.isFromModule { print(service) }
/// ```
public struct RegisteredService: Sendable {
  /// The id: the name of the service, or the name of its type if code gave no name.
  public let id: String
  /// The place of the definition: a line of a module file, or the Swift file and line of the registration.
  public let origin: Origin
  /// Whether a module defines the service, not code.
  public let isFromModule: Bool
  /// Whether the service can only be injected, not looked up by its id or a type.
  public let isPrivate: Bool
  /// The lifetime of an instance.
  public let scope: ServiceScope
  /// The names of the types by which it can be looked up, or injected if it is private, as ordered in the registration.
  public let typeNames: [String]
  /// The names of the types of its run-time arguments, in order.
  public let argumentTypeNames: [String]
  /// Whether the container has an instance that the next look-up would return.
  ///
  /// Does not cover instances in open scopes, and those for particular run-time arguments.
  public let isBuilt: Bool

  /// Creates the description of a registration.
  ///
  /// - Parameter types: the types by which it can be looked up.
  init(_ registration: Registration, types: [Any.Type]) {
    id = registration.id
    origin = registration.origin
    isFromModule = registration.traits.contains(.isFromModule)
    isPrivate = registration.traits.contains(.isPrivate)
    scope = ServiceScope(registration)
    typeNames = types.map { TypeName.name(of: $0) }
    argumentTypeNames = registration.parameters.map { TypeName.name(of: $0) }
    isBuilt = registration.home.store.has(registration)
  }
}

extension RegisteredService: CustomStringConvertible {
  public var description: String { "service \"\(id)\" at \(origin)" }
}

extension Container {
  /// Returns the service that a look-up by type, or by name, would use; `nil` if no service is registered that can be
  /// looked up. Builds nothing.
  ///
  /// Code may register a service that a module defines too, and a child one that its parent has too; this tells which
  /// one is used. A service that takes run-time arguments is also found if it is the only one.
  ///
  /// - Throws: `ResolutionError` if the look-up is ambiguous, or the container was disposed of.
  /// - Complexity: linear in the number of services of the container that has the service.
  public func registration<Service>(
    of type: Service.Type, named name: String? = nil
  ) throws(ResolutionError) -> RegisteredService? {
    let request = Request(named: name, in: Resolution())
    guard let (place, cell) = try state.found(type, request, takesArgumentsLater: true) else { return nil }
    return RegisteredService(cell.registration, types: place.home.directory.types(of: cell.registration))
  }

  /// All services, ascending by id: those of modules, including private ones, and those that code registered. For a
  /// child also the services of its parents, except for types by which look-ups find a service of the child instead: one
  /// of the same name, or without a name of the same type.
  ///
  /// Replaced registrations are not included. Empty if the container was disposed of.
  ///
  /// - Complexity: O(n log n) in the number of services.
  public var registrations: [RegisteredService] {
    state.visibleRegistrations.filter { !$0.types.isEmpty }.map { RegisteredService($0.registration, types: $0.types) }
      .ascending(by: \.origin.line).ascending(by: \.origin.file).ascending(by: \.id)
  }
}

extension ContainerState {
  /// The registrations of this container and its parents, without those that a child hides. Empty if the container was
  /// disposed of.
  var visibleRegistrations: [OwnRegistration] {
    var found: [OwnRegistration] = []
    var hidden: Set<Registration.Identity> = []
    // The types of nearer services, by identity: a service hides those of parents for its own types only.
    var nearer: [Registration.Identity: Set<ObjectIdentifier>] = [:]
    var state: ContainerState? = self
    while let current = state, !current.directory.isClosed {
      let own = current.directory.ownRegistrations
      found += own.compactMap { service in
        let identity = service.registration.identity
        return hidden.contains(identity) ? nil : service.without(nearer[identity])
      }
      for service in own {
        nearer[service.registration.identity, default: []].formUnion(service.types.map { ObjectIdentifier($0) })
      }
      hidden.formUnion(current.directory.read(\.hidden).map { .name($0) })
      state = current.parent
    }
    return found
  }
}

/// A registration of a container, with its types.
struct OwnRegistration {
  let registration: Registration
  /// The first cell of the registration.
  let cell: CellReference
  /// The types by which the service can be looked up, or injected if it is private.
  var types: [Any.Type] = []

  /// Returns the service with the types that nearer ones of its identity leave to it; `nil` if they leave none.
  fileprivate func without(_ nearer: Set<ObjectIdentifier>?) -> OwnRegistration? {
    guard let nearer else { return self }
    var service = self
    service.types.removeAll { nearer.contains(ObjectIdentifier($0)) }
    return service.types.isEmpty ? nil : service
  }
}

extension Directory {
  /// Returns the types by which a registration of this container can be looked up.
  fileprivate func types(of registration: Registration) -> [Any.Type] {
    ownRegistrations.first { $0.registration === registration }?.types ?? []
  }

  /// The registrations of this container, in the order of their first cells, without those that a decorator wraps.
  var ownRegistrations: [OwnRegistration] {
    read { tables in
      var found: [OwnRegistration] = []
      var places: [ObjectIdentifier: Int] = [:]
      for (number, cell) in tables.cells.enumerated() {
        let registration = cell.registration
        let place = places[ObjectIdentifier(registration)] ?? found.count
        if place == found.count {
          places[ObjectIdentifier(registration)] = place
          found.append(OwnRegistration(registration: registration, cell: CellReference(registration.home, number)))
        }
        if registration.answers(ofType: cell.index) {
          found[place].types.append(registration.factory.type(cell.index))
        }
      }
      return found
    }
  }
}
