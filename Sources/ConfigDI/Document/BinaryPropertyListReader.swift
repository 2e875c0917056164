// SPDX-License-Identifier: Apache-2.0

/// Reads a binary property list into a document, without recursion.
///
/// Objects are in a table and refer to each other by number, so that a small file can describe an infinite or a huge
/// tree. The nesting is limited as in a text file, and the tree must not be larger than the size limit of a file.
struct BinaryPropertyListReader {
  private var builder: DocumentBuilder
  private let table: ObjectTable
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

  /// Reads a file and returns the builder with its contents. A malformed file is reported at its beginning.
  static func read(into builder: DocumentBuilder) -> DocumentBuilder {
    do {
      var reader = try BinaryPropertyListReader(into: builder)
      try reader.read()
      return reader.builder
    } catch {
      var empty = builder
      empty.stop = Finding(error.code, "malformed binary property list: \(error.message)", at: empty.top)
      return empty
    }
  }

  /// Creates a reader that appends to an empty document.
  ///
  /// - Throws: `Unreadable` if the header or the trailer is malformed.
  private init(into builder: DocumentBuilder) throws(Unreadable) {
    table = try ObjectTable(builder.source.bytes)
    self.builder = builder
    self.builder.document.content.hasPositions = false
  }

  /// Reads the root object with all its contents, unless it is nested too deeply.
  private mutating func read() throws(Unreadable) {
    pending = [.value(table.top)]
    while builder.stop == nil, let step = pending.popLast() {
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
      builder.add(ignoredKey: "", from: 0, to: 0, Finding.keyIsNoString)
    }
  }

  /// Adds the value of an object. Opens a list or map and schedules its contents.
  private mutating func addValue(_ object: Int) throws(Unreadable) {
    switch try table.kind(of: object) {
    case .text: builder.add(value: .string(try text(of: object)), from: 0, to: 0)
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
      builder.add(value: scalar, from: 0, to: 0)
    case .identifier:
      try spend(2)
      builder.addInvalid(from: 0, to: 0) { node in
        Finding(.wrongKind, "a UID is not allowed; only keyed archives contain it", at: node)
      }
    }
  }

  /// Opens a list or map.
  ///
  /// - Returns: `false` if it is nested too deeply, which ends reading.
  private mutating func open(_ kind: NodeKind) throws(Unreadable) -> Bool {
    try spend(2)
    return (try? builder.openContainer(kind, from: 0, to: 0)) != nil
  }

  /// Returns the text of a string object, which is decoded only once.
  private mutating func text(of object: Int) throws(Unreadable) -> String {
    let text = if let known = texts[object] { known } else { try table.text(of: object) }
    texts[object] = text
    try spend(2 + text.utf8.count)
    return text
  }

  /// Subtracts from the budget what a value would take in a text file.
  private mutating func spend(_ count: Int) throws(Unreadable) {
    guard builder.spend(count) else {
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
