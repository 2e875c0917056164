// SPDX-License-Identifier: Apache-2.0

/// Selects the enabled services, expands their data, and sorts them by id.
struct ServicePass {
  /// The enabled services, ascending by id.
  private(set) var services: [ComposedService] = []
  /// The index in `services` of each enabled service.
  private(set) var places: NamePlaces
  /// The services that a condition disables, ascending by id.
  private(set) var excluded: [ExcludedService] = []
  /// The templates, ascending by id.
  private(set) var templates: [ComposedTemplate]
  /// The findings about unknown templates, by the service that extends one. Reported only for an enabled service.
  private let faults: [Name: Finding]
  /// The findings.
  private(set) var bag = DiagnosticBag()

  /// The expansion of placeholders.
  private var expansion: Expansion
  /// The evaluation of conditions.
  private(set) var conditions: ConditionPass
  /// The names of the load.
  private let names: NameTable

  /// Composes the services of a module to which templates were applied.
  ///
  /// - Parameter elsewhere: Returns the services that extend a template and are in files of other environments.
  init(
    _ module: MergedModule, _ templates: TemplatePass, _ conditions: ConditionPass, _ expansion: Expansion,
    elsewhere: () -> [ServiceDeclaration]
  ) {
    self.expansion = expansion
    self.conditions = conditions
    self.templates = templates.templates
    faults = templates.faults
    names = module.names
    let names = module.names
    places = NamePlaces(of: names)
    services.reserveCapacity(module.services.slotCount)
    var extended: Set<Name> = []
    for entry in module.services.ascending(by: names) {
      let hasInvalidTemplate = templates.servicesWithInvalidTemplate.contains(entry.name)
      if let template = entry.body.extends?.name, !hasInvalidTemplate { extended.insert(template) }
      guard let service = composed(entry, isInvalid: hasInvalidTemplate) else { continue }
      places[service.name] = services.count
      services.append(service)
    }
    expandLooseTemplates(extended, elsewhere)
    self.conditions.suggest(module.history)
    bag.append(self.conditions.bag)
  }

  /// Returns a service with its data expanded, or `nil` if its condition does not hold.
  private mutating func composed(_ entry: Declaration<ServiceDeclaration>, isInvalid: Bool) -> ComposedService? {
    guard !entry.isMalformed else {
      if let condition = entry.body.condition { conditions.noteUses(in: condition, of: entry.name) }
      return ComposedService(entry, isMalformed: true, hasInvalidTemplate: isInvalid)
    }
    if let condition = entry.body.condition {
      switch conditions.outcome(of: condition, of: entry.name) {
      case .holds: break
      case .fails:
        excluded.append(
          ExcludedService(
            name: entry.name, key: entry.key, type: entry.body.type?.name, condition: condition,
            tags: entry.body.tags.map(\.name)))
        return nil
      case .unknown:
        return ComposedService(entry, isMalformed: true, hasInvalidTemplate: isInvalid)
      }
    }
    var entry = entry
    let id = names[entry.name]
    if let fault = faults[entry.name] { bag.report(fault) }
    let isTypeless = entry.body.type == nil && !isInvalid
    if isTypeless {
      bag.report(.missing("\"type\"", "service \"\(id)\"", subject: "type", at: entry.incomplete ?? entry.key))
    }
    let values = expand(entry.body.arguments.values, of: "service \"\(id)\"", owner: id)
    // Sorted arguments keep sharing their storage with the file.
    if !isSorted(entry.body.arguments.inject) { sort(&entry.body.arguments.inject) }
    var decorators: [ComposedDecorator] = []
    for var decorator in entry.body.decorators?.appended ?? [] {
      let holder = "decorator \"\(names[decorator.type.name])\" of service \"\(id)\""
      let values = expand(decorator.arguments.values, of: holder, owner: id)
      sort(&decorator.arguments.inject)
      decorators.append(ComposedDecorator(declaration: decorator, values: values))
    }
    let tags = entry.body.tags
      .map { tag in
        ComposedTag(
          name: tag.name.name, order: tag.order?.value ?? 0, key: tag.key.map { names[$0.name] } ?? id,
          node: tag.name.node)
      }
      .sorted { names.isAscending($0.name, $1.name) }
    return ComposedService(
      entry, isMalformed: isTypeless, hasInvalidTemplate: isInvalid, values: values, decorators: decorators, tags: tags)
  }

  /// Expands and sorts data. Findings call the declaration `holder`, and the service or template `owner`.
  private mutating func expand(
    _ data: [ArgumentDeclaration<Datum>], of holder: @autoclosure () -> String, owner: String
  ) -> [ArgumentDeclaration<Datum>] {
    // Unchanged data keep sharing their storage with the file.
    guard data.contains(where: \.content.containsPlaceholder) || !isSorted(data) else { return data }
    var values = data
    var ownBag = DiagnosticBag()
    for place in values.indices {
      values[place].content = expansion.expand(values[place].content, of: holder(), into: &ownBag)
    }
    bag.append(ownBag, owner: owner)
    sort(&values)
    return values
  }

  /// Returns whether arguments are in ascending order of their keys.
  private func isSorted<Content>(_ arguments: [ArgumentDeclaration<Content>]) -> Bool {
    zip(arguments, arguments.dropFirst()).allSatisfy { names.isAscending($0.name, $1.name) }
  }

  /// Sorts arguments by their keys.
  private func sort<Content>(_ arguments: inout [ArgumentDeclaration<Content>]) {
    arguments.sort { names.isAscending($0.name, $1.name) }
  }

  /// Expands the data of templates that no service extends, so that mistakes in them are reported, too. `elsewhere`
  /// returns the services in files of other environments.
  private mutating func expandLooseTemplates(_ extended: Set<Name>, _ elsewhere: () -> [ServiceDeclaration]) {
    guard ComposedTemplate.reached(from: extended, in: templates).contains(false) else { return }
    let extended = extended.union(elsewhere().compactMap(\.extends?.name))
    let isReached = ComposedTemplate.reached(from: extended, in: templates)
    for place in templates.indices where !isReached[place] {
      templates[place].isLoose = true
      guard !templates[place].isMalformed else { continue }
      let id = names[templates[place].name]
      let arguments = templates[place].declaration.arguments
      templates[place].values = expand(arguments.values, of: "template \"\(id)\"", owner: id)
      // Not sorted in place: the call accesses `self`, so that the array of all templates would be copied.
      var inject = arguments.inject
      guard !isSorted(inject) else { continue }
      sort(&inject)
      templates[place].declaration.arguments.inject = inject
    }
  }
}
