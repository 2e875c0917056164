// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct CatalogJSONTests {
  @Test func `the text has types in ascending order and one argument per line`() {
    #expect(SampleCatalog.catalog.json == SampleCatalog.text)
  }

  @Test func `unordered types are written in order`() {
    var catalog = SampleCatalog.catalog
    catalog.types.reverse()
    #expect(catalog.json == SampleCatalog.text)
  }

  @Test func `the default of a secret is not written`() throws {
    var registry = Registry()
    registry.add("Store", .value("password", String.self, default: "sesame", secret: true)) { (_: String) in 1 }
    let text = registry.catalog.json
    #expect(!text.contains("sesame") && text.contains(#""optional": true, "secret": true"#), "\(text)")
    #expect(try !String(decoding: JSONEncoder().encode(registry.catalog), as: UTF8.self).contains("sesame"))
  }

  @Test func `code can name a type unless a part of its name is declared in C`() {
    #expect(TypeName.swiftName(of: [String: Int].self) == "Swift.Dictionary<Swift.String, Swift.Int>")
    for type in [timespec.self, [timespec].self, [String: [timespec]].self] as [Any.Type] {
      #expect(TypeName.swiftName(of: type) == nil)
    }
  }

  @Test func `JSONEncoder writes the same structure`() throws {
    let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(SampleCatalog.catalog)) as? NSDictionary
    let written = try JSONSerialization.jsonObject(with: Data(SampleCatalog.text.utf8)) as? NSDictionary
    #expect(encoded != nil)
    #expect(encoded == written)
  }

  @Test func `JSONDecoder reads both forms`() throws {
    #expect(try JSONDecoder().decode(Catalog.self, from: Data(SampleCatalog.text.utf8)) == SampleCatalog.catalog)
    #expect(
      try JSONDecoder().decode(Catalog.self, from: JSONEncoder().encode(SampleCatalog.catalog)) == SampleCatalog.catalog
    )
  }

  @Test(arguments: [
    #"{"configdi-catalog": 2, "types": []}"#, #"{"types": []}"#, #"{"configdi-catalog": 1}"#,
    #"{"configdi-catalog": 1, "types": [{"name": "A"}]}"#,
    #"{"configdi-catalog": 1, "types": [{"name": "A", "provides": [], "kind": "klass", "sendable": true, "arguments": []}]}"#,
  ])
  func `JSONDecoder rejects other structures`(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Catalog.self, from: Data(text.utf8)) }
  }

  @Test func `an argument whose default cannot be written to a file is optional`() {
    let argument = ArgumentDescriptor(
      key: "limit", kind: .value(.real(isSingle: false)), defaultValue: .real(.infinity))
    #expect(argument.value == ["key": "limit", "kind": "value", "type": "Double", "optional": true])
    let custom = ArgumentDescriptor(key: "rule", kind: .value(.named("Rule")), hasDefault: true)
    #expect(custom.value == ["key": "rule", "kind": "value", "type": "Rule", "optional": true])
  }

  @Test func `data in other formats are strings`() throws {
    let value: Value = [
      "d": .duration("5s"), "s": .size("1B"), "b": .data([102]), "n": [1, 2.5, true, ["z": "t", "a": []]],
    ]
    let data = try JSONEncoder().encode(value)
    #expect(
      try JSONDecoder().decode(Value.self, from: data)
        == ["b": "Zg==", "d": "5s", "n": [1, 2.5, true, ["a": [], "z": "t"]], "s": "1B"])
  }
}
