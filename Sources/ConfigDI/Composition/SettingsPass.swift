// SPDX-License-Identifier: Apache-2.0

/// Applies the caller's settings to a composition.
///
/// A text is taken literally, never as one with placeholders, like that of a variable.
struct SettingsPass {
  /// The settings as nodes, always the same as the last document of the composition.
  private(set) var document: SettingsDocument
  /// The settings, the last of each path.
  private let settings: [Setting]
  /// How much a JSON text may hold.
  private let limits: Limits

  /// A pass over a composition, to whose documents that of the settings is added.
  init(_ settings: [Setting], over composer: inout Composer, limits: Limits) {
    document = SettingsDocument(file: composer.documents.nextFile)
    self.settings = Setting.lastOfEachPath(settings)
    self.limits = limits
    composer.documents.append(document.document)
  }

  /// Applies the settings of parameters, and leaves those of anything else.
  mutating func applyToParameters(in composer: inout Composer) {
    for setting in settings {
      guard let path = DottedPath(setting.path), Section(of: path) == .parameters else { continue }
      let steps = path.steps.dropFirst()
      guard let found = composer.longestEntry(steps, in: .parameters), found.rest.isEmpty || found.rest.isValue else {
        composer.bag.report(composer.nothing(setting, steps, .parameters))
        continue
      }
      set(found.name, setting, in: &composer)
    }
  }

  /// Applies the settings of services, aliases and bindings; `expand` gives what stands at a place now.
  mutating func applyToTheRest(in composer: inout Composer, expanding expand: (Composer, Datum) -> ComposedValue) {
    for setting in settings {
      guard let path = DottedPath(setting.path), let section = Section(of: path) else {
        composer.bag.report(.unknownSetting(setting))
        continue
      }
      guard section != .parameters else { continue }
      let steps = path.steps.dropFirst()
      guard let found = composer.longestEntry(steps, in: section) else {
        composer.bag.report(composer.nothing(setting, steps, section))
        continue
      }
      switch section {
      case .parameters: break
      case .aliases: setTarget(\.aliases, found, setting, in: &composer)
      case .bindings: setTarget(\.bindings, found, setting, in: &composer)
      case .services: setPart(of: found.name, found.rest, setting, in: &composer, expanding: expand)
      }
    }
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
  private mutating func node(_ value: Value, _ setting: Setting, in composer: inout Composer) -> NodeRef {
    let node = document.append(value, path: setting.path)
    composer.documents.replaceLast(document.document)
    return node
  }

  /// The text of a setting as a token.
  private mutating func token(_ setting: Setting, in composer: inout Composer) -> Token {
    Token(name: composer.names.name(setting.text), node: node(.string(setting.text), setting, in: &composer))
  }
}

// MARK: - Parameters, aliases, bindings

extension SettingsPass {
  /// Changes one parameter.
  private mutating func set(_ name: Name, _ setting: Setting, in composer: inout Composer) {
    guard let entry = composer.parameters[name], !entry.isMisshapen, entry.body.source != nil else { return }
    guard let type = composer.settableType(of: name) else { return composer.bag.report(.notAScalar(setting)) }
    guard let value = type.value(ofText: setting.text, limits: limits) else {
      let isSecret = composer.mayBeSecret(entry.body)
      return composer.bag.report(.unconvertible(setting, type, isSecret: isSecret))
    }
    let node = node(value.escapingPlaceholders, setting, in: &composer)
    composer.parameters.change(name) { entry in
      entry.body.source = .value(node)
      entry.body.type = type
      entry.body.fallback = nil
    }
  }

