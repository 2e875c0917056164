// SPDX-License-Identifier: Apache-2.0

extension Redactions {
  /// Determines which parts of some files are hidden because they may be secret.
  ///
  /// If no file declares a secret, nothing is hidden, unless a file of the load could not be read, ends too early, or
  /// is unknown because the place that names it has a mistake: such a file may declare a secret. If a secret is
  /// declared, all scalars are hidden that may be secret:
  ///
  /// - those of a parameter that some file declares secret, or seems to have meant to declare secret, also in a module
  ///   that is compared with the load;
  /// - those of a parameter that no file defines;
  /// - those below a key that is not in the format;
  /// - comments;
  /// - everything in a file that was not read to its end, except for keys of the format, ids and keys of arguments.
  ///
  /// Works on documents instead of decoded files, since excerpts are needed for files that have mistakes.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - isWholeLoad: Whether these are all files of the load. If not, another file may declare a parameter secret.
  /// - Complexity: linear in the size of the files.
  package init(secretsIn files: ModuleFiles, isWholeLoad: Bool = true) {
    let isWholeLoad = isWholeLoad && files.hasAllFiles
    var search = SecretSearch(knowing: files.otherSecrets.ids)
    let documents = files.documents.documents.filter { !files.isForeign($0.file) }
    for (document, bag) in zip(files.documents.documents, files.findings) { search.look(at: document, bag) }
    for document in documents { search.collectParameters(of: document) }
    guard search.mentionsSecret || !isWholeLoad else {
      self.init()
      return
    }
    var hidden: [FileID: File] = [:]
    for document in documents where !document.source.bytes.isEmpty {
      var walk = RedactionWalk(document: document, search: search, isWholeLoad: isWholeLoad)
      walk.run()
      hidden[document.file] = walk.file
    }
    self.init(hidden)
  }
}

/// A walk through one document that records its hidden parts.
private struct RedactionWalk {
  let document: Document
  let search: SecretSearch
  /// Whether a parameter that no file declares secret is certainly not secret.
  let isWholeLoad: Bool
  /// The hidden parts of the document.
  private(set) var file = Redactions.File()
  /// The keys that stay visible even if the rest of the document is hidden.
  var shownKeys: [UInt32] = []
  /// The ranges of nodes that are hidden already.
  var seen: Set<Range<UInt32>> = []

  /// The keys of the format, for finding misspelt ones.
  lazy var keywords = SuggestionIndex(Keyword.allCases.map(\.text))

  /// Walks the document, then sorts the hidden ranges and removes those that lie inside others.
  mutating func run() {
    if !document.nodes.isEmpty {
      if document[0].kind == .map { walkRoot() } else { hide(0) }
    }
    guard document.isComplete else { return hideAllButKeys() }
    hideComments()
    file.nodes = file.nodes.ascending { -Int64($0.range.upperBound) }.ascending(by: \.range.lowerBound)
    var next: UInt32 = 0
    file.nodes.removeAll { nodes in
      defer { next = max(next, nodes.range.upperBound) }
      return nodes.range.lowerBound < next
    }
    file.masks = file.masks.ascending { -$0.range.upperBound }.ascending(by: \.range.lowerBound)
    var end = 0
    file.masks.removeAll { mask in
      defer { end = max(end, mask.range.upperBound) }
      return mask.range.lowerBound < end
    }
  }
}

// MARK: - The format

extension RedactionWalk {
  /// The keys of a parameter whose values are values of the parameter, or tell something about them.
  private static let valueKeys: [Keyword] = [.value, .default, .oneOf, .min, .max]
  /// The keys of a parameter whose values tell nothing about the parameter's value.
  private static let plainParameterKeys = (Keyword.overriding(Keyword.parameterKeys) + [.doc])
    .filter { $0 != .secret && $0 != .sources && !valueKeys.contains($0) }
  private static let serviceKeys = Keyword.overriding(Keyword.serviceKeys) + [.doc]
  /// The keys of a condition whose values are not compared with a parameter.
  private static let plainConditionKeys = Keyword.conditionForms.map { $0[0] }
  /// The keys of the top level that hold nothing of a parameter.
  private static let plainRootKeys =
    Keyword.rootKeys.filter { ![.parameters, .templates, .services, .override, .replace].contains($0) } + [.tags, .doc]

  /// Returns the keyword of a key; `nil` if the key is not in the format.
  private func keyword(_ key: UInt32) -> Keyword? { Keyword(text: document.text(of: key)) }

  /// Walks the top level.
  private mutating func walkRoot() {
    for key in document.allKeys(of: 0) {
      if let verb = keyword(key), verb == .override || verb == .replace {
        shownKeys.append(key)
        guard document[key + 1].kind == .map else { continue }
        for section in document.allKeys(of: key + 1) {
          walkSection(section, isChange: true, others: [.aliases, .bindings], in: key + 1)
        }
      } else {
        walkSection(key, isChange: false, others: RedactionWalk.plainRootKeys, in: 0)
      }
    }
  }

