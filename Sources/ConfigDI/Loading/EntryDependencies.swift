// SPDX-License-Identifier: Apache-2.0

/// The dependency graph of the entries of a merged module, used to find the part of the module that a layer can change.
struct EntryDependencies: Sendable {
  /// An entry, or a group of services that entries can refer to.
  enum Node: Hashable, Sendable {
    /// A service or an alias.
    case id(Name)
    /// A tag.
    case tag(Name)
    /// A template.
    case template(Name)
    /// A parameter.
    case parameter(Name)
    /// The services that provide a type of this name.
    case type(String)
  }

  /// The registered types by name.
  private let types: [String: TypeDescriptor]
  /// The nodes that each node mentions. A tag mentions the services that have it, a bound type the service bound to it.
  private var mentioned: [Node: [Node]] = [:]
  /// The services that provide each type.
  private var providers: [Node: [Node]] = [:]
  /// The nodes that mention each node. A type counts as mentioning the services that provide it.
  private var mentioners: [Node: [Node]] = [:]
  /// The service that each alias and each bound type stands for.
  private var targets: [Node: Node] = [:]
  /// The type of each template: its own, or that of the template that it extends.
  private let templateTypes: [Name: Name]
  /// Whether some service is autowired.
  private let hasAutowiring: Bool

  /// Creates the graph of the entries of a module.
  ///
  /// - Complexity: linear in the module.
  init(of module: MergedModule, types: [String: TypeDescriptor]) {
    self.types = types
    templateTypes = Self.types(of: module.templates)
    hasAutowiring = module.services.all.contains(where: \.body.isBoundByTypes)
    for parameter in module.parameters.all { add(.parameter(parameter.name), mentions(of: parameter.body)) }
    for template in module.templates.all {
      add(.template(template.name), mentions(of: template.body, module.names))
    }
    for service in module.services.all {
      add(.id(service.name), mentions(of: service.body, module.names))
      // A change of a service also changes what its tags and provided types stand for.
      for group in groups(of: service.body, module.names) {
        if case .type = group {
          providers[group, default: []].append(.id(service.name))
          mentioners[.id(service.name), default: []].append(group)
        } else {
          add(group, [.id(service.name)])
        }
      }
    }
    for alias in module.aliases.all { add(.id(alias.name), standingFor: .id(alias.body.name)) }
    for binding in module.bindings.all {
      add(.type(module.names[binding.name]), standingFor: .id(binding.body.name))
    }
  }

  /// Returns the type of each template: its own, or that of the template that it extends.
  ///
  /// - Complexity: linear in the templates.
  private static func types(of templates: EntryTable<ServiceDeclaration>) -> [Name: Name] {
    var types: [Name: Name] = [:]
    // Templates in a cycle are an error of the module. The walk stops at a template that was seen, and they get no
    // type.
    var seen: Set<Name> = []
    for template in templates.all {
      var path: [Name] = []
      var next: Declaration<ServiceDeclaration>? = template
      var type: Name?
      while let current = next, seen.insert(current.name).inserted {
        path.append(current.name)
        type = current.body.type?.name
        next = type == nil ? current.body.extends.flatMap { templates[$0.name] } : nil
      }
      if let type = type ?? next.flatMap({ types[$0.name] }) {
        for name in path { types[name] = type }
      }
    }
    return types
  }

  /// Records the service that an alias or a bound type stands for.
  private mutating func add(_ node: Node, standingFor target: Node) {
    targets[node] = target
    add(node, [target])
  }

  /// Records what an entry mentions, in both directions.
  private mutating func add(_ node: Node, _ found: [Node]) {
    mentioned[node, default: []] += found
    for other in found { mentioners[other, default: []].append(node) }
  }

  /// Returns everything that a change of some entries can affect, and everything that this mentions, also indirectly.
  ///
  /// - Parameters:
  ///   - touched: The entries that were added, changed or removed.
  ///   - needed: The entries that these mention now.
  /// - Complexity: linear in the size of the result.
  func closure(of touched: [Node], needing needed: [Node]) -> Set<Node> {
    let changed = reachable(from: touched) { mentioners[$0] ?? [] }
    // The providers of a type matter only if something is bound by that type.
    let asked = Set(needed.filter { if case .type = $0 { true } else { false } })
    return reachable(from: Array(changed) + needed) { node in
      let isAsked = providers[node] != nil && (asked.contains(node) || mentioners[node] != nil)
      return (mentioned[node] ?? []) + (isAsked ? providers[node] ?? [] : [])
    }
  }

  /// Returns all nodes that can be reached from some nodes, including these.
  private func reachable(from start: [Node], by next: (Node) -> [Node]) -> Set<Node> {
    var found: Set<Node> = []
    var open = start
    while let node = open.popLast() {
      if found.insert(node).inserted { open += next(node) }
    }
    return found
  }
}

// MARK: - References between entries

extension EntryDependencies {
  /// Returns the parameters that a parameter mentions.
  func mentions(of parameter: ParameterDeclaration) -> [Node] {
    var found: [Node] = []
    parameter.source?.literal?.forEachPlaceholder { name, _ in found.append(.parameter(name)) }
    return found
  }

