// SPDX-License-Identifier: Apache-2.0

/// Applies the caller's settings to a composition.
///
/// A text is taken literally, never as one with placeholders, like that of a variable.
struct SettingsPass {
  /// The module with the settings so far.
  var module: MergedModule
  /// The settings as nodes.
  private(set) var document: SettingsDocument
  /// The findings.
  var bag = DiagnosticBag()
  /// The settings, the last of each path.
  private let settings: [Setting]
  /// What placeholders stand for, where that is known.
  private var expansion: Expansion?
  /// How much a JSON text may hold.
  let limits: Limits

  /// Applies the settings of parameters, and leaves those of anything else. `file` is the number of the document that holds
  /// all settings.
  init(_ settings: [Setting], ofParametersIn module: consuming MergedModule, as file: FileID, limits: Limits) {
    document = SettingsDocument(file: file)
    self.settings = Setting.lastOfEachPath(settings)
    self.limits = limits
    self.module = module
    for setting in self.settings {
      guard let path = DottedPath(setting.path), Section(of: path) == .parameters else { continue }
      let steps = path.steps.dropFirst()
      guard let found = longestEntry(steps, in: .parameters), found.rest.isEmpty || found.rest.isValue else {
        bag.report(nothing(setting, steps, .parameters))
        continue
      }
      set(found.name, setting)
    }
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
    for setting in settings {
      guard let path = DottedPath(setting.path), let section = Section(of: path) else {
        bag.report(.unknownSetting(setting))
        continue
      }
      let steps = path.steps.dropFirst()
      switch (section, longestEntry(steps, in: section)) {
      case (.parameters, _): break
      // A composed module has no templates.
      case (.templates, _): bag.report(.templateSetting(setting))
      case (_, nil): bag.report(nothing(setting, steps, section))
      case (.aliases, let found?): setTarget(\.aliases, found, setting)
      case (.bindings, let found?): setTarget(\.bindings, found, setting)
      case (.services, let found?): setPart(of: found.name, found.rest, setting)
      }
    }
  }

  /// A datum with its placeholders expanded; where nothing is known of parameters, as it is written.
  mutating func expanded(_ datum: Datum) -> Datum {
    var silent = DiagnosticBag()
    return expansion?.expand(datum, of: "", into: &silent) ?? datum
  }
}

extension Section {
  /// The section that a path begins with, or nil.
  fileprivate init?(of path: DottedPath) {
    guard case .key(let word)? = path.steps.first else { return nil }
    self.init(rawValue: word)
  }
}

extension ArraySlice<DottedPath.Step> {
  /// Whether the steps lead to a parameter's `value`.
  fileprivate var isValue: Bool {
    if count == 1, case .key("value")? = first { true } else { false }
  }
}

// MARK: - Nodes

extension SettingsPass {
  /// A new node with a value.
  mutating func node(_ value: Value, _ setting: Setting) -> NodeRef {
    document.append(value, path: setting.path)
  }

  /// The text of a setting as a token.
  mutating func token(_ setting: Setting) -> Token {
    Token(name: module.names.name(setting.text), node: node(.string(setting.text), setting))
  }
}

// MARK: - Parameters, aliases, bindings

extension SettingsPass {
  /// Changes one parameter.
  private mutating func set(_ name: Name, _ setting: Setting) {
    guard let entry = module.parameters[name], !entry.isMisshapen, entry.body.source != nil else { return }
    guard let type = settableType(of: name) else { return bag.report(.notAScalar(setting)) }
    guard let value = type.value(ofText: setting.text, limits: limits) else {
      let isSecret = mayBeSecret(name)
      return bag.report(.unconvertible(setting, type, isSecret: isSecret))
    }
    let node = node(value.escapingPlaceholders, setting)
    module.history.note(node, displaces: entry.body.source?.node)
    module.parameters.change(name) { entry in
      entry.body.source = .value(Datum(value, at: node))
      entry.body.type = type
      entry.body.fallback = nil
    }
  }

