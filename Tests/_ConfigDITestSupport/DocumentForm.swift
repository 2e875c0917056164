// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file together with the library, as one module, without its imports of the library.
package import ConfigDI

extension Document {
  /// What is wrong with the form of the tree or with the places of findings about it. Quadratic in the number of nodes.
  ///
  /// - Parameter hasBlocks: Whether lists and maps may begin with what they hold, and a token may be empty, as in YAML.
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

  /// What is wrong with the form of the tree, whatever was read; empty for every document.
  ///
  /// Children lie within their container and follow one another, `next` leads from each to the one behind it, every key
  /// has a value, counts are right, and only keys and strings have a text. Without positions all offsets are 0. Linear in
  /// the number of nodes.
  ///
  /// - Parameter hasBlocks: Whether lists and maps may begin with what they hold.
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

  /// Whether a node has its place from an alias.
  private func isCopied(_ node: UInt32) -> Bool { !copies(in: node..<node + 1).isEmpty }

  /// Whether the text of a key or string is there.
  private func hasText(_ node: ConfigDI.Node) -> Bool {
    node.isVerbatim ? node.end - node.start >= 2 : texts.indices.contains(Int(node.payload))
  }
}
