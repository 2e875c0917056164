// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// Reads a file into a tree and reports what is wrong with it. `isComplete` tells whether the tree is the whole file.
  ///
  /// A finding about one key or value, such as a repeated key, `null` or a number out of range, does not stop reading.
  /// After a syntax error, reading resumes if the meaning of the rest is certain, and the document is incomplete. Any
  /// other finding ends reading. The tree is always well-formed: every key has a value, every container an end.
  ///
  /// - Parameter syntaxes: Readers of additional syntaxes.
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
    var firstMistake = Int.max
    switch syntax {
    case .json: firstMistake = readJSON(isLenient: false, limits, bag: &bag)
    case .jsonc: firstMistake = readJSON(isLenient: true, limits, bag: &bag)
    case .plist where BinaryPropertyListReader.recognizes(source.bytes): readBinaryPropertyList(limits, bag: &bag)
    case .plist: firstMistake = readXMLPropertyList(limits, bag: &bag)
    case .yaml:
      guard let reader = syntaxes.first(where: { $0.syntax == syntax }) else {
        isComplete = false
        bag.report(.syntaxNotBuiltIn(syntax, source.name, at: .bytes(file, start: 0, end: 0, path: "")))
        return
      }
      self = reader.read(self, limits, &bag)
    }
    markRepeatedKeys(before: firstMistake, bag: &bag)
  }

  /// Reads JSON text into the document.
  ///
  /// - Returns: The offset of the first syntax error, or `Int.max` if there is none.
  private mutating func readJSON(isLenient: Bool, _ limits: Limits, bag: inout DiagnosticBag) -> Int {
    var mistakes: [SyntaxError] = []
    source.bytes.withUnsafeBufferPointer { text in
      var reader = JSONReader(text, file: file, nesting: limits.nesting, isLenient: isLenient)
      reader.read()
      nodes = reader.nodes
      texts = reader.texts
      mistakes = reader.mistakes
      for finding in reader.findings { bag.report(finding) }
    }
    return report(mistakes, bag: &bag)
  }

  /// Reports the syntax errors of a finished tree, each with the path of its node, or an empty path outside the root.
  ///
  /// - Returns: The offset of the first error, or `Int.max` if there is none.
  private mutating func report(_ mistakes: [SyntaxError], bag: inout DiagnosticBag) -> Int {
    var first = Int.max
    for mistake in mistakes {
      var finding = mistake.finding
      guard case .bytes(let file, let start, let end, _) = finding.place else { continue }
      first = min(first, start)
      finding.place = .bytes(file, start: start, end: end, path: mistake.node.map { path(of: $0) } ?? "")
      bag.report(finding)
    }
    if !mistakes.isEmpty { isComplete = false }
    return first
  }

  /// Reads an XML property list into the document.
  ///
  /// - Returns: The offset of the first syntax error, or `Int.max` if there is none.
  private mutating func readXMLPropertyList(_ limits: Limits, bag: inout DiagnosticBag) -> Int {
    var mistakes: [SyntaxError] = []
    self = source.bytes.withUnsafeBufferPointer { text in
      var reader = XMLPropertyListReader(text, into: self, nesting: limits.nesting)
      reader.read()
      for finding in reader.findings { bag.report(finding) }
      mistakes = reader.mistakes
      return reader.builder.finish(at: reader.offset, stop: nil, bag: &bag)
    }
    return report(mistakes, bag: &bag)
  }

  /// Reads a binary property list into the document. A malformed file is reported at offset 0; nesting that is too deep
  /// is reported with the path of the container.
  private mutating func readBinaryPropertyList(_ limits: Limits, bag: inout DiagnosticBag) {
    do {
      var reader = try BinaryPropertyListReader(into: self, limits: limits)
      try reader.read()
      for finding in reader.findings { bag.report(finding) }
      self = reader.builder.finish(at: 0, stop: reader.stop, bag: &bag)
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
  /// Returns CDI0106 at the beginning of a file.
  fileprivate static func tooLarge(_ source: SourceFile, _ file: FileID, limit: Int) -> Finding {
    Finding(
      .tooLarge, "file \"\(source.name)\" is too large: \(source.bytes.count) bytes, the limit is \(limit)",
      at: .bytes(file, start: 0, end: 0, path: ""))
  }
}
