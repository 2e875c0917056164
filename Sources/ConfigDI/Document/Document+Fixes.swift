// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// The text of a replacement for the token of a node in this file's syntax, or nil where the file has no text to mend.
  func text(of replacement: Finding.Replacement, for node: UInt32) -> String? {
    guard hasPositions else { return nil }
    if bracketsAreTokens {
      var writer = JSONWriter()
      switch replacement {
      case .string(let text): writer.string(text)
      case .optionalReference(let id):
        // On one line, as it stands in the midst of others.
        var inner = JSONWriter()
        inner.string(id)
        return "{ \"service\": \(inner.text), \"optional\": true }"
      }
      return writer.text
    }
    switch replacement {
    case .string(let text):
      let tag = self[node].kind == .key ? "key" : "string"
      return "<\(tag)>\(text.escapedForXML)</\(tag)>"
    case .optionalReference(let id):
      return "<dict><key>service</key><string>\(id.escapedForXML)</string><key>optional</key><true/></dict>"
    }
  }
}

extension String {
  /// The text with the characters replaced that mean something else inside an element of XML.
  fileprivate var escapedForXML: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
