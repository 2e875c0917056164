// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension Keyword {
  /// Returns a description of the key in a slot, for completion and hover.
  func documentation(in slot: FormatSlot) -> String {
    switch (slot, self) {
    case (.parameter, .type): "What the text that is read is converted to; without it a string."
    case (.parameter, .value): "The value itself; texts in it may refer to parameters by `${name}`."
    case (.parameter, .deprecated): "What to use instead; uses are reported as warnings."
    case (.decorator, .type): "The registered type that wraps the instance."
    case (.condition, .environment): "The condition holds in one of these environments."
    case (.removals, _): "The ids to remove."
    case (.root, .tags): "Tags that the application collects itself, or that may be empty; neither is a warning then."
    case (.sections(.override), _): "Entries that are merged into those of other files."
    case (.sections(.replace), _): "Entries that take the place of those of other files."
    default: documentation
    }
  }

  /// The description of the key in all slots that `documentation(in:)` does not list.
  private var documentation: String {
    switch self {
    case .configdi: "The version of the format: 1."
    case .module: "The name of this file in messages."
    case .schema: "The JSON Schema of the file, for editors; ignored."
    case .autowire: "Whether arguments that `inject` does not name are bound by type."
    case .imports: "Files that are composed before this one, in order."
    case .environments: "Environments, each with the layers that are applied behind the imports."
    case .scopes: "The named scopes, outermost first."
    case .parameters: "Values that texts below `values` refer to by `${name}`."
    case .templates: "What services have in common; a service takes it with `extends`."
    case .services: "The services by id."
    case .aliases: "Further ids of services."
    case .bindings: "Which service answers a look-up by a provided name."
    case .override: "Entries that are merged into those of other files."
    case .replace: "Entries that take the place of those of other files."
    case .remove: "Ids that are removed, by section."
    case .unset: "Paths that are removed from the entry, such as `inject.cache`."
    case .append: "Elements to add at the end of the list."
    case .prepend: "Elements to add at the start of the list."
    case .path: "The path, relative to this file."
    case .optional: "Whether what is named may be missing."
    case .doc: "A text for readers."
    case .value: "The value itself."
    case .env: "The environment variable that the value comes from."
    case .file: "The file whose text is the value, without one line break at its end."
    case .config: "The key in the application's configuration under which the value stands."
    case .sources: "Where the value may come from; the first that is present gives it."
    case .type: "The registered type's name."
    case .default: "The value if the source of the parameter is missing."
    case .oneOf: "The allowed values."
    case .min: "The smallest allowed value."
    case .max: "The greatest allowed value."
    case .secret: "Whether the value is never printed."
    case .deprecated: "What to use instead; references are reported as warnings."
    case .provides: "The names of the types by which the service is looked up."
    case .scope: "How long an instance lives: shared, weak, transient, graph or a named scope; default shared."
    case .inject: "Service references, by argument key."
    case .values: "Values, by argument key."
    case .tags: "The tags by which the service is collected."
    case .decorate: "What wraps the instance, innermost first."
    case .extends: "The template that provides the rest."
    case .when: "When the service is enabled."
    case .eager: "Whether the service is built when the container starts; requires scope shared."
    case .private: "Whether the service may be injected, but not looked up."
    case .service: "The service or alias."
    case .tagged: "All services with this tag."
    case .as: "As a `list` in order, or as a `map` by key; default list."
    case .map: "References by key."
    case .order: "The position among the services with the tag; default 0."
    case .key: "The key in a map of the services with the tag; default: the service's id."
    case .environment: "The environments in which the condition holds."
    case .parameter: "The parameter that is compared."
    case .equals: "The value that the parameter has where the condition holds."
    case .all: "The condition holds where all of these do."
    case .any: "The condition holds where one of these does."
    case .not: "The condition holds where this does not."
    case .diagnostics: "What becomes of all warnings of a code; only in the entry module."
    case .suppress: "Warnings that are not reported here, by code, each with the reason."
    case .severity: "What becomes of the warnings: `error`, `warning`, or `ignore`, which suppresses them."
    case .reason: "Why; required with `ignore`."
    }
  }

  /// Returns the form of the key's value, which determines the text that is inserted behind the key.
  func valueForm(in slot: FormatSlot) -> ValueForm {
    switch (slot, self) {
    case (.root, .configdi): .literal("1")
    case (.removals, _), (_, .imports), (_, .scopes), (_, .oneOf), (_, .unset), (_, .append), (_, .prepend), (_, .all),
      (_, .any), (_, .provides), (_, .decorate), (_, .sources):
      .list
    case (.sections, _), (_, .parameters), (_, .templates), (_, .services), (_, .aliases), (_, .bindings),
      (_, .environments), (.root, .tags), (_, .override), (_, .replace), (_, .remove), (_, .inject), (_, .values),
      (_, .when), (_, .not), (_, .map), (_, .diagnostics), (_, .suppress):
      .map
    case (_, .eager), (_, .private), (_, .secret), (_, .optional), (_, .autowire): .literal("true")
    case (_, .tags): .list
    case (_, .value), (_, .default), (_, .min), (_, .max), (_, .equals), (_, .order): .any
    default: .string
    }
  }
}

/// The form of the value of a key.
enum ValueForm: Hashable {
  case map, list, string, any
  case literal(String)
}
