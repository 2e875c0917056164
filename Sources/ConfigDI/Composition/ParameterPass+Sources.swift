// SPDX-License-Identifier: Apache-2.0

extension ParameterPass {
  /// What a variable or a file has for a parameter.
  private enum Found {
    /// A text, which findings show or do not.
    case text(String, isShown: Bool)
    /// Nothing: it is missing.
    case nothing
    /// Something that cannot be read, which was reported.
    case unreadable
  }

  /// Whether an empty variable has a value of a type; for the others it counts as unset.
  private static func readsEmpty(_ type: ParameterType) -> Bool { type == .string || type == .list }

  /// Reads the variables and files that a parameter names, and notes that they are read.
  mutating func readSource(of entry: ComposedEntry<ParameterDeclaration>) {
    let sources = entry.body.source?.texts ?? []
    let present = sources.map { isPresent($0, of: entry) }
    let presentCount = present.count { $0 }
    for (place, source) in sources.enumerated() {
      let hasStandIn = presentCount > (present[place] ? 1 : 0)
      switch source {
      case .environment(let name, _) where !name.holdsPlaceholder:
        note(name, in: \.variables, entry, isSet: present[place], hasStandIn: hasStandIn)
      case .file(let path, _) where !path.holdsPlaceholder:
        note(path, in: \.files, entry, isSet: present[place], hasStandIn: hasStandIn)
      default:
        break
      }
    }
  }

  /// Whether a variable or file is there. A file is read for it.
  private mutating func isPresent(
    _ source: ParameterDeclaration.Source, of entry: ComposedEntry<ParameterDeclaration>
  ) -> Bool {
    switch source {
    case .environment(let name, _):
      return sources.variables[name].map { !$0.isEmpty || ParameterPass.readsEmpty(entry.body.type ?? .string) }
        ?? false
    case .file(let path, let node):
      guard let place = sources.files.sourceDestination(of: path, from: node.file) else { return false }
      let key = Array(place.utf8)
      let text = texts[key] ?? sources.files.access.contents(of: place, limit: sources.limits.fileSize)
      texts[key] = text
      return (try? text.get()) != nil
    case .literal, .value, .first:
      return false
    }
  }

  /// The value of the first variable or file that is there, of the default, or of nothing.
  mutating func text(
    from sources: [ParameterDeclaration.Source], of entry: ComposedEntry<ParameterDeclaration>
  ) -> Datum {
    guard let first = sources.first else { return Datum(.broken, at: entry.key) }
    // A mistake in a name is reported whichever source is there.
    guard !reportFaults(in: sources) else { return Datum(.broken, at: first.node) }
    for source in sources {
      switch read(source, of: entry) {
      case .text(let text, let isShown): return value(of: text, source, entry, isShown: isShown)
      case .unreadable: return Datum(.broken, at: source.node)
      case .nothing: continue
      }
    }
    let type = entry.body.type ?? .string
    if let fallback = fallback(of: entry, type) { return fallback }
    let finding = Finding.missingSource(
      sources.map { missingInWords($0) }, at: first.node, defaultRemovedAt: remover(ofDefaultIn: entry))
    switch self.sources.missing {
    case .tolerated:
      missing[entry.name] = finding
      return Datum(.unset(type, name: first.name), at: first.node)
    case .refused:
      bag.report(finding)
      return Datum(.broken, at: first.node)
    }
  }

  /// Reports placeholders in the names of sources, and paths that leave the root; whether there is one.
  private mutating func reportFaults(in sources: [ParameterDeclaration.Source]) -> Bool {
    var hasFault = false
    for source in sources {
      if source.name.holdsPlaceholder {
        bag.report(.placeholderInSource(source))
        hasFault = true
      } else if case .file(let path, let node) = source,
        self.sources.files.sourceDestination(of: path, from: node.file) == nil
      {
        bag.report(.pathLeavesRoot(FilePath(text: path, node: node)))
        hasFault = true
      }
    }
    return hasFault
  }

