// SPDX-License-Identifier: Apache-2.0

/// A declaration with a type and arguments: a service, a decorator, or a loose template (extended by no service).
package struct Holder: Sendable {
  /// The content. An object, because holders are copied between checks.
  private let content: Content
  /// The rare properties. Stored here, so that checks need not read the content to filter by them.
  let traits: Traits
  /// The linked references, including those bound by type, ascending by argument key.
  package var injections: [LinkedInjection] = []

  /// The kinds of holders.
  package enum Kind: Hashable, Sendable {
    /// A service, with its number.
    case service(Int)
    /// A decorator, with the number of its service and its index among the decorators, innermost first.
    case decorator(of: Int, at: Int)
    /// A template, with its index in the definition. Its content is checked, but it may omit arguments.
    case template(Int)
  }

  /// Creates a holder without linked references. `traits` are those that only services have.
  private init(_ content: Content, _ traits: Traits = []) {
    self.content = content
    self.traits = traits.union(Traits(of: content))
  }

  // The content, property by property, since a key path reads a class with a check of exclusive access.

  package var kind: Kind { content.kind }
  package var id: String { content.id }
  package var typeToken: Token? { content.typeToken }
  package var typeName: String { content.typeName }
  package var values: [ArgumentDeclaration<Datum>] { content.values }
  package var declaredValues: [ArgumentDeclaration<Datum>] { content.declaredValues }
  package var inject: [ArgumentDeclaration<Reference>] { content.inject }
  var registered: RegisteredType? { content.registered }
  var isMalformed: Bool { content.isMalformed }
  var isAutowired: Bool { content.isAutowired }
  var isDeprecated: Bool { content.isDeprecated }
  var place: NodeRef { content.place }
  var key: NodeRef { content.key }
  var provides: [Token]? { content.provides }

  /// The catalog's descriptor of the type; `nil` if the type is not known.
  package var type: TypeDescriptor? { content.registered?.descriptor }

  /// The type to check the arguments against; `nil` if it is not known or the arguments cannot be checked.
  var argumentType: RegisteredType? { content.isMalformed || content.hasInvalidTemplate ? nil : content.registered }

  /// Whether the holder is a private service.
  var isPrivate: Bool { traits.contains(.private) }

  /// The number of the service that the holder belongs to; `nil` for a template.
  package var service: Int? {
    switch content.kind {
    case .service(let service), .decorator(let service, _): service
    case .template: nil
    }
  }

  /// The description of the holder for messages.
  var inWords: String {
    switch content.kind {
    case .service: "service \"\(content.id)\""
    case .decorator: "decorator \"\(content.typeName)\" of service \"\(content.id)\""
    case .template: "template \"\(content.id)\""
    }
  }
}

// MARK: - Content of a holder

extension Holder {
  /// The content of a holder: its declaration and registered type.
  package final class Content: Sendable {
    // The properties that checks read of every holder come first, to share cache lines.

    /// The registered type; `nil` if it is not known.
    let registered: RegisteredType?
    /// Whether the declaration has a structural error, so that checks skip it.
    let isMalformed: Bool
    /// Whether some arguments are not known because of an error in a template, so that checks ignore all of them.
    let hasInvalidTemplate: Bool
    /// Whether arguments that the declaration omits are bound by type.
    let isAutowired: Bool
    /// Whether the service is deprecated. Its own uses of deprecated things are not reported.
    let isDeprecated: Bool
    /// The data after expansion, ascending by argument key.
    package let values: [ArgumentDeclaration<Datum>]
    /// The references as declared, ascending by argument key.
    package let inject: [ArgumentDeclaration<Reference>]
    /// The data as declared, before expansion.
    package let declaredValues: [ArgumentDeclaration<Datum>]
    /// The kind of holder.
    package let kind: Kind
    /// The id of the service or template that the holder belongs to.
    package let id: String
    /// The token of the type's name; `nil` if none is declared.
    package let typeToken: Token?
    /// The type's name as written; empty if none is declared.
    package let typeName: String
    /// The token at which missing arguments are reported: the key of the service or template, or the decorator's map.
    let place: NodeRef
    /// The key of the service or template that the holder belongs to.
    let key: NodeRef
    /// The names that the declaration provides; `nil` if it lists none.
    let provides: [Token]?

    /// Creates content. Missing arguments are reported at `place`, or at the key of the service or template.
    fileprivate init(
      _ kind: Kind, id: String, type: Token?, registered: RegisteredType?, place: NodeRef? = nil, key: NodeRef,
      provides: [Token]?, _ arguments: ArgumentDeclarations, values: [ArgumentDeclaration<Datum>],
      isMalformed: Bool = false, hasInvalidTemplate: Bool = false, isAutowired: Bool = false,
      isDeprecated: Bool = false, _ names: NameTable
    ) {
      self.kind = kind
      self.id = id
      typeToken = type
      typeName = type.map { names[$0.name] } ?? ""
      self.registered = registered
      self.place = place ?? key
      self.key = key
      self.provides = provides
      inject = arguments.inject
      declaredValues = arguments.values
      self.values = values
      self.isMalformed = isMalformed
      self.hasInvalidTemplate = hasInvalidTemplate
      self.isAutowired = isAutowired
      self.isDeprecated = isDeprecated
    }
  }
}

// MARK: - All holders

extension Holder {
  /// Returns all holders of a module: first the services, then their decorators, then the loose templates.
  static func all(of definition: ModuleDefinition, _ types: RegisteredTypes?) -> [Holder] {
    let names = definition.names
    var holders: [Holder] = []
    holders.reserveCapacity(definition.services.count)
    for (number, service) in definition.services.enumerated() {
      let content = Content(
        .service(number), id: names[service.name], type: service.declaration.type,
        registered: service.declaration.type.flatMap { types?[$0.name] }, key: service.key, provides: service.provides,
        service.declaration.arguments, values: service.values, isMalformed: service.isMalformed,
        hasInvalidTemplate: service.hasInvalidTemplate, isAutowired: service.isAutowired,
        isDeprecated: service.isDeprecated, names)
      holders.append(Holder(content, Traits(of: service)))
    }
    for (number, service) in definition.services.enumerated() where !service.isMalformed {
      for (index, decorator) in service.decorators.enumerated() {
        let declaration = decorator.declaration
        let content = Content(
          .decorator(of: number, at: index), id: names[service.name], type: declaration.type,
          registered: types?[declaration.type.name], place: declaration.node, key: service.key, provides: nil,
          declaration.arguments, values: decorator.values, isAutowired: service.isAutowired,
          isDeprecated: service.isDeprecated, names)
        holders.append(Holder(content))
      }
    }
    for (number, template) in definition.templates.enumerated() where template.isLoose && !template.isMalformed {
      let content = Content(
        .template(number), id: names[template.name], type: template.declaration.type,
        registered: template.type.flatMap { types?[$0.name] }, key: template.key,
        provides: template.declaration.provides?.appended, template.declaration.arguments, values: template.values,
        hasInvalidTemplate: template.isInvalid, names)
      holders.append(Holder(content))
    }
    return holders
  }
}
