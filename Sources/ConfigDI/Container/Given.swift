// SPDX-License-Identifier: Apache-2.0

/// An instance that the application gives for the service of a certain id, where several could take it by its type.
///
/// ```swift
/// try container.scope("request", given: info, Given(home, named: "address.home"), Given(work, named: "address.work")) {
///   ...
/// }
/// ```
public struct Given: Sendable {
  let value: any Sendable
  let id: String

  /// An instance for the service of an id.
  public init(_ value: some Sendable, named id: String) {
    self.value = value
    self.id = id
  }
}

/// The instances that a container or a scope was given, each with the service that takes it.
struct GivenInstances {
  private(set) var instances: [(Registration, AnyInstance)] = []

  /// Finds the service that takes each value: that of the id which `Given` names, else the only one of just the value's type,
  /// else the only one whose type the value converts to.
  ///
  /// - Parameters:
  ///   - keeping: how long the services live.
  ///   - takesAll: whether a value that no service takes is an error.
  /// - Throws: `ResolutionError` with all services that receive nothing, and all that is wrong with the values.
  init(
    _ values: [any Sendable], in state: ContainerState, keeping: Keeping, takesAll: Bool = true
  ) throws(ResolutionError) {
    let wanted = state.givenServices(keeping)
    guard !wanted.isEmpty || !values.isEmpty else { return }
    var found: [ObjectIdentifier: AnyInstance] = [:]
    var problems: [String] = []
    for value in values {
      let (value, id) = (value as? Given).map { ($0.value, $0.id) } ?? (value, nil)
      let candidates = GivenInstances.services(among: wanted, named: id, for: value)
      let ids = Set(candidates.map { $0.0.id }).sorted()
      let type = { TypeName.name(of: Swift.type(of: value)) }
      switch ids.count {
      case 1:
        // Of a child and its parent one each: what the parent builds receives the parent's.
        let taken = candidates.map { found.updateValue($1, forKey: ObjectIdentifier($0)) }
        if taken.contains(where: { $0 != nil }) { problems.append("service \"\(ids[0])\" was given twice") }
      case 0 where !takesAll: break
      // A test, or code, has something else in the place of the service that would take it.
      case 0
      where !GivenInstances.services(among: state.givenServices(keeping, replaced: true), named: id, for: value).isEmpty:
        break
      case 0:
        problems.append(
          "an instance of \"\(type())\" was given" + (id.map { " for service \"\($0)\"" } ?? "")
            + ", but no such service takes it here")
      default:
        problems.append(
          "an instance of \"\(type())\" was given, which services \(ids.quotedList) could take: name one with Given(_:named:)"
        )
      }
    }
    let missing = wanted.filter { found[ObjectIdentifier($0)] == nil }
    guard missing.isEmpty, problems.isEmpty else {
      // Its services are gone with it.
      if state.directory.isClosed { throw .disposed }
      var scope: String?
      if case .scope(let level) = keeping { scope = state.scopeNames[level] }
      throw .notGiven(to: scope, missing: missing, problems)
    }
    instances = wanted.compactMap { service in found[ObjectIdentifier(service)].map { (service, $0) } }
  }

  /// The services that could take a value, each with the value as the service keeps it.
  private static func services(
    among wanted: [Registration], named id: String?, for value: any Sendable
  ) -> [(Registration, AnyInstance)] {
    let named = id.map { id in wanted.filter { ScalarString($0.id) == ScalarString(id) } } ?? wanted
    // A type of its own first: to convert to a protocol searches conformances when it is done for the first time.
    let exact = named.filter { $0.product.productType == type(of: value) }
    return (exact.isEmpty ? named : exact).compactMap { service in
      service.product.product(from: value).map { (service, $0) }
    }
  }
}

extension ContainerState {
  /// The services of this container and its parents whose instances the application gives, and which live as long as is said,
  /// ascending by id.
  ///
  /// - Parameter isReplaced: whether to find those in whose place something else stands.
  fileprivate func givenServices(_ keeping: Keeping, replaced isReplaced: Bool = false) -> [Registration] {
    var found: [Registration] = []
    var hidden: Set<ScalarString> = []
    var state: ContainerState? = self
    while let current = state {
      found += current.directory.read { tables in
        let wanted = tables.given.filter { $0.registration.keeping == keeping && $0.outermost.isReplaced == isReplaced }
        let visible = wanted.map(\.registration).filter { !hidden.contains(ScalarString($0.id)) }
        hidden.formUnion(tables.rare?.hidden ?? [])
        return visible
      }
      // A parent has its own from its load.
      state = keeping == .shared ? nil : current.parent
    }
    return found.sorted { $0.id < $1.id }
  }
}

extension Registering {
  /// Registers a service of a named scope whose instances the application gives when the scope is opened.
  ///
  /// ```swift
  /// let container = Container(scopes: ["request"])
  /// container.register(given: RequestInfo.self, in: "request")
  /// container.register(scope: .scope("request")) { Handler(info: try $0.resolve()) }
  /// try container.scope("request", given: RequestInfo(id: "17")) { request in ... }
  /// ```
  ///
  /// What lives as long as the container is registered as an instance.
  ///
  /// - Parameters:
  ///   - type: the type of the instances.
  ///   - types: the types by which instances are looked up; none stands for the type's own.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - scope: the name of the scope. Scopes that are open already have no instance.
  ///   - onDispose: called with an instance when its scope closes.
  public func register<Service: Sendable>(
    given type: Service.Type, as types: [ProvidedType<Service>] = [], named name: String? = nil, in scope: String,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    register(
      CodeService(
        name, .scope(scope), Origin(file: fileID, line: line), as: types, traits: [.isSendable, .isGiven],
        onDispose: onDispose, .given))
  }
}
