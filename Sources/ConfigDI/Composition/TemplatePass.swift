// SPDX-License-Identifier: Apache-2.0

/// Puts what templates say into the services that extend them.
struct TemplatePass {
  /// The templates, ascending by id.
  private(set) var templates: [ComposedTemplate] = []
  /// The services whose template, or one that it extends, is not there or not sound.
  private(set) var unsound: Set<Name> = []
  /// The findings.
  private(set) var bag = DiagnosticBag()

  /// The templates by name.
  private var places: [Name: Int] = [:]
  /// What layers changed, without what templates are found to be changed by.
  private let layered: History
  /// How many argument keys of templates may still be looked at: templates multiply what a file says.
  private var budget: Int
  /// Whether it was told that there are too many.
  private var isExhausted = false

  /// Applies the templates of a composition to its services.
  ///
  /// - Complexity: linear in services, templates and what the services receive, which `Limits.fileSize` bounds.
  init(over composer: inout Composer, limits: Limits) {
    budget = limits.fileSize
    layered = composer.history
    let names = composer.names
    let entries = composer.templates.all.sorted { names.isAscending($0.name, $1.name) }
    templates = entries.map { ComposedTemplate($0) }
    for (place, template) in templates.enumerated() { places[template.name] = place }
    follow(names)
    for service in composer.services.all where service.body.extends != nil { apply(to: service, in: &composer) }
    bag.suggest(among: templates.map { names[$0.name] }, for: .unknownTemplate)
  }
}

/// A template after composition.
package struct ComposedTemplate: Sendable {
  /// The id.
  package var name: Name
  /// The key that defines the template.
  package var key: NodeRef
  /// Whether some file's part of the template has an error of shape; it takes no part in further checks.
  package var isMisshapen: Bool
  /// What the template itself says.
  package var declaration: ServiceDeclaration
  /// Its own data, ascending by key, expanded only where no service is there that a mistake in them would be told of.
  package var values: [ComposedArgument] = []
  /// The registered type of those that extend it, as far as templates say it.
  package fileprivate(set) var type: Token?
  /// The names by which those that extend it are looked up, as far as templates say it.
  fileprivate var provides: ListChange<Token>?
  /// The lifetime of those that extend it, as far as templates say it.
  fileprivate var scope: Token?
  /// Whether no sound service that is there extends it, directly or by way of others.
  package var isLoose = false
  /// Whether it, or one that it extends, is not there or not sound.
  package fileprivate(set) var isUnsound: Bool
  /// The template that it extends, or nil.
  fileprivate var parent: Int?
  /// The nearest template on the way up, itself included, that has arguments.
  fileprivate var nearestWithArguments: Int?

  /// A template as the files made it.
  fileprivate init(_ entry: ComposedEntry<ServiceDeclaration>) {
    name = entry.name
    key = entry.key
    isMisshapen = entry.isMisshapen
    declaration = entry.body
    type = entry.body.type
    provides = entry.body.provides
    scope = entry.body.scope
    isUnsound = entry.isMisshapen
  }
}

extension ComposedTemplate {
  /// For each template, whether it is one of some, or one that those extend, directly or by way of others.
  package static func reached(from names: Set<Name>, in templates: [ComposedTemplate]) -> [Bool] {
    var isReached = Array(repeating: false, count: templates.count)
    for place in templates.indices where names.contains(templates[place].name) {
      var next: Int? = place
      while let place = next, !isReached[place] {
        isReached[place] = true
        next = templates[place].parent
      }
    }
    return isReached
  }
}

// MARK: - Chains of templates

extension TemplatePass {
  /// Finds what each template has from those that it extends; circles and dead ends are told.
  private mutating func follow(_ names: NameTable) {
    var edges: [(from: Int, to: Int)] = []
    for place in templates.indices {
      guard let extends = templates[place].declaration.extends else { continue }
      templates[place].parent = places[extends.name]
      if let parent = templates[place].parent {
        edges.append((place, parent))
      } else {
        templates[place].isUnsound = true
        guard !templates[place].isMisshapen else { continue }
        bag.report(.unknownTemplate("template", names[templates[place].name], names[extends.name], at: extends.node))
      }
    }
    let graph = DirectedGraph(nodeCount: templates.count, edges: edges)
    for group in graph.stronglyConnectedComponents() {
      if graph.isCyclic(group) {
        close(graph.shortestCycle(in: group), names)
      } else {
        inherit(group[0])
      }
    }
  }

