// SPDX-License-Identifier: Apache-2.0

// Findings about structure that module files and catalogs share.

extension NodeKind {
  /// The kind as a noun with its article.
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
  /// Returns the finding about a key that is not allowed in a map.
  package static func unknownKey(_ key: String, allowed: [String], near: [String], at node: NodeRef) -> Finding {
    var finding = Finding(.unknownKey, "unknown key \"\(key)\"", at: node)
    finding.label = "no such key in this map"
    // The text after a colon may be a value, which a replacement of the key would lose.
    let isRepairable = !key.utf8.contains(UInt8(ascii: ":"))
    finding.suggest(near, isRepairable: isRepairable, orElse: help(allowing: allowed))
    return finding
  }

  /// Returns the finding about a value of the wrong kind.
  package static func wrongKind(wanted: String, found: String, at node: NodeRef) -> Finding {
    Finding(.wrongKind, "expected \(wanted), found \(found)", at: node)
  }

  /// Returns the help that lists the allowed keys of a map.
  package static func help(allowing keys: [String]) -> String { "allowed keys: " + all(keys) }

  /// Returns all words in quotes.
  private static func all(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ", ") }

  /// Returns the finding about a word that is not one of the allowed words.
  package static func unknownWord(_ word: String, allowed: [String], at node: NodeRef) -> Finding {
    let near = suggestions(for: word, among: allowed)
    var finding = Finding(.wrongKind, "\"\(word)\" is not an allowed value", at: node)
    finding.suggest(near, orElse: "allowed values: " + all(allowed))
    return finding
  }

  /// Returns the finding about a required key that is missing in a map.
  package static func missing(_ what: String, _ owner: String, subject: String, at node: NodeRef) -> Finding {
    Finding(.missingKey, "\(owner) is missing \(what)", at: node, subject: subject)
  }

  /// Returns the finding about an invalid name.
  package static func invalidName(_ text: String, _ grammar: NameGrammar, at node: NodeRef) -> Finding {
    Finding(.invalidName, "\"\(text)\" is not a valid name", at: node, help: grammar.inWords)
  }
}
