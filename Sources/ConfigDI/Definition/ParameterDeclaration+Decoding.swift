// SPDX-License-Identifier: Apache-2.0

extension ShapeReader {
  /// Reads one parameter, given as a literal or as a descriptor.
  mutating func parameter(at node: UInt32, as role: EntryRole) -> ParameterDeclaration {
    var parameter = ParameterDeclaration()
    switch document[node].kind {
    case .map:
      readDescriptor(at: node, as: role, into: &parameter)
    case .string, .integer, .real, .boolean, .list:
      checkLiteral(node)
      parameter.source = .value(datum(at: node))
      parameter.isLiteral = true
    default:
      reportKind(
        of: node, wanted: "a literal or a map with \"value\", \"env\", \"file\", \"config\" or \"sources\"")
    }
    if role == .defining, !isMalformed {
      for finding in parameter.shapeFindings { report(finding) }
    }
    return parameter
  }

  /// Reads the descriptor of a parameter.
  private mutating func readDescriptor(
    at node: UInt32, as role: EntryRole, into parameter: inout ParameterDeclaration
  ) {
    var sourceKey: (keyword: Keyword, key: UInt32)?
    var defaultKey: UInt32?
    let allowed = role == .defining ? Keyword.parameterKeys : Keyword.overriding(Keyword.parameterKeys)
    let shape = readMap(node, allowing: allowed) { reader, keyword, key, value in
      let place = reader.reference(value)
      switch keyword {
      case .value, .env, .file, .config, .sources:
        let source = reader.source(keyword, at: value)
        if reader.choose(keyword, at: key, as: &sourceKey) {
          parameter.source = source
          return
        }
        // Of two sources, the literal is kept, so that the parameters in it count as used.
        let isLiteral = parameter.source?.literal != nil
        parameter.surplusTexts += (isLiteral ? source : parameter.source)?.texts ?? []
        if !isLiteral { parameter.source = source }
      case .type:
        guard let word = reader.string(at: value) else { return }
        parameter.typeNode = place
        parameter.type = ParameterType.declarable.first { $0.rawValue == word }
        if parameter.type == nil {
          reader.report(.unknownWord(word, allowed: ParameterType.declarable.map(\.rawValue), at: place))
        }
      case .default:
        defaultKey = key
        parameter.fallback = reader.literal(at: value)
      case .oneOf: parameter.allowed = reader.allowedValues(in: value)
      case .min: parameter.least = reader.literal(at: value)
      case .max: parameter.greatest = reader.literal(at: value)
      case .secret: parameter.isSecret = reader.flag(at: value)
      case .deprecated: parameter.deprecated = reader.token(at: value)
      case .unset: parameter.unset = reader.tokens(in: value)
      case .suppress: reader.readSuppressions(in: value, ofEntry: node)
      default: break
      }
    }
    if let defaultKey, let sourceKey, sourceKey.keyword == .value {
      let (later, earlier) = defaultKey > sourceKey.key ? (defaultKey, sourceKey.key) : (sourceKey.key, defaultKey)
      report(
        .excluding(
          document.text(of: later), document.text(of: earlier), at: reference(later), reference(earlier)))
    }
    if role == .defining, !shape.mentions(anyOf: Keyword.sourceKeys) {
      report(.noSource(at: keyOrNode(node)))
    }
  }

  /// Reads the value of one of the source keys. Reports a value of the wrong kind and returns `nil`.
  private mutating func source(_ keyword: Keyword, at node: UInt32) -> ParameterDeclaration.Source? {
    switch keyword {
    case .value:
      checkLiteral(node)
      return .value(datum(at: node))
    case .sources: return sources(in: node)
    default: return textSource(keyword, at: node).map { .text($0) }
    }
  }

  /// Reads the name under `env`, `file` or `config`. Reports a value that is not a string, or empty, and returns `nil`.
  private mutating func textSource(_ keyword: Keyword, at node: UInt32) -> TextSource? {
    guard let kind = TextSource.Kind(keyword), let name = string(at: node) else { return nil }
    guard !name.isEmpty else {
      report(.emptySource(kind, at: reference(node)))
      return nil
    }
    return TextSource(kind: kind, name: name, node: reference(node))
  }

  /// Reads the list of `sources`, tried in order. Reports a value that is not a list and returns `nil`.
  private mutating func sources(in node: UInt32) -> ParameterDeclaration.Source? {
    guard expect(.list, at: node) else { return nil }
    if document[node].payload == 0 {
      report(.missing("a source", "the list", subject: "source", at: keyOrNode(node)))
    }
    return .first(document.elements(of: node).flatMap { textSources(at: $0) }, reference(node))
  }

  /// Reads the sources in one element of `sources`. Reports an element that does not have exactly one.
  private mutating func textSources(at node: UInt32) -> [TextSource] {
    var found: (keyword: Keyword, key: UInt32)?
    var sources: [TextSource] = []
    let shape = readMap(node, allowing: Keyword.sourceForms.flatMap { $0 }) { reader, keyword, key, value in
      reader.choose(keyword, at: key, as: &found)
      if let source = reader.textSource(keyword, at: value) { sources.append(source) }
    }
    if document[node].kind == .map, !shape.mentions(anyOf: Keyword.sourceForms.flatMap { $0 }) {
      report(.missing("\"env\", \"file\" or \"config\"", "the source", subject: "source", at: reference(node)))
    }
    return sources
  }

  /// Reads the literal at a node. Returns `nil` if a part of it could not be read.
  mutating func literal(at node: UInt32) -> Literal? {
    checkLiteral(node)
    return Value(node, of: document).map { Literal(value: $0, node: reference(node)) }
  }

  /// Reads the list of allowed values. Reports a value that is not a list and returns `nil`.
  private mutating func allowedValues(in node: UInt32) -> ParameterDeclaration.AllowedValues? {
    checkLiteral(node)
    guard expect(.list, at: node) else { return nil }
    let values = document.elements(of: node).compactMap { element in
      Value(element, of: document).map { Literal(value: $0, node: reference(element)) }
    }
    return ParameterDeclaration.AllowedValues(values: values, node: reference(node))
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a source without a name.
  fileprivate static func emptySource(_ kind: TextSource.Kind, at node: NodeRef) -> Finding {
    Finding(.invalidName, "the name of a \(kind.inWords) must not be empty", at: node)
  }
}
