// SPDX-License-Identifier: Apache-2.0

extension Keyword {
  /// The keys of a reference in the form of a map.
  fileprivate static let reference: [Keyword] = [.service, .optional, .map]
}

extension ShapeReader {
  /// The references of `inject`, each with a sound shape; what is not sound is told.
  mutating func injections(in node: UInt32) -> [Injection] {
    guard expect(.map, at: node) else { return [] }
    var injections: [Injection] = []
    injections.reserveCapacity(Int(document[node].payload))
    for key in document.keys(of: node) {
      checkArgumentKey(key)
      checkReference(at: key + 1)
      injections.append(Injection(name: name(of: key), key: reference(key), reference: .node(reference(key + 1))))
    }
    return injections
  }

  /// Tells every breach of shape in a reference, however deep.
  private mutating func checkReference(at root: UInt32) {
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
            wanted: "a service's id, a list of references or a map that says which",
            found: document[node].kind.inWords, at: reference(node)))
      }
    }
  }

  /// Tells every breach of shape in a reference that is a map; the references inside are left to the caller.
  private mutating func checkReferenceMap(at node: UInt32, pending: inout [UInt32]) {
    var form: (keyword: Keyword, key: UInt32)?
    var optionalKey: UInt32?
    var inner: [UInt32] = []
    let shape = readMap(node, allowing: Keyword.reference) { reader, keyword, key, value in
      if keyword == .optional {
        optionalKey = key
        _ = reader.expect(.boolean, at: value)
        return
      }
      if let form {
        reader.report(
          .excluding(
            keyword.text, form.keyword.text, at: reader.reference(key), reader.reference(form.key)))
      } else {
        form = (keyword, key)
      }
      if keyword == .service {
        _ = reader.expect(.string, at: value)
      } else if reader.expect(.map, at: value) {
        inner += reader.document.keys(of: value).map { $0 + 1 }
      }
    }
    pending += inner
    let forms: [Keyword] = [.service, .map]
    if !forms.contains(where: shape.present.contains), !forms.contains(where: shape.suggested.contains) {
      report(.missing("\"service\" or \"map\"", "a reference", subject: "form", at: placeNaming(node)))
    }
    if let optionalKey, form != nil, !shape.present.contains(.service) {
      report(.pointless("optional", "goes with \"service\" alone", at: reference(optionalKey)))
    }
  }
}
