// SPDX-License-Identifier: Apache-2.0

extension FindingsReport {
  /// An edit of a file: the replacement of a range of its text.
  struct Repair {
    /// The range to replace.
    var place: Place
    /// The new text.
    var text: String
  }

  /// Returns the edits that fix each finding, in the order of the findings; empty for a finding without a fix.
  ///
  /// No two edits overlap, so that all edits of a file can be applied together. A token is fixed by the first finding
  /// about it, a token that is fixed is not removed, and the removal of adjacent tokens is one edit, of the first of
  /// their findings. No edit creates a key that its map already has, or gets by an earlier edit.
  ///
  /// - Complexity: linear in the number of findings and the size of the documents with removals or renamed keys.
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
    for (number, finding) in findings.enumerated() {
      guard case .bytes(let file, _, _, _) = finding.place, case .deletion(let range)? = finding.replacement,
        going[file] == nil
      else { continue }
      let place = Place.bytes(file, start: range.lowerBound, end: range.upperBound, path: "")
      repairs[number] = [Repair(place: place, text: "")]
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

  /// Returns the keys of the maps in which findings replace keys, by file.
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
  /// Returns the edits that rename the placeholders of a name in a text; none if one of them is written with escapes.
  fileprivate func repairs(ofPlaceholder old: String, in node: UInt32, to new: String) -> [FindingsReport.Repair] {
    let all = placeholders(in: node).filter { $0.name == old }
    let ranges = all.compactMap(\.bytes)
    guard ranges.count == all.count else { return [] }
    return ranges.map { range in
      FindingsReport.Repair(place: .bytes(file, start: range.lowerBound, end: range.upperBound, path: ""), text: new)
    }
  }
}

/// The keys of the maps in which some keys are to be renamed.
private struct MapKeys {
  /// The map of each key to rename.
  private var maps: [UInt32: UInt32] = [:]
  /// The texts of all keys of each of these maps, without ignored keys.
  private var texts: [UInt32: Set<String>] = [:]

  /// Collects the keys of the maps that contain the given keys.
  ///
  /// - Complexity: linear in the size of the document.
  init(besides keys: Set<UInt32>, in document: Document) {
    for map in document.nodes.indices where document.nodes[map].kind == .map {
      let map = UInt32(map)
      var found: [UInt32] = []
      for key in document.allKeys(of: map) where keys.contains(key) { found.append(key) }
      guard !found.isEmpty else { continue }
      for key in found { maps[key] = map }
      texts[map] = Set(document.keys(of: map).map { document.text(of: $0) })
    }
  }

  /// Renames a key. Returns `false` if its map already has the new key.
  mutating func rename(_ key: UInt32, to replacement: Finding.Replacement) -> Bool {
    guard case .string(let text) = replacement, let map = maps[key] else { return true }
    return texts[map, default: []].insert(text).inserted
  }
}
