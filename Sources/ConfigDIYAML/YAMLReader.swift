// SPDX-License-Identifier: Apache-2.0
#if YAML
  internal import ConfigDI

  /// Reads a YAML text into a document, event by event and without recursion.
  ///
  /// A token is a scalar with its quotes or its alias; of a mapping or sequence in block style it is the first character.
  /// What an alias stands for is copied to where it stands, and no more than a file may hold in all.
  struct YAMLReader {
    /// Thrown where reading cannot go on; `stop` says why.
    struct Stop: Error {}

    /// The whole text.
    let text: UnsafeBufferPointer<UInt8>
    /// The document so far.
    private(set) var builder: DocumentBuilder
    /// The findings after which reading goes on.
    private(set) var findings: [Finding] = []
    /// The finding that ended reading, its path still empty.
    private(set) var stop: Finding?
    /// Where the last event began.
    private var offset = 0
    /// Where reading stands: behind all that was read.
    var end: Int { max(offset, lastEnd) }
    /// Where the last node ended, a flow collection behind its bracket.
    private var lastEnd = 0
    /// What anchors name.
    private var anchors: [String: Anchor] = [:]
    /// The open mappings and sequences, the innermost last.
    private var open: [Opening] = []
    /// How many mappings and sequences are open in a key, where nothing is kept.
    private var ignoredDepth = 0
    /// How many bytes aliases may still add.
    private var budget: Int

    /// A mapping or sequence that is open.
    private struct Opening {
      /// Its anchor, or nil.
      let anchor: String?
      /// Whether it has brackets.
      let isFlow: Bool
      /// Whether it is known that its keys may be any texts.
      let hasFreeKeys: Bool
    }

    /// What an anchor names.
    private enum Anchor {
      /// A mapping or sequence that is open, in which its alias would stand for itself.
      case open
      /// A node and all that it holds.
      case nodes(Range<UInt32>)
      /// A key, and what its text stands for where a value is expected.
      case key(UInt32, YAMLScalar)
    }

    /// A reader of a text that fills an empty document.
    init(_ text: UnsafeBufferPointer<UInt8>, into document: Document, limits: Limits) {
      self.text = text
      builder = DocumentBuilder(document, nesting: limits.nesting)
      budget = limits.fileSize
    }

    /// Reads the text to its end or to the first mistake.
    mutating func read() {
      do {
        try checkCharacters()
        try readEvents()
      } catch {}
    }
  }

  extension YAMLReader {
    /// Keeps the finding that ends reading. Its path is filled in when the tree is whole.
    mutating func end(
      _ code: DiagnosticCode, _ message: String, from start: Int, to end: Int, help: String? = nil
    ) -> Stop {
      var finding = Finding(code, message, at: .bytes(builder.document.file, start: start, end: end, path: ""))
      finding.help = help
      stop = finding
      return Stop()
    }
  }

  // MARK: - Events

  extension YAMLReader {
    /// Reads all events of the one document.
    private mutating func readEvents() throws(Stop) {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      var documentCount = 0
      do {
        var events = try YAMLEvents(of: text[(text.starts(with: mark) ? 3 : 0)...])
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
        throw Stop()
      }
    }

    /// Reads an event within the document.
    private mutating func read(_ event: YAMLEvent) throws(Stop) {
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

    /// Passes over an event within a key that is a mapping or sequence.
    private mutating func skip(_ event: YAMLEvent) throws(Stop) {
      switch event.kind {
      case .opening:
        ignoredDepth += 1
        guard builder.depth + ignoredDepth <= builder.nesting else {
          throw nestedTooDeeply(from: event.start, to: event.start + 1)
        }
      case .closing: ignoredDepth -= 1
      case .scalar, .alias: lastEnd = max(lastEnd, end(of: event))
      default: break
      }
    }

    /// Opens a mapping or sequence.
    private mutating func openContainer(_ kind: NodeKind, _ event: YAMLEvent, isFlow: Bool) throws(Stop) {
      let tag = kind == .map ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq"
      if let found = event.tag, found != "!", found != tag { throw unknownTag(found, event) }
      let start = start(of: event)
      guard builder.depth < builder.nesting else { throw nestedTooDeeply(from: start, to: start + 1) }
      if let anchor = event.anchor { anchors[anchor] = .open }
      open.append(Opening(anchor: event.anchor, isFlow: isFlow, hasFreeKeys: hasFreeKeys))
      builder.openContainer(kind, from: start, to: start + 1)
      if event.anchor != nil || event.tag != nil { builder.notePrefix() }
    }

    /// Whether the keys of what begins here may be any texts: those of arguments and data, and of what they hold.
    private var hasFreeKeys: Bool {
      if open.last?.hasFreeKeys == true { return true }
      guard builder.isAfterKey else { return false }
      return builder.document.withText(of: builder.next - 1) { key in
        ["inject", "values", "value", "map"].contains { key.elementsEqual($0.utf8) }
      }
    }

    /// Closes the innermost mapping or sequence. One in block style ends with what it holds.
    private mutating func closeContainer(_ event: YAMLEvent) {
      guard let opening = open.popLast(), let node = builder.innermost else { return }
      if opening.isFlow { lastEnd = event.end }
      builder.closeContainer(at: max(lastEnd, Int(builder.document[node].start) + 1))
      if let anchor = opening.anchor { anchors[anchor] = .nodes(node..<builder.next) }
    }
  }

  // MARK: - Scalars

  extension YAMLReader {
    /// Reads a scalar as a key or as a value.
    private mutating func readScalar(
      _ text: String, isPlain: Bool, _ event: YAMLEvent, isKey: Bool
    ) throws(Stop) {
      let scalar: YAMLScalar
      switch event.tag {
      case nil: scalar = isPlain ? YAMLScalar(plain: text) : .string
      case "!": scalar = .string
      case let tag?:
        guard let known = YAMLScalar.Tag(rawValue: tag) else { throw unknownTag(tag, event) }
        guard let tagged = YAMLScalar(text: text, tag: known) else { throw contradiction(tag, event) }
        scalar = tagged
      }
      // Nothing at all may be found before the end of the key that it belongs to.
      let start = text.isEmpty && isPlain ? max(start(of: event), lastEnd) : start(of: event)
      let end = max(start, end(of: event))
      lastEnd = end
      if isKey, isPlain, event.tag == nil, text == "<<" {
        builder.add(ignoredKey: text, from: start, to: end)
        builder.notePartialMap()
        findings.append(.mergeKey(at: builder.lastReference))
      } else if isKey, scalar != .string {
        ignoreKey(text, from: start, to: end)
      } else if isKey {
        builder.add(.key, text: text, from: start, to: end)
      } else if isPlain, text.isEmpty, event.tag == nil, event.anchor == nil, hasColonOnlyInKey {
        builder.ignoreLastKey()
        builder.notePartialMap()
        builder.add(.invalid, from: start, to: end)
        findings.append(.colonWithoutSpace(at: builder.lastReference))
      } else {
        add(scalar, text, from: start, to: end)
      }
      if event.anchor != nil || event.tag != nil { builder.notePrefix() }
      if let anchor = event.anchor {
        anchors[anchor] = isKey ? .key(builder.next - 1, scalar) : .nodes(builder.next - 1..<builder.next)
      }
    }

    /// Whether the node added last is a key without quotes that has a colon in it and none behind it, as in `{a:b}`.
    private var hasColonOnlyInKey: Bool {
      guard builder.isAfterKey, let key = builder.document.nodes.last, !key.isIgnored else { return false }
      let token = text[Int(key.start)..<Int(key.end)]
      guard token.contains(UInt8(ascii: ":")), !"\"'*|>".utf8.contains(token[token.startIndex]) else { return false }
      let next = text[Int(key.end)...].first { $0 != UInt8(ascii: " ") }
      return next == UInt8(ascii: ",") || next == UInt8(ascii: "}")
    }

    /// Adds a value.
    private mutating func add(_ scalar: YAMLScalar, _ text: String, from start: Int, to end: Int) {
      switch scalar {
      case .string: builder.add(.string, text: text, from: start, to: end)
      case .boolean(let value): builder.add(.boolean, from: start, to: end, payload: value ? 1 : 0)
      case .integer(let value): builder.add(.integer, from: start, to: end, payload: value)
      case .real(let value):
        if !builder.add(real: value, from: start, to: end) {
          findings.append(.realOutOfRange(at: builder.lastReference))
        }
      case .hugeInteger:
        builder.add(.invalid, from: start, to: end)
        findings.append(.integerOutOfRange(at: builder.lastReference))
      case .null:
        builder.add(.invalid, from: start, to: end)
        findings.append(.nullValue(at: builder.lastReference))
      }
    }

    /// Reports a key that is no string, and has it passed over with its value.
    private mutating func ignoreKey(_ text: String, from start: Int, to end: Int) {
      builder.add(ignoredKey: text, from: start, to: end)
      var finding = Finding.keyIsNoString(at: builder.lastReference)
      var name = text
      if !text.isEmpty, open.last?.hasFreeKeys == true || name.withUTF8({ NameGrammar.id.accepts($0) }) {
        finding.help = "put the value in quotes"
        finding.replacement = .string(text)
      }
      findings.append(finding)
    }
  }

  // MARK: - Messages

  extension Finding {
    /// A key with a colon in it and without a value.
    fileprivate static func colonWithoutSpace(at node: NodeRef) -> Finding {
      var finding = Finding.nullValue(at: node)
      finding.help = "put a space behind the colon"
      return finding
    }

    /// The merge key of YAML 1.1, which the core schema of YAML 1.2 does not have.
    fileprivate static func mergeKey(at node: NodeRef) -> Finding {
      Finding(
        .unknownKey, "the merge key \"<<\" is not supported", at: node,
        help: "repeat the entries, or share them by a template; a key that is really called so goes in quotes")
    }
  }

  // MARK: - Aliases

  extension YAMLReader {
    /// Repeats what an alias stands for.
    private mutating func readAlias(_ name: String, _ event: YAMLEvent, isKey: Bool) throws(Stop) {
      switch anchors[name] {
      case .key(let key, let scalar):
        lastEnd = event.end
        guard isKey else { return try addValue(of: key, scalar, event) }
        addKey(of: key, isString: scalar == .string, event)
      case .nodes(let nodes):
        lastEnd = event.end
        guard isKey else { return try copy(nodes, event) }
        addKey(of: nodes.lowerBound, isString: builder.document[nodes.lowerBound].kind == .string, event)
      case .open:
        throw end(
          .syntaxError, "anchor \"\(name)\" contains an alias of itself", from: event.start, to: event.end)
      case nil: throw end(.syntaxError, "unknown anchor \"\(name)\"", from: event.start, to: event.end)
      }
    }

    /// Adds a key with the text of a node.
    private mutating func addKey(of node: UInt32, isString: Bool, _ event: YAMLEvent) {
      guard isString else { return ignoreKey("", from: event.start, to: event.end) }
      builder.add(.key, text: builder.document.text(of: node), from: event.start, to: event.end)
    }

    /// Adds what the text of a key stands for where a value is expected.
    private mutating func addValue(of key: UInt32, _ scalar: YAMLScalar, _ event: YAMLEvent) throws(Stop) {
      let text = builder.document.text(of: key)
      try spend(2 + text.utf8.count, event)
      add(scalar, text, from: event.start, to: event.end)
      builder.noteCopy(of: key)
    }

    /// Copies a value.
    private mutating func copy(_ nodes: Range<UInt32>, _ event: YAMLEvent) throws(Stop) {
      let size = builder.document.size(of: nodes)
      guard builder.depth + size.depth <= builder.nesting else {
        throw nestedTooDeeply(from: event.start, to: event.end)
      }
      try spend(size.bytes, event)
      builder.addCopy(of: nodes, from: event.start, to: event.end)
    }

    /// Takes the bytes that an alias adds from those that aliases may still add.
    private mutating func spend(_ bytes: Int, _ event: YAMLEvent) throws(Stop) {
      budget -= bytes
      guard budget >= 0 else {
        throw end(
          .tooLarge, "with its aliases expanded, the file exceeds the size limit", from: event.start, to: event.end)
      }
    }
  }

  extension Document {
    /// How deep some nodes are nested, and how many bytes they would take in a text: at least two each, and their texts.
    fileprivate func size(of nodes: Range<UInt32>) -> (depth: Int, bytes: Int) {
      var ends: [UInt32] = []
      var depth = 0
      var bytes = 2 * nodes.count
      for node in nodes {
        while let end = ends.last, end <= node { ends.removeLast() }
        bytes += withText(of: node) { $0.count }
        guard self[node].kind == .map || self[node].kind == .list else { continue }
        ends.append(self[node].next)
        depth = max(depth, ends.count)
      }
      return (depth, bytes)
    }
  }
#endif
