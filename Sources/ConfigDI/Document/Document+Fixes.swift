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
      return PropertyListWriter.element(self[node].kind == .key ? "key" : "string", text)
    case .optionalReference(let id):
      return "<dict>" + PropertyListWriter.element("key", "service") + PropertyListWriter.element("string", id)
        + PropertyListWriter.element("key", "optional") + "<true/></dict>"
    }
  }
}
