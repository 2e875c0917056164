// SPDX-License-Identifier: Apache-2.0

/// Applies the caller's settings as one more layer. They are written in the form of an override in a file, decoded like
/// a file, and merged by the rules of the verbs.
///
/// The text of a setting is literal, like that of an environment variable: placeholders in it are not expanded.
struct SettingsPass {
  /// The module with the settings applied so far.
  var module: MergedModule
  /// The document of the settings.
  var document: SettingsDocument
  /// The findings.
  var bag = DiagnosticBag()
  /// The settings, only the last one of each path.
  private let settings: [Setting]
  /// The overrides that the settings make.
  var layer = Sections()
  /// The ids of the sections that settings refer to.
  private var ids: [Section: SectionIDs] = [:]
  /// The expansion of placeholders, or `nil` before parameters are evaluated.
  var expansion: Expansion?
  /// The limits of JSON texts.
  let limits: Limits
  /// Whether findings hide the texts of settings, because the changed entry may be a secret.
  var hidesTexts = false

  /// A setting, and the steps of its path that are not followed yet.
  struct Target {
    /// The setting.
    let setting: Setting
    /// The remaining steps of the path.
    var steps: ArraySlice<DottedPath.Step>
  }

  /// Settings grouped by the entry that they change. The groups are in the order of their first settings.
  private struct TargetGroups {
    /// The entries, each with its settings in order.
    private(set) var all: [(name: Name, targets: [Target])] = []
    /// The index in `all` of each entry.
    private var places: [Name: Int] = [:]

    /// Adds a setting.
    mutating func append(_ target: Target, of name: Name) {
      if let place = places[name] {
        all[place].targets.append(target)
      } else {
        places[name] = all.count
        all.append((name, [target]))
      }
    }
  }

  /// Applies the settings of parameters, and leaves the others to a later pass. `file` is the file number of the
  /// document for all settings.
  init(_ settings: [Setting], ofParametersIn module: consuming MergedModule, as file: FileID, limits: Limits) {
    document = SettingsDocument(file: file)
    self.settings = Setting.lastOfEachPath(settings)
    self.limits = limits
    self.module = module
    var literals: [Name: Datum] = [:]
    var parts = TargetGroups()
    for setting in self.settings {
      guard let path = DottedPath(setting.path), Section(of: path) == .parameters else { continue }
      let whole = Target(setting: setting, steps: path.steps.dropFirst())
      guard let (name, target) = entry(whole, in: .parameters) else { continue }
      if target.steps.isEmpty || target.steps.isValue {
        if let literal = override(parameter: name, target) { literals[name] = literal }
      } else if target.steps.areFixed {
        bag.report(.fixedSetting(setting))
      } else {
        parts.append(target, of: name)
      }
    }
    override(.parameters, parts.all.compactMap { changed(partsOf: $0.name, setAs: literals[$0.name], $0.targets) })
    mergeLayer()
  }

  /// Applies the settings of services, aliases and bindings, after an earlier pass has applied those of parameters.
  init(
    after earlier: consuming SettingsPass, in module: consuming MergedModule, expanding expansion: Expansion
  ) {
    document = earlier.document
    settings = earlier.settings
    limits = earlier.limits
    self.expansion = expansion
    self.module = module
    var services = TargetGroups()
    for setting in settings {
      guard let path = DottedPath(setting.path), let section = Section(of: path) else {
        bag.report(.outsideSections(setting))
        continue
      }
      let target = Target(setting: setting, steps: path.steps.dropFirst())
      switch section {
      case .parameters: break
      // A composed module has no templates.
      case .templates: bag.report(.templateSetting(setting))
      case .aliases:
        if let found = entry(target, in: section) { override(\.aliases, of: \.aliases, found.name, found.target) }
      case .bindings:
        if let found = entry(target, in: section) { override(\.bindings, of: \.bindings, found.name, found.target) }
      case .services:
        if let found = entry(target, in: section) { services.append(found.target, of: found.name) }
      }
    }
    let changed = services.all.compactMap { name, targets -> ChangedEntry? in
      guard let entry = module.services[name], !entry.isMalformed else { return nil }
      let service = entry.body.datum(of: Token(name: name, node: entry.key), module.names)
      return (entry.key, name, service, .service, targets, mayBeSecret: false)
    }
    override(.services, changed)
    mergeLayer()
  }

  /// Merges the overrides of the settings into the module.
  private mutating func mergeLayer() {
    let merger = ModuleMerger(module, overriddenBy: layer)
    module = merger.module
    bag.append(merger.bag)
    layer = Sections()
  }
}

extension Section {
  /// The section that a path begins with, or `nil` if it begins with something else.
  fileprivate init?(of path: DottedPath) {
    guard case .key(let word)? = path.steps.first else { return nil }
    self.init(rawValue: word)
  }
}

// MARK: - Entries

