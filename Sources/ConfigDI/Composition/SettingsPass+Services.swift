// SPDX-License-Identifier: Apache-2.0

/// What gives the value that stands at a place now.
typealias DatumReading = (Composer, Datum) -> ComposedValue

extension SettingsPass {
  /// Changes a part of a service; the finding where there is none or the text does not fit. `expand` gives the value of a
  /// datum.
  mutating func setPart(
    of name: Name, _ steps: ArraySlice<DottedPath.Step>, _ setting: Setting, in composer: inout Composer,
    expanding expand: DatumReading
  ) {
    guard var entry = composer.services[name], !entry.isMisshapen else { return }
    guard case .key(let field)? = steps.first else { return composer.bag.report(.unknownSetting(setting)) }
    let rest = steps.dropFirst()
    var finding: Finding?
    switch field {
    case "inject", "values":
      finding = setArgument(field, rest, of: &entry.body.arguments, setting, in: &composer, expanding: expand)
    case "provides": finding = setProvided(rest, of: &entry.body.provides, setting, in: &composer)
    case "decorate":
      finding = setDecorator(rest, of: &entry.body.decorators, setting, in: &composer, expanding: expand)
    case "tags": finding = setTag(rest, of: &entry.body.tags, setting, in: &composer)
    case "when": finding = setCondition(rest, of: &entry.body.condition, setting, in: &composer)
    default:
      finding = rest.isEmpty ? setField(field, of: &entry.body, setting, in: &composer) : .unknownSetting(setting)
    }
    if let finding { return composer.bag.report(finding) }
    composer.services.change(name) { $0.body = entry.body }
  }

  /// Changes a key without parts; the finding where there is none or the text does not fit.
  private mutating func setField(
    _ field: String, of service: inout ServiceDeclaration, _ setting: Setting, in composer: inout Composer
  ) -> Finding? {
    switch field {
    case "type": set(&service.type, .type, setting, in: &composer)
    case "scope": set(&service.scope, nil, setting, in: &composer)
    case "deprecated": set(&service.deprecated, nil, setting, in: &composer)
    case "eager": setEager(of: &service, setting, in: &composer)
    case "private": set(&service.isPrivate, setting, in: &composer)
    case "autowire": set(&service.isAutowired, setting, in: &composer)
    default: .unknownSetting(setting)
    }
  }

  /// Changes a text; the finding where there is none, or where the new one breaks a grammar.
  private mutating func set(
    _ token: inout Token?, _ grammar: NameGrammar?, _ setting: Setting, in composer: inout Composer
  ) -> Finding? {
    guard var new = token else { return .unknownSetting(setting) }
    let finding = set(&new, grammar, setting, in: &composer)
    token = new
    return finding
  }

  /// Changes a text; the finding where the new one breaks a grammar.
  private mutating func set(
    _ token: inout Token, _ grammar: NameGrammar?, _ setting: Setting, in composer: inout Composer
  ) -> Finding? {
    if let grammar, !Array(setting.text.utf8).withUnsafeBufferPointer(grammar.accepts) {
      return .invalidSetting(setting, grammar)
    }
    let new = self.token(setting, in: &composer)
    composer.history.note(new.node, displaces: token.node)
    token = new
    return nil
  }

  /// Changes whether a service is eager, and where it is told; the finding where it says neither or the text is none.
  private mutating func setEager(
    of service: inout ServiceDeclaration, _ setting: Setting, in composer: inout Composer
  ) -> Finding? {
    if let finding = set(&service.isEager, setting, in: &composer) { return finding }
    service.eagerKey = service.isEager?.node
    return nil
  }

  /// Changes a truth value; the finding where there is none or the text is none.
  private mutating func set(_ flag: inout FlagToken?, _ setting: Setting, in composer: inout Composer) -> Finding? {
    guard let old = flag else { return .unknownSetting(setting) }
    guard case .boolean(let value)? = ParameterType.bool.value(ofText: setting.text, limits: limits) else {
      return .unconvertible(setting, .bool, isSecret: false)
    }
    flag = FlagToken(value: value, node: node(.boolean(value), setting, in: &composer))
    composer.history.note(flag?.node, displaces: old.node)
    return nil
  }

  /// Changes one of the provided names; the finding where there is none, or where the new one is no name.
  private mutating func setProvided(
    _ steps: ArraySlice<DottedPath.Step>, of provides: inout ListChange<Token>?, _ setting: Setting,
    in composer: inout Composer
  ) -> Finding? {
    guard case .index(let index)? = steps.first, steps.count == 1, var name = provides?.appended.element(at: index)
    else {
      return steps.isEmpty && provides != nil ? .notAScalar(setting) : .unknownSetting(setting)
    }
    let finding = set(&name, .type, setting, in: &composer)
    provides?.appended[index] = name
    return finding
  }
}

// MARK: - Tags, decorators, conditions

