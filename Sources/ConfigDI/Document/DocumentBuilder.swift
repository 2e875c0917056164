// SPDX-License-Identifier: Apache-2.0

/// Appends nodes to a document in document order, and collects what is wrong with it. The document is a well-formed tree
/// wherever reading ends.
///
/// All readers use it, so that the limits, the closing of open containers and the order of findings are the same.
package struct DocumentBuilder: Sendable {
  /// The document, without the nodes and texts, which `finish` moves into it.
  var document: Document
  /// The nodes so far. An open container has no end yet.
  package private(set) var nodes: [Node] = []
  /// The texts of keys and strings that are not verbatim in the source.
  private var texts: [String] = []
  /// The open maps and lists, the innermost last.
  private var open: [UInt32] = []
  /// The findings that do not end reading.
  private var findings: [Finding] = []
  /// The syntax errors after which reading resumed.
  private var mistakes: [SyntaxError] = []
  /// The finding that ends reading, unless reading resumes. Its path is not filled in yet.
  package var stop: Finding?
  /// Whether syntax errors belong to the last recorded one, because no well-formed entry was read after it.
  var isSilent = false
  /// The maximum number of maps and lists that are open at once.
  package let nesting: Int
  /// What messages call maps and lists.
  private let containerNames: String
  /// The number of bytes by which the tree may exceed what is in the text. See `spend(_:)`.
  private var budget: Int

  /// Creates a builder that appends to an empty document.
  init(_ document: Document, limits: Limits, containerNames: String) {
    self.document = document
    self.containerNames = containerNames
    nesting = limits.nesting
    budget = limits.fileSize
  }

  /// The file.
  package var source: SourceFile { document.source }

  /// The number of open maps and lists.
  package var depth: Int { open.count }

  /// The index of the node that is added next.
  package var next: UInt32 { UInt32(truncatingIfNeeded: nodes.count) }

  /// The kind of the innermost open container; `nil` outside the root.
  package var container: NodeKind? { open.last.map { nodes[Int($0)].kind } }

  /// The innermost open container; `nil` outside the root.
  package var innermost: UInt32? { open.last }

  /// Whether the last node is a key whose value comes next.
  package var isAfterKey: Bool { nodes.last?.kind == .key }

  /// A reference to the node added last.
  package var lastReference: NodeRef { NodeRef(file: document.file, node: next - 1) }

  /// The beginning of the file, for findings about all of it.
  var top: Place { .bytes(document.file, start: 0, end: 0, path: "") }

  /// Whether a map or list of a kind is open.
  func hasOpen(_ kind: NodeKind) -> Bool { open.contains { nodes[Int($0)].kind == kind } }

  /// Returns the text of a key or string that is not verbatim in the source, or an empty text for any other node.
  package func text(of node: UInt32) -> String {
    let found = nodes[Int(node)]
    return found.kind == .key || found.kind == .string ? texts[Int(found.payload)] : ""
  }
}

// MARK: - Adding nodes

extension DocumentBuilder {
  /// Opens a map or list.
  ///
  /// - Parameter end: The offset after the opening token.
  /// - Throws: `ReadingStop` with CDI0105 if the nesting exceeds the limit.
  @inline(__always)
  package mutating func openContainer(_ kind: NodeKind, from start: Int, to end: Int) throws(ReadingStop) {
    guard depth < nesting else { throw nestedTooDeeply(from: start, to: end) }
    add(kind, from: start, to: end)
    open.append(next - 1)
  }

  /// Closes the innermost container. `end` is the offset after its closing token.
  package mutating func closeContainer(at end: Int) {
    guard let node = open.popLast().map(Int.init) else { return }
    nodes[node].end = UInt32(truncatingIfNeeded: end)
    nodes[node].next = next
  }

  /// Adds a key or string.
  package mutating func add(_ kind: NodeKind, text: String, from start: Int, to end: Int) {
    texts.append(text)
    add(kind, from: start, to: end, payload: Int64(texts.count - 1))
  }

  /// Adds a `data` node.
  package mutating func add(data: [UInt8], from start: Int, to end: Int) {
    document.content.data.append(data)
    add(.data, from: start, to: end, payload: Int64(document.data.count - 1))
  }

  /// Adds a value without contents. If documents have no such value, adds an invalid node and reports it.
  package mutating func add(value: ScalarValue, from start: Int, to end: Int) {
    switch value {
    case .boolean(let truth): add(.boolean, from: start, to: end, payload: truth ? 1 : 0)
    case .date: add(.date, from: start, to: end)
    case .integer(let number): add(.integer, from: start, to: end, payload: number)
    case .real(let number) where number.isFinite:
      add(.real, from: start, to: end, payload: Int64(bitPattern: number.bitPattern))
    case .string(let text): add(.string, text: text, from: start, to: end)
    case .hugeInteger: addInvalid(from: start, to: end, Finding.integerOutOfRange)
    case .null: addInvalid(from: start, to: end, Finding.nullValue)
    case .real: addInvalid(from: start, to: end, Finding.realOutOfRange)
    }
  }

  /// Adds an invalid value and reports it.
  package mutating func addInvalid(from start: Int, to end: Int, _ finding: (NodeRef) -> Finding) {
    add(.invalid, from: start, to: end)
    report(finding(lastReference))
  }

