// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// Returns the byte range of a node's token. The token of a map or list in JSON is its opening bracket.
  package func range(of node: UInt32) -> (start: Int, end: Int) {
    let found = self[node]
    let isBracket = bracketsAreTokens && (found.kind == .map || found.kind == .list)
    return (Int(found.start), isBracket ? Int(found.start) + 1 : Int(found.end))
  }

  /// Returns the path of a node from the root, such as `services["mail.smtp"].inject.checks[0]`; empty for the root.
  ///
  /// A key that does not match `[A-Za-z_][A-Za-z0-9_-]*` is in brackets, as a JSON string. Keys have the paths of their
  /// values.
  ///
  /// - Complexity: linear in the number of siblings of the node and of all its ancestors.
  package func path(of node: UInt32) -> String {
    paths(of: CollectionOfOne(node)).first ?? ""
  }

  /// Returns the paths of many nodes, in the same order.
  ///
  /// - Parameter wanted: The nodes, in ascending order.
  /// - Complexity: linear in the size of the document and of the result.
  package func paths(of wanted: some Collection<UInt32>) -> [String] {
    var walk = PathWalk()
    return wanted.map { walk.path(of: $0, in: self) }
  }

  /// Appends the path step of a key, which is shortened if it is very long.
  fileprivate func appendKey(_ key: UInt32, to path: inout [UInt8]) {
    let text = text(of: key)
    if text.utf8.count > PathStep.maximumSize { return PathStep.appendQuoted(text.shortened, to: &path) }
    PathStep.append(text, to: &path)
  }
}

/// A traversal of a document that computes the paths of nodes visited in ascending order.
private struct PathWalk {
  /// A map or list that contains the current node.
  private struct Level {
    /// The index of the first node after the container and its contents.
    let end: UInt32
    let isMap: Bool
    /// The current child; in a map, its key.
    var child: UInt32
    /// The index of the child among its siblings.
    var position = 0
    /// The length of the path of the container, in bytes.
    let length: Int
  }

  /// The containers around the last visited node, the outermost first.
  private var levels: [Level] = []
  /// The path of the last visited node.
  private var path: [UInt8] = []

  /// Advances to a node, which must not come before the last one, and returns its path.
  mutating func path(of node: UInt32, in document: Document) -> String {
    while let level = levels.last, level.end <= node { levels.removeLast() }
    if levels.isEmpty { enter(0, in: document, length: 0) }
    while let level = levels.last {
      path.removeSubrange(level.length...)
      guard level.child <= node, level.child < level.end else { break }
      let value = advance(to: node, in: document)
      guard value < node, document[value].next > node else { break }
      enter(value, in: document, length: path.count)
    }
    return String(decoding: path, as: UTF8.self)
  }

  /// Enters a container. Does nothing for other nodes, which have no children.
  private mutating func enter(_ container: UInt32, in document: Document, length: Int) {
    let node = document[container]
    guard node.kind == .map || node.kind == .list else { return }
    levels.append(Level(end: node.next, isMap: node.kind == .map, child: container + 1, length: length))
  }

  /// Moves the innermost level to the child that is or contains a node, and appends the step of the child to the path.
  ///
  /// - Returns: The child; in a map, its value.
  private mutating func advance(to node: UInt32, in document: Document) -> UInt32 {
    var level = levels[levels.count - 1]
    var value = level.isMap ? level.child + 1 : level.child
    while document[value].next <= node {
      level.child = document[value].next
      level.position += 1
      value = level.isMap ? level.child + 1 : level.child
    }
    levels[levels.count - 1] = level
    if level.isMap {
      document.appendKey(level.child, to: &path)
    } else {
      path.append(contentsOf: "[\(level.position)]".utf8)
    }
    return value
  }
}

/// The formatting of a step of a path.
package enum PathStep {
  /// The length in bytes up to which a key is shown whole. Of a longer key, a path shows the beginning and the end.
  static let maximumSize = 256

  /// Appends a key as the next step of a path.
  package static func append(_ key: String, to path: inout [UInt8]) {
    guard isPlain(key) else { return appendQuoted(key, to: &path) }
    if !path.isEmpty { path.append(UInt8(ascii: ".")) }
    path.append(contentsOf: key.utf8)
  }

  /// Whether a key is written without brackets and quotes: it matches `[A-Za-z_][A-Za-z0-9_-]*`.
  static func isPlain(_ key: String) -> Bool {
    guard let first = key.utf8.first, isLetter(first) else { return false }
    return key.utf8.allSatisfy { isLetter($0) || $0.isDigit || $0 == UInt8(ascii: "-") }
  }

  /// Appends a key in brackets, as a JSON string with the escapes of `JSONWriter.string(_:)`. `DottedPath` reads them.
  static func appendQuoted(_ key: String, to path: inout [UInt8]) {
    path.append(contentsOf: "[\(JSONWriter.quoted(key))]".utf8)
  }

  /// Whether a byte is a letter or an underscore.
  private static func isLetter(_ byte: UInt8) -> Bool { byte.isLetter || byte == UInt8(ascii: "_") }
}