extension SettingsPass {
  /// The ids of a section.
  private struct SectionIDs {
    /// The names.
    let names: [Name]
    /// The look-up of ids by the steps of a path.
    let keys: KeyTrie
    /// The index for suggestions of ids.
    var near: SuggestionIndex?
  }

  /// Returns the entry with the longest id that a path spells, with the remaining steps. A service may have a shorter id
  /// if the step after the longest is no key of a service. Reports a path without such an entry, and returns `nil`.
  private mutating func entry(_ target: Target, in section: Section) -> (name: Name, target: Target)? {
    if ids[section] == nil {
      ids[section] = SectionIDs(names: module[section].names, keys: KeyTrie(module.ids(of: section)))
    }
    guard let known = ids[section] else { return nil }
    let matches = known.keys.matches(target.steps)
    if let found = matches.last(where: { section != .services || $0.rest.beginsWithKeyOfService }) ?? matches.last {
      return (known.names[found.place], Target(setting: target.setting, steps: found.rest))
    }
    guard !target.steps.isEmpty else {
      bag.report(.unknownSetting(target.setting))
      return nil
    }
    let spelled = target.steps.compactMap(\.text)
    let id = section == .parameters ? spelled.joined(separator: ".") : spelled.first ?? ""
    var finding = Finding.unknownSetting(target.setting)
    let near = known.near ?? SuggestionIndex(module.ids(of: section))
    ids[section]?.near = near
    finding.help = SuggestionIndex.help(near.suggestions(for: id)) ?? finding.help
    bag.report(finding)
    return nil
  }
}

extension DottedPath.Step {
  /// The key of a step into a map, or `nil` for the index of a list.
  fileprivate var text: String? {
    switch self {
    case .key(let text), .quoted(let text): text
    case .index: nil
    }
  }
}

extension ArraySlice<DottedPath.Step> {
  /// Whether the first step is a key of a service.
  fileprivate var beginsWithKeyOfService: Bool {
    first?.text.flatMap { Keyword(text: $0) }.map(Keyword.serviceKeys.contains) == true
  }
}

// MARK: - Aliases, bindings

extension SettingsPass {
  /// Overrides the target of an alias or a binding.
  private mutating func override(
    _ list: WritableKeyPath<Sections, [Declaration<Token>]>, of table: KeyPath<MergedModule, EntryTable<Token>>,
    _ name: Name, _ target: Target
  ) {
    guard target.steps.isEmpty else { return bag.report(.unknownSetting(target.setting)) }
    guard let entry = module[keyPath: table][name] else { return }
    let (path, text) = (target.setting.path, target.setting.text)
    let token = Token(
      name: module.names.name(text), node: document.append(.string(text), from: .setting(path)))
    layer[keyPath: list].append(Declaration(name: name, key: entry.key, isMalformed: false, body: token))
  }
}

// MARK: - Parameters

extension SettingsPass {
  /// Overrides the source of a parameter. Returns the new literal, or `nil` if the setting does not apply.
  private mutating func override(parameter name: Name, _ target: Target) -> Datum? {
    let setting = target.setting
    guard let entry = module.parameters[name], !entry.isMalformed, entry.body.source != nil else { return nil }
    guard let type = settableType(of: name) else {
      bag.report(.notAScalar(setting))
      return nil
    }
    guard let value = type.value(ofText: setting.text, limits: limits) else {
      bag.report(.unconvertible(setting, type, isSecret: mayBeSecret(name)))
      // The setting takes the place of the sources, so that they are missing is not reported as well.
      if entry.body.source?.literal == nil { module.parameters.change(name) { $0.isMalformed = true } }
      return nil
    }
    let root = document.nextNode
    document.append(value.escapingPlaceholders, from: .setting(setting.path))
    let literal = Datum(root, of: document.document, names: &module.names)
    let body = ParameterDeclaration(source: .value(literal), type: type)
    layer.parameters.append(Declaration(name: name, key: entry.key, isMalformed: false, body: body))
    return literal
  }

  /// Returns a parameter's descriptor with the settings that change its scalars. `literal` is the value that another
  /// setting gave it, if any.
  private func changed(partsOf name: Name, setAs literal: Datum?, _ targets: [Target]) -> ChangedEntry? {
    guard let entry = module.parameters[name], !entry.isMalformed, let source = entry.body.source else { return nil }
    let value = literal ?? source.literal
    let descriptor = entry.body.descriptor(with: value, at: entry.key, module.names)
    let targets = targets.map { target in
      guard value != nil, case .index? = target.steps.first else { return target }
      return Target(setting: target.setting, steps: [.key("value")] + target.steps)
    }
    let type = settableType(of: name) ?? .json
    return (entry.key, name, descriptor, .parameter(type), targets, mayBeSecret: mayBeSecret(name))
  }

  /// Returns whether a parameter, or one that its literal refers to, directly or through others, is declared secret.
  private func mayBeSecret(_ name: Name) -> Bool {
    var pending = [name]
    var visited: Set<Name> = [name]
    while let name = pending.popLast() {
      if module.secretParameters.contains(name) { return true }
      module.parameters[name]?.body.source?.literal?.forEachPlaceholder { name, _ in
        if visited.insert(name).inserted { pending.append(name) }
      }
    }
    return false
  }

