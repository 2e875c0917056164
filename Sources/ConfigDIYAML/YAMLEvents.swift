// SPDX-License-Identifier: Apache-2.0
#if YAML
  internal import CYaml

  /// The events of a YAML text, from the parser that is part of Yams.
  ///
  /// The trees of Yams lack the ends of nodes, stop at the first repeated key, expand aliases before their size can be
  /// checked, and are built recursively. Events avoid all of this.
  struct YAMLEvents: ~Copyable {
    /// The parser. It holds a pointer to itself, so it must not move.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// Converts character indices to byte offsets.
    private var cursor: CharacterCursor

    /// Creates a parser for a UTF-8 text without a byte-order mark. The text must outlive the parser.
    ///
    /// - Throws: `YAMLProblem` if there is no memory.
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

    /// Returns the next event. Must not be called after the last one.
    mutating func next() throws(YAMLProblem) -> YAMLEvent {
      while true {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { yaml_event_delete(&event) }
        if let event = read(event) { return event }
      }
    }

    /// Returns a parser event as a value, or `nil` if it is not needed.
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

    /// The error at which the parser stopped.
    private var problem: YAMLProblem {
      mutating get {
        let parser = parser.pointee
        guard let words = parser.problem else {
          return YAMLProblem(message: "out of memory", offset: cursor.offset(of: parser.mark.index))
        }
        var message = String(cString: words)
        if let context = parser.context { message += ", \(String(cString: context))" }
        message = String(message.map { $0 == "'" ? "\"" : $0 })
        // The only limit that the parser itself has.
        let isNesting = message.hasPrefix("Maximum nesting level")
        return YAMLProblem(
          message: message, offset: cursor.offset(of: parser.problem_mark.index), isNesting: isNesting)
      }
    }

    /// Returns a C string of the parser, or `nil` if there is none.
    private func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
      text.map { String(cString: $0) }
    }
  }

  /// Converts character indices to byte offsets, fast if each is near the previous one.
  private struct CharacterCursor {
    /// The text, in UTF-8.
    private let text: Slice<UnsafeBufferPointer<UInt8>>
    /// The index of the current character, from 0.
    private var index = 0
    /// The byte offset of the current character.
    private var offset: Int

    /// Creates a cursor at the beginning of a text.
    init(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
      self.text = text
      offset = text.startIndex
    }

    /// Returns the byte offset of a character, or the end of the text after the last one.
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
