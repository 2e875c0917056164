// SPDX-License-Identifier: Apache-2.0

/// A module after composition, in one environment: everything merged and expanded, nothing linked.
///
/// A class, as all that comes after has it.
package final class ModuleDefinition: Sendable {
  /// The module's own name.
  package let module: String
  /// The environment, or nil.
  package let environment: String?
  /// The parameters, ascending by id.
  package let parameters: [ComposedParameter]
  /// The named scopes, outermost first.
  package let scopes: [Token]
  /// The keys of the files' top levels of which it is not known what they define.
  let malformedKeys: KeywordSet
  /// The templates, ascending by id.
  package let templates: [ComposedTemplate]
  /// The services that are there, ascending by id.
  package let services: [ComposedService]
  /// The place of each of them, by id.
  let servicePlaces: NamePlaces
  /// The services that a condition disables, ascending by id.
  package let excluded: [ExcludedService]
  /// The conditions on parameters, also those of services that they disable.
  package let conditionUses: [ConditionUse]
  /// The aliases, ascending by id.
  package let aliases: [ComposedTarget]
  /// The bindings, ascending by provided name.
  package let bindings: [ComposedTarget]
  /// The tags that files declare, in the order of composition. Several files may declare one.
  package let declaredTags: [Token]
  /// The files in the order of composition.
  package let fileOrder: [FileID]
  /// What the composition reads beside its files.
  package let sourceUses: SourceUses
  /// The documents of the load, and behind them that of the caller's settings.
  package let documents: DocumentSet
  /// The names of the load.
  package let names: NameTable
  /// What stood at each place before the token that stands there now.
  package let history: History
  /// The caller's settings as nodes.
  package let settings: SettingsDocument

  /// Composes files of one environment that are merged.
  init(
    completing merger: ModuleMerger, _ order: CompositionOrder, of files: ModuleFiles, environment: String?,
    _ request: ModuleRequest, bag: inout DiagnosticBag
  ) {
    let entry = files.entryModule
    var malformedKeys: KeywordSet = []
    for file in order.files { malformedKeys.formUnion(files[file].malformedKeys) }
    let sources = TextSources(
      variables: request.variables, configuration: request.configuration?.snapshot(), files: files,
      limits: request.limits, missing: request.missing)

    let parameterSettings = SettingsPass(
      request.settings, ofParametersIn: merger.module, as: files.documents.nextFile, limits: request.limits)
    let parameters = ParameterPass(parameterSettings.module, sources: sources)
    let templates = TemplatePass(parameterSettings.module, limits: request.limits)
    let settings = SettingsPass(after: parameterSettings, in: templates.module, expanding: parameters.expansion)
    let merged = settings.module
    let conditions = ConditionPass(
      merged, parameters: parameters.parameters, missing: parameters.missing, environment: environment,
      environments: malformedKeys.contains(.environments) ? nil : entry.environments.map(\.name))
    let services = ServicePass(merged, templates, conditions, parameters.expansion) {
      files.extendingServices(outside: order)
    }
    let targets = TargetPass(merged, services)

    var findings = DiagnosticBag()
    for pass in [
      merger.bag, parameterSettings.bag, parameters.bag, templates.bag, settings.bag, services.bag, targets.bag,
    ] {
      findings.append(pass)
    }
    findings.suggest(
      among: merged.ids(of: .parameters), for: .unknownParameter,
      orElse: "define it under \"parameters\"; the characters ${ themselves are written $${")
    findings.suggest(among: merged.ids(of: .templates), for: .unknownTemplate)
    bag.append(findings)

    module = entry.module.map { merged.names[$0.name] } ?? ""
    self.environment = environment
    self.parameters = parameters.parameters
    scopes = entry.scopes
    self.malformedKeys = malformedKeys
    self.templates = services.templates
    self.services = services.services
    servicePlaces = services.places
    excluded = services.excluded
    conditionUses = services.conditions.uses
    aliases = targets.aliases
    bindings = targets.bindings
    declaredTags = order.files.flatMap { files[$0].tags }
    fileOrder = order.files
    sourceUses = parameters.uses
    var documents = files.documents
    documents.append(settings.document.document)
    self.documents = documents
    names = merged.names
    history = merged.history
    self.settings = settings.document
  }
}