extension SettingsPass {
  /// Changes the order or the key of a tag; the finding where there is none or the text does not fit.
  private mutating func setTag(
    _ steps: ArraySlice<DottedPath.Step>, of tags: inout [TagDeclaration], _ setting: Setting,
    in composer: inout Composer
  ) -> Finding? {
    let names = composer.names
    guard let found = SpelledKeys(tags.lazy.map { names[$0.name.name] }).longestMatch(of: steps) else {
      return steps.isEmpty && !tags.isEmpty ? .notAScalar(setting) : .unknownSetting(setting)
    }
    guard case .key(let field)? = found.rest.first, found.rest.count == 1 else {
      return found.rest.isEmpty ? .notAScalar(setting) : .unknownSetting(setting)
    }
    let old = tags[found.place]
    switch field {
    case "order":
      guard case .integer(let order)? = ParameterType.int.value(ofText: setting.text, limits: limits) else {
        return .unconvertible(setting, .int, isSecret: false)
      }
      tags[found.place].order = OrderToken(value: order, node: node(.integer(order), setting, in: &composer))
      composer.history.note(tags[found.place].order?.node, displaces: old.order?.node)
    case "key":
      tags[found.place].key = token(setting, in: &composer)
      composer.history.note(tags[found.place].key?.node, displaces: old.key?.node)
    default: return .unknownSetting(setting)
    }
    return nil
  }

  /// Changes a part of a decorator; the finding where there is none or the text does not fit.
  private mutating func setDecorator(
    _ steps: ArraySlice<DottedPath.Step>, of decorators: inout ListChange<DecoratorDeclaration>?, _ setting: Setting,
    in composer: inout Composer, expanding expand: DatumReading
  ) -> Finding? {
    guard case .index(let index)? = steps.first, var decorator = decorators?.appended.element(at: index) else {
      return steps.isEmpty && decorators != nil ? .notAScalar(setting) : .unknownSetting(setting)
    }
    let rest = steps.dropFirst()
    guard case .key(let field)? = rest.first else {
      return rest.isEmpty ? .notAScalar(setting) : .unknownSetting(setting)
    }
    switch (field, rest.count) {
    case ("type", 1):
      if let finding = set(&decorator.type, .type, setting, in: &composer) { return finding }
    case ("inject", _), ("values", _):
      let finding = setArgument(
        field, rest.dropFirst(), of: &decorator.arguments, setting, in: &composer, expanding: expand)
      if let finding { return finding }
    default: return .unknownSetting(setting)
    }
    decorators?.appended[index] = decorator
    return nil
  }

  /// Changes a scalar inside a condition; the finding where there is none or the text does not fit.
  private mutating func setCondition(
    _ steps: ArraySlice<DottedPath.Step>, of condition: inout Datum?, _ setting: Setting, in composer: inout Composer
  ) -> Finding? {
    guard let old = condition else { return .unknownSetting(setting) }
    return change(&condition, old, at: steps, setting, in: &composer, expanding: SettingsPass.written)
  }
}

extension Array {
  /// The element at a position, or nil where there is none.
  fileprivate func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

// MARK: - Arguments

extension SettingsPass {
  /// A datum as it is written: references and conditions have no placeholders.
  private static func written(_ composer: Composer, _ datum: Datum) -> ComposedValue {
    ComposedValue(
      content: composer.documents.value(of: datum).map(ComposedValue.Content.scalar) ?? .broken,
      place: .node(datum.place))
  }

  /// Changes a scalar of `inject` or `values`; the finding where there is none or the text does not fit.
  private mutating func setArgument(
    _ field: String, _ steps: ArraySlice<DottedPath.Step>, of arguments: inout ArgumentDeclarations,
    _ setting: Setting, in composer: inout Composer, expanding expand: DatumReading
  ) -> Finding? {
    if field == "inject" {
      return setArgument(steps, of: &arguments.inject, setting, in: &composer, expanding: SettingsPass.written)
    }
    return setArgument(steps, of: &arguments.values, setting, in: &composer, expanding: expand)
  }

  /// Changes a scalar inside an argument; the finding where there is none or the text does not fit.
  private mutating func setArgument(
    _ steps: ArraySlice<DottedPath.Step>, of arguments: inout [ArgumentDeclaration], _ setting: Setting,
    in composer: inout Composer, expanding expand: DatumReading
  ) -> Finding? {
    let names = composer.names
    guard let found = SpelledKeys(arguments.lazy.map { names[$0.name] }).longestMatch(of: steps) else {
      return .unknownSetting(setting)
    }
    var changed: Datum?
    let old = arguments[found.place].datum
    let finding = change(&changed, old, at: found.rest, setting, in: &composer, expanding: expand)
    if let changed { arguments[found.place].datum = changed }
    return finding
  }

  /// Changes the scalar at a path inside a datum; the finding where there is none or the text does not fit.
  private mutating func change(
    _ result: inout Datum?, _ whole: Datum, at steps: ArraySlice<DottedPath.Step>, _ setting: Setting,
    in composer: inout Composer, expanding expand: DatumReading
  ) -> Finding? {
    let documents = composer.documents
    guard let old = documents.part(of: whole, at: steps) else { return .unknownSetting(setting) }
    guard documents.entries(of: old) == nil, documents.elements(of: old) == nil else { return .notAScalar(setting) }
    let oldValue = expand(composer, old)
    // What was told as an error has no type, and nothing more is said of it.
    guard let type = oldValue.parameterType else { return nil }
    guard type != .list && type != .json else { return .notAScalar(setting) }
    guard let new = type.value(ofText: setting.text, limits: limits) else {
      return .unconvertible(setting, type, isSecret: !oldValue.allSecrets.isEmpty)
    }
    let node = node(new.escapingPlaceholders, setting, in: &composer)
    composer.history.note(node, displaces: old.place)
    result = documents.changing(whole, at: steps, to: .node(node)) ?? .node(node)
    return nil
  }
}
