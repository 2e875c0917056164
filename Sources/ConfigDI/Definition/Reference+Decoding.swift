// SPDX-License-Identifier: Apache-2.0

extension Keyword {
  /// The keys of a reference in the form of a map.
  fileprivate static let reference: [Keyword] = [.service, .optional, .tagged, .as, .map]
}

extension ShapeReader {
  /// Tells every breach of shape in a reference, however deep.
  mutating func checkReference(at root: UInt32) {
    // Nearly all are an id.
    if document[root].kind == .string { return }
    var pending = [root]
    while let node = pending.popLast() {
      guard isReadable(node) else { continue }
      switch document[node].kind {
      case .string: break
      case .list: pending += document.elements(of: node)
      case .map: checkReferenceMap(at: node, pending: &pending)
      default:
        report(
          .wrongKind(
            wanted: "a service's id, a list of references or a reference map",
            found: document[node].kind.inWords, at: reference(node)))
      }
    }
  }

  /// Tells every breach of shape in a reference that is a map; the references inside are left to the caller.
  private mutating func checkReferenceMap(at node: UInt32, pending: inout [UInt32]) {
    var form: (keyword: Keyword, key: UInt32)?
    var details: [(keyword: Keyword, key: UInt32)] = []
    var inner: [UInt32] = []
    let shape = readMap(node, allowing: Keyword.reference) { reader, keyword, key, value in
      if keyword == .optional || keyword == .as {
        details.append((keyword, key))
        if keyword == .as { reader.checkForm(at: value) } else { _ = reader.expect(.boolean, at: value) }
        return
      }
      if let form {
        reader.report(
          .excluding(
            keyword.text, form.keyword.text, at: reader.reference(key), reader.reference(form.key)))
      } else {
        form = (keyword, key)
      }
      if keyword != .map {
        _ = reader.expect(.string, at: value)
      } else if reader.expect(.map, at: value) {
        inner += reader.document.keys(of: value).map { $0 + 1 }
      }
    }
    pending += inner
    if !shape.mentions(anyOf: [.service, .tagged, .map]) {
      report(.missing("\"service\", \"tagged\" or \"map\"", "the reference", subject: "form", at: placeNaming(node)))
    }
    guard form != nil else { return }
    for (keyword, key) in details {
      let owner: Keyword = keyword == .optional ? .service : .tagged
      if shape.mentions(owner) { continue }
      report(.pointless(keyword.text, "is allowed only with \"\(owner.text)\"", at: reference(key)))
    }
  }

  /// Tells what is no form in which tagged services can be had.
  private mutating func checkForm(at node: UInt32) {
    guard let word = string(at: node), word != "list", word != "map" else { return }
    report(.unknownWord(word, allowed: ["list", "map"], at: reference(node)))
  }
}
