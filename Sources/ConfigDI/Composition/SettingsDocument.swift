// SPDX-License-Identifier: Apache-2.0

/// The document of the caller's settings. It gives a changed value a token, like any other value.
///
/// What a setting changes only in part is copied into the document as a whole. Copied nodes refer to their originals.
package struct SettingsDocument {
  /// The origin of a node.
  enum Origin {
    /// The setting with this path.
    case setting(String)
    /// The node of a file that it is a copy of.
    case copy(NodeRef)
  }

  /// The document, which is the last one of the composition.
  package private(set) var document: Document
  /// The path of the setting that each node comes from; empty for a copy.
  private(set) var paths: [String] = []

  /// Creates a document without nodes.
  init(file: FileID) {
    document = Document(source: SourceFile(name: "<command line>", bytes: []), file: file)
    document.content.hasPositions = false
  }

  /// The index of the next node.
  var nextNode: UInt32 { UInt32(document.nodes.count) }
}

// MARK: - Writing

extension SettingsDocument {
  /// Begins a map or a list. Returns its index for `close(_:count:)`.
  mutating func open(_ kind: NodeKind, from origin: Origin) -> Int {
    append(kind, 0, from: origin)
    return document.nodes.count - 1
  }

  /// Ends a map or a list with the number of its entries or elements.
  mutating func close(_ place: Int, count: Int) {
    document.content.nodes[place].payload = Int64(count)
    document.content.nodes[place].next = nextNode
  }

  /// Adds a key or a string.
  mutating func append(_ text: String, as kind: NodeKind, from origin: Origin) {
    append(kind, Int64(document.texts.count), from: origin)
    document.content.texts.append(text)
  }

  /// Adds a value and returns its node.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  @discardableResult
  mutating func append(_ value: Value, from origin: Origin) -> NodeRef {
    let node = NodeRef(file: document.file, node: nextNode)
    switch value {
    case .string(let text), .duration(let text), .size(let text): append(text, as: .string, from: origin)
    case .integer(let integer): append(.integer, integer, from: origin)
    case .real(let real): append(.real, Int64(bitPattern: real.bitPattern), from: origin)
    case .boolean(let boolean): append(.boolean, boolean ? 1 : 0, from: origin)
    case .data(let bytes):
      append(.data, Int64(document.data.count), from: origin)
      document.content.data.append(bytes)
    case .list(let elements):
      let list = open(.list, from: origin)
      for element in elements { append(element, from: origin) }
      close(list, count: elements.count)
    case .map(let entries):
      let map = open(.map, from: origin)
      for entry in entries {
        append(entry.key, as: .key, from: origin)
        append(entry.value, from: origin)
      }
      close(map, count: entries.count)
    }
    return node
  }

  /// Adds a node.
  private mutating func append(_ kind: NodeKind, _ payload: Int64, from origin: Origin) {
    switch origin {
    case .setting(let path):
      document.content.origins.append(NodeRef(file: document.file, node: nextNode))
      paths.append(path)
    case .copy(let node):
      document.content.origins.append(node)
      paths.append("")
    }
    document.content.nodes.append(Node(kind: kind, start: 0, end: 0, next: nextNode + 1, payload: payload))
  }
}

// MARK: - Places

extension SettingsDocument {
  /// Returns a place, moved to the command line if it is a node of this document.
  func place(of place: Place) -> Place {
    guard case .node(let node) = place, node.file == document.file else { return place }
    return .commandLine(path: paths[Int(node.node)])
  }
}
