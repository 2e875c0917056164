// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// A binary property list that is assembled from single objects.
private struct ObjectList {
  /// The objects, each with its marker.
  var objects: [[UInt8]]
  /// The index of the root object.
  var top = 0

  /// The bytes of the file. References have two bytes.
  var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += ObjectList.number(offset, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 2]
    for number in [objects.count, top, table] { bytes += ObjectList.number(number, 8) }
    return bytes
  }

  /// Returns a list of references.
  static func list(_ references: Int...) -> [UInt8] {
    [0xA0 | UInt8(references.count)] + references.flatMap { number($0, 2) }
  }

  /// Returns a map: the references of its keys, then those of its values.
  static func map(_ keys: [Int], _ values: [Int]) -> [UInt8] {
    [0xD0 | UInt8(keys.count)] + (keys + values).flatMap { number($0, 2) }
  }

  /// Returns an ASCII string.
  static func text(_ text: String) -> [UInt8] {
    text.utf8.count < 15
      ? [0x50 | UInt8(text.utf8.count)] + text.utf8 : [0x5F, 0x12] + number(text.utf8.count, 4) + text.utf8
  }

  /// Returns a big-endian number.
  static func number(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

@Suite struct BinaryPropertyListReaderTests {
  @Test func `property lists written by Foundation are read`() throws {
    let value: [String: Any] = [
      "text": "é😀", "ascii": String(repeating: "a", count: 300), "empty": "", "on": true, "off": false,
      "list": [1, -1, 255, 65_536, Int64.max, Int64.min, 0.5, -1e300, [Any](), [String: Any]()] as [Any],
      "data": Data([0, 1, 2]), "date": Date(timeIntervalSinceReferenceDate: 0),
    ]
    let bytes = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    let read = ReadDocument(Array(bytes), as: .plist)
    #expect(read.findings.isEmpty)
    #expect(read.problems == [])
    #expect(!read.document.hasPositions)
    let entries = Dictionary(
      uniqueKeysWithValues: read.document.keys(of: 0).map { key in (read.document.text(of: key), key + 1) })
    #expect(entries.count == value.count)
    let list = try #require(entries["list"])
    #expect(
      read.outline(of: list) == "[1, -1, 255, 65536, 9223372036854775807, -9223372036854775808, 0.5, -1e+300, [], {}]")
    #expect(try read.outline(of: #require(entries["text"])) == "\"é😀\"")
    #expect(try read.outline(of: #require(entries["ascii"])) == "\"\(String(repeating: "a", count: 300))\"")
    #expect(try read.outline(of: #require(entries["data"])) == "AAEC")
    #expect(try read.outline(of: #require(entries["date"])) == "date")
  }

  @Test func `keys keep the order of the file`() {
    let list = ObjectList(objects: [
      ObjectList.map([1, 2, 3], [4, 4, 4]), ObjectList.text("b"), ObjectList.text("a"), ObjectList.text("c"), [0x09],
    ])
    #expect(ReadDocument(list.bytes, as: .plist).outline == #"{"b": true, "a": true, "c": true}"#)
  }

  @Test(
    arguments: [
      ([0x10, 0xFF], "255"), ([0x11, 0xFF, 0xFF], "65535"), ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], "4294967295"),
      ([0x13] + Array(repeating: 0xFF, count: 8), "-1"), ([0x14] + Array(repeating: 0xFF, count: 16), "-1"),
      ([0x14] + Array(repeating: 0, count: 15) + [7], "7"), ([0x22, 0x3F, 0, 0, 0], "0.5"),
      ([0x23, 0x3F, 0xE0, 0, 0, 0, 0, 0, 0], "0.5"), ([0x72, 0xC3, 0xA9], "\"é\""), ([0x61, 0, 0xE9], "\"é\""),
      ([0x62, 0xD8, 0x3D, 0xDE, 0x00], "\"😀\""), ([0x41, 0xFF], "/w=="), ([0x5F, 0x10, 1, 0x61], "\"a\""),
    ] as [([UInt8], String)])
  func `a scalar of any size is read`(object: [UInt8], outline: String) {
    let read = ReadDocument(ObjectList(objects: [object]).bytes, as: .plist)
    #expect(read.findings.isEmpty)
    #expect(read.outline == outline)
  }

  @Test(
    arguments: [
      ([0x14] + Array(repeating: 0, count: 8) + [0x80, 0, 0, 0, 0, 0, 0, 0], 108), ([0x00], 103), ([0x80, 1], 202),
      ([0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], 108), ([0x22, 0x7F, 0xC0, 0, 0], 108),
    ] as [([UInt8], Int)])
  func `unsupported values are reported with their paths, and reading continues`(object: [UInt8], code: Int) throws {
    let list = ObjectList(objects: [
      ObjectList.map([1, 2], [3, 4]), ObjectList.text("a"), ObjectList.text("b"), object, [0x09],
    ])
    let read = ReadDocument(list.bytes, as: .plist)
    #expect(read.findings.map(\.code.number) == [code])
    #expect(read.outline == #"{"a": !, "b": true}"#)
    guard case .node(let node) = try #require(read.findings.first).place else { return #expect(Bool(false)) }
    #expect(read.document.path(of: node.node) == "a")
    #expect(read.problems == [])
  }

  @Test func `non-string and duplicate keys are reported and skipped`() {
    let list = ObjectList(objects: [
      ObjectList.map([1, 2, 3], [2, 2, 2]), ObjectList.text("a"), [0x09], ObjectList.text("a"),
    ])
    let read = ReadDocument(list.bytes, as: .plist)
    #expect(read.findings.map(\.code.number) == [202, 102])
    #expect(read.outline == #"{"a": true}"#)
    #expect(read.problems == [])
  }

  @Test(
    arguments: [
      [], [0x0F], [0x01], [0x15], [0x21, 0, 0], [0x24], [0x32, 0, 0], [0x33, 0], [0x44, 0], [0x51, 0x80], [0x61, 0xD8],
      [0x61, 0xD8, 0x00], [0x71, 0xFF], [0x8F], [0xA1], [0xA1, 0, 9], [0xB0], [0xC0], [0xD1, 0, 0], [0xE0], [0xF0],
      [0x5F], [0x5F, 0x13] + Array(repeating: 0xFF, count: 8), [0x5F, 0x14, 0], [0x5F, 0x50, 1],
      [0xAF, 0x13, 0x7F] + Array(repeating: 0xFF, count: 7),
      [0xDF, 0x13, 0x3F] + Array(repeating: 0xFF, count: 7), [0x6F, 0x13, 0x40] + Array(repeating: 0, count: 7),
    ] as [[UInt8]])
  func `a malformed object is reported at the beginning of the file`(object: [UInt8]) {
    let read = ReadDocument(ObjectList(objects: [object]).bytes, as: .plist)
    #expect(read.places == ["101@0"])
    #expect(read.document.nodes.isEmpty)
    #expect(read.problems == [])
  }

  @Test func `an object that contains itself ends at the nesting limit`() {
    let lists = [
      ObjectList(objects: [ObjectList.list(0)]), ObjectList(objects: [ObjectList.map([1], [0]), ObjectList.text("a")]),
    ]
    for list in lists {
      let read = ReadDocument(list.bytes, as: .plist)
      #expect(read.places == ["105@0"])
      #expect(!read.document.isComplete && !read.document.hasPositions)
    }
  }

  @Test func `excessive nesting is reported by its path only`() throws {
    let objects = [
      ObjectList.map([1, 2, 3], [4, 5, 6]), ObjectList.text("configdi"), ObjectList.text("module"),
      ObjectList.text("x-a"),
      [0x10, 1], ObjectList.text("m"), ObjectList.list(6),
    ]
    let check = LoadedModule(
      MemoryFiles(["app.plist": ObjectList(objects: objects).bytes]), entry: .file("app.plist")
    ).check
    try #require(check.diagnostics.map(\.code) == [.nestedTooDeeply])
    #expect(check.diagnostics[0].location.start == nil)
    #expect(check.diagnostics[0].path == "x-a" + String(repeating: "[0]", count: 126))
  }

  @Test func `a small file that expands to a huge tree is rejected`() {
    var objects = (1...60).map { ObjectList.list($0, $0, $0, $0) }
    objects.append(ObjectList.text("a"))
    let limits = Limits(fileSize: LongTests.size(1 << 18, full: 16 << 20))
    #expect(ReadDocument(ObjectList(objects: objects).bytes, as: .plist, limits: limits).places == ["106@0"])
    let text = ObjectList.text(String(repeating: "a", count: limits.fileSize / 16))
    let wide = ObjectList(objects: [[0xAF, 0x10, 100] + Array(repeating: [0, 1], count: 100).joined(), text])
    #expect(ReadDocument(wide.bytes, as: .plist, limits: limits).places == ["106@0"])
    let narrow = ObjectList(objects: [[0xAF, 0x10, 10] + Array(repeating: [0, 1], count: 10).joined(), text])
    #expect(ReadDocument(narrow.bytes, as: .plist, limits: limits).findings.isEmpty)
  }

  @Test func `any changed or missing byte is handled`() {
    let list = ObjectList(objects: [
      ObjectList.map([1, 2], [3, 4]), ObjectList.text("a"), [0x61, 0, 0xE9], ObjectList.list(5, 6), [0x42, 1, 2],
      [0x11, 1, 2],
      [0x23, 0x3F, 0xE0, 0, 0, 0, 0, 0, 0],
    ])
    let bytes = list.bytes
    for place in bytes.indices {
      #expect(ReadDocument(Array(bytes[..<place]), as: .plist).problems == [])
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << bit
        #expect(ReadDocument(changed, as: .plist).problems == [], "\(place) \(bit)")
      }
    }
  }
}