  /// Walks a section. Hides it if it is not a section of the format.
  private mutating func walkSection(_ key: UInt32, isChange: Bool, others: [Keyword], in map: UInt32) {
    let value = key + 1
    switch keyword(key) {
    case .parameters where document[value].kind == .map:
      shownKeys.append(key)
      for id in document.allKeys(of: value) { walkParameter(id, isChange: isChange) }
    case .services where document[value].kind == .map, .templates where document[value].kind == .map:
      shownKeys.append(key)
      for id in document.allKeys(of: value) { walkService(id) }
    case let word? where others.contains(word): shownKeys.append(key)
    default: hideUnknown(key, in: map)
    }
  }

  /// Walks a parameter, and hides its value unless it is certainly not secret.
  private mutating func walkParameter(_ id: UInt32, isChange: Bool) {
    shownKeys.append(id)
    let value = id + 1
    let keys = document.allKeys(of: value)
    let name = document.text(of: id)
    let isSecret = search.secrets.contains(Array(name.utf8))
    let isCertain =
      isWholeLoad && document.isComplete && isName(id) && (!isChange || search.defined.contains(Array(name.utf8)))
      && keys.allSatisfy { isKnown($0) }
    if !isSecret, isCertain { return }
    let text = isSecret ? "<secret \(name)>" : RedactionWalk.hidden
    guard document[value].kind == .map else { return hide(value, as: text) }
    for key in keys {
      switch keyword(key) {
      case .secret where document[key + 1].kind == .boolean: shownKeys.append(key)
      case let word? where RedactionWalk.plainParameterKeys.contains(word): shownKeys.append(key)
      case .sources:
        shownKeys.append(key)
        walkSources(key + 1, as: text)
      case let word? where RedactionWalk.valueKeys.contains(word) || word == .secret:
        shownKeys.append(key)
        hide(key + 1, as: text)
      default: hideUnknown(key, in: value, as: text)
      }
    }
  }

  /// Returns whether a key is a valid id. An invalid one may be a misspelt id of another parameter.
  private func isName(_ key: UInt32) -> Bool {
    Array(document.text(of: key).utf8).withUnsafeBufferPointer { NameGrammar.id.accepts($0) }
  }

  /// Returns whether the sources of a parameter are maps that have only keys of the format.
  private func hasKnownKeys(sources list: UInt32) -> Bool {
    guard document[list].kind == .list else { return false }
    return document.elements(of: list).allSatisfy { element in
      document[element].kind == .map
        && document.allKeys(of: element).allSatisfy { isPlainSourceKey($0) }
    }
  }

  /// Returns whether a key of a source names what is read, or documents the source.
  private func isPlainSourceKey(_ key: UInt32) -> Bool {
    keyword(key).map { $0 == .doc || TextSource.Kind($0) != nil } ?? false
  }

  /// Walks the sources of a parameter. Only their names stay visible.
  private mutating func walkSources(_ list: UInt32, as text: String) {
    guard document[list].kind == .list else { return hide(list, as: text) }
    for element in document.elements(of: list) {
      guard document[element].kind == .map else {
        hide(element, as: text)
        continue
      }
      for key in document.allKeys(of: element) {
        if isPlainSourceKey(key) { shownKeys.append(key) } else { hideUnknown(key, in: element, as: text) }
      }
    }
  }

  /// Returns whether a key belongs to a parameter in the format, or begins with `x-`.
  private func isKnown(_ key: UInt32) -> Bool {
    guard let word = keyword(key) else { return document.withText(of: key) { $0.starts(with: "x-".utf8) } }
    if word == .sources { return hasKnownKeys(sources: key + 1) }
    return word == .secret || RedactionWalk.plainParameterKeys.contains(word) || RedactionWalk.valueKeys.contains(word)
  }

  /// Walks a service or template. Hides values that a condition compares with a parameter that may be secret, and
  /// values of keys that services do not have.
  private mutating func walkService(_ id: UInt32) {
    shownKeys.append(id)
    for key in document.allKeys(of: id + 1) {
      guard let word = keyword(key), RedactionWalk.serviceKeys.contains(word) else {
        hideUnknown(key, in: id + 1)
        continue
      }
      shownKeys.append(key)
      if word == .inject || word == .values {
        // A key without a value may itself be a value whose key is missing.
        shownKeys += document.allKeys(of: key + 1).filter { document[$0 + 1].kind != .invalid }
      }
      guard word == .when else { continue }
      for map in key + 1..<document[key + 1].next where document[map].kind == .map { walkCondition(map) }
    }
  }

