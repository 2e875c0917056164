// SPDX-License-Identifier: Apache-2.0

/// Applies the caller's settings to a composition, as one more layer: what they change is written as an override of a file
/// would be, read by the reader of files, and merged by the rules of the verbs.
///
/// A text is taken literally, never as one with placeholders, like that of a variable.
struct SettingsPass {
  /// The module with the settings so far.
  var module: MergedModule
  /// The settings as nodes.
  var document: SettingsDocument
  /// The findings.
  var bag = DiagnosticBag()
  /// The settings, the last of each path.
  private let settings: [Setting]
  /// What the settings override.
  var layer = Sections()
  /// The ids of the sections that settings name.
  private var ids: [Section: SectionIDs] = [:]
  /// What placeholders stand for, where that is known.
  var expansion: Expansion?
  /// How much a JSON text may hold.
  let limits: Limits

  /// A setting, and the steps of its path that are left behind the part that it has led to.
  struct Target {
    /// The setting.
    let setting: Setting
    /// What is left of its path.
    var steps: ArraySlice<DottedPath.Step>
  }

  /// Applies the settings of parameters, and leaves those of anything else. `file` is the number of the document that holds
  /// all settings.
  init(_ settings: [Setting], ofParametersIn module: consuming MergedModule, as file: FileID, limits: Limits) {
    document = SettingsDocument(file: file)
    self.settings = Setting.lastOfEachPath(settings)
    self.limits = limits
    self.module = module
    for setting in self.settings {
      guard let path = DottedPath(setting.path), Section(of: path) == .parameters else { continue }
      if let (name, target) = entry(Target(setting: setting, steps: path.steps.dropFirst()), in: .parameters) {
        override(parameter: name, target)
      }
    }
    mergeLayer()
  }

  /// Applies the settings of services, aliases and bindings, after an earlier pass applied those of parameters.
  init(
    after earlier: consuming SettingsPass, in module: consuming MergedModule, expanding expansion: Expansion
  ) {
    document = earlier.document
    settings = earlier.settings
    limits = earlier.limits
    self.expansion = expansion
    self.module = module
    var services: [(name: Name, targets: [Target])] = []
    var places: [Name: Int] = [:]
    for setting in settings {
      guard let path = DottedPath(setting.path), let section = Section(of: path) else {
        bag.report(.unknownSetting(setting))
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
        guard let (name, target) = entry(target, in: section) else { continue }
        if let place = places[name] {
          services[place].targets.append(target)
        } else {
          places[name] = services.count
          services.append((name, [target]))
        }
      }
    }
    override(services)
    mergeLayer()
  }

  /// Merges what the settings override.
  private mutating func mergeLayer() {
    module = ModuleMerger(module, overriddenBy: layer).module
    layer = Sections()
  }
}

extension Section {
  /// The section that a path begins with, or nil.
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
    /// Where paths find them.
    let keys: SpelledKeys
    /// The ids that unknown ones are compared with.
    var near: SuggestionIndex?
  }

  /// The entry with the longest id that a path spells, and what is left of the path; nil where there is none, which is
  /// reported.
  private mutating func entry(_ target: Target, in section: Section) -> (name: Name, target: Target)? {
    if ids[section] == nil {
      let names = module.names(of: section)
      ids[section] = SectionIDs(names: names, keys: SpelledKeys(module.ids(of: section)))
    }
    guard let known = ids[section] else { return nil }
    if let found = known.keys.longestMatch(of: target.steps) {
      return (known.names[found.place], Target(setting: target.setting, steps: found.rest))
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
  /// The key of a step into a map, or nil.
  fileprivate var text: String? {
    switch self {
    case .key(let text), .quoted(let text): text
    case .index: nil
    }
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
  /// Overrides the source of a parameter.
  private mutating func override(parameter name: Name, _ target: Target) {
    let setting = target.setting
    guard target.steps.isEmpty || target.steps.isValue else { return bag.report(.unknownSetting(setting)) }
    guard let entry = module.parameters[name], !entry.isMalformed, entry.body.source != nil else { return }
    guard let type = settableType(of: name) else { return bag.report(.notAScalar(setting)) }
    guard let value = type.value(ofText: setting.text, limits: limits) else {
      let isSecret = mayBeSecret(name)
      return bag.report(.unconvertible(setting, type, isSecret: isSecret))
    }
    let node = document.append(value.escapingPlaceholders, from: .setting(setting.path))
    let body = ParameterDeclaration(source: .value(Datum(value, at: node)), type: type)
    layer.parameters.append(Declaration(name: name, key: entry.key, isMalformed: false, body: body))
  }

  /// Whether a parameter, or one that its literal names, is declared secret.
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

  /// The type by which a parameter's setting is read; nil where it holds a list or a map that nothing declares.
  private func settableType(of name: Name) -> ParameterType? {
    var name = name
    var visited: Set<Name> = []
    while let parameter = module.parameters[name]?.body, visited.insert(name).inserted {
      if let type = parameter.type, parameter.typeNode != nil || (type != .list && type != .json) { return type }
      guard let literal = parameter.source?.literal else { return .string }
      if case .text(let text) = literal.content, let next = text.onlyPlaceholder, module.parameters.contains(next) {
        name = next
        continue
      }
      return literal.parameterType.flatMap { $0 == .list || $0 == .json ? nil : $0 }
    }
    return .string
  }
}

extension ArraySlice<DottedPath.Step> {
  /// Whether the steps lead to a parameter's `value`.
  fileprivate var isValue: Bool {
    if count == 1, case .key("value")? = first { true } else { false }
  }
}

// MARK: - Messages

extension Finding {
  /// A setting of something that is not there.
  static func unknownSetting(_ setting: Setting) -> Finding {
    let message =
      setting.path.isEmpty ? "a setting must be PATH=TEXT" : "cannot set \"\(setting.path)\": nothing has this path"
    return Finding(
      .nothingToChange, message, at: .commandLine(path: setting.path),
      help: "--set changes an existing string, number or boolean", subject: setting.path)
  }

  /// A setting of a template, of which a composed module has none.
  static func templateSetting(_ setting: Setting) -> Finding {
    var finding = unknownSetting(setting)
    finding.help = "the composed module has no templates; set the argument of a service that extends the template"
    return finding
  }

  /// A setting whose text is no name where a name is wanted.
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

  /// A setting whose text is not of the type.
  static func unconvertible(_ setting: Setting, _ type: ParameterType, isSecret: Bool) -> Finding {
    let text = isSecret ? "the text" : "\"\(setting.text)\""
    return Finding(
      .failedConversion, "cannot set \"\(setting.path)\": \(text) is not \(type.inWords)",
      at: .commandLine(path: setting.path), subject: setting.path)
  }
}
