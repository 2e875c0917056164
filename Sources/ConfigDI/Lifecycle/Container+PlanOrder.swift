// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// Returns all services of a type that take no run-time arguments, with their ids, and awaits async builders.
  /// Those of a parent come first. Of one container, services of modules come first, in the order of the plan, then
  /// those of code in the order of registration; they are built in this order.
  ///
  /// - Throws: `ResolutionError` if building fails, or the container was disposed of.
  package func resolveInPlanOrder<Service>(
    _ type: Service.Type, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> [(id: String, service: Service)] {
    if state.directory.isClosed { throw .disposed }
    var services: [(id: String, service: Service)] = []
    let providers = state.directory.providers(of: ObjectIdentifier(type))
    for (place, cell) in providers.ascending(by: \.place.number).ascending(by: \.place.home.depth)
    where cell.registration.parameters.isEmpty {
      let service = try await state.awaitedLookUp(place, isolation: isolation).value(as: type)
      services.append((cell.registration.id, service))
    }
    return services
  }

  /// Returns the ids of the services that `resolveInPlanOrder` returns.
  package func ids(of type: Any.Type) -> Set<String> {
    let providers = state.directory.providers(of: ObjectIdentifier(type))
    return Set(providers.lazy.map(\.cell.registration).filter(\.parameters.isEmpty).map(\.id))
  }

  /// Returns whether another container of a series of reloads has the same instances of all services of some ids. Only
  /// shared services of a module pass on their instances.
  func hasPassed(_ ids: Set<String>, to other: Container) -> Bool {
    func registrations(_ container: Container) -> [Registration] {
      container.state.directory.ownRegistrations.map(\.registration).filter { ids.contains($0.id) }
    }
    let others = registrations(other).compactMap { other.state.generation?.known($0) }
    return registrations(self).allSatisfy { registration in
      guard let kept = state.generation?.known(registration) else { return false }
      return others.contains { $0 === kept }
    }
  }
}