/// A service after composition. A class, as all that comes after looks at each service many times.
package final class ComposedService: Sendable {
  /// The id.
  package let name: Name
  /// The key that defines the service.
  package let key: NodeRef
  /// Whether some file's part of the service has an error of shape; it takes no part in further checks.
  package let isMalformed: Bool
  /// Whether its template, or one that that extends, is not there or not sound, so that not all arguments are known.
  package let hasUnsoundTemplate: Bool
  // What checks ask of each service again and again stands here, too: what it says is spread over memory in a large module.

  /// Whether code may not look the service up.
  package let isPrivate: Bool
  /// Whether the service is built when the container starts.
  package let isEager: Bool
  /// Whether arguments that the service does not name are bound by their types.
  package let isAutowired: Bool
  /// Whether the service says what to use instead.
  package let isDeprecated: Bool
  /// The names by which the service says that it is looked up, or nil where it says nothing.
  package let provides: [Token]?
  /// What the service says, shared with the files.
  private let shared: Shared<ServiceDeclaration>
  /// Its data, ascending by key.
  package let values: [ArgumentDeclaration<Datum>]
  /// What wraps its instance, innermost first.
  package let decorators: [ComposedDecorator]
  /// Its tags, ascending by name.
  package let tags: [ComposedTag]

  /// A service as the files and its templates made it.
  init(
    _ entry: ComposedEntry<ServiceDeclaration>, isMalformed: Bool, hasUnsoundTemplate: Bool,
    values: [ArgumentDeclaration<Datum>] = [], decorators: [ComposedDecorator] = [], tags: [ComposedTag] = []
  ) {
    name = entry.name
    key = entry.key
    self.isMalformed = isMalformed
    self.hasUnsoundTemplate = hasUnsoundTemplate
    let body = entry.body
    isPrivate = body.isPrivate?.value ?? false
    isEager = body.isEager?.value ?? false
    isAutowired = body.isAutowired?.value ?? body.isAutowiredByFile
    isDeprecated = body.deprecated != nil
    provides = body.provides?.appended
    shared = entry.shared
    self.values = values
    self.decorators = decorators
    self.tags = tags
  }

  /// What the service says, and its templates where it says nothing.
  package var declaration: ServiceDeclaration { _read { yield shared.content } }
}

/// What wraps the instance of a service, after composition.
package struct ComposedDecorator: Sendable {
  /// What the decorator says.
  package var declaration: DecoratorDeclaration
  /// Its data, ascending by key.
  package var values: [ArgumentDeclaration<Datum>]
}

/// A tag of a service, defaults included.
package struct ComposedTag: Sendable {
  /// The tag's name.
  package var name: Name
  /// The service's place among those that bear the tag.
  package var order: Int64
  /// The service's key in a map of those that bear the tag.
  package var key: String
  /// The string or key that names the tag.
  package var node: NodeRef
}

/// A service that a condition disables.
package struct ExcludedService: Sendable {
  /// The id.
  package var name: Name
  /// The key that defines the service.
  package var key: NodeRef
  /// The registered type's name, or nil where it is not known.
  package var type: Name?
  /// The condition.
  package var condition: Condition
  /// The tags, each with the string or key that names it.
  package var tags: [Token]
}

/// An alias or a binding after composition.
package struct ComposedTarget: Sendable {
  /// The alias, or the provided name.
  package var name: Name
  /// The key that defines it.
  package var key: NodeRef
  /// The id that it names, as written.
  package var target: Token
  /// The place in `services` of the service that it stands for; nil where it stands for none.
  package var service: Int? = nil
  /// The place in `excluded` of the service that it stands for, where a condition disables that.
  package var excluded: Int? = nil
}

extension ModuleDefinition {
  /// Composes the files of one environment. What is wrong is reported; what is sound goes on.
  ///
  /// - Complexity: linear in the size of the files and of what their placeholders expand to.
  package convenience init(
    composing order: CompositionOrder, of files: ModuleFiles, environment: String?, _ request: ModuleRequest,
    bag: inout DiagnosticBag
  ) {
    let merger = ModuleMerger(
      order.files.lazy.map { files[$0] }, names: files.names,
      secretParameters: files.secretParameters)
    self.init(completing: merger, order, of: files, environment: environment, request, bag: &bag)
  }
}

extension ModuleDefinition {
  /// The services that files define, also those that a condition disables, in no order.
  package var serviceNames: [Name] { services.map(\.name) + excluded.map(\.name) }

  /// Findings with those at a token of the caller's settings moved to the command line.
  package func relocated(_ bag: DiagnosticBag) -> DiagnosticBag {
    var relocated = bag
    relocated.change { finding in
      finding.place = settings.place(of: finding.place)
      for index in finding.related.indices {
        finding.related[index].place = settings.place(of: finding.related[index].place)
      }
    }
    return relocated
  }
}
