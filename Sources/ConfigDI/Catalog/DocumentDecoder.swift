// SPDX-License-Identifier: Apache-2.0

/// Reads a document that is no module file: a catalog, or a list of modules.
package struct DocumentDecoder {
  /// The document.
  package let document: Document
  /// The findings.
  package private(set) var bag = DiagnosticBag()
  /// Whether something is wrong, which the reader of the text may have reported already.
  var isMalformed = false

  /// A decoder of a document.
  package init(document: Document) { self.document = document }

  /// Reports a finding.
  package mutating func report(_ finding: Finding) {
    isMalformed = true
    bag.report(finding)
  }
}

extension DocumentDecoder {
  /// The values of a map by the keys that it may have. Unknown keys and missing ones are reported.
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
    // Last, as a key that the map has already is no suggestion.
    let absent = allowed.filter { fields[$0] == nil }
    var suggested: Set<String> = []
    for keyNode in unknown {
      let key = document.text(of: keyNode)
      let near = suggestions(for: key, among: absent)
      suggested.formUnion(near)
      report(.unknownKey(key, allowed: allowed, near: near, at: document.reference(keyNode)))
    }
    for key in required where fields[key] == nil && !suggested.contains(key) {
      report(.missing("\"\(key)\"", owner, subject: key, at: placeNaming(map)))
    }
    return fields
  }

  /// The key that names a map, or the map's own bracket in a list or at the root.
  func placeNaming(_ node: UInt32) -> NodeRef {
    document.reference(node > 0 && document[node - 1].kind == .key ? node - 1 : node)
  }

  /// Whether a value is of a kind; reports it where it is not.
  package mutating func expect(_ kind: NodeKind, at node: UInt32) -> Bool {
    let found = document[node].kind
    if found == kind { return true }
    isMalformed = true
    if found != .invalid {
      bag.report(.wrongKind(wanted: kind.inWords, found: found.inWords, at: document.reference(node)))
    }
    return false
  }

  /// The elements of a list, which may be absent.
  package mutating func elements(of node: UInt32?) -> [UInt32] {
    guard let node, expect(.list, at: node) else { return [] }
    return Array(document.elements(of: node))
  }

  /// A truth value, which may be absent.
  package mutating func boolean(at node: UInt32?) -> Bool? {
    guard let node, expect(.boolean, at: node) else { return nil }
    return document[node].payload != 0
  }

  /// A text, which may be absent.
  package mutating func string(at node: UInt32?) -> String? {
    guard let node, expect(.string, at: node) else { return nil }
    return document.text(of: node)
  }

  /// A type's name, which may be absent.
  mutating func name(at node: UInt32?) -> String? {
    guard let node, let name = string(at: node) else { return nil }
    if document.withText(of: node, NameGrammar.type.accepts) { return name }
    report(.invalidName(name, .type, at: document.reference(node)))
    return nil
  }

  /// A word of a closed list, which may be absent.
  package mutating func word(at node: UInt32?, of words: [String]) -> String? {
    guard let node, let word = string(at: node) else { return nil }
    if words.contains(word) { return word }
    report(.unknownWord(word, allowed: words, at: document.reference(node)))
    return nil
  }
}
