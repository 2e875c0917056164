// SPDX-License-Identifier: Apache-2.0

// What module files and catalogs report alike of their shape.

extension NodeKind {
  /// The kind in words, with its article.
  package var inWords: String {
    switch self {
    case .map: "a map"
    case .list: "a list"
    case .key, .string: "a string"
    case .integer: "an integer"
    case .real: "a real number"
    case .boolean: "a boolean"
    case .data: "data"
    case .date: "a date"
    case .invalid: "no value"
    }
  }
}

extension Finding {
  /// A key that a map does not have.
  package static func unknownKey(_ key: String, allowed: [String], near: [String], at node: NodeRef) -> Finding {
    var finding = Finding(.unknownKey, "unknown key \"\(key)\"", at: node)
    finding.label = "no such key in this map"
    // What stands behind a colon may be a value, which a repair would lose.
    let isRepairable = !key.utf8.contains(UInt8(ascii: ":"))
    finding.suggest(near, isRepairable: isRepairable, orElse: help(allowing: allowed))
    return finding
  }

  /// A value of another kind than the place wants.
  package static func wrongKind(wanted: String, found: String, at node: NodeRef) -> Finding {
    Finding(.wrongKind, "expected \(wanted), found \(found)", at: node)
  }

  /// The help where a map has, or would have, other keys than its closed list.
  package static func help(allowing keys: [String]) -> String { "allowed keys: " + all(keys) }

  /// The words of a closed list, in quotes.
  private static func all(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ", ") }

  /// A word outside a closed list of words.
  package static func unknownWord(_ word: String, allowed: [String], at node: NodeRef) -> Finding {
    let near = suggestions(for: word, among: allowed)
    var finding = Finding(.wrongKind, "\"\(word)\" is not an allowed value", at: node)
    finding.suggest(near, orElse: "allowed values: " + all(allowed))
    return finding
  }

  /// A required key that a map lacks.
  package static func missing(_ what: String, _ owner: String, subject: String, at node: NodeRef) -> Finding {
    Finding(.missingKey, "\(owner) is missing \(what)", at: node, subject: subject)
  }

  /// A text that is no name.
  package static func invalidName(_ text: String, _ grammar: NameGrammar, at node: NodeRef) -> Finding {
    Finding(.invalidName, "\"\(text)\" is not a valid name", at: node, help: grammar.inWords)
  }
}
