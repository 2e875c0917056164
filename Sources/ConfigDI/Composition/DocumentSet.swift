// SPDX-License-Identifier: Apache-2.0

/// The documents of a load, by file.
package struct DocumentSet: Sendable {
  /// The documents. The index of a document is the number of its file.
  package private(set) var documents: [Document] = []

  /// The number that the next file gets.
  package var nextFile: FileID { FileID(documents.count) }

  /// Adds the document of the next file.
  package mutating func append(_ document: Document) { documents.append(document) }

  /// Returns the document of a file.
  package subscript(file: FileID) -> Document { documents[Int(file.index)] }

  /// Returns a node.
  package subscript(node: NodeRef) -> Node { documents[Int(node.file.index)].nodes[Int(node.node)] }

  /// Returns the text of a key or string.
  package func text(of node: NodeRef) -> String { documents[Int(node.file.index)].text(of: node.node) }

  /// Returns the value at a node as written, without expansion, or `nil` if a part of it could not be read.
  package func value(at node: NodeRef) -> Value? { Value(node.node, of: documents[Int(node.file.index)]) }

  /// Returns the name of a file as shown in messages.
  package func name(of file: FileID) -> String { self[file].source.name }
}
