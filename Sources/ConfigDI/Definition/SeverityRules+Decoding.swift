// SPDX-License-Identifier: Apache-2.0

/// The words that `diagnostics` of the entry module allows for `severity`.
package enum SeverityWord: String, CaseIterable, Sendable {
  case ignore, warning, error

  /// The severity; `nil` if the warning is suppressed.
  fileprivate var severity: Severity? { Severity(rawValue: rawValue) }
}

extension ShapeReader {
  /// Reads `diagnostics` of the entry module, the settings for all warnings of a code.
  mutating func severities(in node: UInt32) -> [SeverityRules.Setting] {
    guard expectMap(at: node, like: #"{ "CDI0501": { "severity": "error" } }"#) else { return [] }
    return document.keys(of: node).compactMap { severity(under: $0) }
  }

  /// Reads the setting for the code of a key. Reports an invalid setting and returns `nil`.
  private mutating func severity(under key: UInt32) -> SeverityRules.Setting? {
    let code = warningCode(at: key)
    let node = key + 1
    var word: SeverityWord?
    var reason: String?
    let shape = readMap(node, allowing: Keyword.severityKeys) { reader, keyword, _, value in
      if keyword == .severity {
        word = reader.word(at: value, of: SeverityWord.allCases.map(\.rawValue)).flatMap(SeverityWord.init)
      } else {
        reason = reader.reason(at: value)
      }
    }
    guard document[node].kind == .map else { return nil }
    require(.severity, in: shape, of: node, "\"\(document.text(of: key))\"")
    if word == .ignore { require(.reason, in: shape, of: node, "the suppression") }
    guard let code, let word, word != .ignore || reason != nil else { return nil }
    return SeverityRules.Setting(code: code, severity: word.severity, reason: reason, key: reference(key))
  }

  /// Reads the suppressions of an entry. They apply to its key and all nodes below it.
  mutating func readSuppressions(in node: UInt32, ofEntry entry: UInt32) {
    readSuppressions(in: node, covering: entry - 1..<document[entry].next)
  }

  /// Reads suppressions that apply to a range of the file's nodes.
  mutating func readSuppressions(in node: UInt32, covering nodes: Range<UInt32>) {
    guard expectMap(at: node, like: #"{ "CDI0501": "why it may stay" }"#) else { return }
    for key in document.keys(of: node) {
      let code = warningCode(at: key)
      guard let reason = reason(at: key + 1), let code else { continue }
      suppressions.append(
        SeverityRules.Suppression(code: code, reason: reason, key: reference(key), nodes: nodes))
    }
  }

  /// Reads a key that is the code of a warning. Reports any other key and returns `nil`.
  private mutating func warningCode(at key: UInt32) -> DiagnosticCode? {
    let text = document.text(of: key)
    guard let code = DiagnosticCode(text: text) else {
      report(.unknownCode(text, at: reference(key)))
      return nil
    }
    guard code.severity == .warning else {
      report(.fixedSeverity(code, at: reference(key)))
      return nil
    }
    return code
  }

  /// Reads a reason. Reports a value that is blank or not a string, and returns `nil`.
  private mutating func reason(at node: UInt32) -> String? {
    guard let text = string(at: node) else { return nil }
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      report(.wrongKind(wanted: "a reason", found: "an empty text", at: reference(node)))
      return nil
    }
    return text
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a key that is not a diagnostic code.
  fileprivate static func unknownCode(_ text: String, at node: NodeRef) -> Finding {
    let warnings = DiagnosticCode.all.filter { $0.severity == .warning }.map(\.description)
    var finding = Finding(.unknownCode, "unknown diagnostic code \"\(text)\"", at: node)
    finding.suggest(suggestions(for: text, among: warnings), orElse: "name the code of a warning, such as \"CDI0701\"")
    return finding
  }

  /// Returns the finding for the code of an error, whose severity a module cannot change.
  fileprivate static func fixedSeverity(_ code: DiagnosticCode, at node: NodeRef) -> Finding {
    Finding(
      .fixedSeverity, "\"\(code)\" is an error, which cannot be suppressed or changed", at: node,
      help: "only warnings can; correct what the error reports")
  }
}