  /// Tells templates that extend one another in a circle, and shares what they say among them.
  private mutating func close(_ cycle: [Int], _ names: NameTable) {
    let ids = cycle.map { names[templates[$0].name] }
    if let extends = templates[cycle[0]].declaration.extends, !cycle.contains(where: { templates[$0].isMisshapen }) {
      bag.report(.templateCycle(ids + [ids[0]], at: extends.node))
    }
    for place in cycle { templates[place].isUnsound = true }
    // The second round brings what was found late in the first to those that came early.
    for place in cycle.reversed() + cycle.reversed() { inherit(place) }
  }

  /// Gives a template what it has from the one that it extends.
  private mutating func inherit(_ place: Int) {
    if !templates[place].declaration.arguments.isEmpty { templates[place].nearestWithArguments = place }
    guard let parent = templates[place].parent.map({ templates[$0] }) else { return }
    templates[place].type = templates[place].type ?? parent.type
    templates[place].provides = templates[place].provides ?? parent.provides
    templates[place].scope = templates[place].scope ?? parent.scope
    templates[place].isUnsound = templates[place].isUnsound || parent.isUnsound
    templates[place].nearestWithArguments = templates[place].nearestWithArguments ?? parent.nearestWithArguments
  }
}

// MARK: - Services

extension TemplatePass {
  /// Puts what its template says into a service.
  private mutating func apply(to service: ComposedEntry<ServiceDeclaration>, in composer: inout Composer) {
    guard let extends = service.body.extends, !service.isMisshapen else { return }
    guard let place = places[extends.name] else {
      unsound.insert(service.name)
      let id = composer.names[service.name]
      return bag.report(.unknownTemplate("service", id, composer.names[extends.name], at: extends.node))
    }
    let template = templates[place]
    var body = service.body
    body.type = nearer(body.type, template.type, \.node, &composer)
    body.provides = nearer(body.provides, template.provides, \.node, &composer)
    body.scope = nearer(body.scope, template.scope, \.node, &composer)
    if template.isUnsound {
      unsound.insert(service.name)
    } else if let first = template.nearestWithArguments, !addArguments(from: first, to: &body, &composer) {
      unsound.insert(service.name)
      if !isExhausted { bag.report(.tooManyArguments(at: extends.node)) }
      isExhausted = true
    }
    composer.services.change(service.name) { $0.body = body }
  }

  /// What a service says, else what its template does; what the service says came instead of the other.
  private func nearer<Part>(
    _ own: Part?, _ inherited: Part?, _ node: KeyPath<Part, NodeRef>, _ composer: inout Composer
  ) -> Part? {
    if let own, let inherited {
      composer.history.note(layered.origin(of: own[keyPath: node]), displaces: inherited[keyPath: node])
    }
    return own ?? inherited
  }

  /// Adds the arguments of a template, and of all that it extends, whose keys the service does not name; false where they
  /// are too many.
  private mutating func addArguments(
    from first: Int, to service: inout ServiceDeclaration, _ composer: inout Composer
  ) -> Bool {
    var tokens: [Name: NodeRef] = [:]
    for argument in service.arguments.inject + service.arguments.values {
      tokens[argument.name] = argument.datum.place
    }
    var next: Int? = first
    while let place = next {
      let arguments = templates[place].declaration.arguments
      budget -= arguments.inject.count + arguments.values.count
      guard budget >= 0 else { return false }
      for (list, declared) in [(\ArgumentDeclarations.inject, arguments.inject), (\.values, arguments.values)] {
        for argument in declared {
          if let nearer = tokens.updateValue(argument.datum.place, forKey: argument.name) {
            composer.history.note(layered.origin(of: nearer), displaces: argument.datum.place)
          } else {
            service.arguments[keyPath: list].append(argument)
          }
        }
      }
      next = templates[place].parent.flatMap { templates[$0].nearestWithArguments }
    }
    return true
  }
}

// MARK: - Messages

extension Finding {
  /// A template that is not there.
  fileprivate static func unknownTemplate(_ kind: String, _ id: String, _ template: String, at node: NodeRef) -> Finding
  {
    var finding = Finding(.unknownTemplate, "\(kind) \"\(id)\" extends unknown template \"\(template)\"", at: node)
    finding.label = "no template has this id"
    finding.subject = template
    return finding
  }

  /// Templates that extend one another in a circle.
  fileprivate static func templateCycle(_ ids: [String], at node: NodeRef) -> Finding {
    var finding = Finding(
      .templateCycle, "templates extend one another in a circle: \(ids.joined(separator: " -> "))", at: node)
    finding.help = "let one of them extend none of the others"
    return finding
  }

  /// Arguments from templates that grow beyond all measure.
  fileprivate static func tooManyArguments(at node: NodeRef) -> Finding {
    var finding = Finding(.tooLarge, "the templates of the module give more arguments than a load may hold", at: node)
    finding.label = "this is the first beyond the limit"
    return finding
  }
}
