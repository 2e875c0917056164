// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension Completer {
  /// Returns the values that a slot allows.
  func values(of slot: FormatSlot) -> [Candidate] {
    switch slot {
    case .reference, .target, .name(.service): services()
    case .removedID(let section):
      Set(snapshots.flatMap { $0.index.definedNames(in: section) }).sorted().map { Candidate(text: $0, kind: .service) }
    case .name(.template):
      names(of: .template).filter { $0 != context.entry?.name || context.entry?.kind != .template }
        .map { name in
          Candidate(
            text: name, kind: .template, detail: detail(of: Symbol(.template, name)),
            documentation: documentation(of: Symbol(.template, name)))
        }
    case .name(.parameter):
      names(of: .parameter).map {
        Candidate(text: $0, kind: .parameter, documentation: documentation(of: Symbol(.parameter, $0)))
      }
    case .name(.tag), .tags: names(of: .tag).map { Candidate(text: $0, kind: .tag) }
    case .environmentNames: names(of: .environment).map { Candidate(text: $0, kind: .environment) }
    case .scope:
      Lifetime.words.map { Candidate(text: $0, kind: .value, rank: 0) }
        + names(of: .scope).map { Candidate(text: $0, kind: .scope) }
    case .type(let isDecorator): typeNames(isDecorator: isDecorator)
    case .providedName: providedNames()
    case .words(let words): words.map { Candidate(text: $0, kind: .value, isBare: $0 == "1") }
    case .flag: booleans
    case .path, .importEntry: paths()
    case .unset: unsetPaths()
    case .literal: literals()
    case .datum: data()
    default: []
    }
  }

  /// Returns the services and aliases that fit the argument around the cursor, and those whose type is unknown. Returns
  /// all services and aliases if none is known to fit, or if the type of the argument is unknown.
  private func services() -> [Candidate] {
    let own = context.entry
    let ids = names(of: .service).filter { Symbol(.service, $0) != own }
    func candidate(_ id: String, _ rank: Int) -> Candidate {
      let symbol = Symbol(.service, id)
      let isDeprecated = snapshots.contains { $0.index.entry(symbol)?.deprecated != nil }
      return Candidate(
        text: id, kind: .service, detail: detail(of: symbol), documentation: documentation(of: symbol),
        isDeprecated: isDeprecated, rank: rank)
    }
    guard let types, let wanted = wantedName else { return ids.map { candidate($0, 1) } }
    let provided = ids.map { ($0, types.provides($0, wanted)) }
    let fitting = provided.filter { $0.1 != false }
    guard fitting.contains(where: { $0.1 == true }) else { return ids.map { candidate($0, 1) } }
    return fitting.map { candidate($0.0, $0.1 == true ? 0 : 1) }
  }

  /// The provided name that the argument or binding around the cursor requires, or `nil` if it is unknown.
  private var wantedName: String? {
    if context.slot == .target { return context.entry?.kind == .binding ? context.entry?.name : nil }
    guard let argument = types?.argument(at: context), case .service(let wanted, _) = argument.kind else { return nil }
    return wanted
  }

  /// Returns the registered types that are decorators, or those that are not.
  private func typeNames(isDecorator: Bool) -> [Candidate] {
    let types = snapshots.lazy.compactMap(\.catalog).first?.types ?? []
    return types.filter { $0.isDecorator == isDecorator }.map { type in
      Candidate(text: type.name, kind: .type, detail: type.summary, isDeprecated: type.deprecated != nil)
    }
  }

  /// Returns the names that the type around the cursor provides, or those of all types if the type is unknown.
  private func providedNames() -> [Candidate] {
    let names = types?.type(at: context)?.provides ?? allProvidedNames
    return names.map { Candidate(text: $0, kind: .type) }
  }

  /// The names that any registered type provides, ascending.
  var allProvidedNames: [String] { Set(snapshots.flatMap { $0.catalog?.types.flatMap(\.provides) ?? [] }).sorted() }

  /// Returns the paths that `unset` can remove from the entry around the cursor, including those of its templates.
  private func unsetPaths() -> [Candidate] {
    guard let entry = context.entry else { return [] }
    var paths: Set<String> = []
    for snapshot in snapshots {
      var seen: Set<Symbol> = []
      var pending = [entry]
      while let symbol = pending.popLast() {
        guard seen.insert(symbol).inserted, let section = Section(of: symbol.kind) else { continue }
        for occurrence in snapshot.index.occurrences(of: symbol) where occurrence.role == .definition {
          guard let document = snapshot.documents[snapshot.path(of: occurrence.token)] else { continue }
          let map = occurrence.token.node + 1
          paths.formUnion(document.partsToUnset(of: map, in: section))
          if let template = document.text(under: .extends, of: map) { pending.append(Symbol(.template, template)) }
        }
      }
    }
    return paths.sorted().map { Candidate(text: $0, kind: .value) }
  }

  /// Returns the values that a condition can compare a parameter with: its allowed values, and `true` and `false` if it
  /// is a boolean. Returns none if the parameter may be a secret.
  private func literals() -> [Candidate] {
    guard let container = context.cursor.container, context.mapSlot == .condition,
      let name = context.outline.text(of: "parameter", in: container)
    else { return [] }
    let entries = snapshots.compactMap { $0.index.entry(Symbol(.parameter, name)) }
    guard !entries.isEmpty, !entries.contains(where: \.mayBeSecret) else { return [] }
    var candidates = entries.flatMap(\.allowed).compactMap(literal)
    if entries.contains(where: { $0.types.contains("bool") }) {
      candidates += booleans
    }
    return candidates
  }

  /// Returns the values that the argument around the cursor allows, with its default first.
  private func data() -> [Candidate] {
    guard context.mapSlot == .values, let argument = types?.argument(at: context),
      case .value(let type) = argument.kind
    else { return [] }
    var candidates = data(of: type)
    if let value = argument.shownDefault, var preset = literal(value) {
      preset.detail = "the default"
      preset.rank = 0
      candidates.insert(preset, at: 0)
    }
    return candidates
  }

  /// Returns the values of an enumerated or boolean type; none for other types.
  private func data(of type: ValueType) -> [Candidate] {
    switch type {
    case .oneOf(let values): values.compactMap(literal)
    case .boolean: booleans
    case .optional(let wrapped): data(of: wrapped)
    default: []
    }
  }

  /// The values of a boolean.
  private var booleans: [Candidate] { ["true", "false"].map { Candidate(text: $0, kind: .value, isBare: true) } }

  /// Returns the candidate of a scalar, or `nil` if the value is not a scalar.
  private func literal(_ value: Value) -> Candidate? {
    switch value {
    case .string(let text), .duration(let text), .size(let text): Candidate(text: text, kind: .value)
    case .integer(let number): Candidate(text: String(number), kind: .value, isBare: true)
    case .real(let number): Candidate(text: "\(number)", kind: .value, isBare: true)
    case .boolean(let truth): Candidate(text: truth ? "true" : "false", kind: .value, isBare: true)
    case .data, .list, .map: nil
    }
  }

  /// Returns the module files and folders in the folder of the partly typed path.
  private func paths() -> [Candidate] {
    let typed = context.cursor.token?.text ?? ""
    let folder = typed.contains("/") ? Path.folder(of: typed) + "/" : ""
    guard !Path.isAbsolute(typed), !typed.hasPrefix("..") else { return [] }
    let own = Path.folder(of: path)
    return workspace.listing.entries(of: Path.normalize(Path.join(own, folder))).compactMap { name, isFolder in
      let file = folder + name
      guard !name.hasPrefix("."), Path.normalize(Path.join(own, file)) != path else { return nil }
      if isFolder { return Candidate(text: file + "/", kind: .folder, rank: 2) }
      guard Syntax(path: name) != nil, name != "catalog.json" else { return nil }
      return Candidate(text: file, kind: .file)
    }
  }
}

