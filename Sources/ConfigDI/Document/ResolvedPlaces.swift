// SPDX-License-Identifier: Apache-2.0

/// The lines, columns and paths of many places, computed in one pass over each file that contains any.
package struct ResolvedPlaces {
  /// The documents, by file number.
  private let documents: [Document]
  /// The line and column of each byte offset at which a place begins or ends, by file.
  private var positions: [FileID: [Int: SourcePosition]] = [:]
  /// The path of each node, by file.
  private var paths: [FileID: [UInt32: String]] = [:]

  /// Resolves places.
  ///
  /// - Parameters:
  ///   - main: The places whose paths are needed, too.
  ///   - further: The places of which only lines and columns are needed.
  ///   - documents: All documents of the load, by file number.
  package init(of main: [Place], and further: [Place], in documents: [Document]) {
    self.documents = documents
    var nodes: [FileID: Set<UInt32>] = [:]
    for case .node(let reference) in main { nodes[reference.file, default: []].insert(reference.node) }
    for (file, nodes) in nodes {
      let nodes = nodes.sorted()
      paths[file] = Dictionary(uniqueKeysWithValues: zip(nodes, documents[Int(file.index)].paths(of: nodes)))
    }
    var offsets: [FileID: Set<Int>] = [:]
    for place in [main, further].joined() {
      guard let file = place.file, let range = range(of: place) else { continue }
      offsets[file, default: []].formUnion([range.start, range.end])
    }
    for (file, offsets) in offsets {
      let bytes = documents[Int(file.index)].source.bytes
      let offsets = offsets.sorted()
      positions[file] = Dictionary(
        uniqueKeysWithValues: zip(offsets, LineTable(bytes).positions(of: offsets, in: bytes)))
    }
  }

  /// Returns the location of a place, for a diagnostic.
  package func location(of place: Place) -> Diagnostic.Location {
    guard let file = place.file else {
      let start = SourcePosition(line: 1, column: 1)
      return Diagnostic.Location(file: "<command line>", start: start, end: start)
    }
    let range = range(of: place)
    var location = Diagnostic.Location(
      file: documents[Int(file.index)].source.name, start: range.flatMap { positions[file]?[$0.start] },
      end: range.flatMap { positions[file]?[$0.end] })
    location.source = file
    return location
  }

  /// Returns the path of a place from the root of its document.
  package func path(of place: Place) -> String {
    switch place {
    case .node(let reference): paths[reference.file]?[reference.node] ?? ""
    case .bytes(_, _, _, let path), .commandLine(let path): path
    }
  }

  /// Returns the byte offsets of a place, or `nil` if it has none.
  private func range(of place: Place) -> (start: Int, end: Int)? {
    guard let file = place.file, documents[Int(file.index)].hasPositions else { return nil }
    switch place {
    case .node(let reference): return documents[Int(file.index)].range(of: reference.node)
    case .bytes(_, let start, let end, _): return (start, end)
    case .commandLine: return nil
    }
  }
}
