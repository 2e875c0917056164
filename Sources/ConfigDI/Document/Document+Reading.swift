// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// Reads a file. What is wrong with it goes into the bag; `isComplete` tells whether the tree is the whole text.
  ///
  /// After CDI0102, CDI0103 and CDI0108 reading goes on, after any other finding it ends. The nodes are a whole tree
  /// in either case: every key has a value, every container an end.
  ///
  /// - Complexity: linear in the size of the file.
  package init(
    reading source: SourceFile, file: FileID, syntax: Syntax, limits: Limits = Limits(), bag: inout DiagnosticBag
  ) {
    self.init(source: source, file: file)
    guard source.bytes.count <= limits.fileSize else {
      isComplete = false
      bag.report(Document.tooLarge(source, file, limit: limits.fileSize))
      return
    }
    switch syntax {
    case .json: readJSON(nesting: limits.nesting, bag: &bag)
    }
    markRepeatedKeys(bag: &bag)
  }

  /// Fills the document from a JSON text.
  private mutating func readJSON(nesting: Int, bag: inout DiagnosticBag) {
    var stop: Finding?
    var pending: UInt32?
    source.bytes.withUnsafeBufferPointer { text in
      var reader = JSONReader(text, file: file, nesting: nesting)
      reader.read()
      nodes = reader.nodes
      texts = reader.texts
      stop = reader.stop
      pending = reader.pending
      for finding in reader.findings { bag.report(finding) }
    }
    guard var stop, case .bytes(let file, let start, let end, _) = stop.place else { return }
    isComplete = false
    stop.place = .bytes(file, start: start, end: end, path: pending.map { path(of: $0) } ?? "")
    bag.report(stop)
  }
}

// MARK: - Messages

extension Document {
  /// CDI0106 at the beginning of a file.
  fileprivate static func tooLarge(_ source: SourceFile, _ file: FileID, limit: Int) -> Finding {
    Finding(
      .tooLarge, "\"\(source.name)\" has \(source.bytes.count) bytes, more than the limit of \(limit)",
      at: .bytes(file, start: 0, end: 0, path: ""))
  }
}
