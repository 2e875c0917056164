// SPDX-License-Identifier: Apache-2.0

/// A service that code registers, as a form of `register` passes it to a `Registering` type.
public struct CodeService<Product>: Sendable {
  /// The name; `nil` if the service is looked up by its types.
  public let name: String?
  /// The lifetime of an instance.
  public let scope: ServiceScope
  /// The Swift file and line of the registration.
  public let origin: Origin
  /// The types of the run-time arguments, in order.
  let parameters: [Any.Type]
  let traits: Registration.Traits
  let factory: Factory<Product>
  /// The suppliers of the builder's declared arguments; `nil` for a closure, which looks up its dependencies itself.
  let suppliers: [any AnySupplier]?

  /// Creates a service. Without types it is looked up by its own type.
  init(
    _ name: String?, _ scope: ServiceScope, _ file: String, _ line: Int, as types: [ProvidedType<Product>] = [],
    _ onDispose: (@Sendable (Product) -> Void)?, traits: Registration.Traits = .isSendable,
    taking parameters: [Any.Type] = [], suppliers: [any AnySupplier]? = nil, _ builder: Builder<Product>
  ) {
    self.name = name
    self.scope = scope
    origin = Origin(file: file, line: line)
    self.parameters = parameters
    self.traits = traits
    self.suppliers = suppliers
    factory = Factory(builder, types: types, onDispose: onDispose)
  }
}

extension ContainerState {
  func register<Product>(_ service: CodeService<Product>) {
    if service.traits.contains(.isGiven) { noteGivenScopes() }
    register(
      Registration(
        home: self, name: service.name, factory: service.factory, suppliers: service.suppliers,
        keeping: service.scope.keeping(in: self, hasArguments: !service.parameters.isEmpty),
        parameters: service.parameters, origin: service.origin, traits: service.traits,
        nesting: Build.running?.registration.map { $0.nesting + 1 } ?? 0))
  }
}

func argumentTypes<each Argument>(_ arguments: repeat (each Argument).Type) -> [Any.Type] {
  var types: [Any.Type] = []
  for argument in repeat each arguments { types.append(argument) }
  return types
}
