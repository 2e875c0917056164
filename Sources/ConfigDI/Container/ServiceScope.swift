// SPDX-License-Identifier: Apache-2.0

/// The lifetime of a service's instances, and which look-ups share one.
public struct ServiceScope: Hashable, Sendable {
  fileprivate enum Kind: Hashable {
    case automatic
    /// A lifetime that every container has.
    case keeping(Keeping)
    case scope(String)
  }

  fileprivate let kind: Kind

  /// `shared` for a service without run-time arguments, else `transient`: caching by argument list is opt-in.
  public static let automatic = ServiceScope(kind: .automatic)
  /// One instance per container.
  public static let shared = ServiceScope(kind: .keeping(.shared))
  /// One instance as long as something else retains it. It must be an instance of a class.
  public static let weak = ServiceScope(kind: .keeping(.weak))
  /// A new instance for each look-up.
  public static let transient = ServiceScope(kind: .keeping(.transient))
  /// One instance per top-level look-up. A service with run-time arguments is `transient` instead.
  public static let graph = ServiceScope(kind: .keeping(.graph))
  /// One instance per open scope of the given name. If the container has no scope of this name, look-ups throw
  /// `noScope`.
  public static func scope(_ name: String) -> ServiceScope { ServiceScope(kind: .scope(name)) }

  /// The scopes in which no two threads share an instance, for services that are not `Sendable`.
  public struct Unshared: Hashable, Sendable {
    /// The scope as a `ServiceScope`.
    public let scope: ServiceScope

    /// A new instance for each look-up.
    public static let transient = Unshared(scope: .transient)
    /// One instance per top-level look-up. A service with run-time arguments is `transient` instead.
    public static let graph = Unshared(scope: .graph)
  }
}

extension ServiceScope: CustomStringConvertible {
  /// The word for the scope in a module file; for a named scope its name.
  public var description: String {
    switch kind {
    case .automatic: "automatic"
    case .keeping(let keeping): "\(keeping)"
    case .scope(let name): name
    }
  }
}

extension ServiceScope {
  init(_ registration: Registration) {
    kind =
      switch registration.keeping {
      case .scope(let level): .scope(registration.home.scopeNames[level])
      case .missingScope(let name): .scope(name)
      case let keeping: .keeping(keeping)
      }
  }

  /// Returns the lifetime that the scope means in a container.
  ///
  /// - Parameter hasArguments: whether the service takes run-time arguments.
  func keeping(in state: ContainerState, hasArguments: Bool) -> Keeping {
    switch kind {
    case .automatic: hasArguments ? .transient : .shared
    case .keeping(let keeping): keeping
    case .scope(let name): state.level(ofScope: name).map { .scope($0) } ?? .missingScope(name)
    }
  }
}
