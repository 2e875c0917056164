// SPDX-License-Identifier: Apache-2.0

/// Puts what templates say into the services that extend them.
struct TemplatePass {
  /// The module, with what services have from templates.
  private(set) var module: MergedModule
  /// The templates, ascending by id.
  private(set) var templates: [ComposedTemplate] = []
  /// The services whose template, or one that it extends, is not there or not sound.
  private(set) var unsound: Set<Name> = []
  /// What is wrong with the template of a service; to be reported where the service is there.
  private(set) var faults: [Name: Finding] = [:]
  /// The findings about the templates.
  private(set) var bag = DiagnosticBag()

  /// The templates by name.
  private var places: [Name: Int] = [:]
  /// What layers changed, without what templates are found to be changed by.
  private let layered: History
  /// How much more services may receive from templates, which multiply what a file says.
  private var budget: Int
  /// How much they may receive in all.
  private let budgetLimit: Int
  /// Whether it was reported that they receive too much.
  private var isExhausted = false
  /// The tokens of which it is noted what they took the place of in a template.
  private var noted: Set<NodeRef> = []

  /// Applies the templates of a composition to its services.
  ///
  /// - Complexity: linear in services, templates and what the services receive, which `Limits.fileSize` bounds.
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
    // Asked first, as few modules have templates, and what each service says is spread over memory.
    guard self.module.hasExtendingService else { return }
    for service in self.module.services.all where service.body.extends != nil { apply(to: service) }
  }
}

// MARK: - Chains of templates

