// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// The text of a replacement for the token of a node in this file's syntax; nil where the file has no text to change, and
  /// for what takes more away than a token, or changes a part of it.
  func text(of replacement: Finding.Replacement, for node: UInt32) -> String? {
    guard hasPositions else { return nil }
    switch replacement {
    case .string(let text) where bracketsAreTokens: return Document.quoted(text)
    case .string(let text): return XMLText.element(self[node].kind == .key ? "key" : "string", text)
    case .optionalReference(let id) where bracketsAreTokens:
      // On one line, as it stands in the midst of others.
      return "{ \"service\": \(Document.quoted(id)), \"optional\": true }"
    case .optionalReference(let id):
      return "<dict>" + XMLText.element("key", "service") + XMLText.element("string", id)
        + XMLText.element("key", "optional") + "<true/></dict>"
    case .placeholder, .removal: return nil
    }
  }

  /// A text as a JSON string.
  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return writer.text
  }
}
