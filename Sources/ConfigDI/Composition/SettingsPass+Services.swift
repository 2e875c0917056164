// SPDX-License-Identifier: Apache-2.0

extension SettingsPass {
  /// Changes a part of a service; the finding where there is none or the text does not fit. `expand` gives the value of a
  /// datum.
  mutating func setPart(
    of name: Name, _ steps: ArraySlice<DottedPath.Step>, _ setting: Setting
  ) {
    guard var entry = module.services[name], !entry.isMisshapen else { return }
    guard case .key(let field)? = steps.first else { return bag.report(.unknownSetting(setting)) }
    let rest = steps.dropFirst()
    var finding: Finding?
    switch field {
    case "inject": finding = setReference(rest, of: &entry.body.arguments.inject, setting)
    case "values":
      finding = setDatum(rest, of: &entry.body.arguments.values, setting)
    case "provides": finding = setProvided(rest, of: &entry.body.provides, setting)
    case "decorate":
      finding = setDecorator(rest, of: &entry.body.decorators, setting)
    case "tags": finding = setTag(rest, of: &entry.body.tags, setting)
    case "when":
      guard var condition = entry.body.condition else { return bag.report(.unknownSetting(setting)) }
      finding = set(&condition, at: rest, setting)
      entry.body.condition = condition
    default:
      finding = rest.isEmpty ? setField(field, of: &entry.body, setting) : .unknownSetting(setting)
    }
    if let finding { return bag.report(finding) }
    module.services.change(name) { $0.body = entry.body }
  }

  /// Changes a key without parts; the finding where there is none or the text does not fit.
  private mutating func setField(
    _ field: String, of service: inout ServiceDeclaration, _ setting: Setting
  ) -> Finding? {
    switch field {
    case "type": set(&service.type, .type, setting)
    case "scope": set(&service.scope, nil, setting)
    case "deprecated": set(&service.deprecated, nil, setting)
    case "eager": setEager(of: &service, setting)
    case "private": set(&service.isPrivate, setting)
    case "autowire": set(&service.isAutowired, setting)
    default: .unknownSetting(setting)
    }
  }

  /// Changes a text; the finding where there is none, or where the new one breaks a grammar.
  private mutating func set(
    _ token: inout Token?, _ grammar: NameGrammar?, _ setting: Setting
  ) -> Finding? {
    guard var new = token else { return .unknownSetting(setting) }
    let finding = set(&new, grammar, setting)
    token = new
    return finding
  }

  /// Changes a text; the finding where the new one breaks a grammar.
  private mutating func set(
    _ token: inout Token, _ grammar: NameGrammar?, _ setting: Setting
  ) -> Finding? {
    if let grammar, !Array(setting.text.utf8).withUnsafeBufferPointer(grammar.accepts) {
      return .invalidSetting(setting, grammar)
    }
    let new = self.token(setting)
    module.history.note(new.node, displaces: token.node)
    token = new
    return nil
  }

  /// Changes whether a service is eager, and where it is told; the finding where it says neither or the text is none.
  private mutating func setEager(
    of service: inout ServiceDeclaration, _ setting: Setting
  ) -> Finding? {
    if let finding = set(&service.isEager, setting) { return finding }
    service.eagerKey = service.isEager?.node
    return nil
  }

  /// Changes a truth value; the finding where there is none or the text is none.
  private mutating func set(_ flag: inout FlagToken?, _ setting: Setting) -> Finding? {
    guard let old = flag else { return .unknownSetting(setting) }
    guard case .boolean(let value)? = ParameterType.bool.value(ofText: setting.text, limits: limits) else {
      return .unconvertible(setting, .bool, isSecret: false)
    }
    flag = FlagToken(value: value, node: node(.boolean(value), setting))
    module.history.note(flag?.node, displaces: old.node)
    return nil
  }

  /// Changes one of the provided names; the finding where there is none, or where the new one is no name.
  private mutating func setProvided(
    _ steps: ArraySlice<DottedPath.Step>, of provides: inout ListChange<Token>?, _ setting: Setting
  ) -> Finding? {
    guard case .index(let index)? = steps.first, steps.count == 1, var name = provides?.appended.element(at: index)
    else {
      return steps.isEmpty && provides != nil ? .notAScalar(setting) : .unknownSetting(setting)
    }
    let finding = set(&name, .type, setting)
    provides?.appended[index] = name
    return finding
  }
}

