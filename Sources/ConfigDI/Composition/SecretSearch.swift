// SPDX-License-Identifier: Apache-2.0

/// What a load declares secret.
package struct SecretDeclarations: Hashable, Sendable {
  /// The ids of the secret parameters, in UTF-8.
  let ids: Set<[UInt8]>
  /// The identities of the sources of secret parameters.
  let sources: Set<ScalarString>
  /// Whether it is certain that there are no others.
  let isComplete: Bool

  /// Creates a value without secrets.
  package init() { self.init(ids: [], sources: [], isComplete: true) }

  /// Creates a value from its parts.
  fileprivate init(ids: Set<[UInt8]>, sources: Set<ScalarString>, isComplete: Bool) {
    (self.ids, self.sources, self.isComplete) = (ids, sources, isComplete)
  }
}

/// Collects the parameters that are secret, and whether any file mentions secrets.
struct SecretSearch {
  /// The ids of parameters that a file declares secret or seems to have meant to declare secret, in any section, in
  /// UTF-8.
  private(set) var secrets: Set<[UInt8]>
  /// The ids of parameters that a file defines, in UTF-8.
  private(set) var defined: Set<[UInt8]> = []
  /// Whether a file mentions a secret, or may have meant to.
  private(set) var mentionsSecret: Bool
  /// The results of `isSecretKeyword` for the words seen so far.
  private var words: [[UInt8]: Bool] = [:]

  /// Creates a search that knows some secrets.
  init(knowing secrets: Set<[UInt8]> = []) {
    self.secrets = secrets
    mentionsSecret = !secrets.isEmpty
  }

  /// Sets `mentionsSecret` if a document contains a word that may declare a secret, or ends too early.
  mutating func look(at document: Document, _ bag: DiagnosticBag) {
    if bag.endsTooEarly(document) { mentionsSecret = true }
    for node in document.nodes.indices where !mentionsSecret && document.nodes[node].kind == .key {
      let isWord = document.withText(of: UInt32(node)) { (4...8).contains($0.count) && isSecretKeyword(Array($0)) }
      if isWord, !document.isFalse(UInt32(node) + 1) { mentionsSecret = true }
    }
    guard !document.isComplete, !mentionsSecret else { return }
    let bytes = document.source.bytes
    // No word can be found in text of another encoding. A binary property list is not text.
    let isText = document.hasPositions
    if isText, bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil { mentionsSecret = true }
    // Searches the text with and without its quotes: the file may be malformed by an extra quote, as in `"sec"ret"`.
    for quotes in [[], [UInt8(ascii: "\""), UInt8(ascii: "'")]] where !mentionsSecret {
      let text = bytes.lazy.filter { !quotes.contains($0) }
      for word in text.split(whereSeparator: { !$0.isLetter }) where !mentionsSecret {
        mentionsSecret = isSecretKeyword(Array(word))
      }
    }
  }

  /// Records which parameters a document defines, and which of them it declares secret.
  mutating func collectParameters(of document: Document) {
    collectSecrets(of: document)
    guard !document.nodes.isEmpty else { return }
    for key in document.allKeys(of: 0) where Keyword(text: document.text(of: key)) == .parameters {
      for id in document.allKeys(of: key + 1) { defined.insert(document.withText(of: id) { Array($0) }) }
    }
  }

  /// Records which parameters a document declares secret. The key of their section may be misspelt.
  mutating func collectSecrets(of document: Document) {
    for id in document.nodes.indices.dropLast() where document.nodes[id].kind == .key {
      for key in document.allKeys(of: UInt32(id) + 1) {
        let word = document.withText(of: key) { Array($0) }
        guard isSecretKeyword(word), !document.isFalse(key + 1) else { continue }
        secrets.insert(document.withText(of: UInt32(id)) { Array($0) })
      }
    }
    if !secrets.isEmpty { mentionsSecret = true }
  }

  /// Returns whether a word is `secret` or a likely misspelling of it. Other keywords of the format do not count.
  private mutating func isSecretKeyword(_ word: [UInt8]) -> Bool {
    guard (4...8).contains(word.count) else { return false }
    if let known = words[word] { return known }
    let text = String(decoding: word, as: UTF8.self)
    let result =
      Keyword(text: text).map { $0 == .secret } ?? !suggestions(for: Keyword.secret.text, among: [text]).isEmpty
    words[word] = result
    return result
  }
}

extension ModuleFiles {
  /// The parameters that any file of the load declares secret, or seems to have meant to, and those of `otherSecrets`. No
  /// output shows them, whatever other files declare.
  var secretParameters: Set<Name> {
    let ids = meantSecrets.union(otherSecrets.ids)
    return declaredSecrets.union(ids.lazy.compactMap { $0.withUnsafeBufferPointer(names.existingName) })
  }

  /// The secrets of these files and of those in `otherSecrets`.
  var secretDeclarations: SecretDeclarations {
    SecretDeclarations(
      ids: otherSecrets.ids.union(ownSecrets), sources: secretSources, isComplete: knowsSecretParameters)
  }

  /// The ids in `otherSecrets` that no file of the load declares secret.
  var foreignSecrets: Set<String> {
    // In every load but those of `diff`.
    if otherSecrets.ids.isEmpty { return [] }
    return Set(otherSecrets.ids.subtracting(ownSecrets).lazy.map { String(decoding: $0, as: UTF8.self) })
  }

  /// The ids of the parameters that files of the load declare secret, or seem to have meant to, in UTF-8.
  private var ownSecrets: Set<[UInt8]> { meantSecrets.union(declaredSecrets.lazy.map { Array(names[$0].utf8) }) }

  /// Whether it is certain which parameters the files declare secret: each was read completely, or mentions no secret.
  var knowsSecretParameters: Bool {
    hasAllFiles
      && zip(documents.documents, findings).allSatisfy { document, bag in
        guard !document.isComplete else { return true }
        var search = SecretSearch()
        search.look(at: document, bag)
        return !search.mentionsSecret
      }
  }
}

// MARK: - Documents with mistakes

extension DiagnosticBag {
  /// Returns whether the text ends in the middle of the document.
  fileprivate func endsTooEarly(_ document: Document) -> Bool {
    !document.isComplete
      && findings.contains { finding in
        guard finding.code == .syntaxError, case .bytes(_, let start, _, _) = finding.place else { return false }
        return start >= document.source.bytes.count
      }
  }
}

extension Document {
  /// Returns whether a value is the boolean `false`.
  func isFalse(_ node: UInt32) -> Bool { self[node].kind == .boolean && self[node].payload == 0 }
}
