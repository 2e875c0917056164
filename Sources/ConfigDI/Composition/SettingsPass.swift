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
  let limits: Limits

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
  mutating func applyToTheRest(in composer: inout Composer, expanding expand: DatumReading) {
    for setting in settings {
      guard let path = DottedPath(setting.path), let section = Section(of: path) else {
        composer.bag.report(.unknownSetting(setting))
        continue
      }
      guard section != .parameters else { continue }
      // A composed module has no templates.
      guard section != .templates else {
        composer.bag.report(.templateSetting(setting))
        continue
      }
      let steps = path.steps.dropFirst()
      guard let found = composer.longestEntry(steps, in: section) else {
        composer.bag.report(composer.nothing(setting, steps, section))
        continue
      }
      switch section {
      case .parameters, .templates: break
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
  mutating func node(_ value: Value, _ setting: Setting, in composer: inout Composer) -> NodeRef {
    let node = document.append(value, path: setting.path)
    composer.documents.replaceLast(document.document)
    return node
  }

  /// The text of a setting as a token.
  mutating func token(_ setting: Setting, in composer: inout Composer) -> Token {
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
    composer.history.note(node, displaces: entry.body.source?.node)
    composer.parameters.change(name) { entry in
      entry.body.source = .value(Datum(value, at: node))
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
    composer.history.note(token.node, displaces: composer[keyPath: table][found.name]?.body.node)
    composer[keyPath: table].change(found.name) { $0.body = token }
  }
}
