// SPDX-License-Identifier: Apache-2.0

/// A value of a module file with the token that it comes from, before or after placeholder expansion.
package struct Datum: Sendable {
  /// The kinds of data.
  package enum Content: Sendable {
    /// A string without placeholders, a number, a boolean or bytes.
    case scalar(Value)
    /// A string that contains `${`. Expansion replaces this case.
    case text(PlaceholderText)
    /// A list.
    case list([Datum])
    /// A map.
    case map([Entry])
    /// A placeholder for a variable or file that is missing, with the type that its value will have. `text` is the
    /// known part of a longer string that contains it; `nil` if the whole datum is missing.
    indirect case unset(ParameterType, name: String, text: String?)
    /// A value with an error that is already reported. Checks skip it.
    case broken
  }

  /// One entry of a map.
  package struct Entry: Sendable {
    /// The key.
    package var key: String
    /// The value.
    package var value: Datum
  }

  /// The content.
  package var content: Content
  /// The token of the datum or of its placeholder. For a merged map, the token of the map that was merged last.
  package var node: NodeRef
  /// The names of the secret parameters in this datum itself, ascending. Elements of a list or map have their own.
  package var secrets: [String] = []
  /// Whether a value of the application's configuration is in this datum itself. Only its provider may know that it is a
  /// secret.
  var isConfigured = false

  /// Creates a datum without secrets.
  package init(_ content: Content, at node: NodeRef) {
    self.content = content
    self.node = node
  }

  /// Creates a datum from a value without placeholders. All parts get the same token.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package init(_ value: Value, at node: NodeRef) {
    let content: Content =
      switch value {
      case .list(let elements): .list(elements.map { Datum($0, at: node) })
      case .map(let entries): .map(entries.map { Entry(key: $0.key, value: Datum($0.value, at: node)) })
      default: .scalar(value)
      }
    self.init(content, at: node)
  }
}

// MARK: - From declarations

extension Datum {
  /// Whether the datum is a map or a list.
  var hasParts: Bool {
    switch content {
    case .map, .list: true
    case .scalar, .text, .unset, .broken: false
    }
  }

  /// Creates a string from a name in a file.
  init(_ token: Token, _ names: NameTable) { self.init(.scalar(.string(names[token.name])), at: token.node) }

  /// Creates a boolean from a flag in a file.
  init(_ flag: FlagToken) { self.init(.scalar(.boolean(flag.value)), at: flag.node) }

  /// Creates a map from keywords to data. Entries whose datum is `nil` are omitted.
  init(_ parts: KeyValuePairs<Keyword, Datum?>, at node: NodeRef) {
    self.init(.map(parts.compactMap { part in part.value.map { Entry(key: part.key.text, value: $0) } }), at: node)
  }
}

/// A literal without placeholders, with its token.
package struct Literal: Sendable {
  /// The value.
  package var value: Value
  /// The token.
  package var node: NodeRef
}

// MARK: - Reading

extension Datum {
  /// Reads the datum at a node of a document. Values that could not be read become `broken`.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package init(_ node: UInt32, of document: Document, names: inout NameTable) {
    let content: Content
    switch document[node].kind {
    case .string where document.withText(of: node, { $0.containsPlaceholder }):
      content = .text(PlaceholderText(document.text(of: node), names: &names))
    case .list:
      var elements: [Datum] = []
      elements.reserveCapacity(Int(document[node].payload))
      for element in document.elements(of: node) { elements.append(Datum(element, of: document, names: &names)) }
      content = .list(elements)
    case .map:
      var entries: [Entry] = []
      entries.reserveCapacity(Int(document[node].payload))
      for key in document.keys(of: node) {
        entries.append(Entry(key: document.text(of: key), value: Datum(key + 1, of: document, names: &names)))
      }
      content = .map(entries)
    default:
      content = Value(node, of: document).map(Content.scalar) ?? .broken
    }
    self.init(content, at: document.reference(node))
  }
}

// MARK: - Values

extension Datum {
  /// The value, secrets included; `nil` if a part is missing, has placeholders or was reported as an error.
  package var value: Value? { plain { _ in nil } }

  /// The value as the file writes it, placeholders included; `nil` if a part is missing or could not be read.
  package var written: Value? { plain { .string($0.written) } }

