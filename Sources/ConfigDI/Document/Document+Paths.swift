// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// The token of a node as offsets, the end exclusive: of a map or list in JSON its opening bracket alone.
  package func range(of node: UInt32) -> (start: Int, end: Int) {
    let found = self[node]
    let isBracket = bracketsAreTokens && (found.kind == .map || found.kind == .list)
    return (Int(found.start), isBracket ? Int(found.start) + 1 : Int(found.end))
  }

  /// The path of a node from the root, such as `services["mail.smtp"].inject.checks[0]`. The root's is empty.
  ///
  /// A step that is not `[A-Za-z_][A-Za-z0-9_-]*` stands in brackets, as a JSON string. A key has its value's path.
  ///
  /// - Complexity: linear in the number of siblings of the node and of all that hold it.
  package func path(of node: UInt32) -> String {
    paths(of: CollectionOfOne(node)).first ?? ""
  }

  /// The paths of many nodes, in the same order.
  ///
  /// - Parameter wanted: The nodes, ascending.
  /// - Complexity: linear in the size of the document and of the result.
  package func paths(of wanted: some Collection<UInt32>) -> [String] {
    var walk = PathWalk()
    return wanted.map { walk.path(of: $0, in: self) }
  }

  /// A map's key or a list's position, as it stands in a path.
  fileprivate func appendKey(_ key: UInt32, to path: inout [UInt8]) {
    withText(of: key) { text in
      if text.count > PathStep.greatestSize {
        return PathStep.appendQuoted(String(decoding: text, as: UTF8.self).shortened.utf8, to: &path)
      }
      if PathStep.isPlain(text) {
        if !path.isEmpty { path.append(UInt8(ascii: ".")) }
        path.append(contentsOf: text)
      } else {
        PathStep.appendQuoted(text, to: &path)
      }
    }
  }
}

/// A walk through a document that visits ascending nodes and knows the path of each.
private struct PathWalk {
  /// A map or list on the way to a node.
  private struct Level {
    /// The place behind the container.
    let end: UInt32
    /// Whether it is a map.
    let isMap: Bool
    /// The child at which the walk stands; a map's key.
    var child: UInt32
    /// The child's position among its siblings.
    var position = 0
    /// The length of the container's own path.
    let length: Int
  }

  /// The containers around the node visited last, the outermost first.
  private var levels: [Level] = []
  /// The path of the node visited last.
  private var path: [UInt8] = []

  /// A walk that stands at the root.
  init() {}

  /// Goes on to a node, which must not stand before the last one, and tells its path.
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

  /// Steps into a container. A node that is none has no children to stand at.
  private mutating func enter(_ container: UInt32, in document: Document, length: Int) {
    let node = document[container]
    guard node.kind == .map || node.kind == .list else { return }
    levels.append(Level(end: node.next, isMap: node.kind == .map, child: container + 1, length: length))
  }

  /// Moves the innermost level to the child that is or holds a node, and adds the child's step to the path.
  ///
  /// - Returns: The child, of a map the value.
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

/// How a step of a path is written.
package enum PathStep {
  /// The bytes up to which a key stands whole in a path; of a longer one its beginning and its end do.
  static let greatestSize = 256

  /// Whether a key stands in a path as it is: `[A-Za-z_][A-Za-z0-9_-]*`.
  package static func isPlain(_ key: some Collection<UInt8>) -> Bool {
    guard let first = key.first, isLetter(first) else { return false }
    return key.allSatisfy { isLetter($0) || $0 &- UInt8(ascii: "0") <= 9 || $0 == UInt8(ascii: "-") }
  }

  /// Adds a key in brackets, as a JSON string with no more escapes than must be.
  package static func appendQuoted(_ key: some Collection<UInt8>, to path: inout [UInt8]) {
    path.append(contentsOf: "[\"".utf8)
    for byte in key {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): path.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0x08: path.append(contentsOf: "\\b".utf8)
      case 0x09: path.append(contentsOf: "\\t".utf8)
      case 0x0A: path.append(contentsOf: "\\n".utf8)
      case 0x0C: path.append(contentsOf: "\\f".utf8)
      case 0x0D: path.append(contentsOf: "\\r".utf8)
      case 0..<0x20:
        path.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8)
        path.append(contentsOf: String(byte, radix: 16).utf8)
      default: path.append(byte)
      }
    }
    path.append(contentsOf: "\"]".utf8)
  }

  /// Whether a byte is a letter or an underscore.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }
}
