// SPDX-License-Identifier: Apache-2.0

extension SettingsPass {
  /// The kind of a part of an entry, which determines how an override changes it.
  enum Part: Equatable {
    /// A map that is merged key by key: the service itself, `inject`, `values` and the maps in it, `tags`.
    case service, references, values, tags
    /// The descriptor of a parameter with a type, merged key by key.
    case parameter(ParameterType)
    /// The default or a bound of a parameter with a type.
    case constraint(ParameterType)
    /// A part that is replaced as a whole.
    case decorators, datum, typeName, other

    /// Whether an override contains only the changed keys of the part.
    var isMerged: Bool {
      switch self {
      case .service, .parameter, .references, .values, .tags: true
      case .decorators, .datum, .constraint, .typeName, .other: false
      }
    }

    /// Whether placeholders in the part are expanded.
    var isExpanded: Bool { self == .values || self == .datum }

    /// Returns the kind of the part under a key.
    func part(under keyword: Keyword?) -> Part {
      switch (self, keyword) {
      case (.service, .type), (.service, .provides), (.decorators, .type): .typeName
      case (.service, .inject): .references
      case (.service, .values): .values
      case (.service, .tags): .tags
      case (.service, .decorate): .decorators
      case (.decorators, .values), (.parameter, .value): .datum
      case (.parameter(let type), .default), (.parameter(let type), .oneOf): .constraint(type)
      case (.parameter(let type), .min), (.parameter(let type), .max): .constraint(type)
      case (.values, _), (.tags, _), (.datum, _), (.constraint, _): self
      case (.service, _), (.parameter, _), (.references, _), (.decorators, _), (.typeName, _), (.other, _): .other
      }
    }

    /// The kind of the elements of a list.
    var element: Part { self == .values ? .datum : self }
  }

  /// An entry with the settings that change its scalars.
  typealias ChangedEntry = (key: NodeRef, name: Name, datum: Datum, part: Part, targets: [Target], mayBeSecret: Bool)

  /// Writes the overrides that change scalars of the entries of a section, and decodes them into the layer.
  mutating func override(_ section: Keyword, _ entries: [ChangedEntry]) {
    guard !entries.isEmpty else { return }
    let root = document.nextNode
    let map = document.open(.map, from: .setting(""))
    for entry in entries {
      document.append(module.names[entry.name], as: .key, from: .copy(entry.key))
      hidesTexts = entry.mayBeSecret
      write(entry.datum, as: entry.part, changing: entry.targets)
    }
    document.close(map, count: entries.count)
    var reader = ShapeReader(document: document.document)
    (reader.names, reader.bag) = (module.names, bag)
    var read = Sections()
    reader.readSection(section, in: root, as: .overriding, into: &read)
    layer.parameters += read.parameters
    layer.services += read.services
    (module.names, bag) = (reader.names, reader.bag)
  }

  /// Writes the override that changes scalars of a part, in the form of a file.
  ///
  /// Visits each map and list once, however many settings lead into it. Recursive: the depth is bounded by
  /// `Limits.nesting`. `origin` is the origin of the datum as a whole; `nil` for its own token.
  mutating func write(
    _ datum: Datum, as part: Part, changing targets: [Target], from origin: SettingsDocument.Origin? = nil
  ) {
    switch datum.content {
    case .map(let entries):
      let keys = targets.isEmpty ? nil : KeyTrie(entries.map(\.key), hasParts: entries.map(\.value.hasParts))
      let inside = split(targets) { keys?.match($0) }
      let map = document.open(.map, from: origin ?? .copy(datum.node))
      var count = 0
      for (place, entry) in entries.enumerated() where !part.isMerged || inside[place] != nil {
        let targets = inside[place] ?? []
        let setting = targets.last.map { SettingsDocument.Origin.setting($0.setting.path) }
        // A list or map of a parameter has one origin, even if only a part of it is set.
        let isPartOfParameter = if case .parameter = part { true } else { false }
        let isSet = isPartOfParameter || targets.first.map { $0.steps.isEmpty } ?? false
        document.append(entry.key, as: .key, from: (isSet ? setting : nil) ?? .copy(entry.value.node.key))
        let keyword = module.names.existingName(entry.key).flatMap { Keyword($0) }
        write(
          entry.value, as: part.part(under: keyword), changing: targets, from: isPartOfParameter ? setting : nil)
        count += 1
      }
      document.close(map, count: count)
    case .list(let elements):
      let inside = split(targets) { steps in
        guard case .index(let index)? = steps.first, elements.indices.contains(index) else { return nil }
        return (index, steps.dropFirst())
      }
      let list = document.open(.list, from: origin ?? .copy(datum.node))
      for (place, element) in elements.enumerated() {
        write(element, as: part.element, changing: inside[place] ?? [])
      }
      document.close(list, count: elements.count)
    case .scalar, .text, .unset, .broken:
      var (value, origin) = (datum.written ?? .string(""), SettingsDocument.Origin.copy(datum.node))
      for target in targets {
        guard let new = newValue(of: datum, as: part, target) else { continue }
        (value, origin) = (new, .setting(target.setting.path))
      }
      let node = document.append(value, from: origin)
      // For a part that is merged, the merger records this.
      if !part.isMerged, case .setting = origin { module.history.note(node, displaces: datum.node) }
    }
  }

  /// Groups settings by the index of the part that they lead into. Reports the settings that lead nowhere.
  private mutating func split(
    _ targets: [Target], _ find: (ArraySlice<DottedPath.Step>) -> KeyTrie.Match?
  ) -> [Int: [Target]] {
    var inside: [Int: [Target]] = [:]
    for target in targets {
      if let found = find(target.steps) {
        inside[found.place, default: []].append(Target(setting: target.setting, steps: found.rest))
      } else {
        bag.report(target.steps.isEmpty ? .notAScalar(target.setting) : .unknownSetting(target.setting))
      }
    }
    return inside
  }

  /// Returns the new value of a scalar, or `nil` if the setting does not apply, which is reported.
  private mutating func newValue(of datum: Datum, as part: Part, _ target: Target) -> Value? {
    let setting = target.setting
    guard target.steps.isEmpty else {
      var finding = Finding.unknownSetting(setting)
      if part.isExpanded, let name = datum.onlyPlaceholder {
        finding.help = "the value is that of parameter \"\(module.names[name])\"; set the part of the parameter"
      }
      bag.report(finding)
      return nil
    }
    var silent = DiagnosticBag()
    let old = part.isExpanded ? expansion?.expand(datum, of: "", into: &silent) ?? datum : datum
    // A value with a reported error has no type, and nothing more is reported about it.
    guard var type = old.parameterType else { return nil }
    if expansion == nil, let name = old.onlyPlaceholder { type = settableType(of: name) ?? .json }
    if case .constraint(let declared) = part, !declared.mayHoldParts { type = declared }
    guard !type.mayHoldParts else {
      bag.report(.notAScalar(setting))
      return nil
    }
    guard let new = type.value(ofText: setting.text, limits: limits) else {
      bag.report(.unconvertible(setting, type, isSecret: hidesTexts || !old.allSecrets.isEmpty))
      return nil
    }
    if part == .typeName, !Array(setting.text.utf8).withUnsafeBufferPointer(NameGrammar.type.accepts) {
      bag.report(.invalidSetting(setting, .type))
      return nil
    }
    return part.isExpanded ? new.escapingPlaceholders : new
  }
}
