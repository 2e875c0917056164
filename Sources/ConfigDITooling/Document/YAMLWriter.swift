// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Writes a document as YAML in block style. Keys keep their order.
///
/// A string is quoted if a reader, including one of YAML 1.1, could take it for another kind of value.
struct YAMLWriter {
  /// The text written so far.
  private var text = ""

  /// Returns a document as the text of a file.
  static func text(of document: Document) -> String {
    var writer = YAMLWriter()
    if writer.isBlock(0, of: document) {
      writer.writeBlock(0, of: document, depth: 0, isIndented: false)
    } else {
      writer.text = writer.flow(0, of: document) + "\n"
    }
    return writer.text
  }

  /// Returns whether a node is written on lines of its own: a map or list that is not empty.
  private func isBlock(_ node: UInt32, of document: Document) -> Bool {
    (document[node].kind == .map || document[node].kind == .list) && document[node].payload > 0
  }

  /// Writes the entries of a map or the elements of a list, each on one or more lines.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  ///
  /// - Parameter isIndented: Whether the first line follows a hyphen, so that it needs no indentation.
  private mutating func writeBlock(_ node: UInt32, of document: Document, depth: Int, isIndented: Bool) {
    var isIndented = isIndented
    let indentation = String(repeating: "  ", count: depth)
    func begin(_ text: inout String) {
      if !isIndented { text += indentation }
      isIndented = false
    }
    for element in document.elements(of: node) {
      begin(&text)
      text += "- "
      if isBlock(element, of: document) {
        writeBlock(element, of: document, depth: depth + 1, isIndented: true)
      } else {
        text += flow(element, of: document) + "\n"
      }
    }
    for key in document.keys(of: node) {
      begin(&text)
      let name = YAMLWriter.scalar(document.text(of: key))
      // A longer key must be marked as an explicit key (YAML 1.2.2, section 7.4.2).
      text += name.utf8.count < 1_000 ? name + ":" : "? \(name)\n\(indentation):"
      if isBlock(key + 1, of: document) {
        text += "\n"
        writeBlock(key + 1, of: document, depth: depth + 1, isIndented: false)
      } else {
        text += " \(flow(key + 1, of: document))\n"
      }
    }
  }

  /// Returns a scalar, or an empty map or list, on one line.
  private func flow(_ node: UInt32, of document: Document) -> String {
    let found = document[node]
    switch found.kind {
    case .map: return "{}"
    case .list: return "[]"
    case .key, .string: return YAMLWriter.scalar(document.text(of: node))
    case .integer: return "\(found.payload)"
    case .real: return "\(Double(bitPattern: UInt64(bitPattern: found.payload)))"
    case .boolean: return found.payload == 0 ? "false" : "true"
    case .data: return YAMLWriter.scalar(document.base64(of: node))
    // These kinds do not occur in the values of a module.
    case .date, .invalid: return "\"\""
    }
  }
}

// MARK: - Texts

extension YAMLWriter {
  /// Words that some reader takes for a boolean or null, in lower case.
  static let reservedWords: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

  /// Returns a string as a scalar: plain if every reader takes it for a string, else in double quotes with the escapes
  /// of JSON, which are valid in YAML. `JSONWriter` also escapes characters that YAML forbids and JSON allows, because
  /// they are not safe to print.
  static func scalar(_ text: String) -> String { isPlain(text) ? text : JSONWriter.quoted(text) }

  /// Returns whether a string needs no quotes: it has only letters, digits and safe punctuation, begins with a letter
  /// and does not end with a space.
  static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.last != UInt8(ascii: " "), text.utf8.count < 1_000,
      !reservedWords.contains(text.lowercased())
    else { return false }
    return text.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || " -./<>,".utf8.contains($0) }
  }

  /// Whether a byte is a letter or an underscore.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }
}
