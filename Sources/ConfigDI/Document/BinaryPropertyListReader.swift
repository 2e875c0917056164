// SPDX-License-Identifier: Apache-2.0

/// Reads a binary property list into a document, without recursion.
///
/// Objects are in a table and refer to each other by number, so that a small file can describe an infinite or a huge
/// tree. The nesting is limited as in a text file, and the tree must not be larger than the size limit of a file.
struct BinaryPropertyListReader {
  /// The document so far.
  private(set) var builder: DocumentBuilder
  /// The findings that do not end reading.
  private(set) var findings: [Finding] = []
  /// The finding that ended reading, whose path is not filled in yet; `nil` if everything was read.
  private(set) var stop: Finding?
  /// The table of objects.
  private let table: ObjectTable
  /// The number of bytes that the rest of the tree may have.
  private var budget: Int
  /// The stack of steps that are still to be done, the next one last.
  private var pending: [Step] = []
  /// The decoded strings, by object number, so that each is decoded once however many references it has.
  private var texts: [Int: String] = [:]
  /// The bytes of `data` objects that were read, by object number.
  private var data: [Int: [UInt8]] = [:]

  /// A step of reading.
  private enum Step {
    /// Adds the value of an object.
    case value(Int)
    /// Adds the elements of a list. `at` and `end` are positions of references.
    case elements(at: Int, end: Int)
    /// Adds the entries of a map: the reference to the next key, the end of the keys, and the distance to the values.
    case entries(at: Int, end: Int, distance: Int)
  }

  /// Whether bytes start like a binary property list.
  static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

  /// Creates a reader that appends to an empty document.
  ///
  /// - Throws: `Unreadable` if the header or the trailer is malformed.
  init(into document: Document, limits: Limits) throws(Unreadable) {
    table = try ObjectTable(document.source.bytes)
    builder = DocumentBuilder(document, nesting: limits.nesting)
    budget = limits.fileSize
  }

  /// Reads the root object with all its contents, unless it is nested too deeply.
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

  /// Adds the next key of a map and schedules its value, or closes the map.
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

  /// Adds the value of an object. Opens a list or map and schedules its contents.
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

  /// Adds a scalar. Reports one that documents do not support.
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
  /// - Returns: `false` if it is nested too deeply, which ends reading.
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

  /// Returns the text of a string object, which is decoded only once.
  private mutating func text(of object: Int) throws(Unreadable) -> String {
    let text: String
    if let known = texts[object] { text = known } else { text = try table.text(of: object) }
    texts[object] = text
    try spend(2 + text.utf8.count)
    return text
  }

  /// Subtracts from the budget what a value would take in a text file, in which nothing has less than two bytes.
  private mutating func spend(_ count: Int) throws(Unreadable) {
    budget -= count
    guard budget >= 0 else {
      throw Unreadable(message: "the expanded content exceeds the size limit of a file", code: .tooLarge)
    }
  }
}

/// The reason why bytes are not a valid binary property list.
struct Unreadable: Error {
  /// A description of the error.
  let message: String
  /// The code of the finding.
  var code = DiagnosticCode.syntaxError
}
