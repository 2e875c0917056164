// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// Returns the source text with which a replacement of a node's token is written in the syntax of this file; `nil`
  /// for a removal or a placeholder, which replace more or less than a token, if the file has no text to change, or if the
  /// token contains a comment, which would be lost.
  func text(of replacement: Finding.Replacement, for node: UInt32) -> String? {
    guard hasPositions else { return nil }
    let token = source.bytes[Int(self[node].start)..<Int(self[node].end)]
    guard bracketsAreTokens || !XMLText.mayHaveComment(token) else { return nil }
    switch replacement {
    case .string(let text) where bracketsAreTokens: return JSONWriter.quoted(text)
    case .string(let text): return XMLText.element(self[node].kind == .key ? "key" : "string", text)
    case .optionalReference(let id) where bracketsAreTokens:
      // On one line, as there may be other tokens on the line.
      return "{ \"service\": \(JSONWriter.quoted(id)), \"optional\": true }"
    case .optionalReference(let id):
      return "<dict>" + XMLText.element("key", "service") + XMLText.element("string", id)
        + XMLText.element("key", "optional") + "<true/></dict>"
    case .placeholder, .removal, .deletion: return nil
    }
  }
}
