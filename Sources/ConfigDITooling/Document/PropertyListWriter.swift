// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Writes a document as an XML property list. Keys keep their order; the indentation is tabs, as other writers use.
///
/// Reading the text again gives the same document, except for strings with characters that XML does not allow; see
/// `Document.unwritableNodes(in:)`.
package struct PropertyListWriter: Sendable {
  /// The bytes written so far.
  private var bytes: [UInt8] = []

  /// Creates a writer that has written nothing.
  private init() {}

  /// Returns a document as the text of a file.
  package static func text(of document: Document) -> String {
    var writer = PropertyListWriter()
    writer.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
    writer.write(0, of: document, depth: 0)
    writer.append("</plist>\n")
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

// MARK: - Nodes

extension PropertyListWriter {
  /// Writes a value on lines of its own, with indentation and a final line break.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func write(_ node: UInt32, of document: Document, depth: Int) {
    indent(depth)
    let found = document[node]
    switch found.kind {
    case .map:
      container("dict", isEmpty: found.payload == 0, depth: depth) { writer in
        for key in document.keys(of: node) {
          writer.indent(depth + 1)
          writer.append(XMLText.element("key", document.text(of: key)))
          writer.append("\n")
          writer.write(key + 1, of: document, depth: depth + 1)
        }
      }
    case .list:
      container("array", isEmpty: found.payload == 0, depth: depth) { writer in
        for element in document.elements(of: node) { writer.write(element, of: document, depth: depth + 1) }
      }
    case .key, .string: append(XMLText.element("string", document.text(of: node)))
    case .integer: append("<integer>\(found.payload)</integer>")
    case .real: append("<real>\(Double(bitPattern: UInt64(bitPattern: found.payload)))</real>")
    case .boolean: append(found.payload == 0 ? "<false/>" : "<true/>")
    case .data: append("<data>\(document.base64(of: node))</data>")
    // These kinds do not occur in the values of a module.
    case .date, .invalid: append("<string/>")
    }
    append("\n")
  }

  /// Writes the element of a list or map around its content.
  private mutating func container(
    _ name: StaticString, isEmpty: Bool, depth: Int, _ content: (inout PropertyListWriter) -> Void
  ) {
    guard !isEmpty else { return append("<\(name)/>") }
    append("<\(name)>\n")
    content(&self)
    indent(depth)
    append("</\(name)>")
  }

  /// Writes the indentation of a line.
  private mutating func indent(_ depth: Int) {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: depth))
  }

  /// Appends a text without escaping.
  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
