// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension EditorWorkspace {
  /// Returns the actions that suppress the warnings that touch a range of a file: in the entry that contains the
  /// warning, or else in the whole file.
  ///
  /// The inserted reason is empty. That is an error until the user writes one. Only files in JSON are supported.
  package func suppressions(in path: String, touching range: TextRange) -> [CodeAction] {
    guard let syntax = Syntax(path: path), syntax == .json || syntax == .jsonc, let text = texts[path],
      let document = snapshots(of: path).lazy.compactMap({ $0.documents[path] }).first(where: { $0.isComplete })
    else { return [] }
    var walk = PositionWalk(text, encoding)
    return findings(touching: range, of: path).filter(\.isSuppressible).compactMap { finding in
      let target = SuppressionTarget(of: text.offset(of: finding.range.start, encoding), in: document)
      guard let target, let edit = target.edit(suppressing: finding.code, text.bytes) else { return nil }
      let fix = EditorDiagnostic.Fix(range: walk.range(of: edit.range), text: edit.text)
      return CodeAction(
        title: "Suppress \(finding.code) \(target.name.map { "for \"\($0)\"" } ?? "in this file") (write the reason)",
        finding: finding, fixes: [fix])
    }
  }
}

extension EditorDiagnostic {
  /// Whether `suppress` accepts the code of the finding.
  fileprivate var isSuppressible: Bool {
    DiagnosticCode.all.contains { $0.description == code && $0.severity == .warning && $0 != .idleSuppression }
  }
}

/// The map whose `suppress` applies to a token.
private struct SuppressionTarget {
  /// The document.
  let document: Document
  /// The map.
  let map: UInt32
  /// The id of the entry whose map it is, or `nil` for the root of the file.
  let name: String?

  /// Finds the map for the token at a byte offset: that of the parameter, template or service around it, or else the
  /// root. Returns `nil` if no token begins at the offset.
  init?(of offset: Int, in document: Document) {
    guard let token = document.nodes.indices.first(where: { Int(document.nodes[$0].start) == offset }),
      document.nodes[0].kind == .map
    else { return nil }
    self.document = document
    var (map, slot): (UInt32, FormatSlot) = (0, .root)
    while document[map].kind == .map,
      let key = document.keys(of: map).first(where: { $0 <= token && token < Int(document[$0 + 1].next) })
    {
      slot = slot.child(document.text(of: key))
      map = key + 1
      switch slot {
      case .parameter, .template, .service:
        // A parameter may be a literal, which has no keys.
        (self.map, name) = document[map].kind == .map ? (map, document.text(of: key)) : (0, nil)
        return
      default: break
      }
    }
    (self.map, name) = (0, nil)
  }

  /// Returns the edit that adds a code with an empty reason, or `nil` if `suppress` has the code or is not a map.
  func edit(suppressing code: String, _ text: [UInt8]) -> SourceEdit? {
    let keys = Array(document.keys(of: map))
    guard let suppress = keys.first(where: { document.text(of: $0) == Keyword.suppress.text }) else {
      return insertion(of: "\"\(Keyword.suppress.text)\": { \"\(code)\": \"\" }", in: map, text)
    }
    guard document[suppress + 1].kind == .map,
      !document.keys(of: suppress + 1).contains(where: { document.text(of: $0) == code })
    else { return nil }
    return insertion(of: "\"\(code)\": \"\"", in: suppress + 1, text)
  }

  /// Returns the edit that adds a member to a map: behind the last member with a scalar value, or else at the start.
  private func insertion(of member: String, in map: UInt32, _ text: [UInt8]) -> SourceEdit {
    let keys = Array(document.keys(of: map))
    guard let first = keys.first else {
      let start = Int(document[map].start) + 1
      return SourceEdit(range: start..<start, text: " \(member) ")
    }
    if let key = keys.last(where: { ![.map, .list].contains(document[$0 + 1].kind) }) {
      let end = Int(document[key + 1].end)
      return SourceEdit(range: end..<end, text: "," + separator(before: key, text) + member)
    }
    let start = Int(document[first].start)
    return SourceEdit(range: start..<start, text: member + "," + separator(before: first, text))
  }

  /// Returns the line break and indentation before a key, or a space if the key is not the first token of its line.
  private func separator(before key: UInt32, _ text: [UInt8]) -> String {
    let blanks = text[..<Int(document[key].start)].reversed().prefix { [0x20, 0x09].contains($0) }
    let start = Int(document[key].start) - blanks.count
    guard start > 0, text[start - 1] == UInt8(ascii: "\n") || text[start - 1] == UInt8(ascii: "\r") else { return " " }
    let isPaired = start > 1 && text[start - 1] == UInt8(ascii: "\n") && text[start - 2] == UInt8(ascii: "\r")
    return String(decoding: text[(start - (isPaired ? 2 : 1))..<Int(document[key].start)], as: UTF8.self)
  }
}
