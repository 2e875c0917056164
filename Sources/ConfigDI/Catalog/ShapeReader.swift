// SPDX-License-Identifier: Apache-2.0

/// A decoder that walks a document and reports every structural error, without regard to what other files declare.
///
/// The methods that read declarations are in extensions, in files of their own.
package struct ShapeReader {
  /// The document.
  package let document: Document
  /// The names of the load.
  var names = NameTable()
  /// The findings.
  package var bag = DiagnosticBag()
  /// Whether the part that is read has an error, possibly one that the reader of the text has reported already.
  var isMalformed = false
  /// The suppressions of the file.
  var suppressions: [SeverityRules.Suppression] = []

  /// Creates a decoder of a document.
  package init(document: Document) { self.document = document }
}

extension ShapeReader {
  /// Reports a finding.
  package mutating func report(_ finding: Finding) {
    isMalformed = true
    bag.report(finding)
  }

  /// Returns whether a value could be read. If not, the reader of the text has already reported it.
  mutating func isReadable(_ node: UInt32) -> Bool {
    if document[node].kind == .invalid { isMalformed = true }
    return document[node].kind != .invalid
  }

  /// Returns whether a value has the given kind; reports it if not.
  package mutating func expect(_ kind: NodeKind, at node: UInt32, help: @autoclosure () -> String? = nil) -> Bool {
    guard isReadable(node) else { return false }
    if document[node].isPartial { isMalformed = true }
    if document[node].kind == kind { return true }
    var finding = Finding.wrongKind(
      wanted: kind.inWords, found: document[node].kind.inWords, at: document.reference(node))
    finding.help = help()
    report(finding)
    return false
  }

  /// Reports a value that is not of a wanted kind, unless it could not be read.
  mutating func reportKind(of node: UInt32, wanted: String) {
    guard isReadable(node) else { return }
    report(.wrongKind(wanted: wanted, found: document[node].kind.inWords, at: document.reference(node)))
  }

  /// Returns the key of a map, or the map itself if it is an element of a list or the root.
  func keyOrNode(_ node: UInt32) -> NodeRef {
    document.reference(node > 0 && document[node - 1].kind == .key ? node - 1 : node)
  }

  /// Returns a text; `nil` if it is absent or of the wrong kind.
  package mutating func string(at node: UInt32?) -> String? {
    guard let node, expect(.string, at: node) else { return nil }
    return document.text(of: node)
  }

  /// Returns one of some allowed words; `nil` if it is absent or not allowed.
  package mutating func word(at node: UInt32?, of words: [String]) -> String? {
    guard let node, let word = string(at: node) else { return nil }
    if words.contains(word) { return word }
    report(.unknownWord(word, allowed: words, at: document.reference(node)))
    return nil
  }

  /// Returns whether the key or string at a node matches a grammar; reports it if not.
  @discardableResult
  mutating func checkName(at node: UInt32, _ grammar: NameGrammar) -> Bool {
    if document.withText(of: node, { grammar.accepts($0) }) { return true }
    report(.invalidName(document.text(of: node), grammar, at: document.reference(node)))
    return false
  }
}

// MARK: - Documents other than module files

extension ShapeReader {
  /// Returns the values of a map, by key. Reports unknown keys and missing required keys.
  package mutating func fields(
    of map: UInt32, _ owner: String, required: [String], optional: [String]
  ) -> [String: UInt32] {
    var fields: [String: UInt32] = [:]
    var unknown: [UInt32] = []
    let allowed = required + optional
    for keyNode in document.keys(of: map) {
      let key = document.text(of: keyNode)
      if allowed.contains(key) {
        fields[key] = keyNode + 1
      } else if key == "doc" {
        _ = expect(.string, at: keyNode + 1)
      } else if !key.utf8.starts(with: "x-".utf8) {
        unknown.append(keyNode)
      }
    }
    // Done last, so that a key which the map already has is not suggested.
    let absent = allowed.filter { fields[$0] == nil }
    var suggested: Set<String> = []
    for keyNode in unknown {
      let key = document.text(of: keyNode)
      let near = suggestions(for: key, among: absent)
      suggested.formUnion(near)
      report(.unknownKey(key, allowed: allowed, near: near, at: document.reference(keyNode)))
    }
    for key in required where fields[key] == nil && !suggested.contains(key) {
      report(.missing("\"\(key)\"", owner, subject: key, at: keyOrNode(map)))
    }
    return fields
  }

  /// Returns the elements of a list; empty if the list is absent or of the wrong kind.
  package mutating func elements(of node: UInt32?) -> [UInt32] {
    guard let node, expect(.list, at: node) else { return [] }
    return Array(document.elements(of: node))
  }

  /// Returns a boolean; `nil` if it is absent or of the wrong kind.
  package mutating func boolean(at node: UInt32?) -> Bool? {
    guard let node, expect(.boolean, at: node) else { return nil }
    return document[node].payload != 0
  }

  /// Returns the name of a type; `nil` if it is absent or invalid.
  mutating func name(at node: UInt32?) -> String? {
    guard let node, let name = string(at: node), checkName(at: node, .type) else { return nil }
    return name
  }
}
