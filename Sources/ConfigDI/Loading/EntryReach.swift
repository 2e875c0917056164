// SPDX-License-Identifier: Apache-2.0

/// What the entries of a merged module mention of one another: by it the part of a module is found that a layer can change.
struct EntryReach: Sendable {
  /// Something that entries mention.
  enum Node: Hashable, Sendable {
    /// A service or an alias.
    case id(Name)
    /// A tag.
    case tag(Name)
    /// A template.
    case template(Name)
    /// A parameter.
    case parameter(Name)
    /// The services that provide a name.
    case type(String)
  }

  /// The registered types by name.
  private let types: [String: TypeDescriptor]
  /// What each entry mentions; a tag mentions the services that bear it, a type the one that is bound to it.
  private var mentioned: [Node: [Node]] = [:]
  /// The services that provide each type.
  private var providers: [Node: [Node]] = [:]
  /// What mentions each entry.
  private var mentioners: [Node: [Node]] = [:]
  /// The service for which each alias, and each bound type, stands.
  private var targets: [Node: Node] = [:]
  /// The type that each template names, itself or by the template that it extends.
  private let templateTypes: [Name: Name]

  /// The reach of the entries of a module.
  ///
  /// - Complexity: linear in the module.
  init(of module: MergedModule, types: [String: TypeDescriptor]) {
    self.types = types
    templateTypes = Self.types(of: module.templates)
    for parameter in module.parameters.all { add(.parameter(parameter.name), mentions(of: parameter.body)) }
    for template in module.templates.all {
      add(.template(template.name), mentions(of: template.body, module.names))
    }
    for service in module.services.all {
      add(.id(service.name), mentions(of: service.body, module.names))
      // A change of the service changes what the tag or the type stands for.
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

  /// The type that each template names, itself or by the template that it extends.
  ///
  /// - Complexity: linear in the templates.
  private static func types(of templates: EntryTable<ServiceDeclaration>) -> [Name: Name] {
    var types: [Name: Name] = [:]
    // A cycle of templates is an error of the module: it ends where it comes to a template again, and has no type.
    var seen: Set<Name> = []
    for template in templates.all {
      var path: [Name] = []
      var next: ComposedEntry<ServiceDeclaration>? = template
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

  /// Notes for which service an alias or a bound type stands.
  private mutating func add(_ node: Node, standingFor target: Node) {
    targets[node] = target
    add(node, [target])
  }

  /// Notes what an entry mentions.
  private mutating func add(_ node: Node, _ found: [Node]) {
    mentioned[node, default: []] += found
    for other in found { mentioners[other, default: []].append(node) }
  }

  /// All that can be other than before where some entries are, and all that this mentions, directly or through others.
  ///
  /// - Parameters:
  ///   - touched: What was added, changed or removed.
  ///   - needed: What that mentions now.
  /// - Complexity: linear in what is found.
  func closure(of touched: [Node], needing needed: [Node]) -> Set<Node> {
    let changed = reachable(from: touched) { mentioners[$0] ?? [] }
    // Who provides a type is asked where something is bound by it.
    let asked = Set(needed.filter { if case .type = $0 { true } else { false } })
    return reachable(from: Array(changed) + needed) { node in
      let isAsked = providers[node] != nil && (asked.contains(node) || mentioners[node] != nil)
      return (mentioned[node] ?? []) + (isAsked ? providers[node] ?? [] : [])
    }
  }

  /// What is reached from some nodes, themselves included.
  private func reachable(from start: [Node], by next: (Node) -> [Node]) -> Set<Node> {
    var found: Set<Node> = []
    var open = start
    while let node = open.popLast() {
      if found.insert(node).inserted { open += next(node) }
    }
    return found
  }
}

// MARK: - What entries mention

extension EntryReach {
  /// What a parameter mentions.
  func mentions(of parameter: ParameterDeclaration) -> [Node] {
    var found: [Node] = []
    parameter.source?.literal?.forEachPlaceholder { name, _ in found.append(.parameter(name)) }
    return found
  }

  /// What a service or a template mentions.
  func mentions(of service: ServiceDeclaration, _ names: NameTable) -> [Node] {
    var found: [Node] = []
    if let template = service.extends { found.append(.template(template.name)) }
    for comparison in service.condition?.comparisons ?? [] { found.append(.parameter(comparison.parameter.name)) }
    let decorators = service.decorators.map { $0.prepended + $0.appended } ?? []
    for arguments in [service.arguments] + decorators.map(\.arguments) {
      for value in arguments.values { value.content.forEachPlaceholder { name, _ in found.append(.parameter(name)) } }
      // A reference may name a service, an alias or a tag.
      for reference in arguments.inject {
        reference.content.forEachToken { found += [.id($0.name), .tag($0.name)] }
      }
    }
    guard service.isAutowired?.value ?? service.isAutowiredByFile else { return found }
    for type in registeredTypes(of: service, names) {
      for case .service(let wanted, _) in type.arguments.map(\.kind) { found.append(.type(wanted)) }
    }
    return found
  }

  /// The tags that a service bears, and the names that it can provide.
  func groups(of service: ServiceDeclaration, _ names: NameTable) -> [Node] {
    service.tags.map { .tag($0.name.name) }
      + (service.provides.map { $0.prepended + $0.appended } ?? []).map { .type(names[$0.name]) }
      + registeredTypes(of: service, names).flatMap(\.provides).map { .type($0) }
  }

  /// The registered types of a service or a template, and of its decorators.
  private func registeredTypes(of service: ServiceDeclaration, _ names: NameTable) -> [TypeDescriptor] {
    let own = service.type?.name ?? service.extends.flatMap { templateTypes[$0.name] }
    let decorators = service.decorators.map { $0.prepended + $0.appended } ?? []
    return ([own].compactMap(\.self) + decorators.map(\.type.name)).compactMap { types[names[$0]] }
  }
}

// MARK: - Files

extension EntryReach {
  /// What some files add, change or remove, and what they mention.
  func touched(by files: [ModuleFile], _ names: NameTable) -> (touched: [Node], needed: [Node]) {
    var (touched, needed): ([Node], [Node]) = ([], [])
    for file in files {
      touched += file.tags.map { .tag($0.name) }
      for sections in [file.added, file.replaced, file.overridden] {
        for parameter in sections.parameters {
          touched.append(.parameter(parameter.name))
          needed += mentions(of: parameter.body)
        }
        for template in sections.templates {
          touched.append(.template(template.name))
          touched += groups(of: template.body, names)
          needed += mentions(of: template.body, names)
        }
        for service in sections.services {
          touched.append(.id(service.name))
          touched += groups(of: service.body, names)
          needed += mentions(of: service.body, names)
        }
        // A service that is found by other names than before is another one.
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

  /// A name, and what it has stood for, through other aliases.
  private func named(_ node: Node) -> [Node] {
    var found: [Node] = []
    // Aliases that stand for one another are an error of the module.
    var seen: Set<Node> = []
    var next: Node? = node
    while let current = next, seen.insert(current).inserted {
      found.append(current)
      next = targets[current]
    }
    return found
  }
}

extension MergedModule {
  /// The entries that some nodes stand for, as a module of its own.
  ///
  /// - Parameters:
  ///   - names: The names of the load, with those of further files.
  ///   - secrets: The parameters that those declare secret.
  /// - Complexity: linear in the nodes.
  func restricted(to nodes: Set<EntryReach.Node>, names: NameTable, secrets: [Name]) -> MergedModule {
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
