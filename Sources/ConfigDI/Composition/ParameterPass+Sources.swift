// SPDX-License-Identifier: Apache-2.0

extension ParameterPass {
  /// What a source has for a parameter.
  private enum Found {
    /// A text, which findings show or do not.
    case text(String, isShown: Bool)
    /// A value with a type of its own.
    case literal(Value)
    /// Nothing: it is missing.
    case nothing
    /// Something that cannot be read, which was reported.
    case unreadable
  }

  /// Whether an empty variable has a value of a type; for the others it counts as unset.
  private static func readsEmpty(_ type: ParameterType) -> Bool { type == .string || type == .list }

  /// Reads what a parameter names outside the module, and notes that it is read.
  mutating func readSource(of entry: ComposedEntry<ParameterDeclaration>) {
    let sources = entry.body.source?.texts ?? []
    let present = sources.map { isPresent($0, of: entry) }
    let presentCount = present.count { $0 }
    for (source, isPresent) in zip(sources, present) where !source.name.holdsPlaceholder {
      note(source, entry, isSet: isPresent, hasOtherSource: presentCount > (isPresent ? 1 : 0))
    }
  }

  /// Whether a source is there. A file is read for it.
  private mutating func isPresent(_ source: TextSource, of entry: ComposedEntry<ParameterDeclaration>) -> Bool {
    switch source.kind {
    case .env:
      return sources.variables[ScalarString(source.name)].map { isPresent($0, of: entry) } ?? false
    case .file:
      guard let place = sources.files.sourceDestination(of: source) else { return false }
      let key = Array(place.utf8)
      let text = texts[key] ?? sources.files.access.contents(of: place, limit: sources.limits.fileSize)
      texts[key] = text
      return (try? text.get()) != nil
    case .config:
      guard let value = configured(source, entry) else { return false }
      return if case .string(let text) = value { isPresent(text, of: entry) } else { true }
    }
  }

  /// Whether a text is a value of a parameter.
  private func isPresent(_ text: String, of entry: ComposedEntry<ParameterDeclaration>) -> Bool {
    !text.isEmpty || ParameterPass.readsEmpty(entry.body.type ?? .string)
  }

  /// The configuration value that a source names, or nil. It is read once for each parameter.
  private mutating func configured(
    _ source: TextSource, _ entry: ComposedEntry<ParameterDeclaration>
  ) -> Value? {
    if let known = configured[source.node] { return known }
    let type = (entry.body.type ?? .string).declared
    let value = sources.configuration?(
      ConfigurationSource.Query(key: source.name, type: type, isSecret: isSecret(entry)))
    configured[source.node] = .some(value)
    return value
  }

