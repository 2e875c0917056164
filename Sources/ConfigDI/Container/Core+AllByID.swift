// SPDX-License-Identifier: Apache-2.0

// All services of a type under their ids, as `[String: T]` asks for them.

extension Core {
  /// The services that provide a type, can be looked up and want no run-time arguments, by id.
  ///
  /// - Throws: `ResolutionError` where two of them share an id, and where building fails.
  func allByID<Service>(
    _ type: Service.Type, _ resolution: Resolution
  ) throws(ResolutionError) -> [String: Service] {
    if isEnded { throw .disposed }
    var services: [String: Service] = [:]
    for cell in try cellsByID(of: type) { services[cell.slot.id] = try instance(in: cell, resolution) }
    return services
  }

  /// The same services, with builders awaited.
  ///
  /// - Throws: as `allByID` does, and where the task is cancelled.
  func allByIDAwaiting<Service>(
    _ type: Service.Type, _ resolution: Resolution
  ) async throws(ResolutionError) -> Hold<[String: Service]> {
    var services = Hold<[String: Service]>([:])
    let cells = try look { _ throws(ResolutionError) in
      if isEnded { throw .disposed }
      return try cellsByID(of: type).map { (id: $0.slot.id, cell: $0) }
    }
    for (id, cell) in cells {
      let instance = try await heldAwaiting(in: cell, resolution)
      services.value[id] = unsafeDowncast(instance, to: Instance<Service>.self).value
    }
    return services
  }

  /// The cells of the services that provide a type, can be looked up and want no run-time arguments.
  ///
  /// - Throws: `ResolutionError` where two of them share an id: each would hide the other.
  private func cellsByID(of type: Any.Type) throws(ResolutionError) -> [Cell] {
    let cells = providers(of: ObjectIdentifier(type)).filter { $0.slot.parameters.isEmpty }
    var ids: Set<String> = []
    for cell in cells where !ids.insert(cell.slot.id).inserted {
      throw .ambiguous(type: TypeName.name(of: type), id: cell.slot.id)
    }
    return cells
  }
}