// MARK: - Tags, decorators, conditions

extension SettingsPass {
  /// Changes the order or the key of a tag; the finding where there is none or the text does not fit.
  private mutating func setTag(
    _ steps: ArraySlice<DottedPath.Step>, of tags: inout [TagDeclaration], _ setting: Setting
  ) -> Finding? {
    let names = module.names
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
      tags[found.place].order = OrderToken(value: order, node: node(.integer(order), setting))
      module.history.note(tags[found.place].order?.node, displaces: old.order?.node)
    case "key":
      tags[found.place].key = token(setting)
      module.history.note(tags[found.place].key?.node, displaces: old.key?.node)
    default: return .unknownSetting(setting)
    }
    return nil
  }

  /// Changes a part of a decorator; the finding where there is none or the text does not fit.
  private mutating func setDecorator(
    _ steps: ArraySlice<DottedPath.Step>, of decorators: inout ListChange<DecoratorDeclaration>?, _ setting: Setting
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
      if let finding = set(&decorator.type, .type, setting) { return finding }
    case ("inject", _):
      let finding = setReference(rest.dropFirst(), of: &decorator.arguments.inject, setting)
      if let finding { return finding }
    case ("values", _):
      let finding = setDatum(
        rest.dropFirst(), of: &decorator.arguments.values, setting)
      if let finding { return finding }
    default: return .unknownSetting(setting)
    }
    decorators?.appended[index] = decorator
    return nil
  }

  /// Changes a scalar inside a condition; the finding where there is none or the text does not fit.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func set(
    _ condition: inout Condition, at steps: ArraySlice<DottedPath.Step>, _ setting: Setting
  ) -> Finding? {
    guard let field = steps.first?.text else { return steps.isEmpty ? .notAScalar(setting) : .unknownSetting(setting) }
    let rest = steps.dropFirst()
    var finding: Finding?
    switch (condition, field) {
    case (.environment(var tokens, let list, let node), "environment"):
      if list != nil, rest.isEmpty { return .notAScalar(setting) }
      guard let place = list == nil ? rest.isEmpty ? 0 : nil : rest.onlyIndex, tokens.indices.contains(place) else {
        return .unknownSetting(setting)
      }
      finding = set(&tokens[place], nil, setting)
      condition = .environment(tokens, list: list, node)
    case (.parameter(var name, let literal, let node), "parameter") where rest.isEmpty:
      finding = set(&name, nil, setting)
      condition = .parameter(name, equals: literal, node)
    case (.parameter(let name, let literal, let node), "equals"):
      var datum = Datum(literal.value, at: literal.node)
      finding = set(&datum, at: rest, setting)
      let changed = Literal(value: datum.value ?? literal.value, node: datum.node)
      condition = .parameter(name, equals: changed, node)
    case (.not(var inner, let node), "not"):
      finding = set(&inner, at: rest, setting)
      condition = .not(inner, node)
    case (.all(var inner, let node), "all"):
      finding = set(&inner, at: rest, setting)
      condition = .all(inner, node)
    case (.any(var inner, let node), "any"):
      finding = set(&inner, at: rest, setting)
      condition = .any(inner, node)
    default: return .unknownSetting(setting)
    }
    return finding
  }

  /// Changes a scalar inside one of some conditions; the finding where there is none or the text does not fit.
  private mutating func set(
    _ conditions: inout [Condition], at steps: ArraySlice<DottedPath.Step>, _ setting: Setting
  ) -> Finding? {
    guard case .index(let index)? = steps.first, conditions.indices.contains(index) else {
      return steps.isEmpty ? .notAScalar(setting) : .unknownSetting(setting)
    }
    return set(&conditions[index], at: steps.dropFirst(), setting)
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

extension ArraySlice<DottedPath.Step> {
  /// The position of a path that is a single one, or nil.
  fileprivate var onlyIndex: Int? { if count == 1, case .index(let index)? = first { index } else { nil } }
}

extension Array {
  /// The element at a position, or nil where there is none.
  fileprivate func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

// MARK: - Arguments

extension SettingsPass {
  /// Changes a scalar of `inject`; the finding where there is none or the text does not fit.
  private mutating func setReference(
    _ steps: ArraySlice<DottedPath.Step>, of arguments: inout [ArgumentDeclaration<Reference>], _ setting: Setting
  ) -> Finding? {
    let names = module.names
    guard let found = SpelledKeys(arguments.lazy.map { names[$0.name] }).longestMatch(of: steps) else {
      return .unknownSetting(setting)
    }
    return set(&arguments[found.place].content, at: found.rest, setting)
  }

  /// Changes a scalar inside a reference; the finding where there is none or the text does not fit.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func set(
    _ reference: inout Reference, at steps: ArraySlice<DottedPath.Step>, _ setting: Setting
  ) -> Finding? {
    if case .id(var token) = reference, steps.isEmpty {
      let finding = set(&token, nil, setting)
      reference = .id(token)
      return finding
    }
    guard let step = steps.first else { return .notAScalar(setting) }
    let rest = steps.dropFirst()
    var finding: Finding?
    switch (reference, step, step.text) {
    case (.list(var elements, let node), .index(let index), _) where elements.indices.contains(index):
      finding = set(&elements[index], at: rest, setting)
      reference = .list(elements, node)
    case (.service(var token, let isOptional, let node), _, "service") where rest.isEmpty:
      finding = set(&token, nil, setting)
      reference = .service(token, isOptional: isOptional, node)
    case (.service(let token, var isOptional, let node), _, "optional") where rest.isEmpty:
      finding = set(&isOptional, setting)
      reference = .service(token, isOptional: isOptional, node)
    case (.tagged(var token, let form, let node), _, "tagged") where rest.isEmpty:
      finding = set(&token, nil, setting)
      reference = .tagged(token, form: form, node)
    case (.tagged(let token, var form, let node), _, "as") where rest.isEmpty:
      finding = set(&form, nil, setting)
      reference = .tagged(token, form: form, node)
    case (.map(var entries, let node, let whole), _, "map"):
      guard let found = SpelledKeys(entries.lazy.map(\.key)).longestMatch(of: rest) else {
        return rest.isEmpty ? .notAScalar(setting) : .unknownSetting(setting)
      }
      finding = set(&entries[found.place].reference, at: found.rest, setting)
      reference = .map(entries, node, whole: whole)
    default: return .unknownSetting(setting)
    }
    return finding
  }

  /// Changes a scalar of `values`; the finding where there is none or the text does not fit.
  private mutating func setDatum(
    _ steps: ArraySlice<DottedPath.Step>, of arguments: inout [ArgumentDeclaration<Datum>], _ setting: Setting
  ) -> Finding? {
    let names = module.names
    guard let found = SpelledKeys(arguments.lazy.map { names[$0.name] }).longestMatch(of: steps) else {
      return .unknownSetting(setting)
    }
    return set(&arguments[found.place].content, at: found.rest, setting)
  }

  /// Changes the scalar at a path inside a datum; the finding where there is none or the text does not fit.
  private mutating func set(
    _ datum: inout Datum, at steps: ArraySlice<DottedPath.Step>, _ setting: Setting
  ) -> Finding? {
    guard let old = datum.part(at: steps) else { return .unknownSetting(setting) }
    let oldValue = expanded(old)
    // What was reported as an error has no type, and nothing more is reported of it.
    guard let type = oldValue.parameterType else { return nil }
    guard type != .list && type != .json else { return .notAScalar(setting) }
    guard let new = type.value(ofText: setting.text, limits: limits) else {
      return .unconvertible(setting, type, isSecret: !oldValue.allSecrets.isEmpty)
    }
    let node = node(new.escapingPlaceholders, setting)
    module.history.note(node, displaces: old.node)
    // A file writes a duration or size as its text.
    let plain: Value =
      switch new {
      case .duration(let text), .size(let text): .string(text)
      default: new
      }
    datum = datum.changing(at: steps, to: Datum(plain, at: node)) ?? datum
    return nil
  }
}
