// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The JSON Schema (draft 2020-12) of module files, for editors.
///
/// Without a catalog and ids, it describes the format. A catalog adds the application's types, the keys of their
/// arguments, and the types of their values. Ids add the names that a module defines. Types are checked, but ids are
/// only suggested, because the file being edited may define more. Checks that need several files, such as for missing
/// arguments, are left to `validate`.
package struct ModuleSchema: Sendable {
  /// The registered types, or `nil` if they are not known.
  let catalog: Catalog?
  /// The ids of a module, or `nil` if they are not known.
  let ids: ModuleIDs?

  /// The index of each type in the catalog.
  let typeNumbers: [String: Int]
  /// The names of types that arguments require, each with its index in ascending order.
  let wantedNumbers: [String: Int]
  /// The ids of services and aliases.
  let serviceIDs: [String]
  /// The services and aliases with their provided names, which are `nil` if not known.
  let providers: [(id: String, provides: Set<String>?)]

  /// Creates the schema of the files of an application, of a module, or of any.
  package init(catalog: Catalog? = nil, ids: ModuleIDs? = nil) {
    self.catalog = catalog
    self.ids = ids
    serviceIDs = (ids?[.services] ?? []) + (ids?[.aliases] ?? [])
    let types = catalog?.types ?? []
    let numbers = Dictionary(types.enumerated().map { ($1.name, $0) }) { first, _ in first }
    typeNumbers = numbers
    let wanted = types.flatMap(\.arguments).compactMap { argument -> String? in
      if case .service(let type, _) = argument.kind { type } else { nil }
    }
    wantedNumbers = Dictionary(uniqueKeysWithValues: Set(wanted).ascending.enumerated().map { ($1, $0) })
    let known: [ModuleIDs.Kind] = [.services, .aliases]
    providers = known.flatMap { kind in
      (ids?[kind] ?? []).map { id in
        let found = (ids?.types(of: id, kind) ?? []).map { numbers[$0].map { types[$0].provides } }
        // A layer may change the type of a service, so the names provided by any of its types count.
        let isKnown = !found.isEmpty && !found.contains { $0 == nil }
        return (id: id, provides: isKnown ? Set(found.compactMap(\.self).joined()) : nil)
      }
    }
  }

  /// The JSON Schema.
  ///
  /// - Complexity: linear in the size of the catalog and the number of ids.
  package var value: Value {
    let head: Value = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "ConfigDI module, version 1",
    ]
    return Value.map(head.entries + root.entries).adding(["$defs": .map(definitions)])
  }

  /// The definitions under `$defs`, by name.
  private var definitions: [Value.Entry] {
    var definitions: [Value.Entry] = []
    func define(_ name: String, _ schema: Value) { definitions.append(Value.Entry(key: name, value: schema)) }
    define("id", .pattern("^\(ModuleSchema.idPattern)$"))
    define("typeName", .pattern("^\(ModuleSchema.idPattern)(<.*>)?$"))
    define("paths", .list(of: ["type": "string"], "Paths to remove, such as \"inject.cache\"; each must exist."))
    define("target", offeredServices(serviceIDs))
    define("datum", datum)
    define("reference", reference(offering: serviceIDs, own: "reference"))
    define("condition", condition)
    define("parameter", parameter(isChange: false))
    define("parameterChange", parameter(isChange: true))
    define("suppressions", suppressions)
    define("arguments", arguments)
    define("tags", tags)
    define("decorator", decorator)
    define("template", template(isChange: false))
    define("templateChange", template(isChange: true))
    define("service", service(isChange: false))
    define("serviceChange", service(isChange: true))
    guard let catalog else { return definitions }
    define("untypedReference", reference(offering: [], own: "untypedReference"))
    for (name, number) in wantedNumbers.sorted(by: { $0.value < $1.value }) {
      define("wanted\(number)", reference(offering: services(providing: name), own: "wanted\(number)"))
    }
    for (number, type) in catalog.types.enumerated() { define("type\(number)", schema(of: type)) }
    define("typed", typed(catalog))
    return definitions
  }

  /// The pattern of an id.
  static let idPattern = "[A-Za-z_][A-Za-z0-9_.-]*"
}

// MARK: - The top level

extension ModuleSchema {
  /// The schema of the top level of a file.
  private var root: Value {
    .closedMap(
      Keyword.rootKeys,
      [
        .configdi: ["const": 1, "description": "The version of the format."],
        .module: .anyText("This file's name in messages."),
        .schema: .anyText("The address of the schema; ignored."),
        .autowire: .flag("Whether arguments that \"inject\" does not name are bound by type."),
        .imports: imports,
        .environments: environments,
        .scopes: .list(of: .ref("id"), "The named scopes, outermost first; only in the entry module."),
        .override: verb(.override, "Changes that are merged into existing entries."),
        .replace: verb(.replace, "Entries that replace existing ones as a whole."),
        .remove: removal,
        .tags: tagDeclarations,
        .diagnostics: severities,
        .suppress: .ref("suppressions"),
      ].merging(sections(of: .plain)) { own, _ in own }, required: [.configdi, .module])
  }

