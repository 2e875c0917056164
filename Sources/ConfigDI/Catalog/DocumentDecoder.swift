// SPDX-License-Identifier: Apache-2.0

/// A decoder of documents other than module files: catalogs and lists of modules.
package struct DocumentDecoder {
  /// The document.
  package let document: Document
  /// The findings.
  package private(set) var bag = DiagnosticBag()
  /// Whether the document has an error, possibly one that the reader of the text has reported already.
  var isMalformed = false

  /// Creates a decoder of a document.
  package init(document: Document) { self.document = document }

  /// Reports a finding.
  package mutating func report(_ finding: Finding) {
    isMalformed = true
    bag.report(finding)
  }
}

extension DocumentDecoder {
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

  /// Returns the key of a map; for a map in a list or at the root, the map itself, whose token is its bracket.
  func keyOrNode(_ node: UInt32) -> NodeRef {
    document.reference(node > 0 && document[node - 1].kind == .key ? node - 1 : node)
  }

  /// Returns whether a value is of a kind. Reports it if not.
  package mutating func expect(_ kind: NodeKind, at node: UInt32) -> Bool {
    let found = document[node].kind
    if found == kind { return true }
    isMalformed = true
    if found != .invalid {
      bag.report(.wrongKind(wanted: kind.inWords, found: found.inWords, at: document.reference(node)))
    }
    return false
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

  /// Returns a text; `nil` if it is absent or of the wrong kind.
  package mutating func string(at node: UInt32?) -> String? {
    guard let node, expect(.string, at: node) else { return nil }
    return document.text(of: node)
  }

  /// Returns the name of a type; `nil` if it is absent or invalid.
  mutating func name(at node: UInt32?) -> String? {
    guard let node, let name = string(at: node) else { return nil }
    if document.withText(of: node, NameGrammar.type.accepts) { return name }
    report(.invalidName(name, .type, at: document.reference(node)))
    return nil
  }

  /// Returns one of some allowed words; `nil` if it is absent or not allowed.
  package mutating func word(at node: UInt32?, of words: [String]) -> String? {
    guard let node, let word = string(at: node) else { return nil }
    if words.contains(word) { return word }
    report(.unknownWord(word, allowed: words, at: document.reference(node)))
    return nil
  }
}