extension EditorWorkspace {
  /// Returns the completions at a position of an open file; none if nothing can be typed or the file is not open.
  package func completions(
    in path: String, at position: TextPosition, usesSnippets: Bool = false
  ) -> [CompletionItem] {
    guard let text = texts[path], let syntax = Syntax(path: path),
      let context = CursorContext(text.bytes, syntax, at: text.offset(of: position, encoding))
    else { return [] }
    let snapshots = snapshots(of: path)
    // A file that is not a module file gets root keys only, and only if all its keys are keys of module files.
    let isModule = snapshots.contains { $0.map[path]?.isChecked == true || $0.paths.count > 1 }
    guard isModule || context.mapSlot == .root && context.isInKey && context.outline.hasOnlyModuleKeys else {
      return []
    }
    return Completer(
      workspace: self, path: path, text: text.bytes, context: context, snapshots: snapshots, usesSnippets: usesSnippets
    ).items()
  }
}

extension Outline {
  /// Whether all top-level keys are keys of a module file, except for the key at the cursor.
  fileprivate var hasOnlyModuleKeys: Bool {
    guard let root = nodes.first, root.kind == .map else { return false }
    let known = Set(Keyword.rootKeys.map(\.text) + ["doc"])
    return root.keys.filter { $0.range != cursor?.token?.range }.allSatisfy { known.contains($0.text) }
  }
}

extension Section {
  /// Creates the section of a kind whose entries are maps, or `nil` for other kinds.
  fileprivate init?(of kind: SymbolKind) {
    switch kind {
    case .parameter: self = .parameters
    case .template: self = .templates
    case .service: self = .services
    case .scope, .tag, .environment, .binding: return nil
    }
  }
}