extension TemplatePass {
  /// Finds what each template has from those that it extends; cycles and missing targets are reported.
  private mutating func follow() {
    var edges: [(from: Int, to: Int)] = []
    for place in templates.indices {
      guard let extends = templates[place].declaration.extends else { continue }
      templates[place].parent = places[extends.name]
      if let parent = templates[place].parent {
        edges.append((place, parent))
      } else {
        templates[place].isUnsound = true
        guard !templates[place].isMalformed else { continue }
        let id = module.names[templates[place].name]
        var finding = Finding.unknownTemplate("template", id, module.names[extends.name], at: extends.node)
        finding.bearer = id
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

  /// Reports templates that extend one another in a cycle, and shares what they say among them.
  private mutating func close(_ cycle: [Int]) {
    let ids = cycle.map { module.names[templates[$0].name] }
    if let extends = templates[cycle[0]].declaration.extends, !cycle.contains(where: { templates[$0].isMalformed }) {
      bag.report(.templateCycle(ids + [ids[0]], at: extends.node))
    }
    for place in cycle { templates[place].isUnsound = true }
    // The second round brings what was found late in the first to those that came early.
    for place in cycle.reversed() + cycle.reversed() { inherit(place) }
  }

  /// Gives a template what it has from the one that it extends.
  private mutating func inherit(_ place: Int) {
    var template = templates[place]
    if !template.declaration.arguments.isEmpty {
      template.nearestWithArguments = place
      template.weight = template.declaration.arguments.weight
    }
    if let parent = template.parent.map({ templates[$0] }) {
      template.isUnsound = template.isUnsound || parent.isUnsound
      // In a cycle each would have taken the place of the others.
      let history = template.isUnsound ? nil : layered
      template.type = nearer(template.type, parent.type, \.node, history)
      template.provides = nearer(template.provides, parent.provides, \.node, history)
      template.scope = nearer(template.scope, parent.scope, \.node, history)
      template.nearestWithArguments = template.nearestWithArguments ?? parent.nearestWithArguments
    }
    templates[place] = template
  }

  /// What is said by itself, else what is inherited; the history notes that the one came instead of the other.
  private mutating func nearer<Part>(
    _ own: Part?, _ inherited: Part?, _ node: KeyPath<Part, NodeRef>, _ history: History?
  ) -> Part? {
    if let own, let inherited, let history {
      module.history.note(history.origin(of: own[keyPath: node]), displaces: inherited[keyPath: node])
    }
    return own ?? inherited
  }
}

extension ArgumentDeclarations {
  /// The token of what each argument receives.
  fileprivate var nodes: [Name: NodeRef] { Dictionary(tokens) { first, _ in first } }

  /// What arguments weigh where templates hand them to services: their bytes of text and, weighed, all their parts.
  fileprivate var weight: Int {
    inject.reduce(0) { $0 + $1.content.weight } + values.reduce(0) { $0 + Datum.elementSize + $1.content.size }
  }
}

extension Reference {
  /// What a reference weighs.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
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
  /// Puts what its template says into a service.
  private mutating func apply(to service: ComposedEntry<ServiceDeclaration>) {
    guard let extends = service.body.extends, !service.isMalformed else { return }
    guard let place = places[extends.name] else {
      unsound.insert(service.name)
      faults[service.name] = .unknownTemplate(
        "service", module.names[service.name], module.names[extends.name], at: extends.node)
      return
    }
    let template = templates[place]
    if !service.body.unsetInTemplate.isEmpty, !template.isUnsound {
      return apply(template, withoutUnsetParts: service, extends)
    }
    var body = service.body
    inherit(template.type, template.provides, template.scope, into: &body)
    if service.body.provides == nil { budget -= (template.provides?.appended.count ?? 0) * Datum.elementSize }
    if template.isUnsound {
      unsound.insert(service.name)
    } else {
      addArguments(of: template, to: &body)
    }
    finish(service.name, body, extends)
  }

  /// Puts what its template says into a service, without the parts that layers removed from it.
  private mutating func apply(
    _ template: ComposedTemplate, withoutUnsetParts service: ComposedEntry<ServiceDeclaration>, _ extends: Token
  ) {
    var inherited = ServiceDeclaration()
    (inherited.type, inherited.provides, inherited.scope) = (template.type, template.provides, template.scope)
    addArguments(of: template, to: &inherited)
    budget -= (template.provides?.appended.count ?? 0) * Datum.elementSize
    let inheritedParts = inherited.parts(module.names)
    let unset = UnsetPass(service.body.unsetInTemplate, of: &inherited, module.names)
    module.noteParts(
      from: inheritedParts, to: inherited.parts(module.names), unset: service.body.unsetInTemplate, else: nil,
      of: service.name, in: .services)
    for path in unset.missing { bag.report(.nothingToUnset(module.names[path.name], at: path.node)) }
    for path in unset.necessary { bag.report(.necessaryPart(module.names[path.name], at: path.node)) }
    var body = service.body
    inherit(inherited.type, inherited.provides, inherited.scope, into: &body)
    var nodes = body.arguments.nodes
    inherit(inherited.arguments, into: &body.arguments, &nodes)
    finish(service.name, body, extends)
  }

  /// Gives a service what its template says where it says nothing itself; arguments excepted.
  private mutating func inherit(
    _ type: Token?, _ provides: ListChange<Token>?, _ scope: Token?, into body: inout ServiceDeclaration
  ) {
    body.type = nearer(body.type, type, \.node, layered)
    body.provides = nearer(body.provides, provides, \.node, layered)
    body.scope = nearer(body.scope, scope, \.node, layered)
  }

  /// Adds the arguments of a template whose keys the service does not name. `nodes` has the tokens of those that it names.
  private mutating func inherit(
    _ inherited: ArgumentDeclarations, into arguments: inout ArgumentDeclarations, _ nodes: inout [Name: NodeRef]
  ) {
    for argument in inherited.inject where takes(argument, &nodes) { arguments.inject.append(argument) }
    for argument in inherited.values where takes(argument, &nodes) { arguments.values.append(argument) }
  }

  /// Takes over a service that received what its template says, as long as the budget lasts.
  private mutating func finish(_ name: Name, _ body: ServiceDeclaration, _ extends: Token) {
    if budget < 0 {
      unsound.insert(name)
      if !isExhausted { bag.report(.expansionTooLarge(of: "templates", budgetLimit, at: extends.node)) }
      isExhausted = true
      return
    }
    module.services.change(name) { $0.body = body }
  }

  /// Adds the arguments of a template, and of all that it extends, whose keys the service does not name, as long as the
  /// budget lasts.
  private mutating func addArguments(
    of template: ComposedTemplate, to service: inout ServiceDeclaration
  ) {
    guard var place = template.nearestWithArguments else { return }
    var nodes = service.arguments.nodes
    while true {
      let template = templates[place]
      budget -= template.weight
      guard budget >= 0 else { return }
      inherit(template.declaration.arguments, into: &service.arguments, &nodes)
      guard let next = template.parent.flatMap({ templates[$0].nearestWithArguments }) else { return }
      place = next
    }
  }

  /// Whether a service takes an argument of a template: not where something nearer has its key, which is noted.
  private mutating func takes<Content: Placed>(
    _ argument: ArgumentDeclaration<Content>, _ tokens: inout [Name: NodeRef]
  ) -> Bool {
    guard let nearer = tokens.updateValue(argument.content.node, forKey: argument.name) else { return true }
    // Of templates this is the same for all services.
    if noted.insert(nearer).inserted {
      module.history.note(layered.origin(of: nearer), displaces: argument.content.node)
    }
    return false
  }
}

// MARK: - Messages

extension Finding {
  /// A template that is not there.
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
