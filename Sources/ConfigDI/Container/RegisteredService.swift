// SPDX-License-Identifier: Apache-2.0

/// What a container knows of one of its services: from where it comes, how long it lives, and by what it is looked up.
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
  /// How long an instance lives. For a service that wants run-time arguments `graph` comes to `transient`: nobody could
  /// share the instance with the look-up that brings them.
  public let lifetime: ServiceLifetime
  /// The names of the types by which it can be looked up, or injected where it is private, in the order of the registration.
  public let typeNames: [String]
  /// The names of the types of the run-time arguments that it wants, in order.
  public let argumentTypeNames: [String]
  /// Whether the container has an instance now that the next look-up would receive.
  ///
  /// Instances of open scopes, and those for certain run-time arguments, do not count.
  public let isBuilt: Bool

  /// What is known of a slot. Called within a look-up, or under the lock of the container.
  fileprivate init(_ slot: Slot) {
    id = slot.id
    origin = slot.origin
    isFromModule = slot.source == .file
    isPrivate = slot.isPrivate
    lifetime = slot.lifetime
    let types = slot.answeringTypes
    typeNames = types.map(\.name)
    argumentTypeNames = slot.parameters.map { TypeName.name(of: $0) }
    isBuilt =
      slot.place.map { $0.found != nil }
      ?? (slot.isInCells && types.contains { slot.cell(of: $0.id)?.isReady ?? false })
  }
}

extension RegisteredService: CustomStringConvertible {
  public var description: String { "service \"\(id)\" at \(origin)" }
}

extension Container {
  /// The service that a look-up of a type, or of a name, would be answered by; nil where there is none that can be looked
  /// up. Builds nothing.
  ///
  /// Code may register what a module defines, too, and a child what its parent has; this tells who has won. A service that
  /// wants run-time arguments is found, too, where it is the only one.
  ///
  /// - Throws: `ResolutionError` where several services could be meant, as the look-up would, or the container was disposed
  ///   of.
  /// - Complexity: that of a look-up by type without an instance, or by name.
  public func registration<Service>(
    of type: Service.Type, named name: String? = nil
  ) throws(ResolutionError) -> RegisteredService? {
    try core.look { resolution throws(ResolutionError) in
      let request = Request(named: name, in: resolution)
      return try core.target(type, request, takesArgumentsLater: true).map { RegisteredService($0.slot) }
    }
  }

  /// All services, ascending by id: those of modules, private ones too, and those of code, in a child also those of its
  /// parents unless one of its own hides them by the same id.
  ///
  /// What another registration has replaced does not count. Empty once the container was disposed of.
  ///
  /// - Complexity: O(n log n) in the number of services.
  public var registrations: [RegisteredService] {
    var registrations = core.registrations
    var parent = core.isEnded ? nil : core.parent
    while let current = parent {
      let hidden = Set(registrations.map { ScalarString($0.id) })
      registrations += current.registrations.filter { !hidden.contains(ScalarString($0.id)) }
      parent = current.parent
    }
    return registrations.sorted { left, right in
      if left.id != right.id { return left.id < right.id }
      return (left.origin.file, left.origin.line) < (right.origin.file, right.origin.line)
    }
  }
}

extension Core {
  /// The container's own services, in no order; none where it or a parent was disposed of.
  fileprivate var registrations: [RegisteredService] {
    if isEnded { return [] }
    return withState { state in
      (state.fileSlots + state.codeSlots.values)
        .filter { !$0.isDecorated && !$0.answeringTypes.isEmpty }.map { RegisteredService($0) }
    } ?? []
  }
}

extension Slot {
  /// The lifetime by which its instances are kept as they are.
  fileprivate var lifetime: ServiceLifetime {
    switch keeping {
    case .nobody: .transient
    case .container: .shared
    case .users: .weak
    case .lookUp: .graph
    case .scope(let level): .scope(core.scopeNames[level])
    case .missingScope(let name): .scope(name)
    }
  }
}
