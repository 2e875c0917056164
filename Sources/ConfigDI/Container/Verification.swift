// SPDX-License-Identifier: Apache-2.0

/// The errors of the services that could not be built when all services of a container were built.
public struct VerificationError: Error, Sendable, CustomStringConvertible {
  /// The error of a scope that could not be opened, then those of services, ascending by id; at least one.
  public let failures: [ResolutionError]

  /// All messages, separated by empty lines.
  public var description: String { failures.map(\.description).joined(separator: "\n\n") }
}

extension Container {
  /// Builds every registered service once, and reports all that cannot be built. For tests.
  ///
  /// Named scopes are opened, each within the previous one, and closed afterwards; each takes those of the given values
  /// that match its services. Services with run-time arguments are skipped. Instances that the container caches stay
  /// built.
  ///
  /// ```swift
  /// @Test func everythingCanBeBuilt() throws { try makeContainer().verify() }
  /// ```
  ///
  /// - Parameter values: the instances that scopes expect from the application.
  /// - Throws: `VerificationError` with the errors of all services that failed; also of those that have to be awaited,
  ///   or be called on the main actor if this runs elsewhere: see `verifyAsync`.
  public func verify(given values: any Sendable...) throws(VerificationError) {
    var (cells, scopes, failures) = cellsToVerify(given: values)
    for cell in cells {
      do throws(ResolutionError) {
        _ = try state.lookUp(cell, try scopes.last?.resolution ?? Resolution())
      } catch { note(error, in: &failures) }
    }
    for scope in scopes.reversed() { scope.close() }
    try check(failures)
  }

  /// Returns a cell of each service that takes no run-time arguments, ascending by id; and the named scopes, opened,
  /// with the error of one that cannot be opened.
  func cellsToVerify(
    given values: [any Sendable]
  ) -> (cells: [CellReference], scopes: [Scope], failures: [ResolutionError]) {
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
    return (services.ascending(by: \.registration.id).map(\.cell), scopes, failures)
  }

  /// Adds the error of a service, unless it only follows from the error of a scope that could not be opened.
  func note(_ error: ResolutionError, in failures: inout [ResolutionError]) {
    if error.code != .notOpen || failures.first?.code != .notGiven { failures.append(error) }
  }

  func check(_ failures: [ResolutionError]) throws(VerificationError) {
    if !failures.isEmpty { throw VerificationError(failures: failures) }
  }
}

// MARK: - For tests of registries

extension Container {
  /// A weak reference to an object that a container cached, or that it built for its user.
  package struct KeptObject {
    package let id: String
    fileprivate let reference: InstanceStore.WeakObject

    /// Whether something still retains the object.
    package var isAlive: Bool { reference.object != nil }
  }

  /// The instances of classes that the container caches.
  package var keptObjects: [KeptObject] {
    state.store.products.compactMap { registration, product in
      registration.factory.object(of: product).map {
        KeptObject(id: registration.id, reference: .init($0, registration, sequence: product.sequence))
      }
    }
  }

  /// Builds the service of a name, and awaits async builders.
  ///
  /// - Returns: a weak reference to the instance; `nil` if that is no object, or one of which its user has to dispose.
  /// - Throws: `ResolutionError` if there is no such service, or building fails.
  package func buildAsync(
    named name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> KeptObject? {
    guard let (place, cell) = state.directory.cells(named: name).first else {
      throw .notRegistered(Any.self, name: name, in: state)
    }
    let instance = try await state.awaitedLookUp(place, isolation: isolation)
    func typed<Service>(as type: Service.Type) -> Any { instance.value(as: type) }
    let factory = cell.registration.factory
    let product = typed(as: factory.type(cell.index))
    guard type(of: product) is AnyObject.Type, !factory.hasDisposeAction, !(product is any AsyncDisposable) else {
      return nil
    }
    return KeptObject(id: name, reference: .init(product as AnyObject, cell.registration, sequence: 0))
  }
}
