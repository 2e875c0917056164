// SPDX-License-Identifier: Apache-2.0

/// Merges templates into the services that extend them.
struct TemplatePass {
  /// The module, in which services have the parts that they inherit from templates.
  private(set) var module: MergedModule
  /// The templates, ascending by id.
  private(set) var templates: [ComposedTemplate] = []
  /// The services that extend an unknown or invalid template, directly or through others.
  private(set) var servicesWithInvalidTemplate: Set<Name> = []
  /// The findings about unknown templates, by the service that extends one. To be reported only for an enabled service.
  private(set) var faults: [Name: Finding] = [:]
  /// The findings about the templates.
  private(set) var bag = DiagnosticBag()

  /// The index in `templates` of each template.
  private var places: [Name: Int] = [:]
  /// The changes by layers, without those that this pass records.
  private let layered: History
  /// The size that services and templates may still inherit, in bytes. Bounded, because templates multiply what a file
  /// declares.
  private var budget: Int
  /// The total size that services may inherit, in bytes.
  private let budgetLimit: Int
  /// Whether it was reported that the budget is exceeded.
  private var isExhausted = false
  /// The paths of the parts that layers removed from templates, and the paths of what contained these.
  private lazy var lost: (parts: Set<String>, containers: Set<String>) = {
    let paths = layered.removedParts(in: .templates).map { DeclarationPart.containers(of: $0.path) }
    return (Set(paths.compactMap(\.last)), Set(paths.joined()))
  }()
  /// The tokens for which a replaced token of a template was recorded.
  private var noted: Set<NodeRef> = []

  /// Applies the templates of a module to its services.
  ///
  /// - Complexity: linear in services, templates and what the services inherit, which `Limits.fileSize` bounds.
  init(_ module: consuming MergedModule, limits: Limits) {
    budget = limits.fileSize
    budgetLimit = limits.fileSize
    layered = module.history
    let names = module.names
    let entries = Array(module.templates.ascending(by: names))
    self.module = module
    templates = entries.map { ComposedTemplate($0) }
    for (place, template) in templates.enumerated() { places[template.name] = place }
    follow()
    // Checked first, because few modules have templates, and declarations are scattered in memory.
    guard self.module.hasExtendingService else { return }
    for service in self.module.services.all where !service.isMalformed {
      if service.body.extends != nil { apply(to: service) }
      if !service.body.unsetInTemplate.isEmpty { checkFormerTemplates(of: service.body) }
    }
  }
}

// MARK: - Chains of templates

extension TemplatePass {
  /// Finds what each template inherits. Reports cycles and unknown templates.
  private mutating func follow() {
    var edges: [(from: Int, to: Int)] = []
    for place in templates.indices {
      guard let extends = templates[place].declaration.extends else { continue }
      templates[place].parent = places[extends.name]
      if let parent = templates[place].parent {
        edges.append((place, parent))
      } else {
        templates[place].isInvalid = true
        guard !templates[place].isMalformed else { continue }
        let id = module.names[templates[place].name]
        var finding = Finding.unknownTemplate("template", id, module.names[extends.name], at: extends.node)
        finding.excludedSuggestion = id
        bag.report(finding)
      }
    }
    let graph = DirectedGraph(nodeCount: templates.count, edges: edges)
    for group in graph.stronglyConnectedComponents() {
      if graph.isCyclic(group) {
        close(graph.shortestCycle(in: group))
      } else {
        inherit(group[0])
      }
    }
  }

  /// Reports templates that extend one another in a cycle. Lets each of them inherit from the others.
  private mutating func close(_ cycle: [Int]) {
    let ids = cycle.map { module.names[templates[$0].name] }
    if let extends = templates[cycle[0]].declaration.extends, !cycle.contains(where: { templates[$0].isMalformed }) {
      bag.report(.templateCycle(ids + [ids[0]], at: extends.node))
    }
    for place in cycle { templates[place].isInvalid = true }
    // The second round passes on what the templates visited early in the first round could not inherit yet.
    for place in cycle.reversed() + cycle.reversed() { inherit(place) }
  }

