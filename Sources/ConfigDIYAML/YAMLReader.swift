// SPDX-License-Identifier: Apache-2.0
#if YAML
  internal import ConfigDI

  /// Reads a YAML text into a document, event by event and without recursion.
  ///
  /// The token of a scalar includes its quotes; that of a mapping or sequence is its first character. For an alias, the
  /// nodes of its anchor are copied, with the alias as their token. The total size of all copies is limited to that of
  /// a file.
  struct YAMLReader: TextReader {
    let text: UnsafeBufferPointer<UInt8>
    var builder: DocumentBuilder
    /// The start offset of the last event.
    private var offset = 0
    var end: Int { max(offset, lastEnd) }
    /// The end offset of the last node; for a flow collection, after its bracket.
    private var lastEnd = 0
    /// The anchors, by name.
    private var anchors: [String: Anchor] = [:]
    /// The open mappings and sequences, the innermost last.
    private var open: [Opening] = []
    /// The number of open mappings and sequences in a key that is a collection, whose contents are ignored.
    private var ignoredDepth = 0

    /// An open mapping or sequence.
    private struct Opening {
      /// The name of the anchor, or `nil`.
      let anchor: String?
      /// Whether it is in flow style, with brackets.
      let isFlow: Bool
      /// Whether its keys are known to be arbitrary strings.
      let hasFreeKeys: Bool
    }

    /// The node that an anchor refers to.
    private enum Anchor {
      /// An open mapping or sequence, which must not contain an alias of itself.
      case open
      /// A node with all its contents.
      case nodes(Range<UInt32>)
      /// A key, and the scalar that its alias stands for as a value.
      case key(UInt32, ScalarValue)
    }

    /// Creates a reader of a text, which appends to an empty document.
    init(_ text: UnsafeBufferPointer<UInt8>, into builder: DocumentBuilder) {
      self.text = text
      self.builder = builder
    }

    mutating func read() throws(ReadingStop) {
      try checkCharacters()
      try readEvents()
    }
  }

  // MARK: - Events

  extension YAMLReader {
    /// Reads the events of the text, which must be a single document.
    private mutating func readEvents() throws(ReadingStop) {
      var documentCount = 0
      do {
        var events = try YAMLEvents(of: text[builder.source.textStart...])
        while true {
          let event = try events.next()
          offset = event.start
          switch event.kind {
          case .document:
            documentCount += 1
            guard documentCount == 1 else { throw secondDocument(event) }
          case .end:
            guard builder.next > 0 else {
              throw end(.syntaxError, "unexpected end of file, expected a value", from: text.count, to: text.count)
            }
            return
          default: try read(event)
          }
        }
      } catch let problem as YAMLProblem {
        offset = problem.offset
        throw unreadable(problem)
      } catch {
        throw ReadingStop()
      }
    }

    /// Reads an event of the document.
    private mutating func read(_ event: YAMLEvent) throws(ReadingStop) {
      guard ignoredDepth == 0 else { return try skip(event) }
      let isKey = builder.container == .map && !builder.isAfterKey
      switch event.kind {
      case .alias(let name): try readAlias(name, event, isKey: isKey)
      case .scalar(let text, let isPlain): try readScalar(text, isPlain: isPlain, event, isKey: isKey)
      case .opening(let isMap, let isFlow):
        guard !isKey else {
          ignoredDepth = 1
          lastEnd = start(of: event) + 1
          return ignoreKey("", from: start(of: event), to: start(of: event) + 1)
        }
        try openContainer(isMap ? .map : .list, event, isFlow: isFlow)
      case .closing: closeContainer(event)
      case .document, .end: break
      }
    }

    /// Skips an event in a key that is a mapping or sequence.
    private mutating func skip(_ event: YAMLEvent) throws(ReadingStop) {
      switch event.kind {
      case .opening:
        ignoredDepth += 1
        guard builder.depth + ignoredDepth <= builder.nesting else {
          throw builder.nestedTooDeeply(from: event.start, to: event.start + 1)
        }
      case .closing: ignoredDepth -= 1
      case .scalar, .alias: lastEnd = max(lastEnd, end(of: event))
      default: break
      }
    }

    /// Opens a mapping or sequence.
    private mutating func openContainer(_ kind: NodeKind, _ event: YAMLEvent, isFlow: Bool) throws(ReadingStop) {
      let tag = kind == .map ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq"
      if let found = event.tag, found != "!", found != tag { throw unknownTag(found, event) }
      let start = start(of: event)
      let opening = Opening(anchor: event.anchor, isFlow: isFlow, hasFreeKeys: hasFreeKeys)
      try builder.openContainer(kind, from: start, to: start + 1)
      open.append(opening)
      if let anchor = event.anchor { anchors[anchor] = .open }
      if event.anchor != nil || event.tag != nil { builder.notePrefix() }
    }

    /// Whether the keys of a collection that starts here may be any strings: those in arguments, data, and their
    /// contents.
    private var hasFreeKeys: Bool {
      if open.last?.hasFreeKeys == true { return true }
      guard builder.isAfterKey else { return false }
      return ["inject", "values", "value", "map"].contains(builder.text(of: builder.next - 1))
    }

    /// Closes the innermost mapping or sequence. In block style, it ends with the end of its contents.
    private mutating func closeContainer(_ event: YAMLEvent) {
      guard let opening = open.popLast(), let node = builder.innermost else { return }
      if opening.isFlow { lastEnd = event.end }
      builder.closeContainer(at: max(lastEnd, Int(builder.nodes[Int(node)].start) + 1))
      if let anchor = opening.anchor { anchors[anchor] = .nodes(node..<builder.next) }
    }
  }

  // MARK: - Scalars

  extension YAMLReader {
    /// Reads a scalar as a key or as a value.
    private mutating func readScalar(
      _ text: String, isPlain: Bool, _ event: YAMLEvent, isKey: Bool
    ) throws(ReadingStop) {
      let scalar: ScalarValue
      switch event.tag {
      case nil: scalar = isPlain ? ScalarValue(plain: text) : .string(text)
      case "!": scalar = .string(text)
      case let tag?:
        guard let known = ScalarValue.Tag(rawValue: tag) else { throw unknownTag(tag, event) }
        guard let tagged = ScalarValue(text: text, tag: known) else { throw contradiction(tag, event) }
        scalar = tagged
      }
      // The parser may report an empty scalar at an offset before the end of its key.
      let start = text.isEmpty && isPlain ? max(start(of: event), lastEnd) : start(of: event)
      let end = max(start, end(of: event))
      lastEnd = end
      if isKey, isPlain, event.tag == nil, text == "<<" {
        builder.add(ignoredKey: text, from: start, to: end, Finding.mergeKey)
        builder.notePartialMap()
      } else if isKey, !scalar.isString {
        ignoreKey(text, from: start, to: end)
      } else if isKey {
        builder.add(.key, text: text, from: start, to: end)
      } else if isPlain, text.isEmpty, event.tag == nil, event.anchor == nil, hasColonOnlyInKey {
        builder.ignoreLastKey()
        builder.notePartialMap()
        builder.addInvalid(from: start, to: end, Finding.colonWithoutSpace)
      } else {
        builder.add(value: scalar, from: start, to: end)
      }
      if event.anchor != nil || event.tag != nil { builder.notePrefix() }
      if let anchor = event.anchor {
        anchors[anchor] = isKey ? .key(builder.next - 1, scalar) : .nodes(builder.next - 1..<builder.next)
      }
    }

    /// Whether the node added last is an unquoted key that contains a colon and has none after it, as in `{a:b}`.
    private var hasColonOnlyInKey: Bool {
      guard builder.isAfterKey, let key = builder.nodes.last, !key.isIgnored else { return false }
      let token = text[Int(key.start)..<Int(key.end)]
      guard token.contains(UInt8(ascii: ":")), !"\"'*|>".utf8.contains(token[token.startIndex]) else { return false }
      let next = text[Int(key.end)...].first { $0 != UInt8(ascii: " ") }
      return next == UInt8(ascii: ",") || next == UInt8(ascii: "}")
    }

    /// Adds a key that is not a string as an ignored key, and reports it.
    private mutating func ignoreKey(_ text: String, from start: Int, to end: Int) {
      var name = text
      let isName = !text.isEmpty && (open.last?.hasFreeKeys == true || name.withUTF8 { NameGrammar.id.accepts($0) })
      builder.add(ignoredKey: text, from: start, to: end) { key in
        var finding = Finding.keyIsNoString(at: key)
        if isName {
          finding.help = "put the key in quotes"
          finding.replacement = .string(text)
        }
        return finding
      }
    }
  }

  // MARK: - Messages

  extension Finding {
    /// A finding about a key that contains a colon and has no value.
    fileprivate static func colonWithoutSpace(at node: NodeRef) -> Finding {
      var finding = Finding.nullValue(at: node)
      finding.help = "put a space after the colon"
      return finding
    }

    /// A finding about the merge key of YAML 1.1, which the core schema of YAML 1.2 does not have.
    fileprivate static func mergeKey(at node: NodeRef) -> Finding {
      Finding(
        .unknownKey, "the merge key \"<<\" is not supported", at: node,
        help: "repeat the entries, or share them by a template; write a key with this name in quotes")
    }
  }

  // MARK: - Aliases

  extension YAMLReader {
    /// Adds the nodes that an alias refers to.
    private mutating func readAlias(_ name: String, _ event: YAMLEvent, isKey: Bool) throws(ReadingStop) {
      switch anchors[name] {
      case .key(let key, let scalar):
        lastEnd = event.end
        guard isKey else { return try addValue(of: key, scalar, event) }
        try addKey(of: key, isString: scalar.isString, event)
      case .nodes(let nodes):
        lastEnd = event.end
        guard isKey else { return try copy(nodes, event) }
        try addKey(
          of: nodes.lowerBound, isString: builder.nodes[Int(nodes.lowerBound)].kind == .string, event)
      case .open:
        throw end(
          .syntaxError, "anchor \"\(name)\" contains an alias of itself", from: event.start, to: event.end)
      case nil: throw end(.syntaxError, "unknown anchor \"\(name)\"", from: event.start, to: event.end)
      }
    }

    /// Adds a key with the text of a node.
    private mutating func addKey(of node: UInt32, isString: Bool, _ event: YAMLEvent) throws(ReadingStop) {
      guard isString else { return ignoreKey("", from: event.start, to: event.end) }
      try spend(2 + builder.text(of: node).utf8.count, event)
      builder.add(.key, text: builder.text(of: node), from: event.start, to: event.end)
    }

    /// Adds the scalar of a key as a value.
    private mutating func addValue(of key: UInt32, _ scalar: ScalarValue, _ event: YAMLEvent) throws(ReadingStop) {
      try spend(2 + builder.text(of: key).utf8.count, event)
      builder.add(value: scalar, from: event.start, to: event.end)
      builder.noteCopy(of: key)
    }

    /// Adds a copy of a value.
    private mutating func copy(_ nodes: Range<UInt32>, _ event: YAMLEvent) throws(ReadingStop) {
      let size = builder.size(of: nodes)
      guard builder.depth + size.depth <= builder.nesting else {
        throw builder.nestedTooDeeply(from: event.start, to: event.end)
      }
      try spend(size.bytes, event)
      builder.addCopy(of: nodes, from: event.start, to: event.end)
    }

    /// Subtracts bytes that an alias adds from the budget.
    private mutating func spend(_ bytes: Int, _ event: YAMLEvent) throws(ReadingStop) {
      guard builder.spend(bytes) else {
        throw end(
          .tooLarge, "with its aliases expanded, the file exceeds the size limit", from: event.start, to: event.end)
      }
    }
  }

  extension DocumentBuilder {
    /// Returns the nesting of nodes, and their size in bytes in a text: at least two for each node, plus their texts.
    fileprivate func size(of range: Range<UInt32>) -> (depth: Int, bytes: Int) {
      var ends: [UInt32] = []
      var depth = 0
      var bytes = 2 * range.count
      for node in range {
        while let end = ends.last, end <= node { ends.removeLast() }
        bytes += text(of: node).utf8.count
        guard nodes[Int(node)].kind == .map || nodes[Int(node)].kind == .list else { continue }
        ends.append(nodes[Int(node)].next)
        depth = max(depth, ends.count)
      }
      return (depth, bytes)
    }
  }
#endif
