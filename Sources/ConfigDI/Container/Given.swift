// SPDX-License-Identifier: Apache-2.0

/// An instance that the application passes in for the service of an id, if several services could take it by its type.
///
/// ```swift
/// try container.scope("request", given: info, Given(home, named: "address.home"), Given(work, named: "address.work")) {
///   ...
/// }
/// ```
public struct Given: Sendable {
  let value: any Sendable
  let id: String

  /// Creates an instance for the service of an id.
  public init(_ value: some Sendable, named id: String) {
    self.value = value
    self.id = id
  }
}

extension ContainerState {
  /// Finds the service that takes each value that was passed to a container or a scope: the service of the id in a
  /// `Given`, or else the only one of exactly the value's type, or else the only one to whose type the value converts.
  ///
  /// - Parameters:
  ///   - keeping: the lifetime of the services.
  ///   - takesAll: whether a value that no service takes is an error.
  /// - Returns: the instances, ascending by the id of the service.
  /// - Throws: `ResolutionError` with all services without a value, and all problems of the values.
  func givenInstances(
    _ values: [any Sendable], keeping: Keeping, takesAll: Bool = true
  ) throws(ResolutionError) -> [GivenInstance] {
    let wanted = givenServices(keeping)
    guard !wanted.isEmpty || !values.isEmpty else { return [] }
    var found: [ObjectIdentifier: GivenInstance] = [:]
    var problems: [String] = []
    let given = values.map { value in (value as? Given).map { ($0.value, $0.id) } ?? (value, nil) }
    for (position, (value, id)) in given.enumerated() {
      let candidates = services(among: wanted, named: id, for: value)
      let ids = Set(candidates.map { $0.0.id }).sorted()
      let type = {
        TypeName.names(of: [Swift.type(of: value)], apartFrom: wanted.map(\.factory.productType))[0]
      }
      switch ids.count {
      case 1:
        // A child and its parent may each have a service of this id: the builders of the parent receive the instance of
        // the parent's service. The child's service disposes of it, unless only the parent's has a dispose action.
        let order = { (service: Registration) in (service.factory.hasDisposeAction ? 1 : 0, service.home.depth) }
        let owner = candidates.max { order($0.0) < order($1.0) }?.0
        for (service, product) in candidates where service !== owner { product.isBorrowed = true }
        let taken = candidates.map { service, product in
          found.updateValue(
            GivenInstance(service: service, product: product, position: position), forKey: ObjectIdentifier(service))
        }
        if taken.contains(where: { $0 != nil }) { problems.append("service \"\(ids[0])\" was given twice") }
      case 0 where !takesAll: break
      // A test or other code has replaced the service that would take the value.
      case 0
      where !services(among: givenServices(keeping, replaced: true), named: id, for: value).isEmpty:
        break
      case 0:
        problems.append(
          "an instance of \"\(type())\" was given" + (id.map { " for service \"\($0)\"" } ?? "")
            + ", but no such service takes it here"
            + (id.map { SuggestionIndex.clause(suggestions(for: $0, among: wanted.map(\.id))) } ?? ""))
      default:
        problems.append(
          "an instance of \"\(type())\" was given, which services \(ids.quotedList) could take: name one with Given(_:named:)"
        )
      }
    }
    let missing = wanted.filter { found[ObjectIdentifier($0)] == nil }
    guard missing.isEmpty, problems.isEmpty else {
      // A closed container has no services any more.
      if directory.isClosed { throw .disposed }
      var scope: String?
      if case .scope(let level) = keeping { scope = scopeNames[level] }
      throw .notGiven(to: scope, missing: missing, given.map { Swift.type(of: $0.0) }, problems)
    }
    let instances = wanted.compactMap { found[ObjectIdentifier($0)] }
    if keeping == .shared { borrow(instances) }
    return instances
  }

  /// Returns the services that could take a value, each with the value as the instance to cache.
  private func services(
    among wanted: [Registration], named id: String?, for value: any Sendable
  ) -> [(Registration, AnyInstance)] {
    let named = id.map { id in wanted.filter { ScalarString($0.id) == ScalarString(id) } } ?? wanted
    // The exact type first: the first conversion to a protocol searches the conformances of the program.
    let exact = named.filter { $0.factory.productType == type(of: value) }
    return (exact.isEmpty ? named : exact).compactMap { service in
      service.factory.product(from: value).map { (service, $0) }
    }
  }

  /// Marks objects that were also given to a parent as borrowed: the parent disposes of them.
  private func borrow(_ instances: [GivenInstance]) {
    for parent in sequence(first: self, next: \.parent).dropFirst() {
      for service in parent.givenServices(.shared) {
        guard let object = parent.store.product(service).flatMap(service.factory.object) else { continue }
        for given in instances where given.service.factory.object(of: given.product) === object {
          given.product.isBorrowed = true
        }
      }
    }
  }

  /// Returns the services of this container and its parents whose instances the application passes in and that have the
  /// given lifetime, ascending by id.
  ///
  /// - Parameter isReplaced: whether to return those that another registration has replaced.
  private func givenServices(_ keeping: Keeping, replaced isReplaced: Bool = false) -> [Registration] {
    var found: [Registration] = []
    var hidden: Set<Registration.Identity> = []
    var state: ContainerState? = self
    while let current = state {
      found += current.directory.read { tables in
        let wanted = tables.given.filter { $0.registration.keeping == keeping && $0.outermost.isReplaced == isReplaced }
        let visible = wanted.map(\.registration).filter { !hidden.contains($0.identity) }
        for name in tables.hidden { hidden.insert(.name(name)) }
        return visible
      }
      // A parent received its shared instances when it was loaded.
      state = keeping == .shared ? nil : current.parent
    }
    return found.ascending(by: \.id)
  }
}

extension Registering {
  /// Registers a service of a named scope whose instances the application passes in when it opens the scope.
  ///
  /// ```swift
  /// let container = Container(scopes: ["request"])
  /// container.register(given: RequestInfo.self, in: "request")
  /// container.register(scope: .scope("request")) { Handler(info: try $0.resolve()) }
  /// try container.scope("request", given: RequestInfo(id: "17")) { request in ... }
  /// ```
  ///
  /// For the lifetime of the container, register an instance instead.
  ///
  /// - Parameters:
  ///   - type: the type of the instances.
  ///   - types: the types by which instances are looked up; empty for the type itself.
  ///   - name: the name of the service; `nil` if it is looked up by its types.
  ///   - scope: the name of the scope. Scopes that are already open have no instance.
  ///   - onDispose: called with an instance when its scope closes.
  public func register<Service: Sendable>(
    given type: Service.Type, as types: [ProvidedType<Service>] = [], named name: String? = nil, in scope: String,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    register(
      CodeService(name, .scope(scope), fileID, line, as: types, onDispose, traits: [.isSendable, .isGiven], .given))
  }
}
