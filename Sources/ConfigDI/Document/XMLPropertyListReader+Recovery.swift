// SPDX-License-Identifier: Apache-2.0

// How reading goes on behind a mistake, so that one run reports more than the first: where one element is wrong, with the
// next; where tags may be missing, it ends.

extension XMLPropertyListReader {
  /// Where a mistake was found.
  enum MistakeSite {
    /// Behind an element whose text does not read.
    case scalar(Tag)
    /// Behind an opening tag that does not belong where it stands.
    case misplaced(Tag, isValue: Bool)
    /// Before the tag that follows a key without a value.
    case missingValue
    /// At another tag in the text of an element.
    case text(Tag, inner: Tag)
    /// At a closing tag that is not the element's.
    case end(Tag, start: Int)
    /// At a closing tag that is not the container's.
    case containerEnd(start: Int)
  }

  /// How many mistakes of one text are reported.
  static let greatestMistakeCount = 50

  /// Goes on behind a mistake in a container, if that is certain.
  ///
  /// - Throws: `ReadingStop` where it is not.
  @inline(never)
  mutating func resume() throws(ReadingStop) {
    guard let site = site.take(), let finding = stop, builder.container != nil,
      mistakes.count < XMLPropertyListReader.greatestMistakeCount
    else { throw ReadingStop() }
    let node = builder.pending
    do {
      try repair(site)
    } catch {
      stop = finding
      throw error
    }
    stop = nil
    mistakes.append(SyntaxMistake(finding: finding, node: node))
  }

  /// Keeps the finding of a mistake in a text, behind which the text goes on.
  ///
  /// - Throws: `ReadingStop` where there are too many.
  mutating func keepMistake() throws(ReadingStop) {
    guard let finding = stop, mistakes.count < XMLPropertyListReader.greatestMistakeCount, offset < text.count else {
      throw ReadingStop()
    }
    stop = nil
    mistakes.append(SyntaxMistake(finding: finding, node: builder.pending))
  }

  /// Repairs a mistake, and moves behind it.
  private mutating func repair(_ site: MistakeSite) throws(ReadingStop) {
    switch site {
    case .scalar(let tag):
      addInvalid(from: tag.start)
    case .misplaced(let tag, let isValue):
      try skipRest(of: tag)
      if isValue { addInvalid(from: tag.start) }
    case .missingValue:
      addInvalid(from: offset)
    case .text(let tag, let inner):
      // Of any other name it may be markup of the text.
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

  /// Adds a key or a value whose text is not known to its end.
  private mutating func addElement(_ tag: Tag) {
    guard tag.name == "key" else { return addInvalid(from: tag.start) }
    builder.add(.key, text: String(decoding: content, as: UTF8.self), from: tag.start, to: offset)
    key = tag.start..<offset
  }

  /// Adds a value that says nothing.
  private mutating func addInvalid(from start: Int) {
    builder.add(.invalid, from: start, to: offset)
    key = nil
  }

  /// Whether an element holds others.
  private func isContainer(_ name: String) -> Bool { ["dict", "array", "plist"].contains(name) }

  /// The name in the closing tag at an offset.
  private func nameOfEnd(at start: Int) -> String {
    let rest = text[min(start + 2, text.count)...]
    return String(decoding: rest.prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }, as: UTF8.self)
  }

  /// Moves behind a closing tag, whatever its name is.
  private mutating func skipEnd() throws(ReadingStop) {
    offset += 2
    while offset < text.count, peek() != UInt8(ascii: ">"), peek() != UInt8(ascii: "<") { offset += 1 }
    guard peek() == UInt8(ascii: ">") else { throw ReadingStop() }
    offset += 1
  }

  /// Moves behind the closing tag of an element, over all that it holds.
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
