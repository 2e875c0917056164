// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension ModuleSchema {
  /// Returns the schema of a service. Under `override` (`isChange`), the type may be omitted and lists may be extended.
  func service(isChange: Bool) -> Value {
    let own: [Keyword: Value] = [
      .tags: .ref("tags"),
      .decorate: list(of: .ref("decorator"), "What wraps the instance, innermost first.", isChange),
      .when: Value.ref("condition").described("When the service is enabled."),
      .eager: .flag("Whether the service is built when the container starts; requires scope shared."),
      .private: .flag("Whether the service may be injected, but not looked up."),
      .autowire: .flag("Whether arguments that \"inject\" does not name are bound by type; default: as the file."),
      .deprecated: .anyText("What to use instead; references to the service are reported as warnings."),
    ]
    return entry(
      Keyword.serviceKeys, common(isChange: isChange).merging(own) { $1 }, isChange,
      also: isChange ? [] : [required(anyOf: [.type, .extends])])
  }

  /// Returns the schema of a template.
  func template(isChange: Bool) -> Value { entry(Keyword.templateKeys, common(isChange: isChange), isChange) }

  /// The schema of a decorator.
  var decorator: Value {
    entry(
      Keyword.decoratorKeys,
      [
        .type: type(isDecorator: true), .inject: arguments(anyReference), .values: arguments(.ref("datum")),
      ],
      false, also: [required(anyOf: [.type])])
  }

  /// The schema of references or data by argument key.
  var arguments: Value { ["type": "object", "propertyNames": ["minLength": 1]] }

  /// The schema of the tags of a service: a list of names, or a map from names to their key and order.
  var tags: Value {
    let names = ids?[.tags] ?? []
    let tag = Value.closedMap(
      Keyword.tagKeys,
      [
        .order: ["type": "integer", "description": "The position among the services with the tag; default 0."],
        .key: .anyText("The key in a map of the services with the tag; default: the service's id."),
      ])
    return [
      "anyOf": [.list(of: .offered(names)), .idMap(names, to: tag)],
      "description": "The tags by which the service is collected.",
    ]
  }

  /// Returns the schemas of the keys that services and templates have in common.
  private func common(isChange: Bool) -> [Keyword: Value] {
    [
      .extends: .offered(ids?[.templates] ?? [], else: "id", "The template that provides the rest.") {
        ids?.doc(of: $0, .templates)
      },
      .type: type(isDecorator: false),
      .provides: list(of: providedName, "The names of the types by which the service is looked up.", isChange),
      .scope: scope,
      .inject: arguments(anyReference).described("Service references, by argument key."),
      .values: arguments(.ref("datum")).described("Values, by argument key."),
      .suppress: .ref("suppressions"),
    ]
  }

  /// Returns the schema of a closed map whose arguments are those of its type.
  private func entry(
    _ keys: [Keyword], _ schemas: [Keyword: Value], _ isChange: Bool, also: [Value] = []
  ) -> Value {
    var conditions = also
    if catalog != nil { conditions.append(.ref("typed")) }
    return .closedMap(
      isChange ? Keyword.overriding(keys) : keys, schemas.merging([.unset: .ref("paths")]) { own, _ in own },
      also: Value(["allOf": Value.list(conditions).unlessEmpty]))
  }

  /// Returns the condition that a map has at least one of the keys.
  private func required(anyOf keys: [Keyword]) -> Value {
    .any(of: keys.map { ["required": [.string($0.text)]] })
  }

  /// Returns the schema of references or data by argument key.
  private func arguments(_ argument: Value) -> Value {
    Value.ref("arguments").adding(["additionalProperties": argument])
  }

  /// Returns the schema of a list; under `override` (`isChange`), also that of a map that extends it.
  private func list(of element: Value, _ words: String, _ isChange: Bool) -> Value {
    let list = Value.list(of: element)
    guard isChange else { return list.described(words) }
    let extended = Value.closedMap(
      Keyword.listChangeKeys,
      [
        .append: list.described("Elements to add at the end of the list."),
        .prepend: list.described("Elements to add at the start of the list."),
      ])
    return Value.any(of: [list, extended]).described(words)
  }

  /// The schema of a lifetime: a predefined word or a named scope.
  private var scope: Value {
    .offered(
      Lifetime.words + (ids?[.scopes] ?? []), else: "id",
      "How long an instance lives: shared, weak, transient, graph or a named scope; default shared.")
  }
}

// MARK: - References and conditions

extension ModuleSchema {
  /// The schema of a datum.
  var datum: Value {
    [
      "anyOf": [
        ["type": ["string", "number", "boolean"]], .list(of: .ref("datum")),
        ["type": "object", "additionalProperties": .ref("datum")],
      ]
    ]
  }

  /// Returns the schema of the id of a service or an alias, with some suggested.
  func offeredServices(_ names: [String]) -> Value {
    .offered(names) { ids?.doc(of: $0, .services) }
  }

  /// The schema of a reference for an argument of unknown type. If types are known, it suggests no ids, because the
  /// schemas of the types do.
  private var anyReference: Value { .ref(catalog == nil ? "reference" : "untypedReference") }

  /// Returns the schema of a reference to one or more services. `own` is the name of this definition.
  func reference(offering names: [String], own: String) -> Value {
    let id = offeredServices(names)
    let schemas: [Keyword: Value] = [
      .service: id.described("The service or alias."),
      .optional: .flag("Whether the service may be missing."),
      .tagged: .offered(ids?[.tags] ?? [], else: "id", "All services with this tag."),
      .as: .words(["list", "map"], "As a list in order, or as a map by key; default list."),
      .map: ["type": "object", "additionalProperties": .ref(own)],
    ]
    let forms = Keyword.referenceForms.map { Value.closedMap($0, schemas, required: [$0[0]]) }
    return .any(of: [id] + forms + [.list(of: .ref(own))])
  }

  /// The schema of the condition of a service.
  var condition: Value {
    let environment = Value.offered(ids?[.environments] ?? [])
    let conditions = Value.list(of: .ref("condition"))
    let schemas: [Keyword: Value] = [
      .environment: Value.any(of: [environment, .list(of: environment)]).described("In one of these."),
      .parameter: .offered(ids?[.parameters] ?? [], else: "id", "Where this parameter") {
        ids?.doc(of: $0, .parameters)
      },
      .equals: Value.ref("datum").described("has this value."),
      .all: conditions.described("Where all of these hold."),
      .any: conditions.described("Where one of these holds."),
      .not: Value.ref("condition").described("Where this does not hold."),
    ]
    return .any(of: Keyword.conditionForms.map { .closedMap($0, schemas, required: $0) })
  }
}
