// SPDX-License-Identifier: Apache-2.0

/// What of the files of a load no output shows, because it is a secret or may be one.
///
/// The renderer of excerpts and `FindingsReport`, which makes the words of findings, ask here; no other place decides what is
/// shown of a file. Files are distinguished by their numbers, as two may have one name.
package struct HiddenText: Sendable {
  /// What of one file is not shown.
  package struct File: Sendable {
    /// The ranges of bytes, ascending; none overlaps another.
    package var masks: [TextRenderer.Mask] = []
    /// The nodes, ascending, each a value or a key with its value, and the node whose path stands for theirs; none overlaps
    /// another.
    package var nodes: [(range: Range<UInt32>, shown: UInt32)] = []
    /// Of a file that was not read to its end the only nodes that are shown; nil for any other file.
    package var shownKeys: Set<UInt32>?
    /// The paths of these nodes.
    package var shownPaths: Set<String> = []

    /// Nothing is hidden.
    package init() {}

    /// The hidden nodes that a node is one of, and the node whose path stands for theirs; nil where it is shown.
    ///
    /// - Complexity: logarithmic in the number of hidden nodes.
    fileprivate func hiddenNodes(around node: UInt32) -> (range: Range<UInt32>, shown: UInt32)? {
      let next = nodes.partitioningIndex { $0.range.lowerBound > node }
      return next > 0 && nodes[next - 1].range.contains(node) ? nodes[next - 1] : nil
    }
  }

  /// The files of which something is hidden.
  private let files: [FileID: File]

  /// What is hidden of each file.
  package init(_ files: [FileID: File] = [:]) { self.files = files }

  /// The ranges of a file that no excerpt shows, ascending.
  package func masks(of file: FileID) -> [TextRenderer.Mask] { files[file]?.masks ?? [] }
}

// MARK: - Findings

extension HiddenText {
  /// The place whose path is shown for a place: of a hidden node one that holds it.
  func shownPlace(for place: Place) -> Place {
    guard case .node(let node) = place,
      let hidden = files[node.file]?.hiddenNodes(around: node.node)
    else { return place }
    return .node(NodeRef(file: node.file, node: hidden.shown))
  }

  /// The path of a place without what it says of hidden keys.
  func shownPath(_ path: String, of place: Place) -> String {
    guard let number = place.file, let file = files[number], file.shownKeys != nil else { return path }
    var shown = path.utf8[...]
    while !shown.isEmpty, !file.shownPaths.contains(String(Substring(shown))) {
      // A dot or bracket may also be part of a key; what ends there is the path of no key that is shown.
      shown = shown.prefix(
        upTo: shown.lastIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") } ?? shown.startIndex)
    }
    return String(Substring(shown))
  }

  /// What is hidden at a place; nil where nothing is.
  func text(at place: Place, in documents: [Document]) -> String? {
    guard let number = place.file, let file = files[number] else { return nil }
    let document = documents[Int(number.index)]
    switch place {
    case .node(let node):
      let isHidden =
        file.shownKeys.map { !$0.contains(node.node) } ?? (file.hiddenNodes(around: node.node) != nil)
      return isHidden ? document.text(of: node.node) : nil
    case .bytes(_, let start, let end, _):
      let first = file.masks.partitioningIndex { $0.range.upperBound > start }
      let masks = file.masks[first...].prefix { $0.range.lowerBound < max(end, start + 1) }
      guard !masks.isEmpty else { return nil }
      return masks.map { String(decoding: document.source.bytes[$0.range], as: UTF8.self) }.joined(separator: "\n")
    case .commandLine: return nil
    }
  }

  /// Words about a place with the names that they quote left out where those stand in what is hidden there.
  static func redacted(_ words: String, hiding hidden: String?) -> String {
    guard let hidden, !hidden.isEmpty else { return words }
    let parts = words.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    let kept = parts.enumerated().map { place, part in
      // What stands between two quoted names is prose, unless a name has a quotation mark itself.
      let least = place.isMultiple(of: 2) ? 5 : 3
      return part.count >= least && hidden.utf8.contains(Array(part)) ? "…" : String(Substring(part))
    }
    return kept.joined(separator: "\"")
  }
}

extension String.UTF8View {
  /// Whether some bytes stand in the text in a row.
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      if rest[start...].starts(with: part) { return true }
      rest = rest[rest.index(after: start)...]
    }
    return false
  }
}