  /// Returns everything that a service or a template mentions.
  ///
  /// - Parameter binding: Whether arguments may be bound by their types though the declaration itself is not autowired.
  func mentions(of service: ServiceDeclaration, _ names: NameTable, binding: Bool = false) -> [Node] {
    var found: [Node] = []
    if let template = service.extends { found.append(.template(template.name)) }
    found += service.unsetInTemplate.compactMap { $0.formerTemplate.map(Node.template) }
    for comparison in service.condition?.comparisons ?? [] { found.append(.parameter(comparison.parameter.name)) }
    for arguments in service.allArguments {
      for value in arguments.values { value.content.forEachPlaceholder { name, _ in found.append(.parameter(name)) } }
      // A reference may name a service, an alias or a tag.
      for reference in arguments.inject {
        reference.content.forEachToken { found += [.id($0.name), .tag($0.name)] }
      }
    }
    guard binding || service.isBoundByTypes else { return found }
    for type in registeredTypes(of: service, names) {
      for case .service(let wanted, _) in type.arguments.map(\.kind) { found.append(.type(wanted)) }
    }
    return found
  }

  /// Returns the tags of a service, and the type names that it can provide.
  func groups(of service: ServiceDeclaration, _ names: NameTable) -> [Node] {
    service.tags.map { .tag($0.name.name) }
      + (service.provides?.all ?? []).map { .type(names[$0.name]) }
      + registeredTypes(of: service, names).flatMap(\.provides).map { .type($0) }
  }

  /// Returns the registered types of a service or a template, and of its decorators.
  private func registeredTypes(of service: ServiceDeclaration, _ names: NameTable) -> [TypeDescriptor] {
    let own = service.type?.name ?? service.extends.flatMap { templateTypes[$0.name] }
    let decorators = (service.decorators?.all ?? []).map(\.type.name)
    return ([own].compactMap(\.self) + decorators).compactMap { types[names[$0]] }
  }
}

// MARK: - Files

extension EntryDependencies {
  /// Returns the entries that some files add, change or remove, and the entries that these mention.
  func touched(by files: [ModuleFile], _ names: NameTable) -> (touched: [Node], needed: [Node]) {
    var (touched, needed): ([Node], [Node]) = ([], [])
    // An override or a template that names a type determines the arguments of services that are autowired elsewhere.
    let services = files.flatMap(\.allSections).flatMap(\.services)
    let binding = hasAutowiring || services.contains(where: \.body.isBoundByTypes)
    for file in files {
      touched += file.tags.map { .tag($0.name) }
      for sections in file.allSections {
        for parameter in sections.parameters {
          touched.append(.parameter(parameter.name))
          needed += mentions(of: parameter.body)
        }
        for template in sections.templates {
          touched.append(.template(template.name))
          touched += groups(of: template.body, names)
          needed += mentions(of: template.body, names, binding: binding)
        }
        for service in sections.services {
          touched.append(.id(service.name))
          touched += groups(of: service.body, names)
          needed += mentions(of: service.body, names, binding: binding)
        }
        // A service that is found by other names than before counts as changed.
        for alias in sections.aliases { touched += named(.id(alias.name)) + named(.id(alias.body.name)) }
        for binding in sections.bindings {
          touched += named(.type(names[binding.name])) + named(.id(binding.body.name))
        }
      }
      for removal in file.removed {
        let name = removal.id.name
        switch removal.section {
        case .parameters: touched.append(.parameter(name))
        case .templates: touched.append(.template(name))
        case .services, .aliases: touched += named(.id(name))
        case .bindings: touched += named(.type(names[name]))
        }
      }
    }
    return (touched, needed)
  }

  /// Returns a name and everything that it stands for in the module without the files, following aliases.
  private func named(_ node: Node) -> [Node] {
    var found: [Node] = []
    // Aliases in a cycle are an error of the module; the walk stops at the first repetition.
    var seen: Set<Node> = []
    var next: Node? = node
    while let current = next, seen.insert(current).inserted {
      found.append(current)
      next = targets[current]
    }
    return found
  }
}

extension ServiceDeclaration {
  /// Whether the declaration says that arguments are bound by their types.
  fileprivate var isBoundByTypes: Bool { self.isAutowired?.value ?? self.isAutowiredByFile }
}

extension MergedModule {
  /// Returns a module with only the entries of some nodes.
  ///
  /// - Parameters:
  ///   - names: The names of the load, including those of further files.
  ///   - secrets: The parameters that the further files declare secret.
  /// - Complexity: linear in the number of nodes.
  func restricted(to nodes: Set<EntryDependencies.Node>, names: NameTable, secrets: [Name]) -> MergedModule {
    var part = MergedModule(
      names: names, secretParameters: secrets.isEmpty ? secretParameters : secretParameters.union(secrets))
    part.history = history
    part.hasExtendingService = hasExtendingService
    for node in nodes {
      switch node {
      case .id(let name):
        part.services[name] = services[name]
        part.aliases[name] = aliases[name]
      case .template(let name): part.templates[name] = templates[name]
      case .parameter(let name): part.parameters[name] = parameters[name]
      case .type(let text):
        if let name = names.existingName(text) { part.bindings[name] = bindings[name] }
      case .tag: break
      }
    }
    return part
  }
}