  /// What a variable or file has; what cannot be read is reported.
  private mutating func read(
    _ source: ParameterDeclaration.Source, of entry: ComposedEntry<ParameterDeclaration>
  ) -> Found {
    switch source {
    case .environment(let name, _):
      guard isPresent(source, of: entry), let text = sources.variables[name] else { return .nothing }
      return .text(text, isShown: !isSecret(entry))
    case .file(let path, let node):
      switch sources.files.sourceDestination(of: path, from: node.file).flatMap({ texts[Array($0.utf8)] }) {
      case .success(var bytes)?:
        if bytes.last == UInt8(ascii: "\n") {
          bytes.removeLast()
          if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
          bag.report(.notText(path, at: node))
          return .unreadable
        }
        // Of a file nothing is shown: whatever it was meant to be, it may be anything.
        return .text(text, isShown: false)
      case .failure(.missing)?, nil:
        return .nothing
      case .failure(let failure)?:
        bag.report(
          ModuleFiles.Failure.access(failure).finding(of: path, at: .node(node), missing: .missingSource))
        return .unreadable
      }
    case .literal, .value, .first:
      return .nothing
    }
  }

  /// The value of a text from outside.
  private mutating func value(
    of text: String, _ source: ParameterDeclaration.Source, _ entry: ComposedEntry<ParameterDeclaration>,
    isShown: Bool
  ) -> Datum {
    let type = entry.body.type ?? .string
    guard let converted = type.value(ofText: text, limits: sources.limits) else {
      bag.report(.failedConversion(source.inWords, isShown ? text : nil, type, at: source.node))
      return Datum(.broken, at: source.node)
    }
    var result = Datum(converted, at: source.node)
    let shown = isShown ? "\(source.inWords) is \(converted.quoted), but" : source.inWords
    checkBounds(converted, of: entry, type, from: shown, at: source.node, into: &result)
    // A default that is not allowed is told also while it is not needed.
    _ = fallback(of: entry, type)
    return result
  }

  /// A variable or file that is missing, in words; a file with the place where it was looked for.
  private func missingInWords(_ source: ParameterDeclaration.Source) -> String {
    guard case .file(let path, let node) = source,
      let place = sources.files.sourceDestination(of: path, from: node.file), !place.utf8.elementsEqual(path.utf8)
    else { return source.inWords }
    return "\(source.inWords) (\"\(place)\")"
  }

  /// The value of a parameter's default, or nil where it has none.
  private mutating func fallback(
    of entry: ComposedEntry<ParameterDeclaration>, _ type: ParameterType
  ) -> Datum? {
    guard let literal = entry.body.fallback else { return nil }
    guard let typed = type.value(ofLiteral: literal.value) else { return Datum(.broken, at: literal.node) }
    var value = Datum(typed, at: literal.node)
    checkBounds(typed, of: entry, type, isDefault: true, at: literal.node, into: &value)
    return value
  }

  /// Reports a value outside its bounds, which is then no value.
  ///
  /// - Parameters:
  ///   - source: The variable or file that the value is from, as messages name it; nil: the parameter itself.
  ///   - isDefault: Whether the value is the parameter's default.
  mutating func checkBounds(
    _ value: Value, of entry: ComposedEntry<ParameterDeclaration>, _ type: ParameterType, from source: String? = nil,
    isDefault: Bool = false, at node: NodeRef, into result: inout Datum
  ) {
    guard entry.body.hasBounds else { return }
    let bounds = ParameterBounds(of: entry.body, type: type)
    guard let breach = bounds.breach(by: value) else { return }
    let isSecret = isSecret(entry) || !result.allSecrets.isEmpty
    let what = source ?? (isDefault ? "the default of " : "") + "parameter \"\(names[entry.name])\""
    bag.report(.outOfBounds(what, isSecret ? nil : breach, at: node))
    result.content = .broken
  }

