// SPDX-License-Identifier: Apache-2.0

// Error recovery: if one element is wrong, reading resumes after it, so that one run reports more than the first error.
// If tags may be missing, reading ends.

extension XMLPropertyListReader {
  /// The kind of place at which an error was found.
  enum Site {
    /// After an element whose text is malformed.
    case scalar(Tag)
    /// After an opening tag that is not allowed at its place.
    case misplaced(Tag, isValue: Bool)
    /// Before the tag after a key without a value.
    case missingValue
    /// After another opening tag in the text of an element.
    case text(Tag, inner: Tag)
    /// At a closing tag of another name than the element.
    case end(Tag, start: Int)
    /// At a closing tag of another name than the container.
    case containerEnd(start: Int)
  }

  /// Records the current finding as an error in the text of an element. The text continues after it.
  ///
  /// - Throws: `ReadingStop` if the limit of errors or the end of the file is reached.
  mutating func recordMistake() throws(ReadingStop) {
    guard builder.recordsMistakes, offset < text.count else { throw ReadingStop() }
    builder.recordMistake()
  }

  mutating func repair(_ site: Site, in container: NodeKind) throws(ReadingStop) {
    switch site {
    case .scalar(let tag):
      addInvalid(from: tag.start)
    case .misplaced(let tag, let isValue):
      try skipRest(of: tag)
      if isValue { addInvalid(from: tag.start) }
    case .missingValue:
      addInvalid(from: offset)
    case .text(let tag, let inner):
      // With any other name, the tag may be markup that belongs to the text.
      guard Element(rawValue: inner.name) != nil else { throw ReadingStop() }
      offset = inner.start
      addElement(tag)
    case .end(let tag, let start):
      offset = start
      if !isContainer(nameOfEnd(at: start)) { try skipEnd() }
      addElement(tag)
    case .containerEnd(let start):
      guard !isContainer(nameOfEnd(at: start)) else { throw ReadingStop() }
      offset = start
      try skipEnd()
      builder.closeContainer(at: offset)
    }
  }

  /// Adds a key or a value whose text could not be read to its end.
  private mutating func addElement(_ tag: Tag) {
    guard tag.name == "key" else { return addInvalid(from: tag.start) }
    builder.add(.key, text: String(decoding: content, as: UTF8.self), from: tag.start, to: offset)
  }

  private mutating func addInvalid(from start: Int) {
    builder.add(.invalid, from: start, to: offset)
  }

  /// Whether the name is that of an element that contains others.
  private func isContainer(_ name: String) -> Bool { ["dict", "array", "plist"].contains(name) }

  /// Returns the name in the closing tag at an offset.
  private func nameOfEnd(at start: Int) -> String {
    let rest = text[min(start + 2, text.count)...]
    return String(decoding: rest.prefix(while: \.isLetter), as: UTF8.self)
  }

  /// Skips a closing tag of any name.
  private mutating func skipEnd() throws(ReadingStop) {
    offset += 2
    while offset < text.count, peek() != UInt8(ascii: ">"), peek() != UInt8(ascii: "<") { offset += 1 }
    guard peek() == UInt8(ascii: ">") else { throw ReadingStop() }
    offset += 1
  }

  /// Skips the rest of an element: its contents and its closing tag.
  private mutating func skipRest(of tag: Tag) throws(ReadingStop) {
    var depth = tag.isEmpty ? 0 : 1
    while depth > 0 {
      while offset < text.count, peek() != UInt8(ascii: "<") { offset += 1 }
      switch (byte(at: offset + 1), byte(at: offset + 2)) {
      case (UInt8(ascii: "/"), _):
        depth -= 1
        guard depth > 0 || nameOfEnd(at: offset) == tag.name else { throw ReadingStop() }
        try skipEnd()
      case (UInt8(ascii: "?"), _): try skipInstruction()
      case (UInt8(ascii: "!"), UInt8(ascii: "-")): try skipComment()
      case (UInt8(ascii: "!"), _), (0, _): throw ReadingStop()
      default: if try !readTag(allowingAttributes: true).isEmpty { depth += 1 }
      }
    }
  }
}
