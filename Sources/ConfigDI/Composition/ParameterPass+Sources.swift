// SPDX-License-Identifier: Apache-2.0

extension ParameterPass {
  /// The value of an environment variable.
  mutating func variable(
    _ name: String, _ node: NodeRef, of entry: ComposedEntry<ParameterDeclaration>
  ) -> Datum {
    let type = entry.body.type ?? .string
    var text = sources.variables[name]
    if text?.isEmpty == true, !ParameterPass.readsEmpty(type) { text = nil }
    return value(of: text, "variable \"\(name)\"", name, type, node, entry, isShown: !isSecret(entry))
  }

  /// Whether an empty variable has a value of a type; for the others it counts as unset.
  private static func readsEmpty(_ type: ParameterType) -> Bool { type == .string || type == .list }

  /// Reads the variable or file that a parameter names, and notes that it is read.
  mutating func readSource(of entry: ComposedEntry<ParameterDeclaration>) {
    let parameter = entry.body
    switch parameter.source {
    case .environment(let name, _):
      let text = sources.variables[name]
      note(
        name, in: \.variables, entry,
        isSet: text.map { !$0.isEmpty || ParameterPass.readsEmpty(parameter.type ?? .string) } ?? false)
    case .file(let path, let node):
      var isSet = false
      if let place = sources.files.sourceDestination(of: path, from: node.file) {
        let key = Array(place.utf8)
        let text = texts[key] ?? sources.files.access.contents(of: place, limit: sources.limits.fileSize)
        texts[key] = text
        isSet = (try? text.get()) != nil
      }
      note(path, in: \.files, entry, isSet: isSet)
    case .literal, .value, nil:
      break
    }
  }

  /// The value of a file's text.
  mutating func file(
    _ path: String, _ node: NodeRef, of entry: ComposedEntry<ParameterDeclaration>
  ) -> Datum {
    let type = entry.body.type ?? .string
    guard let place = sources.files.sourceDestination(of: path, from: node.file) else {
      bag.report(.pathLeavesRoot(FilePath(text: path, node: node)))
      return Datum(.broken, at: node)
    }
    switch texts[Array(place.utf8)] ?? .failure(.missing) {
    case .success(var bytes):
      if bytes.last == UInt8(ascii: "\n") {
        bytes.removeLast()
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        bag.report(.notText(path, at: node))
        return Datum(.broken, at: node)
      }
      // Of a file nothing is shown: whatever it was meant to be, it may be anything.
      return value(of: text, "file \"\(path)\"", path, type, node, entry, isShown: false)
    case .failure(.missing):
      return value(of: nil, "file \"\(path)\"", path, type, node, entry, isShown: false)
    case .failure(let failure):
      bag.report(
        ModuleFiles.Failure.access(failure).finding(of: path, at: .node(node), missing: .missingSource))
      return Datum(.broken, at: node)
    }
  }

  /// The value of a text from outside, which findings show or do not, of its default, or of nothing.
  private mutating func value(
    of text: String?, _ what: String, _ name: String, _ type: ParameterType, _ node: NodeRef,
    _ entry: ComposedEntry<ParameterDeclaration>, isShown: Bool
  ) -> Datum {
    var result = Datum(.broken, at: node)
    if let text {
      guard let converted = type.value(ofText: text, limits: sources.limits) else {
        bag.report(.failedConversion(what, isShown ? text : nil, type, at: node))
        return result
      }
      result = Datum(converted, at: node)
      let shown = isShown ? "\(what) is \(converted.quoted), but" : what
      checkBounds(converted, of: entry, type, from: shown, at: node, into: &result)
      // A default that is not allowed is told also while it is not needed.
      _ = fallback(of: entry, type)
    } else if let fallback = fallback(of: entry, type) {
      result = fallback
    } else {
      switch sources.missing {
      case .tolerated: result.content = .unset(type, name: name)
      case .refused: bag.report(.missingSource(what, at: node, defaultRemovedAt: remover(ofDefaultIn: entry)))
      }
    }
    return result
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

  /// Notes that a variable or file is read; the first declaration gives its type.
  private mutating func note(
    _ name: String, in table: WritableKeyPath<ParameterPass, [String: SourceUse]>,
    _ entry: ComposedEntry<ParameterDeclaration>, isSet: Bool
  ) {
    let parameter = entry.body
    let type = parameter.type ?? .string
    let isSecret = isSecret(entry)
    if var old = self[keyPath: table][name] {
      old.isSecret = old.isSecret || isSecret
      old.hasDefault = old.hasDefault && parameter.fallback != nil
      self[keyPath: table][name] = old
    } else {
      self[keyPath: table][name] = SourceUse(
        name: name, type: type.rawValue, isSet: isSet, hasDefault: parameter.fallback != nil, isSecret: isSecret)
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

  /// A variable or file that is missing and has no default.
  static func missingSource(_ what: String, at node: NodeRef, defaultRemovedAt remover: NodeRef? = nil) -> Finding {
    var finding = Finding(.missingSource, "\(what) is missing and has no default", at: node)
    finding.help = "provide it, or add a \"default\" to the parameter"
    if let remover, remover != node {
      finding.related = [Finding.Related(.node(remover), "its default is removed here")]
    }
    return finding
  }
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
