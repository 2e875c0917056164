// SPDX-License-Identifier: Apache-2.0

extension ParameterPass {
  /// The content of a source.
  private enum Found {
    /// A text, and whether messages may show it.
    case text(String, isShown: Bool)
    /// A value that already has a type.
    case literal(Value)
    /// No content: the source is missing.
    case nothing
    /// Content that cannot be read, which has been reported.
    case unreadable
  }

  /// Whether an empty text is a value of a type. For all other types, an empty variable counts as unset.
  private static func acceptsEmptyText(_ type: ParameterType) -> Bool { type == .string || type == .list }

  /// Reads the sources of a parameter, and records that they are used.
  mutating func readSource(of entry: Declaration<ParameterDeclaration>) {
    let sources = entry.body.source?.texts ?? []
    let present = sources.map { isPresent($0, of: entry) }
    let presentCount = present.count { $0 }
    for (source, isPresent) in zip(sources, present) where !source.name.utf8.containsPlaceholder {
      note(source, entry, isSet: isPresent, hasOtherSource: presentCount > (isPresent ? 1 : 0))
    }
  }

  /// Returns whether a source has a value. Reads the file of a `file` source.
  private mutating func isPresent(_ source: TextSource, of entry: Declaration<ParameterDeclaration>) -> Bool {
    switch source.kind {
    case .env:
      return sources.variables[source.name].map { isPresent($0, of: entry) } ?? false
    case .file:
      guard let place = sources.paths.destination(of: source) else { return false }
      let key = ScalarString(place)
      let text = texts[key] ?? sources.paths.access.contents(of: place, limit: sources.limits.fileSize)
      texts[key] = text
      return (try? text.get()) != nil
    case .config:
      guard let value = configured(source, entry) else { return false }
      return if case .string(let text) = value { isPresent(text, of: entry) } else { true }
    }
  }

  /// Returns whether a text is a value for a parameter. An empty text is one for some types only.
  private func isPresent(_ text: String, of entry: Declaration<ParameterDeclaration>) -> Bool {
    !text.isEmpty || ParameterPass.acceptsEmptyText(entry.body.type ?? .string)
  }

  /// Returns the configuration value for a source, or `nil` if there is none. Looks it up once for each source.
  private mutating func configured(_ source: TextSource, _ entry: Declaration<ParameterDeclaration>) -> Value? {
    if let known = configured[source.node] { return known }
    let type = (entry.body.type ?? .string).declared
    let value = sources.configuration?(
      ConfigurationSource.Query(key: source.name, type: type, isSecret: isSecret(entry)))
    configured[source.node] = .some(value)
    return value
  }