  /// Adds a key that is reported as an error. Its value is added as usual, but consumers skip both.
  package mutating func add(
    ignoredKey text: String, from start: Int, to end: Int, _ finding: (NodeRef) -> Finding
  ) {
    add(.key, text: text, from: start, to: end)
    ignoreLastKey()
    report(finding(lastReference))
  }

  /// Records that the node added last has an anchor or a tag.
  package mutating func notePrefix() { document.content.prefixed.append(next - 1) }

  /// Records that the innermost map may have been meant to contain more entries.
  package mutating func notePartialMap() {
    if let map = open.last { nodes[Int(map)].isPartial = true }
  }

  /// Marks the key added last as ignored, and deducts its value, which is counted when it is added, from the map's
  /// count.
  package mutating func ignoreLastKey() {
    nodes[nodes.count - 1].isIgnored = true
    if let map = open.last { nodes[Int(map)].payload -= 1 }
  }

  /// Adds a copy of existing nodes, such as those of an anchor. All copied nodes get the position of the alias.
  package mutating func addCopy(of original: Range<UInt32>, from start: Int, to end: Int) {
    let distance = next - original.lowerBound
    if let container = open.last { nodes[Int(container)].payload += 1 }
    document.content.copies.append((next..<next + UInt32(original.count), original))
    for node in original {
      var copy = nodes[Int(node)]
      (copy.start, copy.end) = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: end))
      copy.next += distance
      nodes.append(copy)
    }
  }

  /// Records that the node added last is a copy of a key.
  package mutating func noteCopy(of key: UInt32) { document.content.copies.append((next - 1..<next, key..<key + 1)) }

  /// Adds a node without contents. A verbatim text is that between the first and the last byte.
  @inline(__always)
  package mutating func add(
    _ kind: NodeKind, isVerbatim: Bool = false, from start: Int, to end: Int, payload: Int64 = 0
  ) {
    if kind != .key, let container = open.last { nodes[Int(container)].payload += 1 }
    nodes.append(
      Node(
        kind: kind, isVerbatim: isVerbatim, start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: end), next: next + 1, payload: payload))
  }

  /// Allocates memory for many nodes.
  mutating func reserve(nodes count: Int) {
    nodes.reserveCapacity(count)
    open.reserveCapacity(16)
  }
}

// MARK: - Findings

extension DocumentBuilder {
  /// Reports a finding that does not end reading.
  package mutating func report(_ finding: Finding) { findings.append(finding) }

  /// Stores the finding that ends reading. Its path is filled in when the tree is finished.
  package mutating func end(
    _ code: DiagnosticCode, _ message: String, from start: Int, to end: Int, help: String? = nil
  ) -> ReadingStop {
    stop = Finding(code, message, at: .bytes(document.file, start: start, end: end, path: ""), help: help)
    return ReadingStop()
  }

  /// Stores CDI0105 at the token that opens a container which exceeds the nesting limit.
  package mutating func nestedTooDeeply(from start: Int, to end: Int) -> ReadingStop {
    self.end(.nestedTooDeeply, "\(containerNames) are nested deeper than \(nesting) levels", from: start, to: end)
  }

  /// Subtracts what a part of the tree that is not in the text would take there, where nothing has less than two bytes.
  ///
  /// - Returns: Whether the tree is not larger than the size limit of a file.
  package mutating func spend(_ bytes: Int) -> Bool {
    budget -= bytes
    return budget >= 0
  }

  /// Whether another syntax error can be recorded.
  var recordsMistakes: Bool { mistakes.count < SyntaxError.maximumCount }

  /// The current finding as a syntax error about the missing value of a key, or about the innermost container.
  var mistake: SyntaxError? { stop.map { SyntaxError(finding: $0, node: isAfterKey ? next : open.last) } }

  /// Records an error after which reading resumes, unless it belongs to the previous one.
  mutating func record(_ mistake: SyntaxError?, isSilent: Bool) {
    stop = nil
    if let mistake, !isSilent { mistakes.append(mistake) }
  }

  /// Records the current finding as an error after which reading resumes, unless it belongs to the previous one.
  mutating func recordMistake() { record(mistake, isSilent: isSilent) }

  /// Returns the document, and reports everything that is wrong with it. Closes all open containers, so that a file which
  /// ends too early is a well-formed tree.
  ///
  /// - Parameter end: The offset at which reading ended.
  consuming func finish(at end: Int, bag: inout DiagnosticBag) -> Document {
    recordMistake()
    // Every key needs a value. The missing value of the last key was reported as an error.
    if isAfterKey { add(.invalid, from: end, to: end) }
    while !open.isEmpty { closeContainer(at: end) }
    (document.content.nodes, nodes) = (nodes, [])
    (document.content.texts, texts) = (texts, [])
    document.content.isComplete = mistakes.isEmpty
    for finding in findings { bag.report(finding) }
    for mistake in mistakes { bag.report(mistake.finding(in: document)) }
    document.markRepeatedKeys(before: mistakes.map(\.start).min() ?? .max, bag: &bag)
    return document
  }
}