  /// Notes that a variable or file is read; the first declaration gives its type. `hasStandIn` says whether another source
  /// of the parameter is there.
  private mutating func note(
    _ name: String, in table: WritableKeyPath<ParameterPass, [String: SourceUse]>,
    _ entry: ComposedEntry<ParameterDeclaration>, isSet: Bool, hasStandIn: Bool
  ) {
    let parameter = entry.body
    let type = parameter.type ?? .string
    let isSecret = isSecret(entry)
    let hasDefault = parameter.fallback != nil || hasStandIn
    if var old = self[keyPath: table][name] {
      old.isSecret = old.isSecret || isSecret
      old.hasDefault = old.hasDefault && hasDefault
      self[keyPath: table][name] = old
    } else {
      self[keyPath: table][name] = SourceUse(
        name: name, type: type.rawValue, isSet: isSet, hasDefault: hasDefault, isSecret: isSecret)
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A value outside what the parameter allows; of a secret nothing is said but that.
  fileprivate static func outOfBounds(_ what: String, _ breach: String?, at node: NodeRef) -> Finding {
    var finding = Finding(.outOfBounds, "\(what) \(breach ?? "is not an allowed value")", at: node)
    finding.help = "change the value, or what the parameter allows"
    return finding
  }

  /// A text that is not of the declared type.
  fileprivate static func failedConversion(
    _ what: String, _ text: String?, _ type: ParameterType, at node: NodeRef
  ) -> Finding {
    let found = text.map { " is \"\($0)\", which" } ?? ""
    var finding = Finding(.failedConversion, "\(what)\(found) is not \(type.textInWords)", at: node)
    finding.help = "the parameter has type \"\(type.rawValue)\""
    return finding
  }

  /// A file whose bytes are no text.
  fileprivate static func notText(_ path: String, at node: NodeRef) -> Finding {
    Finding(.failedConversion, "file \"\(path)\" is not valid UTF-8", at: node)
  }

  /// Variables and files, in words, that are all missing, and no default.
  fileprivate static func missingSource(
    _ sources: [String], at node: NodeRef, defaultRemovedAt remover: NodeRef?
  ) -> Finding {
    let isOne = sources.count == 1
    var finding = Finding(
      .missingSource,
      isOne
        ? "\(sources[0]) is missing and has no default"
        : "\(sources.listed) are all missing, and there is no default", at: node)
    finding.help = "provide \(isOne ? "it" : "one of them"), or add a \"default\" to the parameter"
    if let remover, remover != node {
      finding.related = [Finding.Related(.node(remover), "its default is removed here")]
    }
    return finding
  }

  /// A placeholder in the name of a variable or in the path of a file.
  fileprivate static func placeholderInSource(_ source: ParameterDeclaration.Source) -> Finding {
    let key = if case .file = source { Keyword.file } else { Keyword.env }
    var finding = Finding(.malformedPlaceholder, "\"\(key.text)\" takes no placeholders", at: source.node)
    finding.help = "write the name itself; a layer of an environment can override it"
    return finding
  }
}

extension ParameterDeclaration.Source {
  /// The variable's name or the file's path, as written.
  fileprivate var name: String {
    switch self {
    case .environment(let name, _), .file(let name, _): name
    case .literal, .value, .first: ""
    }
  }

  /// The variable or file in words.
  fileprivate var inWords: String {
    if case .file = self { "file \"\(name)\"" } else { "variable \"\(name)\"" }
  }
}

extension String {
  /// Whether the text holds the beginning of a placeholder.
  fileprivate var holdsPlaceholder: Bool { utf8.contains(UInt8(ascii: "$")) && contains("${") }
}

extension ParameterType {
  /// What a text of the type looks like.
  fileprivate var textInWords: String {
    switch self {
    case .string: "a string"
    case .int: "an integer"
    case .double: "a number"
    case .bool: "\"true\" or \"false\""
    case .duration: "a duration such as \"1.5s\""
    case .size: "a size such as \"16MiB\""
    case .list: "a list separated by commas"
    case .json: "a JSON value"
    }
  }
}
