// SPDX-License-Identifier: Apache-2.0

/// Reads a binary property list into a document, without recursion.
///
/// Its objects stand in a table and name each other by number, so that a small file can describe an endless or a huge tree.
/// The nesting is limited as in a text, and what comes out must not be larger than a file may be.
struct BinaryPropertyListReader {
  /// The document so far.
  private(set) var builder: DocumentBuilder
  /// The findings after which reading goes on.
  private(set) var findings: [Finding] = []
  /// The finding that ended reading, its path still empty; nil where all was read.
  private(set) var stop: Finding?
  /// The table of objects.
  private let table: ObjectTable
  /// How many bytes the tree may still take.
  private var budget: Int
  /// The objects that are still to be added, the next one last.
  private var pending: [Step] = []
  /// The texts that were read, by object: an object that is named often is read once.
  private var texts: [Int: String] = [:]
  /// The place in `Document.data` of bytes that were read, by object.
  private var data: [Int: [UInt8]] = [:]

  /// Something that is still to be done.
  private enum Step {
    /// Add the value of an object.
    case value(Int)
    /// Add the elements of a list from a place to another, each the place of a reference in the bytes.
    case elements(at: Int, end: Int)
    /// Add the entries of a map: the next key's reference, the end of the keys, and how far the values stand behind.
    case entries(at: Int, end: Int, distance: Int)
  }

  /// Whether bytes begin like a binary property list.
  static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

  /// A reader that fills an empty document.
  ///
  /// - Throws: `Unreadable` where the frame around the objects is broken.
  init(into document: Document, limits: Limits) throws(Unreadable) {
    table = try ObjectTable(document.source.bytes)
    builder = DocumentBuilder(document, nesting: limits.nesting)
    budget = limits.fileSize
  }

  /// Reads all that the top object holds, unless it is nested too deeply.
  mutating func read() throws(Unreadable) {
    pending = [.value(table.top)]
    while stop == nil, let step = pending.popLast() {
      switch step {
      case .value(let object): try addValue(object)
      case .elements(let at, let end): try addElement(at: at, end: end)
      case .entries(let at, let end, let distance): try addEntry(at: at, end: end, distance: distance)
      }
    }
  }
}

// MARK: - Adding

extension BinaryPropertyListReader {
  /// Adds the next element of a list, or closes the list.
  private mutating func addElement(at place: Int, end: Int) throws(Unreadable) {
    guard place < end else { return builder.closeContainer(at: 0) }
    pending.append(.elements(at: place + table.referenceSize, end: end))
    pending.append(.value(try table.reference(at: place)))
  }

  /// Adds the next key of a map and plans its value, or closes the map.
  private mutating func addEntry(at place: Int, end: Int, distance: Int) throws(Unreadable) {
    guard place < end else { return builder.closeContainer(at: 0) }
    pending.append(.entries(at: place + table.referenceSize, end: end, distance: distance))
    pending.append(.value(try table.reference(at: place + distance)))
    let object = try table.reference(at: place)
    if case .text = try table.kind(of: object) {
      let text = try text(of: object)
      builder.add(.key, text: text, from: 0, to: 0)
    } else {
      try spend(2)
      builder.add(ignoredKey: "", from: 0, to: 0)
      findings.append(.keyIsNoString(at: builder.lastReference))
    }
  }

  /// Adds the value of an object, of a list or map its beginning.
  private mutating func addValue(_ object: Int) throws(Unreadable) {
    switch try table.kind(of: object) {
    case .text: builder.add(.string, text: try text(of: object), from: 0, to: 0)
    case .data(let range):
      try spend(2 + range.count)
      let bytes = data[object] ?? Array(table.bytes[range])
      data[object] = bytes
      builder.add(data: bytes, from: 0, to: 0)
    case .list(let at, let count):
      guard try open(.list) else { return }
      pending.append(.elements(at: at, end: at + count * table.referenceSize))
    case .map(let at, let count):
      guard try open(.map) else { return }
      let size = count * table.referenceSize
      pending.append(.entries(at: at, end: at + size, distance: size))
    case .scalar(let scalar):
      try spend(2)
      add(scalar)
    }
  }

  /// Adds a scalar; reports what the model does not have.
  private mutating func add(_ scalar: ObjectTable.Scalar) {
    switch scalar {
    case .boolean(let value): builder.add(.boolean, from: 0, to: 0, payload: value ? 1 : 0)
    case .integer(let value): builder.add(.integer, from: 0, to: 0, payload: value)
    case .date: builder.add(.date, from: 0, to: 0)
    case .real(let value):
      if !builder.add(real: value, from: 0, to: 0) { findings.append(.realOutOfRange(at: builder.lastReference)) }
    case .hugeInteger:
      builder.add(.invalid, from: 0, to: 0)
      findings.append(.integerOutOfRange(at: builder.lastReference))
    case .null:
      builder.add(.invalid, from: 0, to: 0)
      findings.append(.nullValue(at: builder.lastReference))
    case .identifier:
      builder.add(.invalid, from: 0, to: 0)
      findings.append(
        Finding(.wrongKind, "a UID is not allowed; only keyed archives contain it", at: builder.lastReference))
    }
  }

  /// Opens a list or map.
  ///
  /// - Returns: Whether it may be nested so deeply; if not, reading ends.
  private mutating func open(_ kind: NodeKind) throws(Unreadable) -> Bool {
    try spend(2)
    guard builder.depth < builder.nesting else {
      stop = Finding(
        .nestedTooDeeply, "dictionaries and arrays are nested deeper than \(builder.nesting) levels",
        at: .bytes(builder.document.file, start: 0, end: 0, path: ""))
      return false
    }
    builder.openContainer(kind, from: 0, to: 0)
    return true
  }

  /// The text of an object, which is read once.
  private mutating func text(of object: Int) throws(Unreadable) -> String {
    let text: String
    if let known = texts[object] { text = known } else { text = try table.text(of: object) }
    texts[object] = text
    try spend(2 + text.utf8.count)
    return text
  }

  /// Counts what the tree would take in a text, where nothing has less than two bytes.
  private mutating func spend(_ count: Int) throws(Unreadable) {
    budget -= count
    guard budget >= 0 else {
      throw Unreadable(message: "the expanded content exceeds the size limit of a file", code: .tooLarge)
    }
  }
}

/// Why bytes are no binary property list.
struct Unreadable: Error {
  /// What is wrong, in words.
  let message: String
  /// The code of the finding.
  var code = DiagnosticCode.syntaxError
}
