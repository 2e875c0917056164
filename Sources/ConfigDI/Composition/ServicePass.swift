// SPDX-License-Identifier: Apache-2.0

/// Decides which services are there, expands their data, and puts them in order.
struct ServicePass {
  /// The services that are there, ascending by id.
  private(set) var services: [ComposedService] = []
  /// The services that a condition took out, ascending by id.
  private(set) var excluded: [ExcludedService] = []
  /// The templates, ascending by id.
  private(set) var templates: [ComposedTemplate]
  /// What is wrong with the template of a service.
  private let faults: [Name: Finding]
  /// The findings.
  private(set) var bag = DiagnosticBag()

  /// What the placeholders stand for.
  private var expansion: Expansion
  /// What conditions come to.
  private(set) var conditions: ConditionPass
  /// The names of the load.
  private let names: NameTable

  /// Composes the services of a composition to which templates were applied.
  init(_ composer: Composer, _ templates: TemplatePass, _ conditions: ConditionPass, _ expansion: Expansion) {
    self.expansion = expansion
    self.conditions = conditions
    self.templates = templates.templates
    faults = templates.faults
    names = composer.names
    let names = composer.names
    let entries = composer.services.all.sorted { names.isAscending($0.name, $1.name) }
    services.reserveCapacity(entries.count)
    var extended: Set<Name> = []
    for entry in entries {
      guard let service = composed(entry, isUnsound: templates.unsound.contains(entry.name)) else { continue }
      services.append(service)
      if let template = entry.body.extends?.name, !service.isMisshapen, !service.hasUnsoundTemplate {
        extended.insert(template)
      }
    }
    expandLooseTemplates(extended)
    self.conditions.suggest()
    bag.append(self.conditions.bag)
  }

  /// A service with its data expanded, or nil where its condition does not hold.
  private mutating func composed(
    _ entry: ComposedEntry<ServiceDeclaration>, isUnsound: Bool
  ) -> ComposedService? {
    var service = ComposedService(
      name: entry.name, key: entry.key, isMisshapen: entry.isMisshapen, hasUnsoundTemplate: isUnsound,
      declaration: entry.body)
    guard !entry.isMisshapen else {
      if let condition = entry.body.condition { conditions.noteUses(in: condition, of: entry.name) }
      return service
    }
    if let condition = entry.body.condition {
      switch conditions.outcome(of: condition, of: entry.name) {
      case .holds: break
      case .fails:
        excluded.append(
          ExcludedService(name: entry.name, key: entry.key, type: entry.body.type?.name, condition: condition.place))
        return nil
      case .unknown:
        service.isMisshapen = true
        return service
      }
    }
    let id = names[entry.name]
    if let fault = faults[entry.name] { bag.report(fault) }
    if entry.body.type == nil, !isUnsound {
      bag.report(.missing("\"type\"", "service \"\(id)\"", subject: "type", at: entry.incomplete ?? entry.key))
      service.isMisshapen = true
    }
    var arguments = service.declaration.arguments
    service.values = expand(&arguments, of: "service \"\(id)\"", owner: id)
    service.declaration.arguments = arguments
    for var decorator in entry.body.decorators?.appended ?? [] {
      let holder = "decorator \"\(names[decorator.type.name])\" of service \"\(id)\""
      let values = expand(&decorator.arguments, of: holder, owner: id)
      service.decorators.append(ComposedDecorator(declaration: decorator, values: values))
    }
    service.tags = entry.body.tags
      .map { tag in
        ComposedTag(
          name: tag.name.name, order: tag.order?.value ?? 0, key: tag.key.map { names[$0.name] } ?? id,
          node: tag.name.node)
      }
      .sorted { names.isAscending($0.name, $1.name) }
    return service
  }

  /// The data of some arguments with placeholders expanded, ascending by key. The references are put in that order too.
  private mutating func expand(
    _ arguments: inout ArgumentDeclarations, of holder: String, owner: String
  ) -> [ComposedArgument] {
    var values: [ComposedArgument] = []
    values.reserveCapacity(arguments.values.count)
    for argument in arguments.values {
      var told = DiagnosticBag()
      let value = expansion.expand(argument.datum, of: holder, into: &told)
      bag.append(told, owner: owner)
      values.append(ComposedArgument(name: argument.name, key: argument.key, value: value))
    }
    if values.count > 1 { values.sort { names.isAscending($0.name, $1.name) } }
    if arguments.inject.count > 1 { arguments.inject.sort { names.isAscending($0.name, $1.name) } }
    return values
  }

  /// Expands the data of templates that no sound service extends, so that mistakes in them are told all the same.
  private mutating func expandLooseTemplates(_ extended: Set<Name>) {
    let reached = ComposedTemplate.reached(from: extended, in: templates)
    for place in templates.indices where !reached[place] {
      templates[place].isLoose = true
      guard !templates[place].isMisshapen else { continue }
      let id = names[templates[place].name]
      var arguments = templates[place].declaration.arguments
      templates[place].values = expand(&arguments, of: "template \"\(id)\"", owner: id)
      templates[place].declaration.arguments = arguments
    }
  }
}
