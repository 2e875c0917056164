// SPDX-License-Identifier: Apache-2.0

/// A module composed for one environment: merged and expanded, but not linked.
///
/// A class, because all later steps hold it.
package final class ModuleDefinition: Sendable {
  /// The name of the module, or an empty string if it has none.
  package let module: String
  /// The environment, or `nil` if there is none.
  package let environment: String?
  /// The parameters, ascending by id.
  package let parameters: [ComposedParameter]
  /// The named scopes, outermost first.
  package let scopes: [Token]
  /// The top-level keys of the files for which it is not known what they define.
  let malformedKeys: KeywordSet
  /// The templates, ascending by id.
  package let templates: [ComposedTemplate]
  /// The enabled services, ascending by id.
  package let services: [ComposedService]
  /// The index in `services` of each enabled service.
  let servicePlaces: NamePlaces
  /// The services that a condition disables, ascending by id.
  package let excluded: [ExcludedService]
  /// The parameters that conditions compare. Includes the conditions of services that they disable.
  package let conditionUses: [ConditionUse]
  /// The aliases, ascending by id.
  package let aliases: [ComposedTarget]
  /// The bindings, ascending by provided name.
  package let bindings: [ComposedTarget]
  /// The tags that files declare, in the order of composition. A tag occurs once for each file that declares it.
  package let declaredTags: [Token]
  /// The files in the order of composition.
  package let fileOrder: [FileID]
  /// The variables, files of parameters and configuration values that the composition reads.
  package let sourceUses: SourceUses
  /// The documents of the load, followed by the document of the caller's settings.
  package let documents: DocumentSet
  /// The ids that only the other module declares secret, if this one is compared with another.
  package let foreignSecrets: Set<String>
  /// The names of the load.
  package let names: NameTable
  /// The tokens that were replaced, and the removals.
  package let history: History
  /// The document of the caller's settings.
  package let settings: SettingsDocument

  /// Composes the merged files of one environment. Reports mistakes, and composes everything without a mistake.
  ///
  /// - Complexity: linear in the size of the files and of what their placeholders expand to.
  init(
    completing merger: ModuleMerger, _ order: CompositionOrder, of files: ModuleFiles, environment: String?,
    _ request: ModuleRequest, bag: inout DiagnosticBag
  ) {
    let entry = files.entryModule
    var malformedKeys: KeywordSet = []
    for file in order.files { malformedKeys.formUnion(files[file].malformedKeys) }
    let sources = ParameterInputs(
      variables: request.variables, configuration: request.configuration?.snapshot(), paths: files.paths,
      secretSources: files.secretSources, limits: request.limits, missing: request.missing,
      settings: files.documents.nextFile)

    let parameterSettings = SettingsPass(
      request.settings, ofParametersIn: merger.module, as: sources.settings, limits: request.limits)
    let parameters = ParameterPass(parameterSettings.module, sources: sources)
    let templates = TemplatePass(parameterSettings.module, limits: request.limits)
    let settings = SettingsPass(after: parameterSettings, in: templates.module, expanding: parameters.expansion)
    let merged = settings.module
    let conditions = ConditionPass(
      merged, parameters: parameters.parameters, missing: parameters.missing, environment: environment,
      environments: malformedKeys.contains(.environments) ? nil : entry.environments)
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
      orElse: "define it under \"parameters\"; the characters ${ themselves are written $${",
      removal: { merged.history.removal(of: $0, in: [.parameters], merged.names) })
    findings.suggest(
      among: merged.ids(of: .templates), for: .unknownTemplate,
      removal: { merged.history.removal(of: $0, in: [.templates], merged.names) })
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
    foreignSecrets = files.foreignSecrets
    names = merged.names
    history = merged.history
    self.settings = settings.document
  }
}

/// A service after composition. A class, because later steps access each service many times.
package final class ComposedService: Sendable {
  /// The id.
  package let name: Name
  /// The key that defines the service.
  package let key: NodeRef
  /// Whether a file's part of the service has a shape error. A malformed service takes no part in further checks.
  package let isMalformed: Bool
  /// Whether a template that it extends, directly or not, is unknown or invalid. Some arguments are then not known.
  package let hasInvalidTemplate: Bool
  // Checks read these often. They are stored here because declarations are scattered in memory in a large module.

  /// Whether the service is hidden from look-ups by code.
  package let isPrivate: Bool
  /// Whether the service is built when the container starts.
  package let isEager: Bool
  /// Whether arguments without a declaration are bound by their types.
  package let isAutowired: Bool
  /// Whether the service is declared deprecated.
  package let isDeprecated: Bool
  /// The declared names by which look-ups find the service, or `nil` if none are declared.
  package let provides: [Token]?
  /// The declaration, which shares its storage with the file.
  private let shared: Shared<ServiceDeclaration>
  /// Its data, ascending by key.
  package let values: [ArgumentDeclaration<Datum>]
  /// The decorators of its instance, innermost first.
  package let decorators: [ComposedDecorator]
  /// Its tags, ascending by name.
  package let tags: [ComposedTag]

  /// Creates a service from an entry that has been merged and has inherited from its templates.
  init(
    _ entry: Declaration<ServiceDeclaration>, isMalformed: Bool, hasInvalidTemplate: Bool,
    values: [ArgumentDeclaration<Datum>] = [], decorators: [ComposedDecorator] = [], tags: [ComposedTag] = []
  ) {
    name = entry.name
    key = entry.key
    self.isMalformed = isMalformed
    self.hasInvalidTemplate = hasInvalidTemplate
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

  /// What the service declares or inherits from its templates.
  package var declaration: ServiceDeclaration { _read { yield shared.content } }
}

/// A decorator of a service, after composition.
package struct ComposedDecorator: Sendable {
  /// The declaration of the decorator.
  package var declaration: DecoratorDeclaration
  /// Its data, ascending by key.
  package var values: [ArgumentDeclaration<Datum>]
}

/// A tag of a service, with defaults applied.
package struct ComposedTag: Sendable {
  /// The tag's name.
  package var name: Name
  /// The position of the service among the services with the tag. Smaller numbers come first.
  package var order: Int64
  /// The key of the service in a map of the services with the tag.
  package var key: String
  /// The string or key that declares the tag.
  package var node: NodeRef
}

/// A service that a condition disables.
package struct ExcludedService: Sendable {
  /// The id.
  package var name: Name
  /// The key that defines the service.
  package var key: NodeRef
  /// The name of the registered type, or `nil` if it is not known.
  package var type: Name?
  /// The condition.
  package var condition: Condition
  /// The tags, each with the token that declares it.
  package var tags: [Token]
}

/// An alias or a binding after composition.
package struct ComposedTarget: Sendable {
  /// The alias, or the provided name.
  package var name: Name
  /// The key that defines it.
  package var key: NodeRef
  /// The id of the target, as written.
  package var target: Token
  /// The index in `services` of the service that it refers to, or `nil` if it refers to no enabled service.
  package var service: Int? = nil
  /// The index in `excluded` of the service that it refers to, or `nil` if it refers to no disabled service.
  package var excluded: Int? = nil
}

extension ModuleDefinition {
  /// Returns findings in which places in the document of the caller's settings are moved to the command line.
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
