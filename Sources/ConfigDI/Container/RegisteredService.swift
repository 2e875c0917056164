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
    var found: [RegisteredService] = []
    var state: ContainerState? = self.state
    while let current = state, !current.directory.isClosed {
      let hidden = Set(found.map { ScalarString($0.id) })
      for (registration, types) in current.directory.ownRegistrations {
        guard !registration.traits.contains(.isDecorated), !hidden.contains(ScalarString(registration.id)) else {
          continue
        }
        found.append(RegisteredService(registration, types: types))
      }
      state = current.parent
    }
    return found.sorted { ($0.id, $0.origin.file, $0.origin.line) < ($1.id, $1.origin.file, $1.origin.line) }
  }
}

extension Directory {
  /// The types by which a registration of this container can be looked up.
  fileprivate func types(of registration: Registration) -> [Any.Type] {
    ownRegistrations.first { $0.0 === registration }?.types ?? []
  }

  /// The registrations of this container, each with the types of its cells.
  var ownRegistrations: [(Registration, types: [Any.Type])] {
    read { tables in
      var found: [(Registration, types: [Any.Type])] = []
      var places: [ObjectIdentifier: Int] = [:]
      for cell in tables.cells where cell.registration.answers(ofType: cell.index) {
        let type = cell.registration.product.type(cell.index)
        if let place = places[ObjectIdentifier(cell.registration)] {
          found[place].types.append(type)
        } else {
          places[ObjectIdentifier(cell.registration)] = found.count
          found.append((cell.registration, [type]))
        }
      }
      return found
    }
  }
}
