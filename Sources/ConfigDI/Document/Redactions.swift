// SPDX-License-Identifier: Apache-2.0

/// The parts of the files of a load that no output shows, because they are secrets or may be secrets.
///
/// `TextRenderer`, which shows lines of files, and `FindingsReport`, which makes the texts of diagnostics, consult this
/// type; nothing else decides what is shown of a file. Files are identified by number, as names may not be unique.
package struct Redactions: Sendable {
  /// The hidden parts of one file.
  package struct File: Sendable {
    /// The hidden byte ranges, ascending and without overlap.
    package var masks: [TextRenderer.Mask] = []
    /// The hidden nodes, each a value, or a key with its value, and the node whose path is shown instead of theirs;
    /// ascending and without overlap.
    package var nodes: [(range: Range<UInt32>, shown: UInt32)] = []
    /// The only nodes that are shown of a file that was not read to its end; `nil` for any other file.
    package var shownKeys: Set<UInt32>?
    /// The paths of the nodes in `shownKeys`.
    package var shownPaths: Set<String> = []

    /// Returns the hidden range that contains a node, with the node whose path is shown; `nil` if there is none.
    ///
    /// - Complexity: logarithmic in the number of hidden ranges.
    fileprivate func hiddenNodes(around node: UInt32) -> (range: Range<UInt32>, shown: UInt32)? {
      let next = nodes.partitioningIndex { $0.range.lowerBound > node }
      return next > 0 && nodes[next - 1].range.contains(node) ? nodes[next - 1] : nil
    }
  }

  /// The hidden parts of each file that has any.
  private let files: [FileID: File]

  /// Creates a value from the hidden parts of each file.
  package init(_ files: [FileID: File] = [:]) { self.files = files }

  /// Returns the byte ranges of a file that no excerpt shows, in ascending order.
  package func masks(of file: FileID) -> [TextRenderer.Mask] { files[file]?.masks ?? [] }
}

// MARK: - Findings

extension Redactions {
  /// Returns the place whose path is shown for a place: for a hidden node, a node that contains it.
  func shownPlace(for place: Place) -> Place {
    guard case .node(let node) = place,
      let hidden = files[node.file]?.hiddenNodes(around: node.node)
    else { return place }
    return .node(NodeRef(file: node.file, node: hidden.shown))
  }

  /// Returns the path of a place, cut before the first hidden key.
  func shownPath(_ path: String, of place: Place) -> String {
    guard let number = place.file, let file = files[number], file.shownKeys != nil else { return path }
    var shown = path.utf8[...]
    while !shown.isEmpty, !file.shownPaths.contains(String(Substring(shown))) {
      // A dot or bracket may also be part of a key, but then the path up to it is not that of a shown key.
      shown = shown.prefix(
        upTo: shown.lastIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") } ?? shown.startIndex)
    }
    return String(Substring(shown))
  }

  /// Returns the hidden text at a place, or `nil` if nothing is hidden there.
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

  /// Returns a message in which an ellipsis replaces each quoted name that occurs in the hidden text. `fixed` is a part
  /// of the message that stays as it is.
  static func redacted(_ words: String, hiding hidden: String?, except fixed: String = "") -> String {
    guard let hidden, !hidden.isEmpty else { return words }
    if !fixed.isEmpty, let range = words.ranges(of: fixed).last {
      let ends = [words[..<range.lowerBound], words[range.upperBound...]]
      return ends.map { redacted(String($0), hiding: hidden) }.joined(separator: fixed)
    }
    let parts = words.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    let kept = parts.enumerated().map { place, part in
      // The parts between quoted names are prose, unless a name itself contains a quotation mark.
      let least = place.isMultiple(of: 2) ? 5 : 3
      return part.count >= least && hidden.utf8.contains(Array(part)) ? "…" : String(Substring(part))
    }
    return kept.joined(separator: "\"")
  }
}

extension String.UTF8View {
  /// Whether the text contains a sequence of bytes.
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
