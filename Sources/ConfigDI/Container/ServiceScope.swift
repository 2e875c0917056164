// SPDX-License-Identifier: Apache-2.0

/// How long an instance of a service lives, and who shares it.
public struct ServiceScope: Hashable, Sendable {
  fileprivate enum Kind: Hashable {
    case automatic, shared, weak, transient, graph
    case scope(String)
  }

  fileprivate let kind: Kind

  /// `shared` for a service without run-time arguments, `transient` for one with some: what nobody asked to keep is not kept.
  public static let automatic = ServiceScope(kind: .automatic)
  /// One instance a container.
  public static let shared = ServiceScope(kind: .shared)
  /// One instance as long as someone else holds it. It must be an instance of a class.
  public static let weak = ServiceScope(kind: .weak)
  /// A new instance each time.
  public static let transient = ServiceScope(kind: .transient)
  /// One instance an outermost look-up.
  public static let graph = ServiceScope(kind: .graph)
  /// One instance an open scope of the given name.
  public static func scope(_ name: String) -> ServiceScope { ServiceScope(kind: .scope(name)) }

  /// The scopes in which no two threads share an instance: those of a service that is not `Sendable`.
  public struct Unshared: Hashable, Sendable {
    /// The scope.
    public let scope: ServiceScope

    /// A new instance each time.
    public static let transient = Unshared(scope: .transient)
    /// One instance an outermost look-up.
    public static let graph = Unshared(scope: .graph)
  }
}

extension ServiceScope: CustomStringConvertible {
  /// The word in a module file; that of a named scope is its name.
  public var description: String {
    switch kind {
    case .automatic: "automatic"
    case .shared: "shared"
    case .weak: "weak"
    case .transient: "transient"
    case .graph: "graph"
    case .scope(let name): name
    }
  }
}

extension ServiceScope {
  init(_ registration: Registration) {
    kind =
      switch registration.keeping {
      case .shared: .shared
      case .weak: .weak
      case .transient: .transient
      case .graph: .graph
      case .scope(let level): .scope(registration.home.scopeNames[level])
      case .missingScope(let name): .scope(name)
      }
  }

  /// The scope in a container.
  ///
  /// - Parameter hasArguments: whether the service takes run-time arguments.
  func keeping(in state: ContainerState, hasArguments: Bool) -> Keeping {
    switch kind {
    case .automatic: hasArguments ? .transient : .shared
    case .shared: .shared
    case .weak: .weak
    case .transient: .transient
    case .graph: .graph
    case .scope(let name): state.level(ofScope: name).map { .scope($0) } ?? .missingScope(name)
    }
  }
}
