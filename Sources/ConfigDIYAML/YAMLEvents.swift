// SPDX-License-Identifier: Apache-2.0
#if YAML
  internal import CYaml

  /// The events of a YAML text, by the parser that Yams carries.
  ///
  /// Yams' own trees know where a node begins and not where it ends, end at the first key that stands twice, follow
  /// aliases before anyone can count what comes of it, and are built by recursion. The events have none of these troubles.
  struct YAMLEvents: ~Copyable {
    /// The parser. It holds a pointer to itself, so it must not move.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// Finds the byte of a character.
    private var cursor: CharacterCursor

    /// The events of a text in UTF-8 without a byte-order mark, which must outlive them.
    ///
    /// - Throws: `YAMLProblem` where there is no memory.
    init(of text: Slice<UnsafeBufferPointer<UInt8>>) throws(YAMLProblem) {
      cursor = CharacterCursor(text)
      parser = .allocate(capacity: 1)
      parser.initialize(to: yaml_parser_t())
      guard yaml_parser_initialize(parser) == 1 else {
        throw YAMLProblem(message: "out of memory", offset: text.startIndex)
      }
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      let bytes = UnsafeBufferPointer(rebasing: text)
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
      yaml_parser_delete(parser)
      parser.deallocate()
    }

    /// The next event. Behind the end there is none to ask for.
    mutating func next() throws(YAMLProblem) -> YAMLEvent {
      while true {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { yaml_event_delete(&event) }
        if let event = read(event) { return event }
      }
    }

    /// An event as a value, or nil where it says nothing.
    private mutating func read(_ event: yaml_event_t) -> YAMLEvent? {
      let data = event.data
      let kind: YAMLEvent.Kind
      var (anchor, tag): (String?, String?) = (nil, nil)
      switch event.type {
      case YAML_DOCUMENT_START_EVENT: kind = .document
      case YAML_STREAM_END_EVENT: kind = .end
      case YAML_ALIAS_EVENT: kind = .alias(string(data.alias.anchor) ?? "")
      case YAML_SCALAR_EVENT:
        let bytes = UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
        let isPlain = data.scalar.style == YAML_PLAIN_SCALAR_STYLE
        kind = .scalar(String(decoding: bytes, as: UTF8.self), isPlain: isPlain)
        (anchor, tag) = (string(data.scalar.anchor), string(data.scalar.tag))
      case YAML_SEQUENCE_START_EVENT:
        let start = data.sequence_start
        kind = .opening(isMap: false, isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE)
        (anchor, tag) = (string(start.anchor), string(start.tag))
      case YAML_MAPPING_START_EVENT:
        let start = data.mapping_start
        kind = .opening(isMap: true, isFlow: start.style == YAML_FLOW_MAPPING_STYLE)
        (anchor, tag) = (string(start.anchor), string(start.tag))
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .closing
      default: return nil
      }
      let start = cursor.offset(of: event.start_mark.index)
      return YAMLEvent(
        kind: kind, anchor: anchor, tag: tag, start: start, end: cursor.offset(of: event.end_mark.index))
    }

    /// Why the parser went no further.
    private var problem: YAMLProblem {
      mutating get {
        let parser = parser.pointee
        guard let words = parser.problem else {
          return YAMLProblem(message: "out of memory", offset: cursor.offset(of: parser.mark.index))
        }
        var message = String(cString: words)
        if let context = parser.context { message += ", \(String(cString: context))" }
        message = String(message.map { $0 == "'" ? "\"" : $0 })
        // The one limit that the parser has of its own.
        let isNesting = message.hasPrefix("Maximum nesting level")
        return YAMLProblem(
          message: message, offset: cursor.offset(of: parser.problem_mark.index), isNesting: isNesting)
      }
    }

    /// A text of the parser's, or nil where it has none.
    private func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
      text.map { String(cString: $0) }
    }
  }

  /// Finds the byte at which the nth character of a text begins, fast where it is near the one asked for last.
  private struct CharacterCursor {
    /// The text, in UTF-8.
    private let text: Slice<UnsafeBufferPointer<UInt8>>
    /// The number of the character at the cursor, from 0.
    private var index = 0
    /// Its first byte.
    private var offset: Int

    /// A cursor at the beginning of a text.
    init(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
      self.text = text
      offset = text.startIndex
    }

    /// The first byte of a character; the end of the text behind the last.
    mutating func offset(of character: Int) -> Int {
      while index < character, offset < text.endIndex {
        offset += 1
        while offset < text.endIndex, text.base[offset] & 0xC0 == 0x80 { offset += 1 }
        index += 1
      }
      while index > character, offset > text.startIndex {
        offset -= 1
        while offset > text.startIndex, text.base[offset] & 0xC0 == 0x80 { offset -= 1 }
        index -= 1
      }
      return offset
    }
  }
#endif
