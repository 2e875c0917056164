// SPDX-License-Identifier: Apache-2.0

extension BinaryPropertyListReader {
  /// The objects of a binary property list, by number, as the comment at the head of CFBinaryPList.c describes them.
  ///
  /// Each object is looked at on its own, and nothing outside the bytes is ever touched.
  struct ObjectTable {
    /// The whole file.
    let bytes: [UInt8]
    /// How many bytes a reference to an object has.
    let referenceSize: Int
    /// The number of the outermost object.
    let top: Int
    /// How many objects there are.
    private let count: Int
    /// Where the offsets of the objects stand, behind the last of them.
    private let offsets: Int
    /// How many bytes an offset has.
    private let offsetSize: Int

    /// What an object is.
    enum Kind {
      /// A text in some encoding.
      case text
      /// Bytes at a place.
      case data(Range<Int>)
      /// A list: where its references stand, and how many they are.
      case list(at: Int, count: Int)
      /// A map: where the references of its keys stand, and how many they are; those of the values follow.
      case map(at: Int, count: Int)
      /// What has a fixed size.
      case scalar(Scalar)
    }

    /// An object of a fixed size.
    enum Scalar {
      case boolean(Bool)
      case integer(Int64)
      case real(Double)
      case date
      /// An integer of 128 bits that is not one of 64.
      case hugeInteger
      /// A UID, as keyed archives have.
      case identifier
      case null
    }

    /// Reads the frame: the header, and the trailer of 32 bytes at the end.
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

    /// The number of the object to which the reference at a place leads.
    func reference(at place: Int) throws(Unreadable) -> Int {
      guard let number = ObjectTable.number(bytes[place..<place + referenceSize]), number < count else {
        throw Unreadable(message: "an object reference is out of range")
      }
      return number
    }

    /// What an object is.
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
        return .scalar(.identifier)
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

    /// The text of an object that is one: ASCII, UTF-16 with the higher byte first, or UTF-8.
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
  /// Where an object's marker stands.
  private func place(of object: Int) throws(Unreadable) -> Int {
    let entry = offsets + object * offsetSize
    guard let place = Self.number(bytes[entry..<entry + offsetSize]), 8..<offsets ~= place else {
      throw Unreadable(message: "an object offset is out of range")
    }
    return place
  }

  /// The range of an object's contents, all of which stand before the table of offsets.
  private func contents(
    at start: Int, count: Int, size: Int = 1
  ) throws(Unreadable) -> Range<Int> {
    guard start <= offsets, count <= (offsets - start) / size else {
      throw Unreadable(message: "an object extends past the end of the file")
    }
    return start..<start + count * size
  }

  /// Where the contents of an object begin whose size stands in its marker or behind it, and how many they are.
  private func extent(at place: Int) throws(Unreadable) -> (start: Int, count: Int) {
    let count = Int(bytes[place] & 0xF)
    guard count == 0xF else { return (place + 1, count) }
    let marker = try contents(at: place + 1, count: 1).lowerBound
    let size = 1 << Int(bytes[marker] & 0xF)
    guard bytes[marker] >> 4 == 1, size <= 8, let count = Self.number(bytes[try contents(at: marker + 1, count: size)])
    else { throw Unreadable(message: "an object has an invalid size") }
    return (marker + 1 + size, count)
  }

  /// One of the objects that are a marker alone.
  private func constant(_ marker: UInt8) throws(Unreadable) -> Scalar {
    switch marker {
    case 0x00: .null
    case 0x08: .boolean(false)
    case 0x09: .boolean(true)
    default: throw Unreadable(message: "an object has an unknown type")
    }
  }

  /// An integer: without sign up to four bytes, with one in eight and sixteen.
  private func integer(at place: Int) throws(Unreadable) -> Scalar {
    let exponent = Int(bytes[place] & 0xF)
    guard exponent <= 4 else { throw Unreadable(message: "an integer has an invalid size") }
    let contents = try contents(at: place + 1, count: 1 << exponent)
    let low = bytes[contents.suffix(8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard exponent == 4 else { return .integer(Int64(bitPattern: low)) }
    let high = bytes[contents.prefix(8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let value = Int64(bitPattern: low)
    return high == (value < 0 ? .max : 0) ? .integer(value) : .hugeInteger
  }

  /// A real of four or eight bytes.
  private func real(at place: Int) throws(Unreadable) -> Scalar {
    let exponent = Int(bytes[place] & 0xF)
    guard 2...3 ~= exponent else { throw Unreadable(message: "a real number has an invalid size") }
    let bits = bytes[try contents(at: place + 1, count: 1 << exponent)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return .real(
      exponent == 2 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits))
  }

  /// A number without sign, its highest byte first; nil where no `Int` holds it.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
