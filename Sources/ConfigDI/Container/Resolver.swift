// SPDX-License-Identifier: Apache-2.0

/// What a builder is handed to look up what it needs.
///
/// Its look-ups are part of the one for which the builder was called: they take place in the same scope, share the same
/// instances of the lifetime `graph`, and errors name all services on the way.
///
/// ```swift
/// container.register { resolver in Greeter(logger: try resolver.resolve(), clock: try resolver.resolve()) }
/// ```
///
/// It is meant for the builder alone. To look something up later, look a `Lazy` or a `Provider` up now.
public struct Resolver: Resolving {
  /// The container of the builder.
  let core: Core
  /// The look-up for which the builder was called.
  let resolution: Resolution
  /// The store of the look-up's scope, which the look-up itself does not hold.
  private let scope: InstanceStore?

  /// The look-ups of a builder.
  init(_ core: Core, _ resolution: Resolution) {
    self.core = core
    scope = resolution.scope
    self.resolution = resolution.with {
      $0.arguments = nil
      $0.prepared = nil
    }
  }

  public var resolver: Resolver {
    get throws(ResolutionError) { self }
  }

  public func resolve<Service>(_ type: Service.Type) throws(ResolutionError) -> Service {
    try core.look(resolution) { resolution throws(ResolutionError) in
      guard let cell = core.types.finding(of: ObjectIdentifier(Service.self)).cell else {
        return try core.resolveWithoutAnswer(resolution)
      }
      return try core.instance(in: cell, resolution)
    }
  }

  public func resolve<Service, each Argument>(
    _ type: Service.Type, named name: String?, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service {
    try core.instance(of: type, Request(named: name, arguments: repeat each arguments, in: resolution))
  }

  public func resolveOptional<Service, each Argument>(
    _ type: Service.Type, named name: String?, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service? {
    try core.find(type, Request(named: name, arguments: repeat each arguments, in: resolution))
  }
}
