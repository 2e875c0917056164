// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension Document {
  /// Returns the document in a syntax, with every key and value in its order. Comments and the notation of numbers are
  /// lost.
  ///
  /// - Returns: `nil` if the document has no nodes. For JSON, also if a value of it could not be read.
  package func text(in syntax: Syntax) -> String? {
    guard !nodes.isEmpty else { return nil }
    switch syntax {
    case .json, .jsonc: return Value(0, of: self).map { JSONWriter.text(of: $0) + "\n" }
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
