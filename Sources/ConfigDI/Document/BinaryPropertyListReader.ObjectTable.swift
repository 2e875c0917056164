// SPDX-License-Identifier: Apache-2.0

extension BinaryPropertyListReader {
  /// The objects of a binary property list, by number. The format is described at the beginning of CFBinaryPList.c.
  ///
  /// Each object is decoded on its own. All accesses are checked against the bounds of the file.
  struct ObjectTable {
    /// The whole file.
    let bytes: [UInt8]
    /// The size of a reference to an object in bytes.
    let referenceSize: Int
    /// The number of the root object.
    let top: Int
    /// The number of objects.
    private let count: Int
    /// The position of the table of object offsets, which comes after the last object.
    private let offsets: Int
    /// The size of an object offset in bytes.
    private let offsetSize: Int

    /// The kind and contents of an object.
    enum Kind {
      /// A string in any encoding.
      case text
      /// Bytes at a range of the file.
      case data(Range<Int>)
      /// A list: the position of the references to its elements, and their number.
      case list(at: Int, count: Int)
      /// A map: the position of the references to its keys, and their number. The references to the values follow.
      case map(at: Int, count: Int)
      /// A value of fixed size.
      case scalar(ScalarValue)
      /// A UID, which keyed archives contain.
      case identifier
    }

    /// Reads the header, and the trailer in the last 32 bytes.
    init(_ bytes: [UInt8]) throws(Unreadable) {
      self.bytes = bytes
      let header = 8
      let trailer = bytes.count - 32
      guard bytes.starts(with: "bplist00".utf8), trailer >= header else {
        throw Unreadable(message: "the header or the trailer is missing")
      }
      offsetSize = Int(bytes[trailer + 6])
      referenceSize = Int(bytes[trailer + 7])
      let number = { (place: Int) in ObjectTable.number(bytes[place..<place + 8]) }
      let (count, top, offsets) = (number(trailer + 8), number(trailer + 16), number(trailer + 24))
      guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, let count, let top, let offsets,
        0..<count ~= top, offsets > header, offsets <= trailer, count <= (trailer - offsets) / offsetSize
      else { throw Unreadable(message: "the trailer is inconsistent") }
      (self.count, self.top, self.offsets) = (count, top, offsets)
    }

    /// Returns the number of the object that the reference at a position refers to.
    func reference(at place: Int) throws(Unreadable) -> Int {
      guard let number = ObjectTable.number(bytes[place..<place + referenceSize]), number < count else {
        throw Unreadable(message: "an object reference is out of range")
      }
      return number
    }

    /// Returns the kind and contents of an object, without the text of a string.
    func kind(of object: Int) throws(Unreadable) -> Kind {
      let place = try place(of: object)
      let marker = bytes[place]
      switch marker >> 4 {
      case 0x0: return .scalar(try constant(marker))
      case 0x1: return .scalar(try integer(at: place))
      case 0x2: return .scalar(try real(at: place))
      case 0x3:
        guard marker == 0x33 else { throw Unreadable(message: "a date has an invalid size") }
        _ = try contents(at: place + 1, count: 8)
        return .scalar(.date)
      case 0x4:
        let (start, count) = try extent(at: place)
        return .data(try contents(at: start, count: count))
      case 0x5, 0x6, 0x7: return .text
      case 0x8:
        _ = try contents(at: place + 1, count: Int(marker & 0xF) + 1)
        return .identifier
      case 0xA:
        let (start, count) = try extent(at: place)
        _ = try contents(at: start, count: count, size: referenceSize)
        return .list(at: start, count: count)
      case 0xD:
        let (start, count) = try extent(at: place)
        _ = try contents(at: start, count: count, size: 2 * referenceSize)
        return .map(at: start, count: count)
      default: throw Unreadable(message: "an object has an unknown type")
      }
    }

    /// Returns the text of a string object: ASCII, big-endian UTF-16 or UTF-8.
    func text(of object: Int) throws(Unreadable) -> String {
      let place = try place(of: object)
      let (start, count) = try extent(at: place)
      let text: String?
      switch bytes[place] >> 4 {
      case 0x5:
        let range = try contents(at: start, count: count)
        text = bytes[range].allSatisfy { $0 < 0x80 } ? String(decoding: bytes[range], as: UTF8.self) : nil
      case 0x6:
        let range = try contents(at: start, count: count, size: 2)
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
          UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        text = String(validating: units, as: UTF16.self)
      default:
        text = String(validating: bytes[try contents(at: start, count: count)], as: UTF8.self)
      }
      guard let text else { throw Unreadable(message: "a string is not valid in its encoding") }
      return text
    }
  }
}

// MARK: - Bytes

extension BinaryPropertyListReader.ObjectTable {
  /// Returns the position of the marker of an object.
  private func place(of object: Int) throws(Unreadable) -> Int {
    let entry = offsets + object * offsetSize
    guard let place = Self.number(bytes[entry..<entry + offsetSize]), 8..<offsets ~= place else {
      throw Unreadable(message: "an object offset is out of range")
    }
    return place
  }

  /// Returns the range of the contents of an object. They must end before the offset table.
  private func contents(
    at start: Int, count: Int, size: Int = 1
  ) throws(Unreadable) -> Range<Int> {
    guard start <= offsets, count <= (offsets - start) / size else {
      throw Unreadable(message: "an object extends past the end of the file")
    }
    return start..<start + count * size
  }

  /// Returns the position and the count of an object's contents. The count is in the marker or follows it.
  private func extent(at place: Int) throws(Unreadable) -> (start: Int, count: Int) {
    let count = Int(bytes[place] & 0xF)
    guard count == 0xF else { return (place + 1, count) }
    let marker = try contents(at: place + 1, count: 1).lowerBound
    let size = 1 << Int(bytes[marker] & 0xF)
    guard bytes[marker] >> 4 == 1, size <= 8, let count = Self.number(bytes[try contents(at: marker + 1, count: size)])
    else { throw Unreadable(message: "an object has an invalid size") }
    return (marker + 1 + size, count)
  }

  /// Returns the scalar of a marker without contents.
  private func constant(_ marker: UInt8) throws(Unreadable) -> ScalarValue {
    switch marker {
    case 0x00: .null
    case 0x08: .boolean(false)
    case 0x09: .boolean(true)
    default: throw Unreadable(message: "an object has an unknown type")
    }
  }

  /// Returns an integer: unsigned if it has up to four bytes, signed if it has eight or sixteen.
  private func integer(at place: Int) throws(Unreadable) -> ScalarValue {
    let exponent = Int(bytes[place] & 0xF)
    guard exponent <= 4 else { throw Unreadable(message: "an integer has an invalid size") }
    let contents = try contents(at: place + 1, count: 1 << exponent)
    let low = bytes[contents.suffix(8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard exponent == 4 else { return .integer(Int64(bitPattern: low)) }
    let high = bytes[contents.prefix(8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let value = Int64(bitPattern: low)
    return high == (value < 0 ? .max : 0) ? .integer(value) : .hugeInteger
  }

  /// Returns a real of four or eight bytes.
  private func real(at place: Int) throws(Unreadable) -> ScalarValue {
    let exponent = Int(bytes[place] & 0xF)
    guard 2...3 ~= exponent else { throw Unreadable(message: "a real number has an invalid size") }
    let bits = bytes[try contents(at: place + 1, count: 1 << exponent)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return .real(
      exponent == 2 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits))
  }

  /// Returns an unsigned big-endian number, or `nil` if it is out of the range of `Int`.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
