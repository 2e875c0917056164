// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension Document {
  /// Returns the document in a syntax, with every key and value in its order. Comments and the notation of numbers are
  /// lost.
  ///
  /// - Returns: `nil` if the document has no nodes.
  package func text(in syntax: Syntax) -> String? {
    guard !nodes.isEmpty else { return nil }
    switch syntax {
    case .json, .jsonc:
      var writer = JSONWriter()
      writer.node(0, of: self)
      return writer.text + "\n"
    case .plist: return PropertyListWriter.text(of: self)
    case .yaml: return YAMLWriter.text(of: self)
    }
  }

  /// Returns the bytes of a data node in base64.
  package func base64(of node: UInt32) -> String { Base64.text(of: data[Int(self[node].payload)]) }

  /// Returns the keys and strings that contain a character that the syntax cannot express, ascending.
  package func unwritableNodes(in syntax: Syntax) -> [UInt32] {
    guard syntax == .plist else { return [] }
    return nodes.indices.map { UInt32($0) }.filter { node in
      (self[node].kind == .key || self[node].kind == .string)
        && text(of: node).unicodeScalars.contains(where: \.isForbiddenInXML)
    }
  }
}

extension JSONWriter {
  /// Writes a value: a list of scalars on one line if it fits, other lists and maps with one element or entry per line;
  /// data as base64.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate mutating func node(_ node: UInt32, of document: Document) {
    let found = document[node]
    switch found.kind {
    case .map:
      object { writer in
        for key in document.keys(of: node) {
          writer.key(document.text(of: key))
          writer.node(key + 1, of: document)
        }
      }
    case .list:
      if document.elements(of: node).allSatisfy({ document[$0].kind != .map && document[$0].kind != .list }) {
        scalars { for element in document.elements(of: node) { $0.node(element, of: document) } }
      } else {
        array { for element in document.elements(of: node) { $0.node(element, of: document) } }
      }
    case .key, .string: string(document.text(of: node))
    case .integer: integer(found.payload)
    case .real: real(Double(bitPattern: UInt64(bitPattern: found.payload)))
    case .boolean: boolean(found.payload != 0)
    case .data: string(document.base64(of: node))
    // These kinds do not occur in the values of a module.
    case .date, .invalid: string("")
    }
  }
}

extension Unicode.Scalar {
  /// Whether XML 1.0 does not allow the character (section 2.2).
  fileprivate var isForbiddenInXML: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
