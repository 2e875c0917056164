// SPDX-License-Identifier: Apache-2.0

/// What a container knows of one of its services: where it is defined, how long it lives, and by what it is looked up.
///
/// ```swift
/// let winner = try container.registration(of: (any Mailer).self)
/// print(winner?.id ?? "none", winner?.origin.description ?? "")  // mailer Configs/app.json:12:5
/// for service in container.registrations where !service.isFromModule { print(service) }
/// ```
public struct RegisteredService: Sendable {
  /// The id: the name of the service, or where code gave none that of its type.
  public let id: String
  /// Where it is defined: the place in a module file, or the Swift file and line of the registration.
  public let origin: Origin
  /// Whether a module defines it, and not code.
  public let isFromModule: Bool
  /// Whether it can only be injected, not looked up by its id or a type.
  public let isPrivate: Bool
  /// How long an instance lives.
  public let scope: ServiceScope
  /// The names of the types by which it can be looked up, or injected where it is private, in the order of the registration.
  public let typeNames: [String]
  /// The names of the types of the run-time arguments that it takes, in order.
  public let argumentTypeNames: [String]
  /// Whether the container has an instance now that the next look-up would receive.
  ///
  /// Instances of open scopes, and those for certain run-time arguments, do not count.
  public let isBuilt: Bool

  /// What is known of a registration.
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
  /// The service that a look-up of a type, or of a name, would be answered by; nil where there is none that can be looked
  /// up. Builds nothing.
  ///
  /// Code may register what a module defines, too, and a child what its parent has; this tells which one answers. A service that
  /// takes run-time arguments is found, too, where it is the only one.
  ///
  /// - Throws: `ResolutionError` where several services could be meant, as the look-up would, or the container was disposed
  ///   of.
  /// - Complexity: that of a look-up by type without an instance, or by name.
  public func registration<Service>(
    of type: Service.Type, named name: String? = nil
  ) throws(ResolutionError) -> RegisteredService? {
    let request = Request(named: name, in: Resolution())
    guard let cell = try state.target(type, request, takesArgumentsLater: true),
      let (registration, _) = cell.home.directory.registration(in: cell.number)
    else { return nil }
    return RegisteredService(registration, types: cell.home.directory.types(of: registration))
  }

  /// All services, ascending by id: those of modules, private ones too, and those of code, in a child also those of its
  /// parents unless one of its own hides them by the same id.
  ///
  /// What another registration has replaced does not count. Empty once the container was disposed of.
  ///
  /// - Complexity: O(n log n) in the number of services.
  public var registrations: [RegisteredService] {
    state.visibleRegistrations.filter { !$0.types.isEmpty }.map { RegisteredService($0.registration, types: $0.types) }
      .sorted { ($0.id, $0.origin.file, $0.origin.line) < ($1.id, $1.origin.file, $1.origin.line) }
  }
}

extension ContainerState {
  /// The registrations of this container and its parents, without those that a child's hide. None once it was disposed of.
  var visibleRegistrations: [OwnRegistration] {
    var found: [OwnRegistration] = []
    var hidden: Set<ScalarString> = []
    var state: ContainerState? = self
    while let current = state, !current.directory.isClosed {
      let own = current.directory.ownRegistrations
      found += own.filter { !hidden.contains(ScalarString($0.registration.id)) }
      hidden.formUnion(own.map { ScalarString($0.registration.id) })
      hidden.formUnion(current.directory.read { $0.rare?.hidden ?? [] })
      state = current.parent
    }
    return found
  }
}

/// A registration of a container.
struct OwnRegistration {
  let registration: Registration
  /// Its first cell.
  let cell: CellPlace
  /// The types by which it can be looked up, or injected where it is private.
  var types: [Any.Type] = []
}

extension Directory {
  /// The types by which a registration of this container can be looked up.
  fileprivate func types(of registration: Registration) -> [Any.Type] {
    ownRegistrations.first { $0.registration === registration }?.types ?? []
  }

  /// The registrations of this container, in the order of their first cells, without what decorators wrap.
  var ownRegistrations: [OwnRegistration] {
    read { tables in
      var found: [OwnRegistration] = []
      var places: [ObjectIdentifier: Int] = [:]
      for (number, cell) in tables.cells.enumerated() {
        let registration = cell.registration
        let place = places[ObjectIdentifier(registration)] ?? found.count
        if place == found.count {
          places[ObjectIdentifier(registration)] = place
          found.append(OwnRegistration(registration: registration, cell: CellPlace(registration.home, number)))
        }
        if registration.answers(ofType: cell.index) {
          found[place].types.append(registration.product.type(cell.index))
        }
      }
      return found
    }
  }
}