  /// The schema of the tags that a file declares.
  private var tagDeclarations: Value {
    .idMap(
      ids?[.tags] ?? [], to: .closedMap(Keyword.tagDeclarationKeys, [:]),
      "Tags that the application collects itself, or that may be empty; neither is a warning then.")
  }

  /// The verb that applies to the entries of a section.
  private enum Verb {
    case plain, override, replace
  }

  /// Returns the schemas of the sections whose entries have ids.
  private func sections(of verb: Verb) -> [Keyword: Value] {
    let ending = verb == .override ? "Change" : ""
    func entries(_ kind: ModuleIDs.Kind, _ definition: String, _ words: String) -> Value {
      let known = verb == .plain ? [] : ids?[kind] ?? []
      return .openMap(
        to: .ref(definition + ending), names: .ref("id"), words,
        offering: known.map { id in
          Value.Entry(key: id, value: entry(id, of: kind, definition + ending, isChange: verb == .override))
        })
    }
    return [
      .parameters: entries(.parameters, "parameter", "Values that others refer to by ${name}."),
      .templates: entries(.templates, "template", "What services can extend."),
      .services: entries(.services, "service", "The services, by id."),
      .aliases: .idMap(verb == .plain ? [] : ids?[.aliases] ?? [], to: target, "Further ids of services."),
      .bindings: .openMap(
        to: target, names: providedName, "Which service answers a look-up by a type.",
        offering: bindings(isKnown: verb != .plain)),
    ]
  }

  /// Returns the schema of an entry of the module: with its `doc`, and under `override` also with the arguments of its
  /// type and the paths that `unset` can remove.
  private func entry(_ id: String, of kind: ModuleIDs.Kind, _ definition: String, isChange: Bool) -> Value {
    let types = isChange ? union(of: ids?.types(of: id, kind) ?? []) : nil
    let doc = ids?.doc(of: id, kind)
    let unset = isChange ? ids?.parts(of: id, kind) ?? [] : []
    guard types != nil || doc != nil || !unset.isEmpty else { return .ref(definition) }
    // `allOf`, because an editor may ignore keywords beside a reference.
    var parts: [Value] = [.ref(definition)]
    if let types {
      parts.append([
        "if": ["not": ["anyOf": [["required": ["type"]], ["required": ["extends"]]]]], "then": types,
      ])
    }
    if !unset.isEmpty {
      parts.append(["properties": ["unset": ["items": ["anyOf": [.words(unset), ["type": "string"]]]]]])
    }
    return Value(["allOf": .list(parts), "description": doc.map(Value.string)])
  }

  /// Returns the suggested bindings: those of the module, or the names that registered types provide. The suggested
  /// targets of each are the services that provide it.
  private func bindings(isKnown: Bool) -> [Value.Entry] {
    let provided = Set(catalog?.types.flatMap(\.provides) ?? []).ascending
    let names = isKnown ? ids?[.bindings] ?? [] : ids == nil ? [] : provided
    return names.map { name -> Value.Entry in
      let services = catalog == nil ? serviceIDs : services(providing: name)
      return Value.Entry(key: name, value: services.count == serviceIDs.count ? target : offeredServices(services))
    }
  }

  /// Returns the schema of the sections under a verb.
  private func verb(_ verb: Verb, _ words: String) -> Value {
    .closedMap(Keyword.sections, sections(of: verb), words)
  }

  /// The schema of the ids under `remove`.
  private var removal: Value {
    let ids = ids ?? ModuleIDs()
    let lists: [Keyword: Value] = [
      .parameters: .list(of: .offered(ids[.parameters])), .templates: .list(of: .offered(ids[.templates])),
      .services: .list(of: .offered(ids[.services])), .aliases: .list(of: .offered(ids[.aliases])),
      .bindings: .list(of: .offered(ids[.bindings], else: "typeName")),
    ]
    return .closedMap(Keyword.sections, lists, "Ids of entries to remove.")
  }

  /// The schema of the target of an alias or a binding.
  private var target: Value { .ref("target") }

  /// The schema of the files that are composed before this one.
  private var imports: Value {
    let path = Value.anyText("A path relative to this file.")
    return .list(
      of: [
        "anyOf": [
          path,
          .closedMap(
            Keyword.importKeys, [.path: path, .optional: .flag("Whether the file may be missing.")], required: [.path]),
        ]
      ], "The files that are composed before this one, in order.")
  }

  /// The schema of the environments and their layers.
  private var environments: Value {
    .idMap(
      [], to: .list(of: .anyText("A path relative to this file.")),
      "The environments, each with its layers in order; only in the entry module.")
  }
}
