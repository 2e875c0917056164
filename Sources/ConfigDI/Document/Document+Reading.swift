// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// Reads a file. What is wrong with it goes into the bag; `isComplete` tells whether the tree is the whole text.
  ///
  /// After CDI0102, CDI0103 and CDI0108 reading goes on, after any other finding it ends. The nodes are a whole tree
  /// in either case: every key has a value, every container an end.
  ///
  /// - Parameter syntaxes: Readers of further syntaxes.
  /// - Complexity: linear in the size of the file.
  package init(
    reading source: SourceFile, file: FileID, syntax: Syntax, syntaxes: [ModuleSyntax] = [],
    limits: Limits = Limits(), bag: inout DiagnosticBag
  ) {
    self.init(source: source, file: file)
    guard source.bytes.count <= limits.fileSize else {
      isComplete = false
      bag.report(Document.tooLarge(source, file, limit: limits.fileSize))
      return
    }
    switch syntax {
    case .json: readJSON(isLenient: false, limits, bag: &bag)
    case .jsonc: readJSON(isLenient: true, limits, bag: &bag)
    case .plist where BinaryPropertyListReader.recognizes(source.bytes): readBinaryPropertyList(limits, bag: &bag)
    case .plist: readXMLPropertyList(limits, bag: &bag)
    case .yaml:
      guard let reader = syntaxes.first(where: { $0.syntax == syntax }) else {
        isComplete = false
        bag.report(.syntaxNotBuiltIn(syntax, source.name, at: .bytes(file, start: 0, end: 0, path: "")))
        return
      }
      self = reader.read(self, limits, &bag)
    }
    markRepeatedKeys(bag: &bag)
  }

  /// Fills the document from a JSON text.
  private mutating func readJSON(isLenient: Bool, _ limits: Limits, bag: inout DiagnosticBag) {
    var stop: Finding?
    var pending: UInt32?
    source.bytes.withUnsafeBufferPointer { text in
      var reader = JSONReader(text, file: file, nesting: limits.nesting, isLenient: isLenient)
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

  /// Fills the document from an XML property list.
  private mutating func readXMLPropertyList(_ limits: Limits, bag: inout DiagnosticBag) {
    self = source.bytes.withUnsafeBufferPointer { text in
      var reader = XMLPropertyListReader(text, into: self, nesting: limits.nesting)
      reader.read()
      for finding in reader.findings { bag.report(finding) }
      return reader.builder.finish(at: reader.offset, stop: reader.stop, bag: &bag)
    }
  }

  /// Fills the document from a binary property list. One that does not read is told at its beginning.
  private mutating func readBinaryPropertyList(_ limits: Limits, bag: inout DiagnosticBag) {
    do {
      var reader = try BinaryPropertyListReader(into: self, limits: limits)
      try reader.read()
      for finding in reader.findings { bag.report(finding) }
      self = reader.builder.finish(at: 0, stop: nil, bag: &bag)
      hasPositions = false
    } catch {
      isComplete = false
      bag.report(
        Finding(
          error.code, "malformed binary property list: \(error.message)",
          at: .bytes(file, start: 0, end: 0, path: "")))
    }
  }
}

// MARK: - Messages

extension Document {
  /// CDI0106 at the beginning of a file.
  fileprivate static func tooLarge(_ source: SourceFile, _ file: FileID, limit: Int) -> Finding {
    Finding(
      .tooLarge, "file \"\(source.name)\" is too large: \(source.bytes.count) bytes, the limit is \(limit)",
      at: .bytes(file, start: 0, end: 0, path: ""))
  }
}
