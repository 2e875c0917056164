// SPDX-License-Identifier: Apache-2.0

/// The documents of a load by the number of their file.
package struct DocumentSet: Sendable {
  /// The documents; a file's number is its place.
  package private(set) var documents: [Document] = []

  /// An empty set.
  package init() {}

  /// The number that the next file gets.
  package var nextFile: FileID { FileID(documents.count) }

  /// Adds the document of the next file.
  package mutating func append(_ document: Document) { documents.append(document) }

  /// The document of a file.
  package subscript(file: FileID) -> Document { documents[Int(file.index)] }

  /// A node.
  package subscript(node: NodeRef) -> Node { documents[Int(node.file.index)].nodes[Int(node.node)] }

  /// The text of a key or string.
  package func text(of node: NodeRef) -> String { documents[Int(node.file.index)].text(of: node.node) }

  /// The value at a node as it stands, without expansion; nil where some of it could not be read.
  package func value(at node: NodeRef) -> Value? { Value(node.node, of: documents[Int(node.file.index)]) }

  /// The name by which messages call a file.
  package func name(of file: FileID) -> String { self[file].source.name }
}
