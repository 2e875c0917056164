// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Writes a document as YAML in block style, its keys in their order.
///
/// Texts are in quotes where a reader could take them for something else, also one of YAML 1.1.
struct YAMLWriter {
  /// What is written so far.
  private var text = ""

  /// A document as a file.
  static func text(of document: Document) -> String {
    var writer = YAMLWriter()
    if writer.isBlock(0, of: document) {
      writer.writeBlock(0, of: document, depth: 0, isIndented: false)
    } else {
      writer.text = writer.flow(0, of: document) + "\n"
    }
    return writer.text
  }

  /// Whether a node is written on lines of its own.
  private func isBlock(_ node: UInt32, of document: Document) -> Bool {
    (document[node].kind == .map || document[node].kind == .list) && document[node].payload > 0
  }

  /// Writes the entries of a map or the elements of a list, a line or more each.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  ///
  /// - Parameter isIndented: Whether the first line stands behind a hyphen, and so has its indentation.
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
      // A longer key must say that it is one (YAML 1.2.2, section 7.4.2).
      text += name.utf8.count < 1_000 ? name + ":" : "? \(name)\n\(indentation):"
      if isBlock(key + 1, of: document) {
        text += "\n"
        writeBlock(key + 1, of: document, depth: depth + 1, isIndented: false)
      } else {
        text += " \(flow(key + 1, of: document))\n"
      }
    }
  }

  /// A scalar, or a map or list that holds nothing.
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
    // No value of a module is one of these.
    case .date, .invalid: return "\"\""
    }
  }
}

// MARK: - Texts

extension YAMLWriter {
  /// Words that some reader takes for a truth value or for nothing, in lower case.
  private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

  /// A text as a scalar: as it is where it is a plain word to every reader, else in double quotes.
  static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  /// Whether a text needs no quotes: letters, digits and harmless signs, a letter in front, no space at the end.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.last != UInt8(ascii: " "), text.utf8.count < 1_000,
      !words.contains(text.lowercased())
    else { return false }
    return text.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || " -./<>,".utf8.contains($0) }
  }

  /// Whether a byte is a letter or an underscore.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }

  /// A text in double quotes, in which the escapes of JSON hold. What YAML forbids and JSON does not is escaped as well, as
  /// it is not safe to show.
  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return writer.text
  }
}