  /// The value of the first source that is there, of the default, or of nothing.
  mutating func text(
    from sources: [TextSource], of entry: ComposedEntry<ParameterDeclaration>
  ) -> Datum {
    guard let first = sources.first else { return Datum(.broken, at: entry.key) }
    // A mistake in a name is reported whichever source is there.
    guard !reportFaults(in: sources) else { return Datum(.broken, at: first.node) }
    for source in sources {
      switch read(source, of: entry) {
      case .text(let text, let isShown): return value(of: .string(text), source, entry, isShown: isShown)
      case .literal(let literal): return value(of: literal, source, entry, isShown: false)
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
      return Datum(.unset(type, name: first.name, text: nil), at: first.node)
    case .refused:
      bag.report(finding)
      return Datum(.broken, at: first.node)
    }
  }

  /// Reports placeholders in the names of sources, and paths that leave the root; whether there is one.
  private mutating func reportFaults(in sources: [TextSource]) -> Bool {
    var hasFault = false
    for source in sources {
      if source.name.holdsPlaceholder {
        bag.report(.placeholderInSource(source))
        hasFault = true
      } else if source.kind == .file, self.sources.files.sourceDestination(of: source) == nil {
        bag.report(.pathLeavesRoot(FilePath(text: source.name, node: source.node)))
        hasFault = true
      }
    }
    return hasFault
  }

  /// What a source has; what cannot be read is reported.
  private mutating func read(_ source: TextSource, of entry: ComposedEntry<ParameterDeclaration>) -> Found {
    guard isPresent(source, of: entry) || source.kind == .file else { return .nothing }
    switch source.kind {
    case .env:
      return sources.variables[ScalarString(source.name)].map { .text($0, isShown: !isSecret(entry)) } ?? .nothing
    case .config:
      // Nothing of it is shown: what gives it may know that it is a secret.
      switch configured(source, entry) {
      case .string(let text)?: return .text(text, isShown: false)
      case let value?: return .literal(value)
      case nil: return .nothing
      }
    case .file:
      switch sources.files.sourceDestination(of: source).flatMap({ texts[Array($0.utf8)] }) {
      case .success(var bytes)?:
        if bytes.last == UInt8(ascii: "\n") {
          bytes.removeLast()
          if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
          bag.report(.notText(source))
          return .unreadable
        }
        return .text(text, isShown: !isSecret(entry))
      case .failure(.missing)?, nil:
        return .nothing
      case .failure(let failure)?:
        bag.report(
          ModuleFiles.Failure.access(failure)
            .finding(of: source.name, at: .node(source.node), missing: .missingSource))
        return .unreadable
      }
    }
  }

  /// The value of a text or a literal from outside.
  private mutating func value(
    of found: Value, _ source: TextSource, _ entry: ComposedEntry<ParameterDeclaration>, isShown: Bool
  ) -> Datum {
    let type = entry.body.type ?? .string
    let converted: Value?
    if case .string(let text) = found {
      converted = type.value(ofText: text, limits: sources.limits)
    } else {
      converted = type.value(ofLiteral: found)
    }
    guard let converted else {
      var finding = Finding.failedConversion(source, found, isShown: isShown, type)
      if isShown, type.declared == .json, case .string(let text) = found {
        finding.notes = Value.fault(inJSON: text, limits: sources.limits).map { [$0] } ?? []
      }
      bag.report(finding)
      return Datum(.broken, at: source.node)
    }
    var result = Datum(converted, at: source.node)
    // A number is shown as it is written.
    let written = if case .string(let text) = found, type == .int || type == .double { text } else { converted.quoted }
    let shown = isShown ? "\(source.inWords) is \(written), but" : source.inWords
    checkBounds(converted, of: entry, type, from: shown, at: source.node, into: &result)
    // A default that is not allowed is reported also while it is not needed.
    _ = fallback(of: entry, type)
    return result
  }

  /// A source that is missing, in words; a file with the place where it was looked for.
  private func missingInWords(_ source: TextSource) -> String {
    guard source.kind == .file, let place = sources.files.sourceDestination(of: source),
      !place.utf8.elementsEqual(source.name.utf8)
    else { return source.inWords }
    return "\(source.inWords) (\"\(place)\")"
  }

  /// The value of a parameter's default, or nil where it has none.
  private mutating func fallback(
    of entry: ComposedEntry<ParameterDeclaration>, _ type: ParameterType
  ) -> Datum? {
    guard let literal = entry.body.fallback else { return nil }
    guard let typed = type.value(ofLiteral: literal.value) else {
      return Datum(.broken, at: literal.node)
    }
    var value = Datum(typed, at: literal.node)
    checkBounds(typed, of: entry, type, isDefault: true, at: literal.node, into: &value)
    return value
  }

  /// Reports a value outside its bounds, which is then no value.
  ///
  /// - Parameters:
  ///   - source: Where the value is from, as messages name it; nil: the parameter itself.
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

  /// Notes that something is read; the first declaration gives its type. `hasOtherSource` says whether another source of the
  /// parameter is there.
  private mutating func note(
    _ source: TextSource, _ entry: ComposedEntry<ParameterDeclaration>, isSet: Bool, hasOtherSource: Bool
  ) {
    let use = SourceUse(
      name: source.name, type: (entry.body.type ?? .string).declared.rawValue, isSet: isSet,
      hasDefault: entry.body.fallback != nil || hasOtherSource, isSecret: isSecret(entry))
    let name = ScalarString(source.name)
    if var old = uses[source.kind][name] {
      old.isSecret = old.isSecret || use.isSecret
      old.hasDefault = old.hasDefault && use.hasDefault
      uses[source.kind][name] = old
    } else {
      uses[source.kind][name] = use
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A value outside what the parameter allows; of a secret nothing is said but that.
  fileprivate static func outOfBounds(_ what: String, _ breach: String?, at node: NodeRef) -> Finding {
    Finding(
      .outOfBounds, "\(what) \(breach ?? "is not an allowed value")", at: node,
      help: "change the value, or what the parameter allows")
  }

  /// A text or a literal that is not of the declared type.
  fileprivate static func failedConversion(
    _ source: TextSource, _ found: Value, isShown: Bool, _ type: ParameterType
  ) -> Finding {
    var what = source.inWords
    if isShown { what += " is \(found.quoted), which" }
    let fault =
      switch found {
      case .string(let text) where isShown && type.isOutOfRange(text): "is out of range"
      case .string: "is not \(type.textInWords)"
      default: "is \(found.kindInWords), not \(type.inWords)"
      }
    return Finding(
      .failedConversion, "\(what) \(fault)", at: source.node,
      help: "the parameter has type \"\(type.rawValue)\"")
  }

  /// A file whose bytes are no text.
  fileprivate static func notText(_ source: TextSource) -> Finding {
    Finding(.failedConversion, "\(source.inWords) is not valid UTF-8", at: source.node)
  }

  /// Sources, in words, that are all missing, and no default.
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

  /// A placeholder in the name of a source.
  fileprivate static func placeholderInSource(_ source: TextSource) -> Finding {
    Finding(
      .malformedPlaceholder, "\"\(source.kind.rawValue)\" takes no placeholders", at: source.node,
      help: "write the name itself; a layer of an environment can override it")
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
    case .map: "a JSON object"
    }
  }
}
