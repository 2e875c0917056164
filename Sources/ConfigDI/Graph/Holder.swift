// SPDX-License-Identifier: Apache-2.0

/// Something with a type and arguments: a service, a decorator of one, or a template that no sound service extends.
package struct Holder: Sendable {
  /// What a holder is.
  package enum Kind: Hashable, Sendable {
    /// A service, by its number.
    case service(Int)
    /// A decorator: the number of its service and its place among the decorators, from the innermost.
    case decorator(of: Int, at: Int)
    /// A template, by its place in the definition. What it says is checked, but nothing is missing in it.
    case template(Int)
  }

  /// What it is.
  package let kind: Kind
  /// The id of the service or template that it belongs to.
  package let id: String
  /// The token that says its type.
  let typeToken: Token?
  /// The name of its type as the file writes it; empty where it says none.
  package let typeName: String
  /// Its registered type, or nil where that is not known.
  let registered: RegisteredType?
  /// Where something is told that it lacks: the service's key, or the decorator's opening bracket.
  let place: NodeRef
  /// The key of the service or template that it belongs to.
  let key: NodeRef
  /// The names by which it says that it is looked up.
  let provides: [Token]
  /// What it says of its references, ascending by argument key.
  let inject: [ArgumentDeclaration]
  /// What it says of its data, unexpanded.
  let declaredValues: [ArgumentDeclaration]
  /// Its data, ascending by argument key.
  package let values: [ComposedArgument]
  /// Its references, ascending by argument key, those that are bound by type included.
  package var injections: [LinkedInjection] = []
  /// Whether it takes no part in checks, as it has an error of shape.
  let isMisshapen: Bool
  /// Whether its arguments are not all known, so that nothing is said of them.
  let hasUnsoundTemplate: Bool
  /// Whether what it does not name is bound by type.
  let isAutowired: Bool
  /// Whether it belongs to something deprecated, whose uses are exempt.
  let isDeprecated: Bool

  /// What the catalog says of its type, or nil where that is not known.
  package var type: TypeDescriptor? { registered?.descriptor }

  /// Its type where its arguments can be checked against that, or nil.
  var argumentType: RegisteredType? { isMisshapen || hasUnsoundTemplate ? nil : registered }

  /// The service that it belongs to, by its number; nil for a template.
  package var service: Int? {
    switch kind {
    case .service(let service), .decorator(let service, _): service
    case .template: nil
    }
  }

  /// The holder in words.
  var inWords: String {
    switch kind {
    case .service: "service \"\(id)\""
    case .decorator: "decorator \"\(typeName)\" of service \"\(id)\""
    case .template: "template \"\(id)\""
    }
  }
}

extension Holder {
  /// All holders of a module.
  static func all(of definition: ModuleDefinition, _ types: RegisteredTypes?) -> [Holder] {
    var holders: [Holder] = []
    holders.reserveCapacity(definition.services.count)
    for (number, service) in definition.services.enumerated() {
      let declaration = service.declaration
      holders.append(
        Holder(
          kind: .service(number), id: definition.names[service.name], typeToken: declaration.type,
          typeName: declaration.type.map { definition.names[$0.name] } ?? "",
          registered: declaration.type.flatMap { types?[$0.name] }, place: service.key, key: service.key,
          provides: declaration.provides?.appended ?? [], inject: declaration.arguments.inject,
          declaredValues: declaration.arguments.values, values: service.values,
          isMisshapen: service.isMisshapen, hasUnsoundTemplate: service.hasUnsoundTemplate,
          isAutowired: service.isAutowired, isDeprecated: declaration.deprecated != nil))
    }
    for (number, service) in definition.services.enumerated() where !service.isMisshapen {
      for (place, decorator) in service.decorators.enumerated() {
        holders.append(
          Holder(
            kind: .decorator(of: number, at: place), id: definition.names[service.name],
            typeToken: decorator.declaration.type, typeName: definition.names[decorator.declaration.type.name],
            registered: types?[decorator.declaration.type.name],
            place: decorator.declaration.node, key: service.key, provides: [],
            inject: decorator.declaration.arguments.inject,
            declaredValues: decorator.declaration.arguments.values, values: decorator.values, isMisshapen: false,
            hasUnsoundTemplate: false, isAutowired: service.isAutowired,
            isDeprecated: service.declaration.deprecated != nil))
      }
    }
    for (number, template) in definition.templates.enumerated() where template.isLoose && !template.isMisshapen {
      let declaration = template.declaration
      holders.append(
        Holder(
          kind: .template(number), id: definition.names[template.name], typeToken: declaration.type,
          typeName: declaration.type.map { definition.names[$0.name] } ?? "",
          registered: template.type.flatMap { types?[$0.name] }, place: template.key, key: template.key,
          provides: declaration.provides?.appended ?? [], inject: declaration.arguments.inject,
          declaredValues: declaration.arguments.values, values: template.values,
          isMisshapen: false, hasUnsoundTemplate: template.isUnsound, isAutowired: false, isDeprecated: false))
    }
    return holders
  }
}
