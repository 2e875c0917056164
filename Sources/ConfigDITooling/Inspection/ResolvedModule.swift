// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// A composed module as `resolve` prints it: merged and expanded, with the keys of maps in ascending order.
package struct ResolvedModule: Sendable {
  /// The graph.
  let graph: WiringGraph
  /// The services to start, in order.
  private let start: [Int]
  /// The findings that the module suppresses. `moduleFile` suppresses those of them that it still has.
  package var suppressed: [Diagnostic] = []

  /// Creates the printed form of a graph without errors.
  package init(_ validated: ValidatedGraph) {
    graph = validated.graph
    start = validated.startOrder
  }

  /// The module in the form of `resolve --format json`, with secrets as `<secret NAME>`.
  package var value: Value {
    let definition = graph.definition
    return Value([
      "configdi": 1, "module": .string(definition.module),
      "environment": definition.environment.map(Value.string),
      "parameters": parameters,
      "scopes": .list(graph.scopes.map(Value.string)),
      "services": .map(definition.services.indices.map { entry(graph.id(of: $0), service($0)) }),
      "aliases": targets(definition.aliases),
      "bindings": targets(definition.bindings),
      "start": .list(start.map { .string(graph.id(of: $0)) }),
    ])
  }

  /// The services in the orders in which their ids may decide, by a description: those to start, and those with a tag.
  var orders: [String: [String]] {
    let tags = TagIndex(graph.definition)
    let tagged = tags.names.map { tag in
      ("services with the tag \"\(text(tag))\"", tags[tag].map { graph.id(of: $0.service) })
    }
    return Dictionary(tagged + [("services at the start", start.map(graph.id))]) { first, _ in first }
  }

  /// Returns the text of a name.
  func text(_ name: Name) -> String { graph.definition.names[name] }

  /// Returns an entry of a map.
  func entry(_ key: String, _ value: Value) -> Value.Entry { Value.Entry(key: key, value: value) }

  /// Returns aliases or bindings with their services. Those whose service is disabled are left out.
  func targets(_ targets: [ComposedTarget]) -> Value {
    .map(targets.compactMap { target in target.service.map { entry(text(target.name), .string(graph.id(of: $0))) } })
  }
}

// MARK: - Parameters

extension ResolvedModule {
  /// Each parameter with its value, its type, and the location of the token that decided the value.
  var parameters: Value {
    let definition = graph.definition
    let places = places(of: definition.parameters)
    return .map(definition.parameters.map { entry(text($0.name), printed($0, places)) })
  }

  /// Returns a parameter with its value, its type, and the location of the token that decided the value.
  func parameter(_ parameter: ComposedParameter) -> Value { printed(parameter, places(of: [parameter])) }

  /// Returns the locations of the tokens that decided the values of parameters.
  private func places(of parameters: [ComposedParameter]) -> ResolvedPlaces {
    ResolvedPlaces(of: [], and: parameters.map { .node($0.origin) }, in: graph.definition.documents.documents)
  }

  /// Returns a parameter in its printed form.
  private func printed(_ parameter: ComposedParameter, _ places: ResolvedPlaces) -> Value {
    [
      "value": parameter.value.printed.sorted,
      "type": .string(parameter.type.rawValue),
      "origin": .string(Origin(places.location(of: .node(parameter.origin))).description),
    ]
  }
}

// MARK: - Services

extension ResolvedModule {
  /// Returns a service with all keys, including defaults.
  func service(_ place: Int) -> Value {
    let service = graph.definition.services[place]
    let declared = service.declaration.provides.map { $0.appended.map { text($0.name) } }
    let provides = declared ?? graph.holders[place].type?.provides
    let decorators = graph.decorators(of: place).map { decorator -> Value in
      [
        "type": .string(decorator.typeName), "inject": injections(of: decorator), "values": printed(decorator.values),
      ]
    }
    return Value([
      "type": typeName(service),
      "provides": provides.map { .list(Set($0).ascending.map(Value.string)) },
      "scope": .string(graph.lifetime(of: place)?.word(in: graph.scopes) ?? ""),
      "inject": injections(of: graph.holders[place]),
      "values": printed(service.values),
      "tags": tags(of: service),
      "decorate": .list(decorators),
      "eager": .boolean(service.declaration.isEager?.value ?? false),
      "private": .boolean(service.declaration.isPrivate?.value ?? false),
    ])
  }

  /// Returns data in their printed form.
  private func printed(_ values: [ArgumentDeclaration<Datum>]) -> Value {
    .map(values.map { entry(text($0.name), $0.content.printed.sorted) })
  }

  /// Returns the name of the type of a service.
  func typeName(_ service: ComposedService) -> Value {
    .string(service.declaration.type.map { text($0.name) } ?? "")
  }

  /// Returns the tags of a service, including defaults.
  func tags(of service: ComposedService) -> Value {
    .map(service.tags.map { entry(text($0.name), ["key": .string($0.key), "order": .integer($0.order)]) })
  }

  /// Returns the references of a service or a decorator. Aliases are resolved, and absent references left out.
  func injections(of holder: Holder) -> Value {
    .map(holder.injections.compactMap { injection in printed(injection.reference).map { entry(injection.key, $0) } })
  }

  /// Returns a reference in its printed form, or `nil` if it is absent or broken.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  func printed(_ reference: LinkedReference) -> Value? {
    switch reference {
    case .service(let service, _): return .string(graph.id(of: service))
    case .absent, .broken: return nil
    case .list(let elements, _): return .list(elements.compactMap(printed))
    case .map(let entries, _):
      let printedEntries = entries.compactMap { element in printed(element.reference).map { entry(element.key, $0) } }
      return ["map": Value.map(printedEntries).sorted]
    }
  }
}
