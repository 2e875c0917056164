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
    let isBinary = syntax == .plist && BinaryPropertyListReader.recognizes(source.bytes)
    var builder = DocumentBuilder(
      Document(source: source, file: file), limits: limits,
      containerNames: syntax == .plist ? "dictionaries and arrays" : "maps and lists")
    self = source.bytes.withUnsafeBufferPointer { text in
      switch syntax {
      case _ where text.count > limits.fileSize:
        builder.stop = .tooLarge(source, at: builder.top, limit: limits.fileSize)
      case .json, .jsonc:
        var reader = JSONReader(text, into: builder, isLenient: syntax == .jsonc)
        return reader.document(bag: &bag)
      case .plist where isBinary:
        builder = BinaryPropertyListReader.read(into: builder)
      case .plist:
        var reader = XMLPropertyListReader(text, into: builder)
        return reader.document(bag: &bag)
      case .yaml:
        if let reader = syntaxes.first(where: { $0.syntax == syntax }) { return reader.read(text, builder, &bag) }
        builder.stop = .syntaxNotBuiltIn(syntax, source.name, at: builder.top)
      }
      return builder.finish(at: 0, bag: &bag)
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns CDI0106 at the beginning of a file.
  fileprivate static func tooLarge(_ source: SourceFile, at place: Place, limit: Int) -> Finding {
    Finding(
      .tooLarge, "file \"\(source.name)\" is too large: \(source.bytes.count) bytes, the limit is \(limit)", at: place)
  }
}
