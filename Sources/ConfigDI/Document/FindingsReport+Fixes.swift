// SPDX-License-Identifier: Apache-2.0

extension FindingsReport {
  /// A repair: what to put in the place of a range.
  struct Repair {
    /// The range.
    var place: Place
    /// The text.
    var text: String
  }

  /// The repairs of some findings, each all its parts; empty where one has none.
  ///
  /// No two repairs overlap, so that all of a file can be applied together: a token is fixed by the first finding about it,
  /// what is fixed is not removed, and neighbours that go are one repair, of the first of them. No repair makes a key that
  /// its map has already, or has by an earlier repair.
  ///
  /// - Complexity: linear in the findings, and in the documents of which something is to be removed or a key replaced.
  func repairs(of findings: [Finding]) -> [[Repair]] {
    var repairs = [[Repair]](repeating: [], count: findings.count)
    var fixed: [FileID: Set<UInt32>] = [:]
    var going: [FileID: [UInt32: Int]] = [:]
    var keys = renamedKeys(in: findings)
    for (number, finding) in findings.enumerated() {
      guard let replacement = finding.replacement, case .node(let node) = finding.place else { continue }
      if replacement == .removal {
        if going[node.file]?[node.node] == nil { going[node.file, default: [:]][node.node] = number }
        continue
      }
      guard fixed[node.file]?.contains(node.node) != true else { continue }
      if case .placeholder(let old, let new) = replacement {
        repairs[number] = documents[Int(node.file.index)].repairs(ofPlaceholder: old, in: node.node, to: new)
      } else if let text = documents[Int(node.file.index)].text(of: replacement, for: node.node),
        keys[node.file]?.rename(node.node, to: replacement) != false
      {
        repairs[number] = [Repair(place: finding.place, text: text)]
      }
      if !repairs[number].isEmpty { fixed[node.file, default: []].insert(node.node) }
    }
    for (file, numbers) in going {
      let removals = documents[Int(file.index)].removals(of: Set(numbers.keys), sparing: fixed[file] ?? [])
      for removal in removals {
        guard let number = numbers[removal.token] else { continue }
        repairs[number] = [Repair(place: .bytes(file, start: removal.start, end: removal.end, path: ""), text: "")]
      }
    }
    return repairs
  }

  /// The keys of the maps in which findings replace a key, by file.
  private func renamedKeys(in findings: [Finding]) -> [FileID: MapKeys] {
    var tokens: [FileID: Set<UInt32>] = [:]
    for finding in findings {
      guard case .string? = finding.replacement, case .node(let node) = finding.place else { continue }
      if documents[Int(node.file.index)][node.node].kind == .key { tokens[node.file, default: []].insert(node.node) }
    }
    var keys: [FileID: MapKeys] = [:]
    for (file, tokens) in tokens { keys[file] = MapKeys(besides: tokens, in: documents[Int(file.index)]) }
    return keys
  }
}

extension Document {
  /// What gives the placeholders of a name in a text another name; nothing where one of them is written with escapes.
  fileprivate func repairs(ofPlaceholder old: String, in node: UInt32, to new: String) -> [FindingsReport.Repair] {
    let all = placeholders(in: node).filter { $0.name == old }
    let ranges = all.compactMap(\.bytes)
    guard ranges.count == all.count else { return [] }
    return ranges.map { range in
      FindingsReport.Repair(place: .bytes(file, start: range.lowerBound, end: range.upperBound, path: ""), text: new)
    }
  }
}

/// The keys of the maps that hold some keys.
private struct MapKeys {
  /// The map that holds each of the keys.
  private var maps: [UInt32: UInt32] = [:]
  /// The texts of the keys of each map.
  private var texts: [UInt32: Set<String>] = [:]

  /// The keys of the maps that hold the given ones.
  ///
  /// - Complexity: linear in the document.
  init(besides keys: Set<UInt32>, in document: Document) {
    for map in document.nodes.indices where document.nodes[map].kind == .map {
      let map = UInt32(map)
      var found: [UInt32] = []
      for key in document.keys(of: map) where keys.contains(key) { found.append(key) }
      guard !found.isEmpty else { continue }
      for key in found { maps[key] = map }
      texts[map] = Set(document.keys(of: map).map { document.text(of: $0) })
    }
  }

  /// Replaces a key; whether its map does not have the new one.
  mutating func rename(_ key: UInt32, to replacement: Finding.Replacement) -> Bool {
    guard case .string(let text) = replacement, let map = maps[key] else { return true }
    return texts[map, default: []].insert(text).inserted
  }
}
