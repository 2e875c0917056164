// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file and the library as one module, with the imports of the library removed.
package import ConfigDI

extension Document {
  /// Returns the defects of the tree and of the positions of findings about it.
  ///
  /// - Parameter hasBlocks: Whether the range of a list or map may begin with its first child, and a token may be
  ///   empty, as in YAML.
  /// - Complexity: Quadratic in the number of nodes.
  package func problems(with bag: DiagnosticBag, hasBlocks: Bool = false) -> [String] {
    var problems = problemsOfForm(hasBlocks: hasBlocks)
    let places = bag.findings.flatMap { [$0.place] + $0.related.map(\.place) }
    for place in places {
      switch place {
      case .node(let reference) where Int(reference.node) < nodes.count:
        guard hasPositions else { continue }
        let (start, end) = range(of: reference.node)
        if start > end || (start == end && !hasBlocks) || end > source.bytes.count {
          problems.append("\(place) is no token")
        }
      case .bytes(_, let start, let end, _) where 0 <= start && start <= end && end <= source.bytes.count: break
      default: problems.append("\(place) is outside the document")
      }
    }
    let ending: [DiagnosticCode] = [.syntaxError, .invalidCharacter, .nestedTooDeeply, .tooLarge]
    let count = bag.findings.count { ending.contains($0.code) }
    if (count == 0) != isComplete { problems.append("\(count) findings end reading, complete: \(isComplete)") }
    let nodes = nodes.indices.map { UInt32($0) }
    if paths(of: nodes) != nodes.map({ path(of: $0) }) { problems.append("a path depends on those before it") }
    return problems
  }

  /// Returns the violated invariants of the tree. Empty for every correct document, whatever the input was.
  ///
  /// The range of a child is in that of its container, and after the range of its predecessor. `next` leads to the next
  /// sibling, each key has a value, counts are correct, and only keys and strings have a text. Without positions all
  /// offsets are 0.
  ///
  /// - Parameter hasBlocks: Whether the range of a list or map may begin with its first child.
  /// - Complexity: Linear in the number of nodes.
  package func problemsOfForm(hasBlocks: Bool = false) -> [String] {
    var problems: [String] = []
    var ends: [(end: UInt32, lastByte: UInt32)] = []
    var previousEnd: UInt32 = 0
    if let root = nodes.first, Int(root.next) != nodes.count { problems.append("the root does not hold all nodes") }
    for (index, node) in nodes.enumerated() {
      while let container = ends.last, container.end <= index { ends.removeLast() }
      let bounds = ends.last ?? (UInt32(nodes.count), UInt32(source.bytes.count))
      if node.next <= index || node.next > bounds.end { problems.append("\(index): next leads out of the container") }
      if !hasPositions, node.start != 0 || node.end != 0 { problems.append("\(index): has a place") }
      if node.start > node.end || node.end > bounds.lastByte {
        problems.append("\(index): the range leaves the container")
      }
      if !isCopied(UInt32(index)), node.start < previousEnd {
        problems.append("\(index): begins before the node in front of it ends")
      }
      let isContainer = node.kind == .map || node.kind == .list
      if !isContainer, Int(node.next) != index + 1 { problems.append("\(index): a scalar holds something") }
      previousEnd = isContainer && hasPositions ? node.start + (hasBlocks ? 0 : 1) : node.end
      if isContainer { ends.append((node.next, node.end)) }
      switch node.kind {
      case .map:
        let count = keys(of: UInt32(index)).reduce(0) { count, key in
          if self[key].kind != .key { problems.append("\(index): an entry without a key") }
          return count + 1
        }
        if count != node.payload { problems.append("\(index): counts \(node.payload) entries, has \(count)") }
      case .list:
        let count = elements(of: UInt32(index)).reduce(0) { count, _ in count + 1 }
        if count != node.payload { problems.append("\(index): counts \(node.payload) elements, has \(count)") }
      case .key:
        if index + 1 >= nodes.count || nodes[index + 1].kind == .key {
          problems.append("\(index): a key without value")
        }
        if !hasText(node) { problems.append("\(index): a key without text") }
      case .string:
        if !hasText(node) { problems.append("\(index): a string without text") }
      default: break
      }
    }
    return problems
  }

  /// Whether a node is a copy made for an alias, with the offsets of the original.
  private func isCopied(_ node: UInt32) -> Bool { !copies(in: node..<node + 1).isEmpty }

  /// Whether a key or string has a text, in the source or in `texts`.
  private func hasText(_ node: ConfigDI.Node) -> Bool {
    node.isVerbatim ? node.end - node.start >= 2 : texts.indices.contains(Int(node.payload))
  }
}
