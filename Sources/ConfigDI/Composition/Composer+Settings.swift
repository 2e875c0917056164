// SPDX-License-Identifier: Apache-2.0

extension Composer {
  /// The entry of a section with the longest id that the first steps spell, and the steps behind it.
  func longestEntry(
    _ steps: ArraySlice<DottedPath.Step>, in section: Section
  ) -> (name: Name, rest: ArraySlice<DottedPath.Step>)? {
    if case .quoted(let id)? = steps.first {
      return names.existingName(id).flatMap { contains($0, in: section) ? ($0, steps.dropFirst()) : nil }
    }
    var found: (Name, ArraySlice<DottedPath.Step>)?
    var spelled = ""
    for (place, step) in zip(steps.indices, steps) {
      guard case .key(let part) = step else { break }
      spelled += spelled.isEmpty ? part : "." + part
      if let name = names.existingName(spelled), contains(name, in: section) { found = (name, steps[(place + 1)...]) }
    }
    return found
  }

  /// Whether a parameter, or one that its literal names, is declared secret.
  func mayBeSecret(_ parameter: ParameterDeclaration) -> Bool {
    var pending = [parameter]
    var visited: Set<Name> = []
    while let parameter = pending.popLast() {
      if parameter.isSecret?.value == true { return true }
      parameter.source?.literal?.forEachPlaceholder { name, _ in
        if visited.insert(name).inserted, let next = parameters[name]?.body { pending.append(next) }
      }
    }
    return false
  }

  /// The type by which a parameter's setting is read; nil where it holds a list or a map that nothing declares.
  func settableType(of name: Name) -> ParameterType? {
    var name = name
    var visited: Set<Name> = []
    while let parameter = parameters[name]?.body, visited.insert(name).inserted {
      if let type = parameter.type, parameter.typeNode != nil || (type != .list && type != .json) { return type }
      guard let literal = parameter.source?.literal else { return .string }
      if case .text(let text) = literal.content, let next = text.onlyPlaceholder, parameters.contains(next) {
        name = next
        continue
      }
      return literal.parameterType.flatMap { $0 == .list || $0 == .json ? nil : $0 }
    }
    return .string
  }

  /// The finding for a setting whose id is not there.
  func nothing(_ setting: Setting, _ steps: ArraySlice<DottedPath.Step>, _ section: Section) -> Finding {
    var id = ""
    switch steps.first {
    case .key(let text)?, .quoted(let text)?: id = text
    case .index?, nil: break
    }
    let spelled = steps.compactMap { step in if case .key(let part) = step { part } else { nil } }
    let candidates = ids(of: section)
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