  /// Returns the type by which a parameter's setting is converted, or `nil` for a list or map without a declared type.
  func settableType(of name: Name) -> ParameterType? {
    var name = name
    var visited: Set<Name> = []
    while let parameter = module.parameters[name]?.body, visited.insert(name).inserted {
      guard let literal = parameter.source?.literal else { return parameter.type ?? .string }
      if let type = parameter.type, parameter.typeNode != nil || !type.mayHoldParts { return type }
      if let next = literal.onlyPlaceholder, module.parameters.contains(next) {
        name = next
        continue
      }
      return literal.parameterType.flatMap { $0.mayHoldParts ? nil : $0 }
    }
    return .string
  }
}

extension ArraySlice<DottedPath.Step> {
  /// Whether the steps lead to a parameter's `value`.
  fileprivate var isValue: Bool {
    if count == 1, case .key("value")? = first { true } else { false }
  }

  /// Whether the steps lead to a part of a parameter that only files give.
  fileprivate var areFixed: Bool {
    guard case .key(let word)? = first else { return false }
    return switch Keyword(text: word) {
    case .env, .file, .config, .sources, .type, .secret: true
    default: false
    }
  }
}

extension ParameterDeclaration {
  /// Returns the values of the descriptor as a map. The source, the type and `secret` are given only by files.
  fileprivate func descriptor(with value: Datum?, at node: NodeRef, _ names: NameTable) -> Datum {
    func datum(_ literal: Literal) -> Datum { Datum(literal.value, at: literal.node) }
    return Datum(
      [
        .value: value, .default: fallback.map(datum), .min: least.map(datum), .max: greatest.map(datum),
        .oneOf: allowed.map { Datum(.list($0.values.map(datum)), at: $0.node) },
        .deprecated: deprecated.map { Datum($0, names) },
      ], at: node)
  }
}

// MARK: - Messages

extension Finding {
  /// A setting with a path that leads nowhere.
  static func unknownSetting(_ setting: Setting) -> Finding {
    let message =
      setting.path.isEmpty ? "a setting must be PATH=TEXT" : "cannot set \"\(setting.path)\": nothing has this path"
    var finding = Finding(
      .nothingToChange, message, at: .commandLine(path: setting.path),
      help: "--set changes an existing string, number or boolean of a parameter, service, alias or binding, as in "
        + "\"parameters.mail.port\" and \"services.mailer.values.timeout\"", subject: setting.path)
    if case .key(let key)? = DottedPath(setting.path)?.steps.first {
      finding.possibleCauses = key == Section.services.rawValue ? [key, Section.templates.rawValue] : [key]
    }
    return finding
  }

  /// A setting of something that is in no section.
  fileprivate static func outsideSections(_ setting: Setting) -> Finding {
    var finding = unknownSetting(setting)
    if case .key(let word)? = DottedPath(setting.path)?.steps.first,
      Keyword(text: word).map(Keyword.rootKeys.contains) == true
    {
      finding.message = "cannot set \"\(setting.path)\": only files give \"\(word)\""
    }
    return finding
  }

  /// A setting of a template. A composed module has no templates.
  static func templateSetting(_ setting: Setting) -> Finding {
    var finding = unknownSetting(setting)
    finding.help = "the composed module has no templates; set the argument of a service that extends the template"
    return finding
  }

  /// A setting of a part of a parameter that only files give.
  static func fixedSetting(_ setting: Setting) -> Finding {
    Finding(
      .nothingToChange,
      "cannot set \"\(setting.path)\": only files give the source, the type and \"secret\" of a parameter",
      at: .commandLine(path: setting.path), help: "set the parameter itself, or override it in a layer",
      subject: setting.path)
  }

  /// A setting whose text is not a valid name.
  static func invalidSetting(_ setting: Setting, _ grammar: NameGrammar) -> Finding {
    Finding(
      .invalidName, "cannot set \"\(setting.path)\": \"\(setting.text)\" is not a valid name",
      at: .commandLine(path: setting.path), help: grammar.inWords)
  }

  /// A setting of a map or a list.
  static func notAScalar(_ setting: Setting) -> Finding {
    Finding(
      .nothingToChange, "cannot set \"\(setting.path)\": it is not a string, number or boolean",
      at: .commandLine(path: setting.path), help: "to change a list or a map, override it in a layer",
      subject: setting.path)
  }

  /// A setting whose text cannot be converted to the type.
  static func unconvertible(_ setting: Setting, _ type: ParameterType, isSecret: Bool) -> Finding {
    let text = isSecret ? "the text" : "\"\(setting.text)\""
    return Finding(
      .failedConversion,
      "cannot set \"\(setting.path)\": \(text) \(type.fault(of: setting.text, isShown: !isSecret))",
      at: .commandLine(path: setting.path), subject: setting.path)
  }
}