  /// Changes the target of an alias or a binding.
  private mutating func setTarget(
    _ table: WritableKeyPath<MergedModule, EntryTable<Token>>,
    _ found: (name: Name, rest: ArraySlice<DottedPath.Step>), _ setting: Setting
  ) {
    guard found.rest.isEmpty else { return bag.report(.unknownSetting(setting)) }
    let token = token(setting)
    module.history.note(token.node, displaces: module[keyPath: table][found.name]?.body.node)
    module[keyPath: table].change(found.name) { $0.body = token }
  }
}

// MARK: - What is there

extension SettingsPass {
  /// The entry of a section with the longest id that the first steps spell, and the steps behind it.
  private func longestEntry(
    _ steps: ArraySlice<DottedPath.Step>, in section: Section
  ) -> (name: Name, rest: ArraySlice<DottedPath.Step>)? {
    if case .quoted(let id)? = steps.first {
      return module.names.existingName(id).flatMap { module.contains($0, in: section) ? ($0, steps.dropFirst()) : nil }
    }
    var found: (Name, ArraySlice<DottedPath.Step>)?
    var spelled = ""
    for (place, step) in zip(steps.indices, steps) {
      guard case .key(let part) = step else { break }
      spelled += spelled.isEmpty ? part : "." + part
      if let name = module.names.existingName(spelled), module.contains(name, in: section) {
        found = (name, steps[(place + 1)...])
      }
    }
    return found
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

  /// The finding for a setting whose id is not there.
  private func nothing(_ setting: Setting, _ steps: ArraySlice<DottedPath.Step>, _ section: Section) -> Finding {
    var id = ""
    switch steps.first {
    case .key(let text)?, .quoted(let text)?: id = text
    case .index?, nil: break
    }
    let spelled = steps.compactMap { step in if case .key(let part) = step { part } else { nil } }
    let candidates = module.ids(of: section)
    let near = suggestions(
      for: section == .parameters && spelled.count > 1 ? spelled.joined(separator: ".") : id, among: candidates)
    var finding = Finding.unknownSetting(setting)
    finding.help = SuggestionIndex.help(near) ?? finding.help
    return finding
  }
}

// MARK: - Messages

extension Finding {
  /// A setting of something that is not there.
  static func unknownSetting(_ setting: Setting) -> Finding {
    let message =
      setting.path.isEmpty ? "a setting must be PATH=TEXT" : "cannot set \"\(setting.path)\": nothing has this path"
    var finding = Finding(.nothingToChange, message, at: .commandLine(path: setting.path))
    finding.help = "--set changes an existing string, number or boolean"
    finding.subject = setting.path
    return finding
  }

  /// A setting of a template, of which a composed module has none.
  static func templateSetting(_ setting: Setting) -> Finding {
    var finding = unknownSetting(setting)
    finding.help = "the composed module has no templates; set the argument of a service that extends the template"
    return finding
  }

  /// A setting whose text is no name where a name is wanted.
  static func invalidSetting(_ setting: Setting, _ grammar: NameGrammar) -> Finding {
    var finding = Finding(
      .invalidName, "cannot set \"\(setting.path)\": \"\(setting.text)\" is not a valid name",
      at: .commandLine(path: setting.path))
    finding.help = grammar.inWords
    return finding
  }

  /// A setting of a map or a list.
  static func notAScalar(_ setting: Setting) -> Finding {
    var finding = Finding(
      .nothingToChange, "cannot set \"\(setting.path)\": it is not a string, number or boolean",
      at: .commandLine(path: setting.path))
    finding.help = "to change a list or a map, override it in a layer"
    finding.subject = setting.path
    return finding
  }

  /// A setting whose text is not of the type.
  static func unconvertible(_ setting: Setting, _ type: ParameterType, isSecret: Bool) -> Finding {
    let text = isSecret ? "the text" : "\"\(setting.text)\""
    var finding = Finding(
      .failedConversion, "cannot set \"\(setting.path)\": \(text) is not \(type.inWords)",
      at: .commandLine(path: setting.path))
    finding.subject = setting.path
    return finding
  }
}