  /// Hides the values that a condition compares with a parameter, unless the parameter is certainly not secret.
  private mutating func walkCondition(_ map: UInt32) {
    let keys = document.allKeys(of: map)
    let names = keys.filter { keyword($0) == .parameter }.map { document.text(of: $0 + 1) }
    let secret = names.first { search.secrets.contains(Array($0.utf8)) }
    guard secret != nil || !isWholeLoad || !names.contains(where: { search.defined.contains(Array($0.utf8)) }) else {
      return
    }
    let text = secret.map { "<secret \($0)>" } ?? RedactionWalk.hidden
    for key in keys {
      if let word = keyword(key), RedactionWalk.plainConditionKeys.contains(word) { continue }
      hide(key + 1, as: text)
    }
  }
}

// MARK: - Hiding

extension RedactionWalk {
  /// The text shown instead of something that may be secret.
  private static let hidden = "<hidden>"

  /// Hides the value of an unknown key. Also hides the key if it may be a value whose own key is missing.
  private mutating func hideUnknown(_ key: UInt32, in map: UInt32, as text: String = RedactionWalk.hidden) {
    let value = document[key + 1]
    // In YAML a key may stand without a value.
    let hasValue = value.kind != .invalid || (document.hasPositions && value.start < value.end)
    if document.isComplete ? hasValue : isNearKeyword(document.text(of: key)) {
      shownKeys.append(key)
      hide(key + 1, as: text)
    } else {
      hide(key..<document[key + 1].next, shown: map, as: text)
    }
  }

  /// Returns whether a key is in the format, is near to a keyword, or begins with `x-`.
  private mutating func isNearKeyword(_ word: String) -> Bool {
    word.utf8.starts(with: "x-".utf8) || Keyword(text: word) != nil
      || !keywords.suggestions(for: word).isEmpty
  }

  /// Hides a value.
  private mutating func hide(_ node: UInt32, as text: String = RedactionWalk.hidden) {
    hide(node..<document[node].next, shown: node, as: text)
  }

  /// Hides some nodes, and the originals of the aliases in them.
  private mutating func hide(_ nodes: Range<UInt32>, shown: UInt32, as text: String) {
    var pending = [(nodes, shown)]
    while let (nodes, shown) = pending.popLast() {
      guard seen.insert(nodes).inserted else { continue }
      file.nodes.append((nodes, shown))
      pending += document.copies(in: nodes).map { ($0.original, $0.original.lowerBound) }
      guard document.hasPositions else { continue }
      let end =
        document[nodes.lowerBound].kind == .key ? document[nodes.lowerBound + 1].end : document[nodes.lowerBound].end
      file.masks.append(TextRenderer.Mask(range: Int(document[nodes.lowerBound].start)..<Int(end), text: text))
    }
  }

  /// Hides all comments: text between tokens, from the first comment sign on.
  private mutating func hideComments() {
    guard document.hasPositions else { return }
    var end = 0
    for node in document.nodes where node.kind != .map && node.kind != .list {
      hideComment(in: end..<max(end, Int(node.start)))
      end = max(end, Int(node.end))
    }
    hideComment(in: end..<max(end, document.source.bytes.count))
  }

  /// Hides a comment in the range between two tokens.
  private mutating func hideComment(in gap: Range<Int>) {
    let bytes = document.source.bytes
    let start = gap.first { at in
      let rest = bytes[at..<gap.upperBound]
      return bytes[at] == UInt8(ascii: "#") || rest.starts(with: "//".utf8) || rest.starts(with: "/*".utf8)
        || rest.starts(with: "<!--".utf8)
    }
    if let start { hideText(in: start..<gap.upperBound) }
  }

  /// Hides everything except the shown keys, in a file that was not read to its end.
  private mutating func hideAllButKeys() {
    shownKeys.sort()
    file.shownKeys = Set(shownKeys)
    file.shownPaths = Set(document.paths(of: shownKeys))
    file.nodes = []
    file.masks = []
    guard document.hasPositions else { return }
    var end = 0
    for key in shownKeys where Int(document[key].start) >= end {
      hideText(in: end..<Int(document[key].start))
      end = Int(document[key].end)
    }
    hideText(in: end..<document.source.bytes.count)
  }

  /// Hides a range of bytes, without leading and trailing whitespace, brackets, commas and colons.
  private mutating func hideText(in range: Range<Int>) {
    let bytes = document.source.bytes
    let open = " \t\r\n{}[],:".utf8
    guard let first = range.first(where: { !open.contains(bytes[$0]) }),
      let last = range.last(where: { !open.contains(bytes[$0]) })
    else { return }
    file.masks.append(TextRenderer.Mask(range: first..<last + 1, text: RedactionWalk.hidden))
  }
}
