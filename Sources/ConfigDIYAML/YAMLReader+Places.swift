// SPDX-License-Identifier: Apache-2.0
#if YAML
  internal import ConfigDI

  extension YAMLReader {
    /// Returns the start offset of a node without its anchor and tag.
    func start(of event: YAMLEvent) -> Int {
      // A block collection starts with its first entry, which may have an anchor and a tag of its own.
      var (hasAnchor, hasTag) = (event.anchor != nil, event.tag != nil)
      guard hasAnchor || hasTag else { return event.start }
      let limit = isOpening(event) ? text.count : event.end
      var at = event.start
      while at < limit {
        switch text[at] {
        case UInt8(ascii: "&") where hasAnchor:
          hasAnchor = false
          at = firstOffset(from: at + 1) { !isOfAnchor($0) }
        case UInt8(ascii: "!") where hasTag:
          hasTag = false
          at = endOfTag(from: at)
        case UInt8(ascii: "#"): while at < limit, breakLength(at: at) == 0 { at += 1 }
        case let byte where byte.isBlank: at += 1
        default:
          let length = breakLength(at: at)
          if length == 0 { return at }
          at += length
        }
      }
      return min(at, limit)
    }

    /// Returns the length of the line break at an offset, or 0 if there is none. As in YAML 1.1, the parser also
    /// accepts a lone CR, U+0085, U+2028 and U+2029.
    private func breakLength(at offset: Int) -> Int {
      switch text[offset] {
      case 0x0A, 0x0D: 1
      case 0xC2 where text[offset + 1] == 0x85: 2
      case 0xE2 where text[offset + 1] == 0x80 && text[offset + 2] & 0xFE == 0xA8: 3
      default: 0
      }
    }

    /// Returns the end of a tag: after the bracket of a verbatim tag, otherwise before the first character that no
    /// tag contains (YAML 1.2.2, section 6.9.1).
    private func endOfTag(from start: Int) -> Int {
      let isVerbatim = start + 1 < text.count && text[start + 1] == UInt8(ascii: "<")
      guard !isVerbatim else { return min(firstOffset(from: start) { $0 == UInt8(ascii: ">") } + 1, text.count) }
      var at = start
      while at < text.count, !isSpace(text[at]), !",[]{}".utf8.contains(text[at]), breakLength(at: at) == 0 { at += 1 }
      return at
    }

    /// Returns the end offset of a node, without the line breaks after a block scalar.
    func end(of event: YAMLEvent) -> Int {
      var end = min(event.end, text.count)
      while end > event.start, isSpace(text[end - 1]) { end -= 1 }
      return end
    }

    /// Whether an event opens a mapping or sequence. The end of such an event is not that of the collection.
    private func isOpening(_ event: YAMLEvent) -> Bool {
      if case .opening = event.kind { true } else { false }
    }

    /// Returns the offset of the first byte that fulfils a condition, or the end of the text.
    private func firstOffset(from start: Int, where condition: (UInt8) -> Bool) -> Int {
      text[start...].firstIndex(where: condition) ?? text.count
    }

    /// Whether the parser accepts a byte in the name of an anchor.
    private func isOfAnchor(_ byte: UInt8) -> Bool {
      byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// Whether a byte is a space, a tab or part of a line break.
    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
  }

  // MARK: - Findings that end reading

  extension YAMLReader {
    /// The maximum number of lines that begin with `%`. The parser compares each tag directive with all earlier ones.
    private static let maximumDirectiveCount = 64

    /// Reports CDI0104 at the first byte that is not valid UTF-8, or character that YAML forbids (YAML 1.2.2, 5.1).
    mutating func checkCharacters() throws(ReadingStop) {
      var at = 0
      var isLineStart = true
      var directives = 0
      while at < text.count {
        let byte = text[at]
        if 0x20..<0x7F ~= byte || byte == 0x0A || byte == 0x09 || byte == 0x0D {
          if isLineStart, byte == UInt8(ascii: "%") {
            directives += 1
            guard directives <= YAMLReader.maximumDirectiveCount else {
              throw end(.syntaxError, "too many lines that begin with \"%\"", from: at, to: at + 1)
            }
          }
          isLineStart = byte == 0x0A || byte == 0x0D
          at += 1
          continue
        }
        let length = try scalarLength(at: at)
        let scalar = String(decoding: text[at..<at + length], as: UTF8.self).unicodeScalars.first?.value ?? 0
        guard scalar == 0x85 || scalar >= 0xA0, !(0xFFFE...0xFFFF ~= scalar) else {
          throw end(
            .invalidCharacter, "character U+\(scalar.hexadecimal(width: 4)) is not allowed in YAML", from: at,
            to: at + length)
        }
        isLineStart = false
        at += length
      }
    }

    /// Stores CDI0101 at an error of the parser.
    mutating func unreadable(_ problem: YAMLProblem) -> ReadingStop {
      if problem.isNesting { return nestedTooDeeply(behind: problem.offset) }
      if problem.message.hasPrefix("found invalid Unicode character escape code"), let stop = surrogate(in: problem) {
        return stop
      }
      var offset = problem.offset
      // The parser reports the offset of the backslash, and of the first digit even if a later one is invalid.
      if problem.message.hasPrefix("found unknown escape character"), offset < text.count {
        offset += 1
      } else if problem.message.hasPrefix("did not find expected hexdecimal number") {
        offset = firstOffset(from: offset) { $0.hexadecimalDigit == nil }
      }
      let length = text.scalarLength(at: offset)
      return end(.syntaxError, problem.message, from: offset, to: min(offset + length, text.count))
    }

    /// Returns the finding about an escaped surrogate, if the parser reported one; `nil` for any other escape. The
    /// offset of the problem is that of the digits. YAML has no escapes for surrogate pairs.
    private mutating func surrogate(in problem: YAMLProblem) -> ReadingStop? {
      let start = problem.offset - 2
      guard start >= 0, let first = escapedUnit(at: start), 0xD800..<0xE000 ~= first else { return nil }
      if first < 0xDC00, let second = escapedUnit(at: start + 6), 0xDC00..<0xE000 ~= second {
        let code = 0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00)
        return end(
          .syntaxError, "YAML has no escapes of surrogate pairs", from: start, to: start + 12,
          help: "write \\U\(code.hexadecimal(width: 8)), or the character itself")
      }
      return loneSurrogate(from: start, help: "")
    }

    /// Returns the value of an escape `\uXXXX`, or `nil` if there is none at the offset.
    private func escapedUnit(at start: Int) -> UInt32? {
      guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"), text[start + 1] == UInt8(ascii: "u") else {
        return nil
      }
      return UInt32(String(decoding: text[start + 2..<start + 6], as: UTF8.self), radix: 16)
    }

    /// Stores CDI0105 at the bracket that exceeds the nesting limit. The parser stops at its own limit of 1,000 levels.
    private mutating func nestedTooDeeply(behind start: Int) -> ReadingStop {
      var depth = builder.depth
      let bracket = text[min(start, text.count)...].firstIndex { byte in
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
        return depth > builder.nesting
      }
      let place = bracket ?? min(start, text.count)
      return builder.nestedTooDeeply(from: place, to: min(place + 1, text.count))
    }

    /// Stores CDI0101 at the beginning of a second document.
    mutating func secondDocument(_ event: YAMLEvent) -> ReadingStop {
      end(
        .syntaxError, "a module file must be a single YAML document", from: event.start,
        to: max(event.end, event.start))
    }

    /// Stores CDI0101 at a tag that is not part of the core schema.
    mutating func unknownTag(_ tag: String, _ event: YAMLEvent) -> ReadingStop {
      end(
        .syntaxError, "unsupported tag \"\(ScalarValue.shortForm(ofTag: tag))\"", from: event.start,
        to: start(of: event),
        help: "supported tags: !!map, !!seq, !!str, !!int, !!float, !!bool, !!null")
    }

    /// Stores CDI0101 at a scalar whose text does not match its tag.
    mutating func contradiction(_ tag: String, _ event: YAMLEvent) -> ReadingStop {
      end(
        .syntaxError, "value does not match tag \"\(ScalarValue.shortForm(ofTag: tag))\"", from: start(of: event),
        to: end(of: event))
    }
  }
#endif