  /// Returns the value of the first source that is present, else the default, else an unset or broken datum.
  mutating func text(from sources: [TextSource], of entry: Declaration<ParameterDeclaration>) -> Datum {
    guard let first = sources.first else { return Datum(.broken, at: entry.key) }
    // A mistake in a name is reported no matter which source is present.
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

  /// Reports placeholders in the names of sources, and paths that leave the root. Returns whether there is one.
  private mutating func reportFaults(in sources: [TextSource]) -> Bool {
    var hasFault = false
    for source in sources {
      if source.name.utf8.containsPlaceholder {
        bag.report(.placeholderInSource(source))
        hasFault = true
      } else if source.kind == .file, self.sources.paths.destination(of: source) == nil {
        bag.report(self.sources.paths.refusal(of: source.name, at: source.node))
        hasFault = true
      }
    }
    return hasFault
  }

  /// Returns the content of a source. Reports content that cannot be read.
  private mutating func read(_ source: TextSource, of entry: Declaration<ParameterDeclaration>) -> Found {
    guard isPresent(source, of: entry) || source.kind == .file else { return .nothing }
    switch source.kind {
    case .env:
      return sources.variables[source.name].map { .text($0, isShown: !isSecret(entry)) } ?? .nothing
    case .config:
      // Messages never show a configuration value; see `Datum.isConfigured`.
      switch configured(source, entry) {
      case .string(let text)?: return .text(text, isShown: false)
      case let value?: return .literal(value)
      case nil: return .nothing
      }
    case .file:
      switch sources.paths.destination(of: source).flatMap({ texts[ScalarString($0)] }) {
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

  /// Converts a text or literal of a source to the type of the parameter. Reports a failed conversion.
  private mutating func value(
    of found: Value, _ source: TextSource, _ entry: Declaration<ParameterDeclaration>, isShown: Bool
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
    // An invalid default is reported even if it is not needed.
    _ = fallback(of: entry, type)
    return source.kind == .config ? result.mapped { $0.isConfigured = true } : result
  }

  /// Returns a missing source in words; for a file, with the path at which it was looked for.
  private func missingInWords(_ source: TextSource) -> String {
    guard source.kind == .file, let place = sources.paths.destination(of: source),
      !place.utf8.elementsEqual(source.name.utf8)
    else { return source.inWords }
    return "\(source.inWords) (\"\(place)\")"
  }

  /// Returns the default of a parameter, or `nil` if it has none.
  private mutating func fallback(of entry: Declaration<ParameterDeclaration>, _ type: ParameterType) -> Datum? {
    guard let literal = entry.body.fallback else { return nil }
    guard let typed = type.value(ofLiteral: literal.value) else {
      return Datum(.broken, at: literal.node)
    }
    var value = Datum(typed, at: literal.node)
    checkBounds(typed, of: entry, type, isDefault: true, at: literal.node, into: &value)
    return value
  }

  /// Reports a value outside its bounds, and marks it as broken.
  ///
  /// - Parameters:
  ///   - source: The origin of the value in words, for messages; `nil` for the parameter itself.
  ///   - isDefault: Whether the value is the parameter's default.
  mutating func checkBounds(
    _ value: Value, of entry: Declaration<ParameterDeclaration>, _ type: ParameterType, from source: String? = nil,
    isDefault: Bool = false, at node: NodeRef, into result: inout Datum
  ) {
    guard entry.body.hasBounds else { return }
    let bounds = ParameterBounds(of: entry.body, type: type)
    guard let breach = bounds.breach(by: value) else { return }
    let isSecret = isSecret(entry) || !result.allSecrets.isEmpty
    var what = source ?? (isDefault ? "the default of " : "") + "parameter \"\(names[entry.name])\""
    // The text of a setting is in no file that an excerpt could show.
    if source == nil, node.file == sources.settings, !isSecret { what += " is \(value.quoted), but" }
    bag.report(.outOfBounds(what, isSecret ? nil : breach, at: node))
    result.content = .broken
  }

  /// Records the use of a source. The first parameter that reads it determines the type. `hasOtherSource` tells whether
  /// the parameter has another source that is present.
  private mutating func note(
    _ source: TextSource, _ entry: Declaration<ParameterDeclaration>, isSet: Bool, hasOtherSource: Bool
  ) {
    let use = SourceUse(
      name: source.name, type: (entry.body.type ?? .string).declared.rawValue, isSet: isSet,
      hasDefault: entry.body.fallback != nil || hasOtherSource, isSecret: isSecret(entry))
    let name = ScalarString(source.name)
    // Files of the same relative path in different folders have one name.
    uses[source.kind][name] = uses[source.kind][name]?.merged(with: use) ?? use
  }
}

// MARK: - Messages

extension Finding {
  /// A value outside its bounds. If it is a secret, the message does not show the bounds.
  fileprivate static func outOfBounds(_ what: String, _ breach: String?, at node: NodeRef) -> Finding {
    Finding(
      .outOfBounds, "\(what) \(breach ?? "is not an allowed value")", at: node,
      help: "change the value, or what the parameter allows")
  }

  /// A text or a literal that cannot be converted to the declared type.
  fileprivate static func failedConversion(
    _ source: TextSource, _ found: Value, isShown: Bool, _ type: ParameterType
  ) -> Finding {
    var what = source.inWords
    if isShown { what += " is \(found.quoted), which" }
    let fault =
      switch found {
      case .string(let text): type.fault(of: text, isShown: isShown)
      case .real(let number) where !number.isFinite: "is not a finite number"
      case _ where !found.isFinite: "contains a number that is not finite"
      default: "is \(found.kindInWords), not \(type.inWords)"
      }
    return Finding(
      .failedConversion, "\(what) \(fault)", at: source.node,
      help: "the parameter has type \"\(type.rawValue)\"")
  }

  /// A file that is not valid UTF-8.
  fileprivate static func notText(_ source: TextSource) -> Finding {
    Finding(.failedConversion, "\(source.inWords) is not valid UTF-8", at: source.node)
  }

  /// A parameter without a default whose sources are all missing. `sources` has them in words.
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
