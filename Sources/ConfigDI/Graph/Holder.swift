// SPDX-License-Identifier: Apache-2.0

/// Something with a type and arguments: a service, a decorator of one, or a template that no sound service extends.
@dynamicMemberLookup
package struct Holder: Sendable {
  /// What it says. Apart, as holders are handed from check to check.
  private let said: Said
  /// What is so of few holders. Here, so that who asks for it need not look at what the others say.
  let traits: Traits
  /// Its references, ascending by argument key, those that are bound by type included.
  package var injections: [LinkedInjection] = []

  /// What a holder is.
  package enum Kind: Hashable, Sendable {
    /// A service, by its number.
    case service(Int)
    /// A decorator: the number of its service and its place among the decorators, from the innermost.
    case decorator(of: Int, at: Int)
    /// A template, by its place in the definition. What it says is checked, but nothing is missing in it.
    case template(Int)
  }

  /// A holder whose references are not linked yet; `traits` are those that only a service can have.
  private init(_ said: Said, _ traits: Traits = []) {
    self.said = said
    self.traits = traits.union(Traits(of: said))
  }

  /// A part of what it says.
  package subscript<Part>(dynamicMember part: KeyPath<Said, Part>) -> Part {
    @inline(__always) get { said[keyPath: part] }
  }

  /// What the catalog says of its type, or nil where that is not known.
  package var type: TypeDescriptor? { said.registered?.descriptor }

  /// Its type where its arguments can be checked against that, or nil.
  var argumentType: RegisteredType? { said.isMalformed || said.hasUnsoundTemplate ? nil : said.registered }

  /// Whether it is a service that code may not look up.
  var isPrivate: Bool { traits.contains(.private) }

  /// The service that it belongs to, by its number; nil for a template.
  package var service: Int? {
    switch said.kind {
    case .service(let service), .decorator(let service, _): service
    case .template: nil
    }
  }

  /// The holder in words.
  var inWords: String {
    switch said.kind {
    case .service: "service \"\(said.id)\""
    case .decorator: "decorator \"\(said.typeName)\" of service \"\(said.id)\""
    case .template: "template \"\(said.id)\""
    }
  }
}

// MARK: - What a holder says

extension Holder {
  /// What a holder says, and its registered type.
  package final class Said: Sendable {
    // What checks ask of each holder stands first, so that it lies together.

    /// Its registered type, or nil where that is not known.
    let registered: RegisteredType?
    /// Whether it takes no part in checks, as it has an error of shape.
    let isMalformed: Bool
    /// Whether its arguments are not all known, so that nothing is said of them.
    let hasUnsoundTemplate: Bool
    /// Whether what it does not name is bound by type.
    let isAutowired: Bool
    /// Whether it belongs to something deprecated, whose uses are exempt.
    let isDeprecated: Bool
    /// Its data, ascending by argument key.
    package let values: [ArgumentDeclaration<Datum>]
    /// What it says of its references, ascending by argument key.
    package let inject: [ArgumentDeclaration<Reference>]
    /// What it says of its data, unexpanded.
    package let declaredValues: [ArgumentDeclaration<Datum>]
    /// What it is.
    package let kind: Kind
    /// The id of the service or template that it belongs to.
    package let id: String
    /// The token that says its type.
    package let typeToken: Token?
    /// The name of its type as the file writes it; empty where it says none.
    package let typeName: String
    /// Where something is reported that it lacks: the service's key, or the decorator's opening bracket.
    let place: NodeRef
    /// The key of the service or template that it belongs to.
    let key: NodeRef
    /// The names by which it says that it is looked up, or nil where it says nothing.
    let provides: [Token]?

    /// What a service says.
    fileprivate init(_ service: ComposedService, _ number: Int, registered: RegisteredType?, names: NameTable) {
      kind = .service(number)
      id = names[service.name]
      typeToken = service.declaration.type
      typeName = typeToken.map { names[$0.name] } ?? ""
      self.registered = registered
      place = service.key
      key = service.key
      provides = service.provides
      inject = service.declaration.arguments.inject
      declaredValues = service.declaration.arguments.values
      values = service.values
      isMalformed = service.isMalformed
      hasUnsoundTemplate = service.hasUnsoundTemplate
      isAutowired = service.isAutowired
      isDeprecated = service.isDeprecated
    }

    /// What a loose template says, as far as that is checked by itself.
    fileprivate init(_ template: ComposedTemplate, _ number: Int, registered: RegisteredType?, names: NameTable) {
      kind = .template(number)
      id = names[template.name]
      typeToken = template.checked.type
      typeName = typeToken.map { names[$0.name] } ?? ""
      self.registered = registered
      place = template.key
      key = template.key
      provides = template.checked.provides?.appended
      inject = template.checked.arguments.inject
      declaredValues = template.checked.arguments.values
      values = template.values
      isMalformed = false
      hasUnsoundTemplate = template.isUnsound
      isAutowired = false
      isDeprecated = template.declaration.deprecated != nil
    }

    /// What a decorator says that has some place among those of a service, which is sound.
    fileprivate init(
      _ decorator: ComposedDecorator, at index: Int, of service: Said, _ number: Int, registered: RegisteredType?,
      names: NameTable
    ) {
      kind = .decorator(of: number, at: index)
      id = service.id
      typeToken = decorator.declaration.type
      typeName = names[decorator.declaration.type.name]
      self.registered = registered
      place = decorator.declaration.node
      key = service.key
      provides = nil
      inject = decorator.declaration.arguments.inject
      declaredValues = decorator.declaration.arguments.values
      values = decorator.values
      isMalformed = false
      hasUnsoundTemplate = false
      isAutowired = service.isAutowired
      isDeprecated = service.isDeprecated
    }
  }
}

// MARK: - All holders

extension Holder {
  /// All holders of a module: the services, their decorators, the loose templates.
  static func all(of definition: ModuleDefinition, _ types: RegisteredTypes?) -> [Holder] {
    let names = definition.names
    var holders: [Holder] = []
    holders.reserveCapacity(definition.services.count)
    for (number, service) in definition.services.enumerated() {
      let registered = service.declaration.type.flatMap { types?[$0.name] }
      holders.append(Holder(Said(service, number, registered: registered, names: names), Traits(of: service)))
    }
    for (number, service) in definition.services.enumerated() where !service.isMalformed {
      for (index, decorator) in service.decorators.enumerated() {
        holders.append(
          Holder(
            Said(
              decorator, at: index, of: holders[number].said, number,
              registered: types?[decorator.declaration.type.name], names: names)))
      }
    }
    for (number, template) in definition.templates.enumerated() where template.isLoose && !template.isMalformed {
      let registered = template.type.flatMap { types?[$0.name] }
      holders.append(Holder(Said(template, number, registered: registered, names: names)))
    }
    return holders
  }
}