  /// Returns the value, with each string that has placeholders converted by a closure; `nil` if a part has no value.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func plain(_ convert: (PlaceholderText) -> Value?) -> Value? {
    switch content {
    case .scalar(let value): return value
    case .text(let text): return convert(text)
    case .list(let elements):
      let values = elements.compactMap { $0.plain(convert) }
      return values.count == elements.count ? .list(values) : nil
    case .map(let entries):
      let values = entries.compactMap { entry in
        entry.value.plain(convert).map { Value.Entry(key: entry.key, value: $0) }
      }
      return values.count == entries.count ? .map(values) : nil
    case .unset, .broken: return nil
    }
  }

  /// The expanded datum for output: secrets appear as `<secret NAME>`, missing values as `<unset NAME>`.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package var printed: Value {
    if !secrets.isEmpty { return .string("<secret \(secrets.joined(separator: ", "))>") }
    switch content {
    case .scalar(let value): return value
    case .text(let text): return .string(text.written)
    case .list(let elements): return .list(elements.map(\.printed))
    case .map(let entries): return .map(entries.map { Value.Entry(key: $0.key, value: $0.value.printed) })
    case .unset(_, let name, _): return .string(Datum.mark(ofMissing: name))
    case .broken: return .string("")
    }
  }

  /// Returns the text that output shows for a missing variable or file.
  static func mark(ofMissing name: String) -> String { "<unset \(name)>" }

  /// Returns whether two data are written alike. The order of a map's keys does not matter.
  package func isWritten(like other: Datum) -> Bool {
    guard let own = written, let other = other.written else { return false }
    return own.isWritten(like: other)
  }

  /// The type that the expanded datum has as a parameter; `nil` if it is not known.
  package var parameterType: ParameterType? {
    switch content {
    case .scalar(let value): ParameterType(ofLiteral: value)
    case .text: .string
    case .list: .list
    case .map: .map
    case .unset(let type, _, _): type
    case .broken: nil
    }
  }

  /// The parameter whose placeholder is the whole text; `nil` for any other datum.
  var onlyPlaceholder: Name? { if case .text(let text) = content { text.onlyPlaceholder } else { nil } }

  /// The type of a parameter that this datum defines; `nil` if it is that of another parameter.
  var ownParameterType: ParameterType? { onlyPlaceholder == nil ? parameterType : nil }
}

// MARK: - Parts

extension Datum {
  /// The elements of a list or the values of a map, in order; empty for any other datum.
  package var parts: [Datum] {
    switch content {
    case .list(let elements): elements
    case .map(let entries): entries.map(\.value)
    case .scalar, .text, .unset, .broken: []
    }
  }

  /// Returns whether the content of the datum or of a part of it satisfies a predicate.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func contains(where isWanted: (Content) -> Bool) -> Bool {
    isWanted(content) || parts.contains { $0.contains(where: isWanted) }
  }

  /// Whether a string in the datum contains `${`.
  var containsPlaceholder: Bool { contains { if case .text = $0 { true } else { false } } }

  /// Whether the datum or a part of it was reported as an error.
  var isBroken: Bool { contains { if case .broken = $0 { true } else { false } } }

  /// Calls a closure with each string in the datum, as written, and its token. Keys of maps are skipped.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  func forEachText(_ body: (_ text: String, _ node: NodeRef) -> Void) {
    if case .scalar(.string(let text)) = content { body(text, node) }
    if case .text(let text) = content { body(text.written, node) }
    for part in parts { part.forEachText(body) }
  }

  /// Calls a closure with each parameter that a placeholder in the datum names, and the token of the string.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package func forEachPlaceholder(_ body: (_ parameter: Name, _ node: NodeRef) -> Void) {
    if case .text(let text) = content { for name in text.placeholders { body(name, node) } }
    for part in parts { part.forEachPlaceholder(body) }
  }

  /// The names of the secret parameters in the datum and all of its parts, ascending.
  package var allSecrets: [String] {
    let parts = parts
    // Most data are scalars.
    return secrets.isEmpty && !parts.isEmpty ? Datum.union(parts.map(\.allSecrets)) : secrets
  }

  /// Whether the datum or one of its parts contains a secret.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  var containsSecret: Bool { !secrets.isEmpty || parts.contains(where: \.containsSecret) }

  /// Whether messages may show the datum and all of its parts.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  var isShownInMessages: Bool { secrets.isEmpty && !isConfigured && parts.allSatisfy(\.isShownInMessages) }

  /// Returns the union of several lists of secrets, ascending.
  static func union(_ secrets: [[String]]) -> [String] {
    Set(secrets.joined()).ascending
  }

  /// Returns the datum with a change applied to it and to each of its parts.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  func mapped(_ change: (inout Datum) -> Void) -> Datum {
    var copy = self
    change(&copy)
    switch content {
    case .list(let elements): copy.content = .list(elements.map { $0.mapped(change) })
    case .map(let entries): copy.content = .map(entries.map { Entry(key: $0.key, value: $0.value.mapped(change)) })
    case .scalar, .text, .unset, .broken: break
    }
    return copy
  }
}

extension Sequence where Element == UInt8 {
  /// Whether a UTF-8 text contains `${`.
  package var containsPlaceholder: Bool {
    var isBehindDollar = false
    for byte in self {
      if isBehindDollar, byte == UInt8(ascii: "{") { return true }
      isBehindDollar = byte == UInt8(ascii: "$")
    }
    return false
  }
}

extension Value {
  /// The text that a scalar becomes inside a longer string; `nil` for bytes, a list or a map.
  var canonicalText: String? {
    switch self {
    case .string(let text), .duration(let text), .size(let text): text
    case .integer(let integer): String(integer)
    case .real(let real): real.description
    case .boolean(let boolean): boolean ? "true" : "false"
    case .data, .list, .map: nil
    }
  }
}
