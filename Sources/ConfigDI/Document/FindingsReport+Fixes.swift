// SPDX-License-Identifier: Apache-2.0

extension FindingsReport {
  /// A repair: what to put in the place of a stretch.
  struct Repair {
    /// The stretch.
    var place: Place
    /// The text.
    var text: String
  }

  /// The repairs of some findings, nil where one has none.
  ///
  /// No two repairs overlap, so that all of a file can be applied together: a token is mended by the first finding about it,
  /// what is mended is not removed, and neighbours that go are one repair, of the first of them.
  ///
  /// - Complexity: linear in the findings, and in the documents of which something is to be removed.
  func repairs(of findings: [Finding]) -> [Repair?] {
    var repairs = [Repair?](repeating: nil, count: findings.count)
    var mended: [FileID: Set<UInt32>] = [:]
    var going: [FileID: [UInt32: Int]] = [:]
    for (number, finding) in findings.enumerated() {
      guard let replacement = finding.replacement, case .node(let node) = finding.place else { continue }
      if replacement == .removal {
        if going[node.file]?[node.node] == nil { going[node.file, default: [:]][node.node] = number }
      } else if let text = documents[Int(node.file.index)].text(of: replacement, for: node.node),
        mended[node.file, default: []].insert(node.node).inserted
      {
        repairs[number] = Repair(place: finding.place, text: text)
      }
    }
    for (file, numbers) in going {
      let removals = documents[Int(file.index)].removals(of: Set(numbers.keys), sparing: mended[file] ?? [])
      for removal in removals {
        guard let number = numbers[removal.token] else { continue }
        repairs[number] = Repair(place: .bytes(file, start: removal.start, end: removal.end, path: ""), text: "")
      }
    }
    return repairs
  }
}
