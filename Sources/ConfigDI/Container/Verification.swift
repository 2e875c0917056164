// SPDX-License-Identifier: Apache-2.0

/// The services that could not be built when a container was asked to build everything.
public struct VerificationError: Error, Sendable, CustomStringConvertible {
  /// The errors, in ascending order of the services' ids; at least one.
  public let failures: [ResolutionError]

  /// All messages, an empty line between two of them.
  public var description: String { failures.map(\.description).joined(separator: "\n\n") }
}

extension Container {
  /// Builds every registered service once, and reports all that cannot be built. For tests.
  ///
  /// Named scopes are opened, each within the one before it, and closed afterwards. What takes run-time arguments is left out.
  /// A scope that has to be given instances takes those that are of its services.
  /// Instances that the container keeps stay built.
  ///
  /// ```swift
  /// @Test func everythingCanBeBuilt() throws { try makeContainer().verify() }
  /// ```
  ///
  /// - Parameter values: the instances that the scopes have to be given.
  /// - Throws: `VerificationError` with the errors of all services that failed; also of those that have to be awaited, or
  ///   called on the main actor where this is elsewhere: see `verifyAsync`.
  public func verify(given values: any Sendable...) throws(VerificationError) {
    var (cells, scopes, failures) = cellsToVerify(given: values)
    for cell in cells {
      do throws(ResolutionError) {
        _ = try state.lookUp(cell, try scopes.last?.resolution ?? Resolution())
      } catch { note(error, in: &failures) }
    }
    try finish(scopes, failures)
  }

  /// Does the same, with builders awaited.
  ///
  /// - Throws: `VerificationError` with the errors of all services that failed.
  public func verifyAsync(
    given values: any Sendable..., isolation: isolated (any Actor)? = #isolation
  ) async throws(VerificationError) {
    var (cells, scopes, failures) = cellsToVerify(given: values)
    for cell in cells {
      do throws(ResolutionError) {
        _ = try await state.awaitedLookUp(cell, try scopes.last?.resolution ?? Resolution(), isolation: isolation)
      } catch { note(error, in: &failures) }
    }
    try finish(scopes, failures)
  }

  /// A cell of each service that takes no run-time arguments, ascending by id, and the named scopes, opened, with the error of
  /// one that cannot be opened.
  private func cellsToVerify(
    given values: [any Sendable]
  ) -> (cells: [CellPlace], scopes: [Scope], failures: [ResolutionError]) {
    var scopes: [Scope] = []
    var failures: [ResolutionError] = state.store.isOpen ? [] : [.disposed]
    for name in state.scopeNames {
      do throws(ResolutionError) {
        scopes.append(try Scope(name, of: self, in: scopes.last, given: values, takesAll: false))
      } catch {
        if error.code == .notGiven { failures.append(error) }
        break
      }
    }
    let services = state.visibleRegistrations.filter(\.registration.parameters.isEmpty)
    return (services.sorted { $0.registration.id < $1.registration.id }.map(\.cell), scopes, failures)
  }

  /// Notes the error of a service, unless an error of its scope says already why that is not open.
  private func note(_ error: ResolutionError, in failures: inout [ResolutionError]) {
    if error.code != .notOpen || failures.first?.code != .notGiven { failures.append(error) }
  }

  /// Closes the scopes, and throws where something failed.
  private func finish(_ scopes: [Scope], _ failures: [ResolutionError]) throws(VerificationError) {
    for scope in scopes.reversed() { scope.close() }
    if !failures.isEmpty { throw VerificationError(failures: failures) }
  }
}

// MARK: - For tests of registries

extension Container {
  /// An object that a container kept, which this does not keep.
  package struct KeptObject {
    package let id: String
    fileprivate let reference: InstanceStore.UnownedObject

    /// Whether somebody holds the object.
    package var isAlive: Bool { reference.object != nil }
  }

  /// The instances of classes that the container keeps.
  package var keptObjects: [KeptObject] {
    let products = state.store.state.withLock { state in
      state.slots.values.compactMap { slot in if case .instance(let product) = slot { product } else { nil } }
    }
    return products.compactMap { product in
      guard let key = product.key, let registration = key.registration,
        let object = registration.product.object(of: product)
      else { return nil }
      return KeptObject(id: registration.id, reference: InstanceStore.UnownedObject(object, key))
    }
  }

  /// Builds the service of a name, with builders awaited.
  ///
  /// - Throws: `ResolutionError` where there is none, or building fails.
  package func buildAsync(
    named name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) {
    guard let (place, _) = state.directory.cells(named: name).first else {
      throw .notRegistered(Any.self, name: name, in: state)
    }
    _ = try await state.awaitedLookUp(place, isolation: isolation)
  }
}