  /// Adds what a template inherits.
  private mutating func inherit(_ place: Int) {
    var template = templates[place]
    if !template.declaration.arguments.isEmpty {
      template.nearestWithArguments = place
      template.weight = template.declaration.arguments.weight
    }
    if let parent = template.parent.map({ templates[$0] }) {
      template.isInvalid = template.isInvalid || parent.isInvalid
      // In a cycle, each token would replace the others.
      let history = template.isInvalid ? nil : layered
      template.type = nearer(template.type, parent.type, history)
      template.provides = merged(template.provides, parent.provides, history)
      template.scope = nearer(template.scope, parent.scope, history)
      template.nearestWithArguments = template.nearestWithArguments ?? parent.nearestWithArguments
    }
    templates[place] = template
  }

  /// Returns the own part, else the inherited one. If both exist, records that the own part replaces the inherited one.
  private mutating func nearer<Part: Placed>(_ own: Part?, _ inherited: Part?, _ history: History?) -> Part? {
    if let own, let inherited, let history {
      module.history.note(history.origin(of: own.node), displaces: inherited.node)
    }
    return own ?? inherited
  }

  /// Returns the own provided names, else the inherited ones. If layers only added names to the inherited ones, returns
  /// both, unless the budget is exceeded.
  private mutating func merged(
    _ own: ListChange<Token>?, _ inherited: ListChange<Token>?, _ history: History?
  ) -> ListChange<Token>? {
    var names = nearer(own, inherited, history)
    if let own, let inherited, !own.replaces {
      budget -= inherited.appended.count * Datum.elementSize
      guard budget >= 0 else { return names }
      names?.appended = inherited.appended + own.appended
      names?.replaces = inherited.replaces
    }
    return names
  }
}

extension ArgumentDeclarations {
  /// The token of the content of each argument.
  fileprivate var nodes: [Name: NodeRef] { Dictionary(tokens) { first, _ in first } }

  /// The size that the arguments count as when a service inherits them, in bytes. See `Datum.size`.
  fileprivate var weight: Int {
    inject.reduce(0) { $0 + $1.content.weight } + values.reduce(0) { $0 + Datum.elementSize + $1.content.size }
  }
}

extension Reference {
  /// The size that the reference counts as, in bytes.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`. Not inlined into itself.
  @inline(never)
  fileprivate var weight: Int {
    switch self {
    case .id, .service, .tagged: 2 * Datum.elementSize
    case .list(let elements, _): elements.reduce(Datum.elementSize) { $0 + $1.weight }
    case .map(let entries, _, _):
      entries.reduce(Datum.elementSize) { $0 + Datum.elementSize + $1.key.utf8.count + $1.reference.weight }
    }
  }
}

// MARK: - Services

extension TemplatePass {
  /// Merges its template into a service.
  private mutating func apply(to service: Declaration<ServiceDeclaration>) {
    guard let extends = service.body.extends else { return }
    guard let place = places[extends.name] else {
      servicesWithInvalidTemplate.insert(service.name)
      faults[service.name] = .unknownTemplate(
        "service", module.names[service.name], module.names[extends.name], at: extends.node)
      return
    }
    var inherited = content(of: templates[place])
    if templates[place].isInvalid {
      servicesWithInvalidTemplate.insert(service.name)
    } else {
      unset(service, in: &inherited)
    }
    var body = service.body
    if body.provides == nil { budget -= (inherited.provides?.appended.count ?? 0) * Datum.elementSize }
    body.type = nearer(body.type, inherited.type, layered)
    body.provides = merged(body.provides, inherited.provides, layered)
    body.scope = nearer(body.scope, inherited.scope, layered)
    var nodes = body.arguments.nodes
    inherit(inherited.arguments, into: &body.arguments, &nodes)
    finish(service.name, body, extends)
  }

  /// Returns what a service inherits from a template, of which an invalid one gives no arguments.
  private mutating func content(of template: ComposedTemplate) -> ServiceDeclaration {
    var content = ServiceDeclaration()
    (content.type, content.provides, content.scope) = (template.type, template.provides, template.scope)
    if !template.isInvalid { addArguments(of: template, to: &content.arguments) }
    return content
  }

  /// Removes the parts that layers removed by `unset` from what a service inherits, layer by layer. Reports paths that
  /// lead nowhere.
  private mutating func unset(_ service: Declaration<ServiceDeclaration>, in inherited: inout ServiceDeclaration) {
    let removals = service.body.unsetInTemplate.filter { $0.formerTemplate == nil }
    guard !removals.isEmpty else { return }
    let parts = inherited.parts(module.names)
    for removal in removals { unset(removal, in: &inherited) }
    module.noteParts(
      from: parts, to: inherited.parts(module.names), unset: removals.flatMap(\.paths), else: nil, of: service.name,
      in: .services)
  }

