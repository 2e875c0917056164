// SPDX-License-Identifier: Apache-2.0

/// The lines, columns and paths of many places, found in one walk through each file that holds one.
package struct ResolvedPlaces {
  /// What is known of the places in one file.
  private struct File {
    /// The line and column of each offset that a place begins or ends at.
    var positions: [Int: SourcePosition] = [:]
    /// The path of each node.
    var paths: [UInt32: String] = [:]
  }

  /// The documents, by the number of the file.
  private let documents: [Document]
  /// What is known of each file that holds a place.
  private var files: [FileID: File] = [:]

  /// Finds places.
  ///
  /// - Parameters:
  ///   - main: The places whose paths are wanted as well.
  ///   - further: The other places.
  ///   - documents: All documents of the load, by the number of the file.
  package init(of main: [Place], and further: [Place], in documents: [Document]) {
    self.documents = documents
    var nodes: [FileID: Set<UInt32>] = [:]
    for case .node(let reference) in main { nodes[reference.file, default: []].insert(reference.node) }
    for (file, nodes) in nodes {
      let nodes = nodes.sorted()
      files[file, default: File()].paths = Dictionary(
        uniqueKeysWithValues: zip(nodes, documents[Int(file.index)].paths(of: nodes)))
    }
    var offsets: [FileID: Set<Int>] = [:]
    for place in [main, further].joined() {
      guard let file = place.file, let range = range(of: place) else { continue }
      offsets[file, default: []].formUnion([range.start, range.end])
    }
    for (file, offsets) in offsets {
      let bytes = documents[Int(file.index)].source.bytes
      let offsets = offsets.sorted()
      files[file, default: File()].positions = Dictionary(
        uniqueKeysWithValues: zip(offsets, LineTable(bytes).positions(of: offsets, in: bytes)))
    }
  }

  /// Where a place is shown.
  package func location(of place: Place) -> Diagnostic.Location {
    guard let file = place.file else {
      let start = SourcePosition(line: 1, column: 1)
      return Diagnostic.Location(file: "<command line>", start: start, end: start)
    }
    let range = range(of: place)
    var location = Diagnostic.Location(
      file: documents[Int(file.index)].source.name, start: range.flatMap { files[file]?.positions[$0.start] },
      end: range.flatMap { files[file]?.positions[$0.end] })
    location.source = file
    return location
  }

  /// The path of a place from the root of its document.
  package func path(of place: Place) -> String {
    switch place {
    case .node(let reference): files[reference.file]?.paths[reference.node] ?? ""
    case .bytes(_, _, _, let path), .commandLine(let path): path
    }
  }

  /// The offsets of a place, or nil where it has none.
  private func range(of place: Place) -> (start: Int, end: Int)? {
    guard let file = place.file, documents[Int(file.index)].hasPositions else { return nil }
    switch place {
    case .node(let reference): return documents[Int(file.index)].range(of: reference.node)
    case .bytes(_, let start, let end, _): return (start, end)
    case .commandLine: return nil
    }
  }
}