  /// Changes the target of an alias or a binding.
  private mutating func setTarget(
    _ table: WritableKeyPath<Composer, EntryTable<Token>>,
    _ found: (name: Name, rest: ArraySlice<DottedPath.Step>), _ setting: Setting, in composer: inout Composer
  ) {
    guard found.rest.isEmpty else { return composer.bag.report(.unknownSetting(setting)) }
    let token = token(setting, in: &composer)
    composer[keyPath: table].change(found.name) { $0.body = token }
  }
}

// MARK: - Services

extension SettingsPass {
  /// Changes a part of a service.
  private mutating func setPart(
    of name: Name, _ steps: ArraySlice<DottedPath.Step>, _ setting: Setting, in composer: inout Composer,
    expanding expand: (Composer, Datum) -> ComposedValue
  ) {
    guard var entry = composer.services[name], !entry.isMisshapen else { return }
    guard case .key(let field)? = steps.first else { return composer.bag.report(.unknownSetting(setting)) }
    let rest = steps.dropFirst()
    var finding: Finding?
    switch (field, rest.count) {
    case ("type", 0) where entry.body.type != nil: entry.body.type = token(setting, in: &composer)
    case ("scope", 0) where entry.body.scope != nil: entry.body.scope = token(setting, in: &composer)
    case ("deprecated", 0) where entry.body.deprecated != nil: entry.body.deprecated = token(setting, in: &composer)
    case ("eager", 0) where entry.body.isEager != nil: finding = set(&entry.body.isEager, setting, in: &composer)
    case ("private", 0) where entry.body.isPrivate != nil: finding = set(&entry.body.isPrivate, setting, in: &composer)
    case ("provides", _): finding = set(rest, in: &entry.body.provides, setting, in: &composer)
    case ("inject", 1...):
      finding = set(rest, in: &entry.body.inject, name: \.name, datum: \.reference, setting, in: &composer) {
        composer, datum in
        ComposedValue(
          content: composer.documents.value(of: datum).map(ComposedValue.Content.scalar) ?? .broken,
          place: .node(datum.place))
      }
    case ("values", 1...):
      finding = set(
        rest, in: &entry.body.values, name: \.name, datum: \.datum, setting, in: &composer, old: expand)
    default: finding = .unknownSetting(setting)
    }
    if let finding { return composer.bag.report(finding) }
    composer.services.change(name) { $0.body = entry.body }
  }

  /// Changes a truth value; the finding where the text is none.
  private mutating func set(
    _ flag: inout FlagToken?, _ setting: Setting, in composer: inout Composer
  ) -> Finding? {
    guard case .boolean(let value)? = ParameterType.bool.value(ofText: setting.text, limits: limits) else {
      return .unconvertible(setting, .bool, isSecret: false)
    }
    flag = FlagToken(value: value, node: node(.boolean(value), setting, in: &composer))
    return nil
  }

  /// Changes one of the provided names; the finding where there is none.
  private mutating func set(
    _ steps: ArraySlice<DottedPath.Step>, in provides: inout ListChange<Token>?, _ setting: Setting,
    in composer: inout Composer
  ) -> Finding? {
    guard let names = provides?.appended, !steps.isEmpty else {
      return provides == nil ? .unknownSetting(setting) : .notAScalar(setting)
    }
    guard steps.count == 1, case .index(let index)? = steps.first, names.indices.contains(index) else {
      return .unknownSetting(setting)
    }
    provides?.appended[index] = token(setting, in: &composer)
    return nil
  }

  /// Changes a scalar inside an argument; the finding where there is none or the text does not fit. `old` gives the value
  /// that stands there now.
  private mutating func set<Argument>(
    _ steps: ArraySlice<DottedPath.Step>, in arguments: inout [Argument], name: KeyPath<Argument, Name>,
    datum: WritableKeyPath<Argument, Datum>, _ setting: Setting, in composer: inout Composer,
    old value: (Composer, Datum) -> ComposedValue
  ) -> Finding? {
    let documents = composer.documents, names = composer.names
    guard
      let found = DottedPath.longestMatch(of: steps, among: arguments.lazy.map { names[$0[keyPath: name]] }),
      let old = documents.part(of: arguments[found.place][keyPath: datum], at: found.rest)
    else { return .unknownSetting(setting) }
    guard documents.entries(of: old) == nil, documents.elements(of: old) == nil else { return .notAScalar(setting) }
    let oldValue = value(composer, old)
    // What was told as an error has no type, and nothing more is said of it.
    guard let type = oldValue.parameterType else { return nil }
    guard type != .list && type != .json else { return .notAScalar(setting) }
    guard let new = type.value(ofText: setting.text, limits: limits) else {
      return .unconvertible(setting, type, isSecret: !oldValue.allSecrets.isEmpty)
    }
    let node = Datum.node(node(new.escapingPlaceholders, setting, in: &composer))
    let whole = arguments[found.place][keyPath: datum]
    arguments[found.place][keyPath: datum] = documents.changing(whole, at: found.rest, to: node) ?? node
    return nil
  }
}