  /// Removes the parts that one layer removed by `unset`. Reports paths that lead nowhere.
  private mutating func unset(
    _ removal: ServiceDeclaration.Rest.UnsetInTemplate, in inherited: inout ServiceDeclaration
  ) {
    // Beyond the budget the content is incomplete.
    guard budget >= 0 else { return }
    let unset = UnsetPass(removal.paths, of: &inherited, module.names)
    for path in unset.missing where !removal.here.contains(path.name) && !isLost(path) {
      bag.report(.nothingToUnset(module.names[path.name], at: path.node))
    }
    for path in unset.necessary { bag.report(.necessaryPart(module.names[path.name], at: path.node)) }
  }

  /// Whether a layer removed what is at a path from some template, so that the path may have led somewhere before.
  private mutating func isLost(_ path: Token) -> Bool {
    guard layered.hasRemovals else { return false }
    let path = DeclarationPart.containers(of: module.names[path.name])
    return path.contains { lost.parts.contains($0) } || path.last.map(lost.containers.contains) == true
  }

  /// Reports the paths of `unset` that lead nowhere in a template that the service does not extend any more.
  private mutating func checkFormerTemplates(of service: ServiceDeclaration) {
    var checked: (template: Name, content: ServiceDeclaration)?
    for removal in service.unsetInTemplate {
      guard let name = removal.formerTemplate, let place = places[name], !templates[place].isInvalid else { continue }
      var content = checked.flatMap { $0.template == name ? $0.content : nil } ?? content(of: templates[place])
      unset(removal, in: &content)
      checked = (name, content)
    }
  }

  /// Adds the inherited arguments whose keys the service does not have. `nodes` are the tokens of its arguments so far.
  private mutating func inherit(
    _ inherited: ArgumentDeclarations, into arguments: inout ArgumentDeclarations, _ nodes: inout [Name: NodeRef]
  ) {
    for argument in inherited.inject where takes(argument, &nodes) { arguments.inject.append(argument) }
    for argument in inherited.values where takes(argument, &nodes) { arguments.values.append(argument) }
  }

  /// Stores a service that has inherited. If the budget is exceeded, reports that and marks the template of the
  /// service as invalid.
  private mutating func finish(_ name: Name, _ body: ServiceDeclaration, _ extends: Token) {
    if budget < 0 {
      servicesWithInvalidTemplate.insert(name)
      if !isExhausted { bag.report(.expansionTooLarge(of: "templates", budgetLimit, at: extends.node)) }
      isExhausted = true
      return
    }
    module.services.change(name) { $0.body = body }
  }

  /// Adds the arguments that a template declares or inherits. Stops when the budget is exceeded.
  private mutating func addArguments(of template: ComposedTemplate, to arguments: inout ArgumentDeclarations) {
    guard var place = template.nearestWithArguments else { return }
    var nodes: [Name: NodeRef] = [:]
    while true {
      let template = templates[place]
      budget -= template.weight
      guard budget >= 0 else { return }
      inherit(template.declaration.arguments, into: &arguments, &nodes)
      guard let next = template.parent.flatMap({ templates[$0].nearestWithArguments }) else { return }
      place = next
    }
  }

  /// Returns whether a service inherits an argument. If a nearer argument has its key, records that this replaces it.
  private mutating func takes<Content: Placed>(
    _ argument: ArgumentDeclaration<Content>, _ tokens: inout [Name: NodeRef]
  ) -> Bool {
    guard let nearer = tokens.updateValue(argument.content.node, forKey: argument.name) else { return true }
    // For a token of a template, this is the same for all services.
    if noted.insert(nearer).inserted {
      module.history.note(layered.origin(of: nearer), displaces: argument.content.node)
    }
    return false
  }
}

// MARK: - Messages

extension Finding {
  /// A service or template that extends an unknown template.
  fileprivate static func unknownTemplate(_ kind: String, _ id: String, _ template: String, at node: NodeRef) -> Finding
  {
    Finding(
      .unknownTemplate, "\(kind) \"\(id)\" extends unknown template \"\(template)\"", at: node,
      label: "no template has this id", subject: template)
  }

  /// Templates that extend one another in a cycle.
  fileprivate static func templateCycle(_ ids: [String], at node: NodeRef) -> Finding {
    Finding(.templateCycle, "template cycle: \(ids.chain)", at: node, help: "remove \"extends\" from one of them")
  }
}
