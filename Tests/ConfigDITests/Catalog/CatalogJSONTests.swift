// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ConfigDI

@Suite struct CatalogJSONTests {
  /// A catalog with every kind of argument.
  static let catalog = Catalog(types: [
    TypeDescriptor(
      name: "SMTPMailer", provides: ["Mailer", "SMTPMailer"], kind: .class, isSendable: true,
      deprecated: "use SESMailer", source: "Sources/App/Registrations.swift:41",
      arguments: [
        ArgumentDescriptor(key: "host", kind: .value(.string)),
        ArgumentDescriptor(key: "port", kind: .value(.integer(.Int)), defaultValue: 25),
        ArgumentDescriptor(key: "rate", kind: .value(.real(isSingle: false)), defaultValue: 0.5),
        ArgumentDescriptor(key: "pass", kind: .value(.string), isSecret: true),
        ArgumentDescriptor(key: "zones", kind: .value(.list(.string)), defaultValue: ["a", "b"]),
        ArgumentDescriptor(key: "wait", kind: .value(.optional(.duration)), isOptional: true),
        ArgumentDescriptor(key: "level", kind: .value(.oneOf(["debug", 3]))),
        ArgumentDescriptor(key: "maybe", kind: .value(.optional(.oneOf(["a"]))), isOptional: true),
        ArgumentDescriptor(key: "levels", kind: .value(.list(.optional(.oneOf(["a"]))))),
        ArgumentDescriptor(key: "byName", kind: .value(.map(.list(.oneOf(["a"]))))),
        ArgumentDescriptor(key: "money", kind: .value(.named("Money"))),
        ArgumentDescriptor(key: "logger", kind: .service(type: "Logger", wrapper: .direct)),
        ArgumentDescriptor(key: "cache", kind: .service(type: "Cache", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "db", kind: .service(type: "Database", wrapper: .lazy)),
        ArgumentDescriptor(key: "make", kind: .service(type: "Job", wrapper: .provider)),
        ArgumentDescriptor(key: "checks", kind: .service(type: "HealthCheck", wrapper: .list)),
        ArgumentDescriptor(key: "rules", kind: .service(type: "Rule", wrapper: .map)),
        ArgumentDescriptor(key: "inner", kind: .decorated(type: "Mailer")),
        ArgumentDescriptor(key: "userID", kind: .runtime(type: "String", isHashable: true)),
      ]),
    TypeDescriptor(name: "Account", provides: [], kind: .actor, isSendable: false, isAsync: true, source: "A.swift:1"),
  ])

  /// The text of `catalog`.
  static let text = """
    {
      "configdi-catalog": 1,
      "types": [
        {
          "name": "Account",
          "provides": [],
          "kind": "actor",
          "sendable": false,
          "async": true,
          "source": "A.swift:1",
          "arguments": []
        },
        {
          "name": "SMTPMailer",
          "provides": ["Mailer", "SMTPMailer"],
          "kind": "class",
          "sendable": true,
          "async": false,
          "deprecated": "use SESMailer",
          "source": "Sources/App/Registrations.swift:41",
          "arguments": [
            { "key": "host", "kind": "value", "type": "String" },
            { "key": "port", "kind": "value", "type": "Int", "default": 25 },
            { "key": "rate", "kind": "value", "type": "Double", "default": 0.5 },
            { "key": "pass", "kind": "value", "type": "String", "secret": true },
            { "key": "zones", "kind": "value", "type": "[String]", "default": ["a", "b"] },
            { "key": "wait", "kind": "value", "type": "Duration?" },
            { "key": "level", "kind": "value", "type": { "oneOf": ["debug", 3] } },
            { "key": "maybe", "kind": "value", "type": { "oneOf": ["a"] }, "optional": true },
            { "key": "levels", "kind": "value", "type": { "list": { "optional": { "oneOf": ["a"] } } } },
            { "key": "byName", "kind": "value", "type": { "map": { "list": { "oneOf": ["a"] } } } },
            { "key": "money", "kind": "value", "type": "Money" },
            { "key": "logger", "kind": "service", "type": "Logger" },
            { "key": "cache", "kind": "service", "type": "Cache", "optional": true },
            { "key": "db", "kind": "service", "type": "Database", "wrapper": "lazy" },
            { "key": "make", "kind": "service", "type": "Job", "wrapper": "provider" },
            { "key": "checks", "kind": "service", "type": "HealthCheck", "wrapper": "list" },
            { "key": "rules", "kind": "service", "type": "Rule", "wrapper": "map" },
            { "key": "inner", "kind": "decorated", "type": "Mailer" },
            { "key": "userID", "kind": "runtime", "type": "String", "hashable": true }
          ]
        }
      ]
    }

    """

  @Test func `the text has types in ascending order and one argument a line`() {
    #expect(Self.catalog.json == Self.text)
  }

  @Test func `types that were put out of order are written in order`() {
    var catalog = Self.catalog
    catalog.types.reverse()
    #expect(catalog.json == Self.text)
  }

  @Test func `encoders of Foundation write the same shape`() throws {
    let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Self.catalog)) as? NSDictionary
    let written = try JSONSerialization.jsonObject(with: Data(Self.text.utf8)) as? NSDictionary
    #expect(encoded != nil)
    #expect(encoded == written)
  }

  @Test func `decoders of Foundation read what either of them wrote`() throws {
    #expect(try JSONDecoder().decode(Catalog.self, from: Data(Self.text.utf8)) == Self.catalog)
    #expect(try JSONDecoder().decode(Catalog.self, from: JSONEncoder().encode(Self.catalog)) == Self.catalog)
  }

  @Test(arguments: [
    #"{"configdi-catalog": 2, "types": []}"#, #"{"types": []}"#, #"{"configdi-catalog": 1}"#,
    #"{"configdi-catalog": 1, "types": [{"name": "A"}]}"#,
    #"{"configdi-catalog": 1, "types": [{"name": "A", "provides": [], "kind": "klass", "sendable": true, "arguments": []}]}"#,
  ])
  func `decoders of Foundation refuse another shape`(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Catalog.self, from: Data(text.utf8)) }
  }

  @Test func `a default that no file can hold makes the argument one that may stay away`() {
    let argument = ArgumentDescriptor(
      key: "limit", kind: .value(.real(isSingle: false)), defaultValue: .real(.infinity))
    #expect(argument.value == ["key": "limit", "kind": "value", "type": "Double", "optional": true])
    let custom = ArgumentDescriptor(key: "rule", kind: .value(.named("Rule")), hasDefault: true)
    #expect(custom.value == ["key": "rule", "kind": "value", "type": "Rule", "optional": true])
  }

  @Test func `data in other formats are texts`() throws {
    let value: Value = [
      "d": .duration("5s"), "s": .size("1B"), "b": .data([102]), "n": [1, 2.5, true, ["z": "t", "a": []]],
    ]
    let data = try JSONEncoder().encode(value)
    #expect(
      try JSONDecoder().decode(Value.self, from: data)
        == ["b": "Zg==", "d": "5s", "n": [1, 2.5, true, ["a": [], "z": "t"]], "s": "1B"])
  }
}
